-- Owned by `exports`: what takes too long to be waited for. The row is the queue, the progress and the result: whoever stops
-- leaves at most one page undone, and whoever starts goes on from there.
CREATE TABLE export (
    id           TEXT    PRIMARY KEY,
    customer     TEXT    NOT NULL,
    after_order  TEXT    NOT NULL,
    orders       INTEGER NOT NULL,
    amount_cents INTEGER NOT NULL,
    requested_at INTEGER NOT NULL,
    finished_at  INTEGER
) STRICT;

CREATE INDEX export_pending ON export (requested_at) WHERE finished_at IS NULL;
