package dev.outbox.email;

/**
 * What the host gets for an email that is safely stored.
 *
 * @param id the email's id
 * @param created false if the idempotency key was known, and the id is that of the first email
 */
public record Receipt(EmailId id, boolean created) {}
