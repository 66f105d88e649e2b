-- Owned by `inbox`: the events whose effect has been applied. Its primary key makes a redelivery harmless.
CREATE TABLE processed_event (
    event_id       TEXT    PRIMARY KEY,
    topic          TEXT    NOT NULL,
    partition      INTEGER NOT NULL,
    message_offset INTEGER NOT NULL,
    processed_at   INTEGER NOT NULL
) STRICT;

-- Owned by `inbox`: messages that are no event of ours, put aside so that one of them cannot stop a consumer.
CREATE TABLE rejected_message (
    topic          TEXT    NOT NULL,
    partition      INTEGER NOT NULL,
    message_offset INTEGER NOT NULL,
    reason         TEXT    NOT NULL,
    payload        BLOB NOT NULL,
    rejected_at    INTEGER NOT NULL,
    PRIMARY KEY (topic, partition, message_offset)
) STRICT;

-- Owned by `shipments`: the effect of an order event. No key on the event on purpose: that an event is applied once is the
-- promise of `processed_event`, and the audit counts the rows here to see it kept.
CREATE TABLE shipment (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id   TEXT    NOT NULL,
    order_id   TEXT    NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX shipment_of_order ON shipment (order_id);
