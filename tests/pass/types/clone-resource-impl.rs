// However it is cloned, a clone would outlive the close.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db {
    pool: u32,
}

impl Db {
    fn pool(&self) -> u32 {
        self.pool
    }
}

fn main() {}
