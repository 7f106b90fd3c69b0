package dev.outbox.testkit;

import dev.outbox.email.Address;
import dev.outbox.email.EmailId;
import dev.outbox.email.FailureCode;
import dev.outbox.email.Headline;
import dev.outbox.email.NodeId;
import dev.outbox.email.Priority;
import dev.outbox.email.Progress;
import dev.outbox.email.RecipientResult;
import dev.outbox.email.Recipients;
import dev.outbox.email.State;
import dev.outbox.store.Digest;
import dev.outbox.store.HistoryRow;
import dev.outbox.store.IdempotencyKey;
import dev.outbox.store.Lane;
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

  static byte[] encode(Row row) {
    return written(
        out -> {
          out.writeLong(row.id.value().getMostSignificantBits());
          out.writeLong(row.id.value().getLeastSignificantBits());
          text(out, row.priority.name());
          text(out, row.template);
          texts(out, List.copyOf(row.tags));
          text(out, row.requestId);
          text(out, row.callbackUrl);
          text(out, row.key == null ? null : row.key.key().hex());
          text(out, row.key == null ? null : row.key.fingerprint().hex());
          out.writeLong(row.lifetime.getSeconds());
          out.writeInt(row.lifetime.getNano());
          time(out, row.created);
          text(out, row.state.wireName());
          text(out, row.lane.name());
          headline(out, row.headline);
          out.writeInt(row.progress.generation());
          out.writeInt(row.progress.attempts());
          out.writeInt(row.progress.reaps());
          out.writeInt(row.progress.tries());
          time(out, row.preparing);
          time(out, row.prepared);
          time(out, row.sending);
          time(out, row.sent);
          time(out, row.settled);
          time(out, row.updated);
          time(out, row.due);
          time(out, row.deadline);
          text(out, row.owner);
          text(out, row.code);
          text(out, row.reason);
          text(out, row.response);
          out.writeInt(row.recipients.size());
          for (RecipientResult result : row.recipients) {
            text(out, result.recipient());
            text(out, result.status().name());
            text(out, result.reply());
          }
          out.writeLong(row.token);
          out.writeLong(row.completedToken);
          text(out, row.completedTo);
          out.writeLong(row.sentToken);
        });
  }

  static Row decode(byte[] bytes) {
    return read(
        bytes,
        in -> {
          Row row =
              new Row(
                  new EmailId(new UUID(in.readLong(), in.readLong())),
                  Priority.valueOf(needed(in)),
                  text(in),
                  Set.copyOf(texts(in)),
                  text(in),
                  parsed(in, URI::create),
                  key(text(in), text(in)),
                  Duration.ofSeconds(in.readLong(), in.readInt()),
                  neededTime(in));
          row.state = State.ofWireName(needed(in)).orElseThrow();
          row.lane = Lane.valueOf(needed(in));
          row.headline = headline(in);
          row.progress = new Progress(in.readInt(), in.readInt(), in.readInt(), in.readInt());
          row.preparing = time(in);
          row.prepared = time(in);
          row.sending = time(in);
          row.sent = time(in);
          row.settled = time(in);
          row.updated = neededTime(in);
          row.due = time(in);
          row.deadline = neededTime(in);
          row.owner = parsed(in, NodeId::new);
          row.code = parsed(in, FailureCode::valueOf);
          row.reason = text(in);
          row.response = text(in);
          List<RecipientResult> results = new ArrayList<>();
          for (int left = in.readInt(); left > 0; left--) {
            results.add(
                new RecipientResult(
                    needed(in), RecipientResult.Status.valueOf(needed(in)), text(in)));
          }
          row.recipients = results;
          row.token = in.readLong();
          row.completedToken = in.readLong();
          row.completedTo = parsed(in, State::valueOf);
          row.sentToken = in.readLong();
          return row;
        });
  }

  static byte[] encode(HistoryRow row) {
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

  static HistoryRow decodeHistory(byte[] bytes) {
    return read(
        bytes,
        in ->
            new HistoryRow(
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
        : new IdempotencyKey(new Digest(key), new Digest(fingerprint));
  }

  private static void headline(DataOutputStream out, @Nullable Headline headline)
      throws IOException {
    out.writeBoolean(headline != null);
    if (headline != null) {
      text(out, headline.from().format());
      Recipients recipients = headline.recipients();
      for (List<Address> list : List.of(recipients.to(), recipients.cc(), recipients.bcc())) {
        texts(out, list.stream().map(Address::format).toList());
      }
      text(out, headline.subject());
    }
  }

  private static @Nullable Headline headline(DataInputStream in) throws IOException {
    if (!in.readBoolean()) {
      return null;
    }
    Address from = Address.parse(needed(in));
    return new Headline(
        from, new Recipients(addresses(in), addresses(in), addresses(in)), text(in));
  }

  private static List<Address> addresses(DataInputStream in) throws IOException {
    return texts(in).stream().map(Address::parse).toList();
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
