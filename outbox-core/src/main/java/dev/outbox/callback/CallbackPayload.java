package dev.outbox.callback;

/** What a receiver is sent about an email; a host that has its own form of it brings its own. */
@FunctionalInterface
public interface CallbackPayload {

  /**
   * Returns the body of a call, as JSON. The same notice has to give the same body.
   *
   * <p>It is called by many threads at once. What it throws counts as a call that failed.
   */
  String json(CallbackNotice notice);

  /**
   * Returns the form that is sent unless another is set: an object with {@code id}, {@code code}
   * ({@code TRAVELING} if the relay took the email, else {@code DISPATCH-ERROR}), {@code status}
   * ({@code SENT}, {@code FAILED} or {@code INVALID}), {@code failure} (why it failed, as {@code
   * REFUSED}), {@code reached_at} (ISO 8601, in UTC), {@code reason}, {@code attempts} and {@code
   * request_id}. What is not known is there as null.
   */
  static CallbackPayload standard() {
    return DefaultCallbackPayload::json;
  }
}
