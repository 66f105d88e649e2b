-- Owned by `payments`: what is due for an order, and when it was settled.
CREATE TABLE payment (
    order_id     TEXT    PRIMARY KEY REFERENCES orders (id),
    amount_cents BIGINT  NOT NULL,
    due_at       BIGINT  NOT NULL,
    settled_at   BIGINT
);

CREATE INDEX payment_due ON payment (due_at) WHERE settled_at IS NULL;

-- Owned by `payments`: the books. Two entries for each settled payment, whose sum is nothing. No key on the order on purpose:
-- the audit counts the entries to see that nobody paid twice.
CREATE TABLE ledger_entry (
    id           BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id     TEXT    NOT NULL,
    account      TEXT    NOT NULL,
    amount_cents BIGINT  NOT NULL,
    booked_at    BIGINT  NOT NULL
);

CREATE INDEX ledger_entry_of_order ON ledger_entry (order_id);
