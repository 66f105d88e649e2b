// Each condition doubles the places at which the fields after it may stand.
use shutdown_runtime::resource;

#[resource(close = async |_: &Db| ())]
struct Db(
    #[cfg(not(any()))] u8,
    #[cfg(not(any()))] u8,
    #[cfg(not(any()))] u8,
    #[cfg(not(any()))] u8,
    #[cfg(not(any()))] u8,
);

fn main() {}
