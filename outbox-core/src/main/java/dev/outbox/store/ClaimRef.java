package dev.outbox.store;

import dev.outbox.email.EmailId;
import dev.outbox.email.State;

/**
 * A claim by name: enough to recognise it, or to ask whether it still stands.
 *
 * @param id the email
 * @param token what proves the claim
 * @param state the busy state in which it is held
 */
public record ClaimRef(EmailId id, long token, State state) {}
