//! What is known of candidates: none that was rejected is run again.
//!
//! The best case only becomes simpler, so a candidate that was rejected once would be rejected
//! for ever. And if a run ended after some choices, every candidate that begins with them ends the
//! same way, whatever follows.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::case::{Choice, Digest};

/// Whether a rejected run had the shape of the best case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    Same,
    Other,
}

/// Digests of what was rejected.
#[derive(Debug, Default)]
pub(super) struct Seen {
    tried: HashMap<u128, Shape, BuildHasherDefault<Folded>>,
    concluded: HashSet<u128, BuildHasherDefault<Folded>>,
    /// Whether a concluded run has a certain number of choices.
    lengths: Vec<bool>,
}

impl Seen {
    /// What is known of a candidate, or else the digest under which to note it.
    pub(super) fn look_up(&self, candidate: &[Choice]) -> Result<Shape, u128> {
        let mut digest = Digest::default();
        for (at, choice) in candidate.iter().enumerate() {
            if self.lengths.get(at) == Some(&true) && self.concluded.contains(&digest.finish())
            {
                return Ok(Shape::Other);
            }
            digest.add(choice);
        }
        let digest = digest.finish();
        if self.concluded.contains(&digest) {
            return Ok(Shape::Same);
        }
        self.tried.get(&digest).copied().ok_or(digest)
    }

    /// The same for a candidate that was not proposed as a list of choices.
    pub(super) fn knows(&self, digest: u128) -> bool {
        self.tried.contains_key(&digest)
    }

    /// Notes that a candidate was rejected.
    pub(super) fn note(&mut self, digest: u128, shape: Shape) {
        self.tried.insert(digest, shape);
    }

    /// Notes that a run that ended by itself after these choices was rejected.
    pub(super) fn conclude(&mut self, choices: &[Choice]) {
        let mut digest = Digest::default();
        choices.iter().for_each(|it| digest.add(it));
        self.concluded.insert(digest.finish());
        if self.lengths.len() <= choices.len() {
            self.lengths.resize(choices.len() + 1, false);
        }
        self.lengths[choices.len()] = true;
    }
}

/// A digest is its own hash.
#[derive(Debug, Default)]
pub(super) struct Folded(u64);

impl Hasher for Folded {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, digest: u128) {
        self.0 = (digest >> 64) as u64 ^ digest as u64;
    }
}
