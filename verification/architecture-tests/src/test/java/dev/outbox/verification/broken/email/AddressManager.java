package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;

@Breaks("noClassIsADrawer")
record AddressManager() {}
