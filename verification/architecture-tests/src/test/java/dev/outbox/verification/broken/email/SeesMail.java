package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;
import jakarta.mail.lookalike.Mail;

@Breaks("mailStaysInSmtp")
record SeesMail(Mail seen) {}
