package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.email.AddressesAndSubject;
import dev.outbox.email.Counters;
import dev.outbox.email.EmailId;
import dev.outbox.email.EmailSummary;
import dev.outbox.email.FailureCode;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.email.Timeline;
import dev.outbox.store.ClaimTokens;
import dev.outbox.store.EmailRecord;
import dev.outbox.store.HistoryRecord;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.PriorityLane;
import dev.outbox.store.Sha256;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows as bytes, so that the store in memory keeps nothing that a database could not. */
final class RowFormat {

  private RowFormat() {}

  static byte[] encode(EmailRecord row) {
    EmailSummary email = row.email();
    Timeline times = email.timeline();
    ClaimTokens tokens = row.tokens();
    return written(
        out -> {
          out.writeLong(email.id().value().getMostSignificantBits());
          out.writeLong(email.id().value().getLeastSignificantBits());
          text(out, email.state().wireName());
          headline(out, email.addressesAndSubject());
          text(out, email.priority().name());
          text(out, email.template());
          texts(out, List.copyOf(email.tags()));
          text(out, email.requestId());
          text(out, email.callbackUrl());
          out.writeInt(email.progress().generation());
          out.writeInt(email.progress().attempts());
          out.writeInt(email.progress().reaps());
          out.writeInt(email.progress().stageRetries());
          time(out, times.created());
          time(out, times.preparing());
          time(out, times.prepared());
          time(out, times.sending());
          time(out, times.sent());
          time(out, times.settled());
          time(out, times.updated());
          time(out, email.due());
          time(out, email.deadline());
          text(out, email.owner());
          text(out, email.worker());
          text(out, email.code());
          text(out, email.reason());
          text(out, email.response());
          results(out, email.recipients());
          out.writeBoolean(email.archived());
          text(out, row.lane().name());
          text(out, row.key() == null ? null : row.key().key().hex());
          text(out, row.key() == null ? null : row.key().fingerprint().hex());
          text(out, row.lifetime());
          out.writeLong(tokens.current());
          out.writeLong(tokens.completed());
          text(out, tokens.completedTo());
          out.writeLong(tokens.sent());
        });
  }

  static EmailRecord decode(byte[] bytes) {
    return read(
        bytes,
        in ->
            new EmailRecord(
                summary(in),
                PriorityLane.valueOf(needed(in)),
                key(text(in), text(in)),
                Duration.parse(needed(in)),
                new ClaimTokens(
                    in.readLong(), in.readLong(), parsed(in, State::valueOf), in.readLong())));
  }

  private static EmailSummary summary(DataInputStream in) throws IOException {
    return new EmailSummary(
        new EmailId(new UUID(in.readLong(), in.readLong())),
        State.ofWireName(needed(in)).orElseThrow(),
        headline(in),
        Priority.valueOf(needed(in)),
        text(in),
        Set.copyOf(texts(in)),
        text(in),
        parsed(in, URI::create),
        new Counters(in.readInt(), in.readInt(), in.readInt(), in.readInt()),
        new Timeline(
            neededTime(in), time(in), time(in), time(in), time(in), time(in), neededTime(in)),
        time(in),
        neededTime(in),
        parsed(in, NodeId::new),
        parsed(in, NodeId::new),
        parsed(in, FailureCode::valueOf),
        text(in),
        text(in),
        results(in),
        in.readBoolean());
  }

  static byte[] encode(HistoryRecord row) {
    return written(
        out -> {
          text(out, row.from().wireName());
          text(out, row.to().wireName());
          time(out, row.at());
          time(out, row.preparing());
          time(out, row.sending());
          out.writeInt(row.generation());
          out.writeInt(row.attempt());
          text(out, row.node());
          text(out, row.code());
          text(out, row.reason());
          text(out, row.detail());
        });
  }

  static HistoryRecord decodeHistory(byte[] bytes) {
    return read(
        bytes,
        in ->
            new HistoryRecord(
                State.ofWireName(needed(in)).orElseThrow(),
                State.ofWireName(needed(in)).orElseThrow(),
                neededTime(in),
                time(in),
                time(in),
                in.readInt(),
                in.readInt(),
                parsed(in, NodeId::new),
                parsed(in, FailureCode::valueOf),
                text(in),
                text(in)));
  }

  private static @Nullable IdempotencyKey key(@Nullable String key, @Nullable String fingerprint) {
    return key == null || fingerprint == null
        ? null
        : new IdempotencyKey(new Sha256(key), new Sha256(fingerprint));
  }

  private static void results(DataOutputStream out, List<RecipientResult> results)
      throws IOException {
    out.writeInt(results.size());
    for (RecipientResult result : results) {
      text(out, result.recipient());
      text(out, result.status().name());
      text(out, result.reply());
    }
  }

  private static List<RecipientResult> results(DataInputStream in) throws IOException {
    List<RecipientResult> results = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      results.add(
          new RecipientResult(needed(in), RecipientResult.Status.valueOf(needed(in)), text(in)));
    }
    return results;
  }

  private static void headline(
      DataOutputStream out, @Nullable AddressesAndSubject addressesAndSubject) throws IOException {
    out.writeBoolean(addressesAndSubject != null);
    if (addressesAndSubject != null) {
      text(out, addressesAndSubject.from().format());
      Recipients recipients = addressesAndSubject.recipients();
      for (List<Address> list : List.of(recipients.to(), recipients.cc(), recipients.bcc())) {
        texts(out, list.stream().map(Address::format).toList());
      }
      text(out, addressesAndSubject.subject());
    }
  }

  private static @Nullable AddressesAndSubject headline(DataInputStream in) throws IOException {
    if (!in.readBoolean()) {
      return null;
    }
    Address from = Address.stored("from", needed(in));
    return new AddressesAndSubject(
        from, new Recipients(addresses(in), addresses(in), addresses(in)), text(in));
  }

  private static List<Address> addresses(DataInputStream in) throws IOException {
    return texts(in).stream().map(text -> Address.stored("recipients", text)).toList();
  }

  private static void texts(DataOutputStream out, List<String> texts) throws IOException {
    out.writeInt(texts.size());
    for (String each : texts) {
      text(out, each);
    }
  }

  private static List<String> texts(DataInputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      texts.add(needed(in));
    }
    return texts;
  }

  private static void text(DataOutputStream out, @Nullable Object value) throws IOException {
    if (value == null) {
      out.writeInt(-1);
    } else {
      byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
      out.writeInt(utf8.length);
      out.write(utf8);
    }
  }

  private static @Nullable String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    return length < 0 ? null : new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private static void time(DataOutputStream out, @Nullable Instant time) throws IOException {
    out.writeBoolean(time != null);
    if (time != null) {
      out.writeLong(time.getEpochSecond());
      out.writeInt(time.getNano());
    }
  }

  private static @Nullable Instant time(DataInputStream in) throws IOException {
    return in.readBoolean() ? Instant.ofEpochSecond(in.readLong(), in.readInt()) : null;
  }

  private static Instant neededTime(DataInputStream in) throws IOException {
    Instant time = time(in);
    if (time == null) {
      throw new IOException("a time that must not be null");
    }
    return time;
  }

  private static String needed(DataInputStream in) throws IOException {
    String text = text(in);
    if (text == null) {
      throw new IOException("a column that must not be null");
    }
    return text;
  }

  private static <T> @Nullable T parsed(DataInputStream in, Parser<T> parser) throws IOException {
    String text = text(in);
    return text == null ? null : parser.parse(text);
  }

  private static byte[] written(Writing writing) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      writing.to(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static <T> T read(byte[] bytes, Reading<T> reading) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      return reading.from(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private interface Reading<T> {
    T from(DataInputStream in) throws IOException;
  }

  private interface Parser<T> {
    T parse(String text);
  }
}
