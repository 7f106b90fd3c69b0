package dev.outbox.verification.broken.testkit;

import dev.outbox.verification.architecture.Breaks;
import org.eclipse.angus.lookalike.Angus;

@Breaks("mailStaysInSmtp")
record SeesAngus(Angus seen) {}
