-- Owned by `idempotency`: an order that expires takes its key with it, and the reference to it is checked. Without an index either
-- reads every key for each order.
CREATE INDEX idempotency_key_of_order ON idempotency_key (order_id);
