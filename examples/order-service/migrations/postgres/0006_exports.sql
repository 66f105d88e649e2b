-- Owned by `exports`: what takes too long to be waited for. The row is the queue, the progress and the result: whoever stops
-- leaves at most one page undone, and whoever starts goes on from there.
CREATE TABLE export (
    id           TEXT    PRIMARY KEY,
    customer     TEXT    NOT NULL,
    after_order  TEXT    NOT NULL,
    orders       BIGINT  NOT NULL,
    amount_cents BIGINT  NOT NULL,
    requested_at BIGINT  NOT NULL,
    finished_at  BIGINT
);

CREATE INDEX export_pending ON export (requested_at) WHERE finished_at IS NULL;
