//! Random programs, each from its seed: sound ones, sound ones in which a few things were changed, and wild ones.

mod mutate;
mod skeleton;
mod sound;
mod wild;

use fastrand::Rng;

use crate::model::Program;

/// How a program came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Made to be sound.
    Sound,
    /// Made to be sound, then changed in a few places.
    NearSound,
    /// Made at random.
    Wild,
}

/// The program of a seed, with at most `largest` members before changes.
pub fn program(seed: u64, largest: usize) -> (Program, Origin) {
    let mut random = Rng::with_seed(seed);
    let most = random.choice([largest.div_ceil(10), largest / 4, largest / 2, largest]).unwrap_or(largest);
    let members = random.usize(1..=most.max(1));
    match random.u8(0..100) {
        0..33 => (sound::program(&mut random, members), Origin::Sound),
        33..90 => {
            let mut program = sound::program(&mut random, members);
            mutate::mutate(&mut random, &mut program);
            (program, Origin::NearSound)
        }
        _ => (wild::program(&mut random, members), Origin::Wild),
    }
}

/// True so many times in a hundred.
fn chance(random: &mut Rng, percent: u8) -> bool {
    random.u8(0..100) < percent
}

/// A few different numbers below a limit.
fn some_below(random: &mut Rng, limit: usize, most: usize) -> Vec<usize> {
    let count = random.usize(0..=most.min(limit));
    random.choose_multiple(0..limit, count)
}

/// A budget as people write them, or an odd one.
fn millis(random: &mut Rng) -> u64 {
    if chance(random, 70) { random.u64(1..=30) * 1_000 } else { random.u64(1..=30_000) }
}
