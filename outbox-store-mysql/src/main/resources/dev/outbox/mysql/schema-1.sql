-- Outbox, version 1 of its tables, for MySQL 8.0+, MariaDB 10.6+ and H2 in MySQL mode.
-- All times are in UTC.

CREATE TABLE IF NOT EXISTS ${prefix}schema (
  id TINYINT NOT NULL,
  version INT NOT NULL,
  oldest_reader INT NOT NULL,
  PRIMARY KEY (id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Emails that are on their way, or that failed. New states are only ever added at the end of the ENUM.
-- What a node writes when it claims and sends takes the place of what is in room: a row that grows has its whole page tidied.
-- worker, the node that rendered or sent it last, is therefore only written when it lets go: until then it is owner.
CREATE TABLE IF NOT EXISTS ${prefix}emails (
  id BINARY(16) NOT NULL,
  status ENUM(
    'ACCEPTED', 'INTAKING', 'READY', 'PROCESSING', 'SENT', 'FAILED', 'INVALID',
    'CALLING-SENT-CALLBACK', 'CALLING-FAILED-CALLBACK', 'SENT-ACKNOWLEDGED', 'FAILED-ACKNOWLEDGED',
    'CALLING-INVALID-CALLBACK', 'INVALID-ACKNOWLEDGED') NOT NULL,
  lane TINYINT NOT NULL,
  due DATETIME(6) NULL,
  owner VARCHAR(64) NULL,
  token BIGINT NOT NULL DEFAULT 0,
  completed_token BIGINT NOT NULL DEFAULT 0,
  completed_to VARCHAR(30) NULL,
  sent_token BIGINT NOT NULL DEFAULT 0,
  generation INT NOT NULL DEFAULT 0,
  attempts INT NOT NULL DEFAULT 0,
  reaps INT NOT NULL DEFAULT 0,
  tries INT NOT NULL DEFAULT 0,
  priority TINYINT NOT NULL,
  created DATETIME(6) NOT NULL,
  preparing DATETIME(6) NULL,
  prepared DATETIME(6) NULL,
  sending DATETIME(6) NULL,
  sent DATETIME(6) NULL,
  settled DATETIME(6) NULL,
  updated DATETIME(6) NOT NULL,
  deadline DATETIME(6) NOT NULL,
  lifetime BIGINT NOT NULL,
  key_hash BINARY(32) NULL,
  fingerprint BINARY(32) NULL,
  sender VARCHAR(500) NULL,
  recipients MEDIUMTEXT NULL,
  recipient_hash INT NULL,
  subject VARCHAR(1000) NULL,
  template VARCHAR(255) NULL,
  tags TEXT NULL,
  id_request VARCHAR(255) NULL,
  callback_url VARCHAR(1000) NULL,
  worker VARCHAR(64) NULL,
  code VARCHAR(30) NULL,
  reason MEDIUMTEXT NULL,
  response MEDIUMTEXT NULL,
  results MEDIUMTEXT NULL,
  payload_bytes INT NULL,
  composed_bytes INT NULL,
  payload MEDIUMBLOB NULL,
  composed MEDIUMBLOB NULL,
  payload_file_path VARCHAR(500) NULL,
  eml_file_path VARCHAR(500) NULL,
  room VARCHAR(72) NOT NULL DEFAULT '',
  PRIMARY KEY (id),
  KEY ${prefix}emails_due (status, lane, due, id),
  KEY ${prefix}emails_settled (settled)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Sent emails that wait for nobody any more.
CREATE TABLE IF NOT EXISTS ${prefix}log (
  id BINARY(16) NOT NULL,
  status ENUM(
    'ACCEPTED', 'INTAKING', 'READY', 'PROCESSING', 'SENT', 'FAILED', 'INVALID',
    'CALLING-SENT-CALLBACK', 'CALLING-FAILED-CALLBACK', 'SENT-ACKNOWLEDGED', 'FAILED-ACKNOWLEDGED',
    'CALLING-INVALID-CALLBACK', 'INVALID-ACKNOWLEDGED') NOT NULL,
  token BIGINT NOT NULL,
  completed_token BIGINT NOT NULL,
  completed_to VARCHAR(30) NULL,
  sent_token BIGINT NOT NULL,
  generation INT NOT NULL,
  attempts INT NOT NULL,
  reaps INT NOT NULL,
  tries INT NOT NULL,
  priority TINYINT NOT NULL,
  created DATETIME(6) NOT NULL,
  preparing DATETIME(6) NULL,
  prepared DATETIME(6) NULL,
  sending DATETIME(6) NULL,
  sent DATETIME(6) NULL,
  settled DATETIME(6) NULL,
  updated DATETIME(6) NOT NULL,
  deadline DATETIME(6) NOT NULL,
  key_hash BINARY(32) NULL,
  fingerprint BINARY(32) NULL,
  sender VARCHAR(500) NULL,
  recipients MEDIUMTEXT NULL,
  recipient_hash INT NULL,
  subject VARCHAR(1000) NULL,
  template VARCHAR(255) NULL,
  tags TEXT NULL,
  id_request VARCHAR(255) NULL,
  callback_url VARCHAR(1000) NULL,
  worker VARCHAR(64) NULL,
  code VARCHAR(30) NULL,
  reason MEDIUMTEXT NULL,
  response MEDIUMTEXT NULL,
  results MEDIUMTEXT NULL,
  PRIMARY KEY (id),
  KEY ${prefix}log_settled (settled),
  KEY ${prefix}log_recipient (recipient_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Content of emails in the log, if the host wants to keep it for a while.
CREATE TABLE IF NOT EXISTS ${prefix}contents (
  id BINARY(16) NOT NULL,
  settled DATETIME(6) NOT NULL,
  payload MEDIUMBLOB NULL,
  composed MEDIUMBLOB NULL,
  payload_file_path VARCHAR(500) NULL,
  eml_file_path VARCHAR(500) NULL,
  PRIMARY KEY (id),
  KEY ${prefix}contents_settled (settled)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What happened to emails out of the ordinary.
CREATE TABLE IF NOT EXISTS ${prefix}statuses (
  id BIGINT NOT NULL AUTO_INCREMENT,
  email_id BINARY(16) NOT NULL,
  status VARCHAR(30) NOT NULL,
  status_before VARCHAR(30) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  preparing DATETIME(6) NULL,
  sending DATETIME(6) NULL,
  generation INT NOT NULL,
  attempt INT NOT NULL,
  node VARCHAR(64) NULL,
  code VARCHAR(30) NULL,
  reason MEDIUMTEXT NULL,
  detail MEDIUMTEXT NULL,
  PRIMARY KEY (id),
  KEY ${prefix}statuses_email (email_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Idempotency keys: the only arbiter of which email a key belongs to.
CREATE TABLE IF NOT EXISTS ${prefix}keys (
  key_hash BINARY(32) NOT NULL,
  email_id BINARY(16) NOT NULL,
  fingerprint BINARY(32) NOT NULL,
  PRIMARY KEY (key_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Nodes and their heartbeats.
CREATE TABLE IF NOT EXISTS ${prefix}nodes (
  node VARCHAR(64) NOT NULL,
  beat BIGINT NOT NULL,
  PRIMARY KEY (node)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT IGNORE INTO ${prefix}schema (id, version, oldest_reader) VALUES (1, 1, 1);
