package dev.outbox.verification.broken.email;

import com.fasterxml.jackson.databind.JsonNode;
import dev.outbox.verification.architecture.Breaks;
import java.util.List;

@Breaks("signaturesAreFreeOfJacksonAndMustache")
public final class ShowsJackson {

  private ShowsJackson() {}

  /** A generic argument shows as much as a plain parameter. */
  public static int size(List<JsonNode> nodes) {
    return nodes.size();
  }
}
