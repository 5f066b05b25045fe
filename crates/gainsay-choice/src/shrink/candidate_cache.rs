//! The candidate cache: no candidate that was rejected is run again.
//!
//! The best case only becomes simpler, so a candidate that was rejected once is rejected forever.
//! And if a run ended by itself after some choices, every candidate that begins with them runs the
//! same way, whatever follows. Digests leave out kinds: a deterministic generator gives equal
//! prefixes equal kinds.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::case::{Choice, Digest};

/// Whether a rejected run had the structure of the best case.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum RunStructure {
    Same,
    Other,
}

/// Digests of rejected candidates and runs.
#[derive(Debug, Default)]
pub(super) struct CandidateCache {
    rejected: HashMap<u128, RunStructure, BuildHasherDefault<DigestHasher>>,
    finished_runs: HashSet<u128, BuildHasherDefault<DigestHasher>>,
    /// Whether some finished run has a given number of choices: saves a lookup at the other
    /// lengths.
    has_finished_length: Vec<bool>,
}

impl CandidateCache {
    /// The structure of the rejected run of a candidate, or else the digest to insert it under.
    pub(super) fn look_up(&self, candidate: &[Choice]) -> Result<RunStructure, u128> {
        let mut digest = Digest::default();
        for (at, choice) in candidate.iter().enumerate() {
            // Before the choice is added: the digest covers the first `at` choices here.
            if self.has_finished_length.get(at) == Some(&true)
                && self.finished_runs.contains(&digest.finish())
            {
                // The run ends before the candidate does, so a retry by spans may still do better.
                return Ok(RunStructure::Other);
            }
            digest.add(choice);
        }
        let digest = digest.finish();
        if self.finished_runs.contains(&digest) {
            // The run would take exactly the proposed choices: there is nothing to realign by
            // spans.
            return Ok(RunStructure::Same);
        }
        self.rejected.get(&digest).copied().ok_or(digest)
    }

    /// Whether a candidate that is not a plain list of choices was rejected.
    pub(super) fn contains(&self, digest: u128) -> bool {
        self.rejected.contains_key(&digest)
    }

    /// Records that a candidate was rejected.
    pub(super) fn insert_rejected(&mut self, digest: u128, shape: RunStructure) {
        self.rejected.insert(digest, shape);
    }

    /// Records that a run that ended by itself after these choices was rejected.
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

/// Uses a digest as its own hash.
#[derive(Debug, Default)]
pub(super) struct DigestHasher(u64);

impl Hasher for DigestHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            // Not reached: keys are hashed with `write_u128`.
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u128(&mut self, digest: u128) {
        // A digest is uniform already; folding its lanes is all the hashing it needs.
        self.0 = (digest >> 64) as u64 ^ digest as u64;
    }
}
