package dev.outbox.dynamodb;

/** The names of attributes, indexes and special keys; the layout in one place. */
final class AttributeNames {

  static final String ID = "Id";
  static final String STATUS = "Status";
  static final String ATTRIBUTES = "Attributes";
  static final String LATEST = "Latest";
  static final String UPDATED_AT = "UpdatedAt";
  static final String REASON = "Reason";
  static final String TTL = "TTL";

  /** The sort key of the item that knows where an email is. */
  static final String META = "_META";

  /** The sort keys of an email's content, as it was given and as it goes over the wire. */
  static final String PAYLOAD = "CONTENT";

  static final String COMPOSED = "COMPOSED";

  /** What the sort keys of an email's history begin with; a number of ten digits follows. */
  static final String STATE = "STATE#";

  static final String QUEUE_INDEX = "QueueIndex";
  static final String QUEUE = "Queue";
  static final String DUE = "Due";
  static final String TOKEN = "Token";
  static final String SIZE = "Size";
  static final String CREATED = "Created";
  static final String DEADLINE = "Deadline";

  static final String DAY_INDEX = "DayIndex";
  static final String DAY = "Day";

  static final String VERSION = "Version";
  static final String OWNER = "Owner";
  static final String PREPARING = "Preparing";
  static final String PREPARED = "Prepared";
  static final String SENDING = "Sending";

  static final String BODY = "Body";
  static final String FILE = "File";

  /** The keys of the log, as in mhdynamo. */
  static final String LOG_DAY = "CreatedDate";

  static final String LOG_ID = "ID";
  static final String EXPIRES = "Expires";

  static final String KEY_PREFIX = "KEY#";
  static final String KEY = "KEY";
  static final String EMAIL = "Email";
  static final String FINGERPRINT = "Fingerprint";

  static final String NODES = "NODES";
  static final String NODE_PREFIX = "NODE#";
  static final String BEAT = "Beat";
  static final String RETIRED = "Retired";
  static final String SHARDS = "SHARDS";
  static final String QUEUE_SHARDS = "QueueShards";
  static final String LOG_SHARDS = "LogShards";

  static final String DAYS = "DAYS";

  private AttributeNames() {}
}
