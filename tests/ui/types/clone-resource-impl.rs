// However it is cloned, a clone would outlive the close.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db {
    pool: u32,
}

impl Clone for Db {
    fn clone(&self) -> Self {
        Self { pool: self.pool }
    }
}

fn main() {}
