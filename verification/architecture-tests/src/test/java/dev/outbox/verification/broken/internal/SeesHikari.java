package dev.outbox.verification.broken.internal;

import com.zaxxer.hikari.lookalike.Hikari;
import dev.outbox.verification.architecture.Breaks;

@Breaks("jdbiAndHikariStayInMysql")
record SeesHikari(Hikari seen) {}
