package dev.outbox.dynamodb;

import dev.outbox.content.LargeContent;
import dev.outbox.email.Bytes;
import dev.outbox.email.EmailId;
import dev.outbox.email.InvalidEmailException;
import dev.outbox.store.NewEmail;
import dev.outbox.store.StoreException;
import dev.outbox.store.StoredContent;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Where content is: in an item of its own, so that a change of state does not pay for it, or in the
 * content directory if it is larger than an item may be.
 */
final class ContentStorage {

  private static final Logger log = LoggerFactory.getLogger(ContentStorage.class);

  /** What fits into an item of 400 KB beside its key. */
  static final int ITEM_BYTES = 400_000;

  private final DynamoDbRequests dynamo;
  private final DynamoDbSettings settings;
  private final @Nullable LargeContent large;
  private final @Nullable ContentFiles files;

  ContentStorage(DynamoDbRequests dynamo, DynamoDbSettings settings, @Nullable LargeContent large) {
    this.dynamo = dynamo;
    this.settings = settings;
    this.large = large;
    this.files = large == null ? null : new ContentFiles(large);
  }

  /** Returns the items of a payload; one that is too large goes to the directory instead. */
  List<Map<String, AttributeValue>> payload(EmailItem row, Bytes payload) {
    if (payload.length() <= ITEM_BYTES) {
      return List.of(item(row.id, AttributeNames.PAYLOAD, payload.toArray()));
    }
    row.payloadFile =
        Objects.requireNonNull(files).save(row.id, LargeContent.Kind.PAYLOAD, payload);
    return List.of();
  }

  /**
   * Refuses content that is too large for an item, if there is no directory for it.
   *
   * @throws InvalidEmailException that names the content and the email's id
   */
  void check(NewEmail email) {
    if (large == null && email.payload().length() > ITEM_BYTES) {
      throw new InvalidEmailException(
          "content",
          ("%d bytes of email %s, and %d fit into an item of DynamoDB; "
                  + "largeContent(ContentDirectory.at(path)) takes more")
              .formatted(email.payload().length(), email.id(), ITEM_BYTES));
    }
  }

  /**
   * Returns the items of a composed message. What nobody can refuse any more is spread over several
   * if there is no directory.
   */
  List<Map<String, AttributeValue>> composed(EmailItem row, Bytes message) {
    row.composed = 0;
    row.composedFile = null;
    if (message.length() > ITEM_BYTES && files != null) {
      row.composedFile = files.save(row.id, LargeContent.Kind.COMPOSED, message);
      return List.of();
    }
    List<Map<String, AttributeValue>> items = new ArrayList<>();
    byte[] all = message.toArray();
    for (int start = 0; start == 0 || start < all.length; start += ITEM_BYTES) {
      byte[] part = Arrays.copyOfRange(all, start, Math.min(all.length, start + ITEM_BYTES));
      items.add(item(row.id, composedStatus(items.size()), part));
    }
    row.composed = items.size();
    return items;
  }

  private static Map<String, AttributeValue> item(EmailId id, String status, byte[] body) {
    Map<String, AttributeValue> item = new HashMap<>(AttributeValues.key(id.toString(), status));
    item.put(AttributeNames.BODY, AttributeValue.fromB(SdkBytes.fromByteArrayUnsafe(body)));
    return item;
  }

  private static String composedStatus(int part) {
    return part == 0 ? AttributeNames.COMPOSED : AttributeNames.COMPOSED + "#" + part;
  }

  /** Returns the sort keys of the items that hold an email's content. */
  static List<String> statuses(EmailItem row) {
    List<String> statuses = new ArrayList<>();
    if (row.hasContent()) {
      // Content in the directory may have an item without a body, to be found when it is over.
      statuses.add(AttributeNames.PAYLOAD);
    }
    for (int part = 0; row.hasContent() && part < row.composed; part++) {
      statuses.add(composedStatus(part));
    }
    return statuses;
  }

  /** Returns the names of an email's content in the directory. */
  static List<String> files(EmailItem row) {
    List<String> files = new ArrayList<>();
    if (row.payloadFile != null) {
      files.add(row.payloadFile);
    }
    if (row.composedFile != null) {
      files.add(row.composedFile);
    }
    return files;
  }

  /**
   * Looks which items of an email there really are, if its row cannot say so.
   *
   * @param row changed to what is there
   */
  void recount(EmailItem row) {
    if (!row.isSpoilt()) {
      return;
    }
    List<String> statuses =
        dynamo
            .query(
                Integer.MAX_VALUE,
                query ->
                    query
                        .tableName(settings.emails())
                        .consistentRead(true)
                        .keyConditionExpression("Id = :id")
                        .projectionExpression("#status")
                        .expressionAttributeNames(Map.of("#status", AttributeNames.STATUS))
                        .expressionAttributeValues(
                            Map.of(":id", AttributeValues.text(row.id.toString()))))
            .stream()
            .map(item -> AttributeValues.needed(item, AttributeNames.STATUS))
            .toList();
    row.composed = (int) statuses.stream().filter(status -> isComposed(status)).count();
    row.seq = statuses.stream().mapToInt(HistoryMapper::seq).max().orElse(0);
    if (row.size == null && (statuses.contains(AttributeNames.PAYLOAD) || row.composed > 0)) {
      row.size = row.composedSize;
    }
  }

  private static boolean isComposed(String status) {
    return status.equals(AttributeNames.COMPOSED)
        || status.startsWith(AttributeNames.COMPOSED + "#");
  }

  /**
   * Refuses to go on if an email has content in a directory that this store does not know.
   *
   * @throws StoreException that says which setting is missing
   */
  void requireWithinReach(EmailItem row) {
    if (large == null && !files(row).isEmpty()) {
      throw new StoreException(
          StoreException.Reason.MISCONFIGURED,
          "content of email %s is in a directory: set largeContent(ContentDirectory.at(path))"
              .formatted(row.id),
          null);
    }
  }

  /**
   * Deletes all files of an email, also those that no row names.
   *
   * @throws StoreException if a file could not be deleted
   */
  void deleteAll(EmailId id) {
    if (large != null) {
      large.deleteAll(id);
    }
  }

  /** Deletes files that no row names any more; a file that stays is swept by its age. */
  void discard(EmailId id, List<String> files) {
    try {
      if (large != null) {
        files.forEach(large::delete);
      }
    } catch (StoreException e) {
      log.warn("{}: a file of its content is left behind: {}", id, e.getMessage());
    }
  }

  /**
   * The content of emails as far as it can be read from here.
   *
   * @param contents what could be read
   * @param unavailable the emails with content in files while the directory cannot be read
   */
  record Loaded(Map<EmailId, StoredContent> contents, Set<EmailId> unavailable) {}

  /**
   * Reads the content of many emails; what is dropped or cannot be read is missing. Once the
   * directory has failed, no other file is asked for: each may take until a timeout.
   */
  Loaded load(List<EmailItem> rows) {
    List<Map<String, AttributeValue>> keys = new ArrayList<>();
    for (EmailItem row : rows) {
      statuses(row).forEach(status -> keys.add(AttributeValues.key(row.id.toString(), status)));
    }
    Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items = new HashMap<>();
    for (Map<String, AttributeValue> item : dynamo.getAll(settings.emails(), keys)) {
      items.put(
          AttributeValues.key(
              AttributeValues.needed(item, AttributeNames.ID),
              AttributeValues.needed(item, AttributeNames.STATUS)),
          item);
    }
    Loaded loaded = new Loaded(new HashMap<>(), new HashSet<>());
    for (EmailItem row : rows) {
      if (!loaded.unavailable.isEmpty() && !files(row).isEmpty()) {
        loaded.unavailable.add(row.id);
        continue;
      }
      try {
        of(row, items).ifPresent(content -> loaded.contents.put(row.id, content));
      } catch (StoreException e) {
        if (e.reason() != StoreException.Reason.UNAVAILABLE) {
          throw e;
        }
        loaded.unavailable.add(row.id);
      }
    }
    return loaded;
  }

  Optional<StoredContent> load(EmailItem row) {
    return Optional.ofNullable(load(List.of(row)).contents.get(row.id));
  }

  private Optional<StoredContent> of(
      EmailItem row, Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items) {
    if (!row.hasContent()) {
      return Optional.empty();
    }
    Optional<Bytes> payload =
        row.payloadFile == null
            ? body(row, List.of(AttributeNames.PAYLOAD), items)
            : load(row.id, row.payloadFile);
    if (payload.isEmpty() || !row.isComposed()) {
      return payload.map(bytes -> new StoredContent(bytes, null));
    }
    Optional<Bytes> message =
        row.composedFile == null
            ? body(row, composedStatuses(row), items)
            : load(row.id, row.composedFile);
    return message.map(bytes -> new StoredContent(payload.get(), bytes));
  }

  private Optional<Bytes> load(EmailId id, String file) {
    return files == null ? Optional.empty() : files.load(id, file);
  }

  private static List<String> composedStatuses(EmailItem row) {
    return IntStream.range(0, row.composed).mapToObj(ContentStorage::composedStatus).toList();
  }

  private static Optional<Bytes> body(
      EmailItem row,
      List<String> statuses,
      Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items) {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (String status : statuses) {
      Map<String, AttributeValue> item = items.get(AttributeValues.key(row.id.toString(), status));
      if (item == null) {
        return Optional.empty();
      }
      AttributeValue bytes = item.get(AttributeNames.BODY);
      if (bytes != null && bytes.b() == null) {
        log.warn("{}: its content is not bytes", row.id);
        return Optional.empty();
      }
      body.writeBytes(bytes == null ? new byte[0] : bytes.b().asByteArrayUnsafe());
    }
    return Optional.of(Bytes.owned(body.toByteArray()));
  }
}
