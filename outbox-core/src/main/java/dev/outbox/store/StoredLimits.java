package dev.outbox.store;

/**
 * The longest values of an email that every store can keep. Lengths of texts are in {@code char}s.
 *
 * <p>Values are measured against these limits before an email is stored or delivered, so that a
 * store never has to reject an email that a relay already accepted.
 */
public final class StoredLimits {

  /** The subject, given by the caller or rendered from a template. */
  public static final int SUBJECT = 1_000;

  /** The sender in its stored form: display name and address. */
  public static final int SENDER = 500;

  /** The name of the template. */
  public static final int TEMPLATE = 255;

  /** The host's own reference of the request. */
  public static final int REQUEST_ID = 255;

  /** The callback URL. */
  public static final int CALLBACK_URL = 1_000;

  /** Why an email failed or waits. */
  public static final int REASON = 1_000;

  /** A reply of a relay or of a callback receiver. */
  public static final int RESPONSE = 2_000;

  /** The reply of a relay for one recipient. */
  public static final int RECIPIENT_RESPONSE = 500;

  /** The composed message, in bytes. */
  public static final int COMPOSED_BYTES = (16 << 20) - 1;

  private StoredLimits() {}
}
