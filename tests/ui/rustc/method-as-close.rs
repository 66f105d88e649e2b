// A method is named with its type.
use shutdown_runtime::resource;

#[resource(close = close)]
struct Db(u32);

impl Db {
    async fn close(&self) {
        let _ = self.0;
    }
}

fn main() {}
