-- Owned by `inbox`: the events whose effect has been applied. Its primary key makes a redelivery harmless.
CREATE TABLE processed_event (
    event_id       TEXT    PRIMARY KEY,
    topic          TEXT    NOT NULL,
    partition      BIGINT  NOT NULL,
    message_offset BIGINT  NOT NULL,
    processed_at   BIGINT  NOT NULL
);

-- Owned by `inbox`: messages that are no event of ours, put aside so that one of them cannot stop a consumer.
CREATE TABLE rejected_message (
    topic          TEXT    NOT NULL,
    partition      BIGINT  NOT NULL,
    message_offset BIGINT  NOT NULL,
    reason         TEXT    NOT NULL,
    payload        BYTEA NOT NULL,
    rejected_at    BIGINT  NOT NULL,
    PRIMARY KEY (topic, partition, message_offset)
);

-- Owned by `shipments`: the effect of an order event. No key on the event on purpose: that an event is applied once is the
-- promise of `processed_event`, and the audit counts the rows here to see it kept.
CREATE TABLE shipment (
    id         BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id   TEXT    NOT NULL,
    order_id   TEXT    NOT NULL,
    created_at BIGINT  NOT NULL
);

CREATE INDEX shipment_of_order ON shipment (order_id);
