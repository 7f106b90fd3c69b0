package dev.outbox.verification.broken.email;

import com.samskivert.mustache.Template;
import dev.outbox.verification.architecture.Breaks;

@Breaks("mustacheStaysInTemplate")
record SeesMustache(Template seen) {}
