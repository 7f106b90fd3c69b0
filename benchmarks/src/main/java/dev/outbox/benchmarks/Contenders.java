package dev.outbox.benchmarks;

import dev.outbox.email.Bytes;
import dev.outbox.email.TemplateData;
import dev.outbox.mysql.MySqlStore;
import dev.outbox.smtp.SmtpRelay;
import dev.outbox.smtp.SmtpTransport;
import java.util.List;

/** All that are compared, with the same email and the same payload. */
final class Contenders {

  private Contenders() {}

  static SmtpTransport smtp(int port) {
    return SmtpTransport.over(
        SmtpRelay.unprotectedPlaintext("localhost", port).helloName("localhost"));
  }

  static List<Contender> all(DatabaseServer server, MySqlStore store, int port) {
    Bytes message;
    try (SmtpTransport transport = smtp(port)) {
      message = transport.compose(SampleOrder.message());
    }
    String payload = TemplateData.of(SampleOrder.number(4711)).json();
    Bytes stored =
        Bytes.utf8(
            "{\"v\":1,\"replyTo\":[],\"template\":\"order\",\"data\":"
                + payload
                + ",\"attachments\":[],\"headers\":[]}");
    return List.of(
        new OutboxContender("ours", store, () -> smtp(port), 1),
        new Floor("floor", server, () -> new RawSender(port, message), stored),
        new OutboxContender("empty ours", store, EmptyTransport::new, 1),
        new Floor("empty floor", server, NoSender::new, stored),
        new DbSchedulerPeer(
            "db-scheduler-peer", server, new PeerTask(() -> new AngusSender(port)), payload),
        new TransactionOutboxPeer(
            "transaction-outbox-peer", server, new PeerTask(() -> new AngusSender(port)), payload),
        new DbSchedulerPeer(
            "empty db-scheduler-peer", server, new PeerTask(NoSender::new), payload),
        new TransactionOutboxPeer(
            "empty transaction-outbox-peer", server, new PeerTask(NoSender::new), payload));
  }
}
