-- Owned by `products`: the catalogue as the latest product events have it.
CREATE TABLE product (
    id          TEXT    PRIMARY KEY,
    name        TEXT    NOT NULL,
    price_cents BIGINT  NOT NULL CHECK (price_cents > 0),
    version     BIGINT  NOT NULL
);
