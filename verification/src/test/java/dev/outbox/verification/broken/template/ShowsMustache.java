package dev.outbox.verification.broken.template;

import com.samskivert.mustache.Mustache;
import dev.outbox.verification.architecture.Breaks;

@Breaks("signaturesAreFreeOfJacksonAndMustache")
public abstract class ShowsMustache implements Mustache.Lambda {

  /** For subclasses. */
  protected ShowsMustache() {}
}
