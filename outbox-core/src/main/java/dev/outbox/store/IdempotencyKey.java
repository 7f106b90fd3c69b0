package dev.outbox.store;

/**
 * What a store keeps of a request's idempotency key.
 *
 * @param key the digest of the key
 * @param fingerprint the digest of what the receiver would see, by which a repeated request is told
 *     from another one under the same key
 */
public record IdempotencyKey(Sha256 key, Sha256 fingerprint) {}
