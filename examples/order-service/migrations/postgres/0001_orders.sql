-- Owned by `orders`: what a customer ordered.
CREATE TABLE orders (
    id           TEXT    PRIMARY KEY,
    customer     TEXT    NOT NULL,
    amount_cents BIGINT  NOT NULL CHECK (amount_cents > 0),
    created_at   BIGINT  NOT NULL
);

-- Owned by `outbox`: what has to be told to the world; written in the transaction that wrote the order.
CREATE TABLE outbox (
    sequence     BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event_id     TEXT    NOT NULL UNIQUE,
    order_id     TEXT    NOT NULL REFERENCES orders (id),
    payload      TEXT    NOT NULL,
    created_at   BIGINT  NOT NULL,
    published_at BIGINT
);

CREATE INDEX outbox_pending ON outbox (sequence) WHERE published_at IS NULL;
