package dev.outbox.verification.chaos;

/** A store that can have its worst day. */
enum StoreKind {
  MARIADB,
  H2,
  DYNAMODB
}
