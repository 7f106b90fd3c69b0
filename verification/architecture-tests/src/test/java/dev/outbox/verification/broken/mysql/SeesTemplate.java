package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.template.Neighbour;

@Breaks("mysqlSeesOnlyEmailAndStore")
record SeesTemplate(Neighbour seen) {}
