package dev.outbox.dynamodb;

import dev.outbox.Outbox;
import dev.outbox.email.Bytes;
import dev.outbox.email.RecipientResult;
import dev.outbox.settings.LeaseSettings;
import dev.outbox.settings.ProcessingSettings;
import dev.outbox.testsupport.LocalDynamo;
import dev.outbox.transport.DeliveryResult;
import dev.outbox.transport.Envelope;
import dev.outbox.transport.RenderedMessage;
import dev.outbox.transport.SendPermit;
import dev.outbox.transport.Transport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** A process that sends what is in a table, and writes down the subjects of what it has sent. */
final class ProcessorMain {

  /** So that two processes share the work. */
  private static final ProcessingSettings FEW_AT_ONCE =
      new ProcessingSettings(
          2,
          1,
          10,
          1 << 20,
          20,
          Duration.ofMillis(100),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofMinutes(1),
          Duration.ofMillis(100),
          500);

  private ProcessorMain() {}

  /** Runs until it is killed. */
  public static void main(String[] args) {
    DynamoDbStore store =
        DynamoDbStore.builder(LocalDynamo.client(URI.create(args[0]))).table(args[1]).build();
    Outbox.builder(store)
        .transport(new FileTransport(Path.of(args[2])))
        .defaultFrom("shop@example.com")
        .nodeName(args[3])
        .processing(FEW_AT_ONCE)
        .lease(new LeaseSettings(Duration.ofMillis(250), Duration.ofSeconds(3)))
        .build()
        .start();
  }

  /** A relay that is a file. */
  private record FileTransport(Path file) implements Transport {

    @Override
    public Bytes compose(RenderedMessage message) {
      return Bytes.utf8(message.subject());
    }

    @Override
    public DeliveryResult deliver(Envelope envelope, Bytes message, SendPermit permit) {
      if (!permit.isValid()) {
        return new DeliveryResult.NotSent();
      }
      try {
        Files.writeString(
            file,
            message.toUtf8() + "\n",
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND,
            StandardOpenOption.SYNC);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new DeliveryResult.Answered(
          envelope.recipients().stream()
              .map(
                  each ->
                      new RecipientResult(
                          each.email(), RecipientResult.Status.ACCEPTED, "250 written"))
              .toList(),
          "250 written");
    }

    @Override
    public int availableCapacity(int wanted) {
      return wanted;
    }

    @Override
    public void close() {}
  }
}
