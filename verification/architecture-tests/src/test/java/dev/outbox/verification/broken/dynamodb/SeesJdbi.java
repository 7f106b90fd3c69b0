package dev.outbox.verification.broken.dynamodb;

import dev.outbox.verification.architecture.Breaks;
import org.jdbi.lookalike.Jdbi;

@Breaks("jdbiAndHikariStayInMysql")
record SeesJdbi(Jdbi seen) {}
