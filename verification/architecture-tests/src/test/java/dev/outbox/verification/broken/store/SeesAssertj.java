package dev.outbox.verification.broken.store;

import dev.outbox.verification.architecture.Breaks;
import org.assertj.core.api.SoftAssertions;

@Breaks("testLibrariesStayInTheTestKit")
record SeesAssertj(SoftAssertions seen) {}
