package dev.outbox.verification.broken.mysql;

import dev.outbox.verification.architecture.Breaks;
import dev.outbox.verification.broken.template.Neighbour;

@Breaks("mysqlSeesOnlyWhatStoresMaySee")
record SeesTemplate(Neighbour seen) {}
