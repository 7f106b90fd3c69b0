package dev.outbox.verification.broken.template;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.internal.mustache.Mustache;

@Breaks("signaturesAreFreeOfJacksonAndMustache")
public abstract class ShowsMustache implements Mustache {

  /** For subclasses. */
  protected ShowsMustache() {}
}
