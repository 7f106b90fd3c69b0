package dev.outbox.javalin;

import dev.outbox.email.EmailSummary;
import java.util.List;
import java.util.function.Predicate;

/**
 * The check of search criteria: a result confirms what was searched for, so a search by personal
 * data needs the right to see it.
 */
final class AddressSearchCheck {

  private AddressSearchCheck() {}

  /**
   * Rejects criteria that would confirm an address to a caller who may not see addresses.
   *
   * @throws ProblemException 403, naming the criterion
   */
  static void reject(SearchCriteria criteria, AccessRole access) {
    if (access.seesPersonalData()) {
      return;
    }
    if (!criteria.values().apply("recipient").isEmpty()) {
      throw ProblemDetails.forbiddenParameter("recipient").asException();
    }
    AddressMasking masking = AddressMasking.of(access);
    for (String tag : criteria.values().apply("tag")) {
      if (!masking.text(tag).equals(tag)) {
        throw ProblemDetails.forbiddenParameter("tag").asException();
      }
    }
  }

  /**
   * Returns which of the found emails a caller may see. A tag that is masked in an email, because
   * it contains a recipient's name, does not find this email.
   */
  static Predicate<EmailSummary> shown(SearchCriteria criteria, AccessRole access) {
    List<String> tags = criteria.values().apply("tag");
    if (access.seesPersonalData() || tags.isEmpty()) {
      return email -> true;
    }
    return email -> {
      AddressMasking masking = AddressMasking.of(access).about(email);
      return tags.stream().allMatch(tag -> masking.text(tag).equals(tag));
    };
  }
}
