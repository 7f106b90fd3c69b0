package dev.outbox.verification.broken.email;

import dev.outbox.verification.architecture.Breaks;
import java.util.logging.Logger;

@Breaks("nobodyLogsWithJavaUtilLogging")
record LogsWithJul() {

  static final Logger LOG = Logger.getLogger("mail");
}
