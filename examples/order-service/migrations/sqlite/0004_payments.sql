-- Owned by `payments`: what is due for an order, and when it was settled.
CREATE TABLE payment (
    order_id     TEXT    PRIMARY KEY REFERENCES orders (id),
    amount_cents INTEGER NOT NULL,
    due_at       INTEGER NOT NULL,
    settled_at   INTEGER
) STRICT;

CREATE INDEX payment_due ON payment (due_at) WHERE settled_at IS NULL;

-- Owned by `payments`: the books. Two entries for each settled payment, whose sum is nothing. No key on the order on purpose:
-- the audit counts the entries to see that nobody paid twice.
CREATE TABLE ledger_entry (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id     TEXT    NOT NULL,
    account      TEXT    NOT NULL,
    amount_cents INTEGER NOT NULL,
    booked_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX ledger_entry_of_order ON ledger_entry (order_id);
