//! What the user meant: plain data, which the checks judge and the expansion reads.

mod borrow;
pub(crate) mod entry;
pub(crate) mod field_graph;
pub(crate) mod generics;
pub(crate) mod iterations;
#[cfg(feature = "kubernetes")]
pub(crate) mod manifest;
mod number;
pub(crate) mod once;
pub(crate) mod order;
pub(crate) mod parameter;
pub(crate) mod plan;
pub(crate) mod ready;
pub(crate) mod resource;
pub(crate) mod task;
pub(crate) mod unit;
pub(crate) mod worlds;

use std::hash::Hasher as _;

use proc_macro2::Ident;

/// What the macro knows of an item's identity: its package, its name, and where the name's own token stands.
pub(crate) fn seed(name: &Ident) -> u64 {
    let start = name.span().start();
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for variable in ["CARGO_PKG_NAME", "CARGO_PKG_VERSION"] {
        hash.write(std::env::var(variable).unwrap_or_default().as_bytes());
        hash.write(&[0]);
    }
    hash.write(name.to_string().as_bytes());
    hash.write_usize(start.line);
    hash.write_usize(start.column);
    hash.finish()
}

/// The same number in every build, which std's hasher does not promise.
struct Fnv(u64);

impl std::hash::Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.write(&(number as u64).to_le_bytes());
    }
}
