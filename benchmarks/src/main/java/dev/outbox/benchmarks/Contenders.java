package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.TemplateData;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import java.util.List;

/** All that are compared, with the same email and the same payload. */
final class Contenders {

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

  private Contenders() {}

  /** Returns a way to the sink with everything at its default. */
  static SmtpTransport smtp(int port) {
    return SmtpTransport.over(
        SmtpRelay.unprotectedPlaintext("localhost", port).helloName("localhost"));
  }

  static List<Contender> all(DatabaseServer server, int port) {
    String payload = TemplateData.of(SampleOrder.number(4711)).json();
    Sender.Factory angus = () -> new AngusSender(port);
    return List.of(
        new OutboxContender(OURS, server, () -> smtp(port), 1),
        floor(FLOOR, server, raw(port)),
        new DbSchedulerPeer(SCHEDULER, server, new PeerTask(angus), payload),
        new TransactionOutboxPeer(OUTBOX, server, new PeerTask(angus), payload),
        new OutboxContender(OURS_2, server, () -> smtp(port), 2),
        new OutboxContender(OURS_4, server, () -> smtp(port), 4),
        new OutboxContender(OURS_EMPTY, server, EmptyTransport::new, 1),
        floor(FLOOR_EMPTY, server, NoSender::new),
        new DbSchedulerPeer(SCHEDULER_EMPTY, server, new PeerTask(NoSender::new), payload),
        new TransactionOutboxPeer(OUTBOX_EMPTY, server, new PeerTask(NoSender::new), payload));
  }

  static Floor floor(String name, DatabaseServer server, Sender.Factory senders) {
    String data = TemplateData.of(SampleOrder.number(4711)).json();
    return new Floor(
        name,
        server,
        senders,
        Bytes.utf8(
            "{\"v\":1,\"replyTo\":[],\"template\":\"order\",\"data\":"
                + data
                + ",\"attachments\":[],\"headers\":[]}"));
  }

  private static Sender.Factory raw(int port) {
    try (SmtpTransport transport = smtp(port)) {
      Bytes message = transport.compose(SampleOrder.message());
      return () -> new RawSender(port, message);
    }
  }
}
