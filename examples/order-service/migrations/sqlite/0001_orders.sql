-- Owned by `orders`: what a customer ordered.
CREATE TABLE orders (
    id           TEXT    PRIMARY KEY,
    customer     TEXT    NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    created_at   INTEGER NOT NULL
) STRICT;

-- Owned by `outbox`: what has to be told to the world; written in the transaction that wrote the order.
CREATE TABLE outbox (
    sequence     INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id     TEXT    NOT NULL UNIQUE,
    order_id     TEXT    NOT NULL REFERENCES orders (id),
    payload      TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    published_at INTEGER
) STRICT;

CREATE INDEX outbox_pending ON outbox (sequence) WHERE published_at IS NULL;
