-- Owned by `outbox`: what has to be told to the world; written in the transaction that made it true.
CREATE TABLE outbox (
    sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT    NOT NULL UNIQUE,
    topic        TEXT    NOT NULL,
    message_key  TEXT    NOT NULL,
    payload      TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    published_at INTEGER
) STRICT;

CREATE INDEX outbox_pending ON outbox (sequence) WHERE published_at IS NULL;
