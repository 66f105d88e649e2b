//! HTTP that drains, over real sockets: each test is named by its row in the table of field reports (see `tests/README.md`).

mod client;
mod connections;
mod guide;
mod http2;
mod limits;
mod long_lived;
mod server;
mod slow_readers;
mod tls;
mod under_load;
mod window;
