-- Owned by `orders`: what a customer ordered.
CREATE TABLE orders (
    id           TEXT    PRIMARY KEY,
    customer     TEXT    NOT NULL,
    amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
    created_at   INTEGER NOT NULL
) STRICT;

-- An export goes through a customer's orders page by page.
CREATE INDEX orders_of_customer ON orders (customer, id);

-- Owned by `idempotency`: the key that a customer sent with a request, and the order that came of it. Written in the
-- transaction that wrote the order, so that a request that is repeated finds either both or neither.
CREATE TABLE idempotency_key (
    key          TEXT    PRIMARY KEY,
    fingerprint  TEXT    NOT NULL,
    order_id     TEXT    NOT NULL REFERENCES orders (id),
    created_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX idempotency_key_age ON idempotency_key (created_at);
