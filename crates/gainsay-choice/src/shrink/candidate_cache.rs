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
pub(super) enum RunStructure {
    Same,
    Other,
}

/// Digests of what was rejected.
#[derive(Debug, Default)]
pub(super) struct CandidateCache {
    rejected: HashMap<u128, RunStructure, BuildHasherDefault<DigestHasher>>,
    finished_runs: HashSet<u128, BuildHasherDefault<DigestHasher>>,
    /// Whether a concluded run has a certain number of choices.
    has_finished_length: Vec<bool>,
}

impl CandidateCache {
    /// What is known of a candidate, or else the digest under which to note it.
    pub(super) fn look_up(&self, candidate: &[Choice]) -> Result<RunStructure, u128> {
        let mut digest = Digest::default();
        for (at, choice) in candidate.iter().enumerate() {
            if self.has_finished_length.get(at) == Some(&true)
                && self.finished_runs.contains(&digest.finish())
            {
                return Ok(RunStructure::Other);
            }
            digest.add(choice);
        }
        let digest = digest.finish();
        if self.finished_runs.contains(&digest) {
            return Ok(RunStructure::Same);
        }
        self.rejected.get(&digest).copied().ok_or(digest)
    }

    /// The same for a candidate that was not proposed as a list of choices.
    pub(super) fn contains(&self, digest: u128) -> bool {
        self.rejected.contains_key(&digest)
    }

    /// Notes that a candidate was rejected.
    pub(super) fn insert_rejected(&mut self, digest: u128, shape: RunStructure) {
        self.rejected.insert(digest, shape);
    }

    /// Notes that a run that ended by itself after these choices was rejected.
    pub(super) fn insert_finished_run(&mut self, choices: &[Choice]) {
        let mut digest = Digest::default();
        choices.iter().for_each(|it| digest.add(it));
        self.finished_runs.insert(digest.finish());
        if self.has_finished_length.len() <= choices.len() {
            self.has_finished_length.resize(choices.len() + 1, false);
        }
        self.has_finished_length[choices.len()] = true;
    }
}

/// A digest is its own hash.
#[derive(Debug, Default)]
pub(super) struct DigestHasher(u64);

impl Hasher for DigestHasher {
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
