package dev.outbox.verification.broken.store;

import dev.outbox.verification.architecture.Breaks;
import org.junit.jupiter.api.TestInfo;

@Breaks("testLibrariesStayInTheTestKit")
record SeesJunit(TestInfo seen) {}
