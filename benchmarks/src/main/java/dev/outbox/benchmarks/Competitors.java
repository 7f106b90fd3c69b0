package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.TemplateData;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import java.util.List;

/** All that are compared, with the same email and the same payload. */
final class Competitors {

  static final String OURS = "ours";
  static final String OURS_2 = "ours, 2 nodes";
  static final String OURS_4 = "ours, 4 nodes";
  static final String OURS_EMPTY = "ours, empty transport";
  static final String FLOOR = "floor";
  static final String FLOOR_EMPTY = "floor, nothing sent";
  static final String SCHEDULER = "db-scheduler";
  static final String SCHEDULER_EMPTY = "db-scheduler, empty task";
  static final String OUTBOX = "transaction-outbox";
  static final String OUTBOX_EMPTY = "transaction-outbox, empty task";

  private Competitors() {}

  /** Returns a way to the sink with everything at its default. */
  static SmtpTransport smtp(int port) {
    return SmtpTransport.over(
        SmtpRelay.unprotectedPlaintext("localhost", port).helloName("localhost"));
  }

  static List<Competitor> all(DatabaseServer server, int port) {
    String payload = TemplateData.of(SampleOrder.number(4711)).json();
    MailClient.Factory angus = () -> new AngusMailClient(port);
    return List.of(
        new OutboxCompetitor(OURS, server, () -> smtp(port), 1),
        floor(FLOOR, server, raw(port)),
        new DbSchedulerPeer(SCHEDULER, server, new PeerTask(angus), payload),
        new TransactionOutboxPeer(OUTBOX, server, new PeerTask(angus), payload),
        new OutboxCompetitor(OURS_2, server, () -> smtp(port), 2),
        new OutboxCompetitor(OURS_4, server, () -> smtp(port), 4),
        new OutboxCompetitor(OURS_EMPTY, server, NoOpTransport::new, 1),
        floor(FLOOR_EMPTY, server, NoOpMailClient::new),
        new DbSchedulerPeer(SCHEDULER_EMPTY, server, new PeerTask(NoOpMailClient::new), payload),
        new TransactionOutboxPeer(
            OUTBOX_EMPTY, server, new PeerTask(NoOpMailClient::new), payload));
  }

  static JdbcBaseline floor(String name, DatabaseServer server, MailClient.Factory senders) {
    String data = TemplateData.of(SampleOrder.number(4711)).json();
    return new JdbcBaseline(
        name,
        server,
        senders,
        Bytes.utf8(
            "{\"v\":1,\"replyTo\":[],\"template\":\"order\",\"data\":"
                + data
                + ",\"attachments\":[],\"headers\":[]}"));
  }

  private static MailClient.Factory raw(int port) {
    try (SmtpTransport transport = smtp(port)) {
      Bytes message = transport.compose(SampleOrder.message());
      return () -> new RawSocketMailClient(port, message);
    }
  }
}
