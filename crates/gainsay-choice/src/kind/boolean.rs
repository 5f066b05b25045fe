//! Booleans: false is simpler than true.

use super::Cardinality;
use crate::bias::CaseBias;
use crate::random::Random;
use crate::value::ChoiceValue;

/// The probability of an even Boolean, out of 2^32.
const EVEN: u64 = 1 << 31;

/// A Boolean that is true with a given probability.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct BooleanKind {
    /// The probability of true, out of 2^32.
    chance: u64,
}

impl BooleanKind {
    /// True in `hits` of `of` cases; never if `of` is 0.
    pub fn with_chance(hits: u32, of: u32) -> Self {
        let chance = (u64::from(hits.min(of)) << 32).checked_div(u64::from(of)).unwrap_or(0);
        BooleanKind { chance }
    }

    pub(super) fn simplest(&self) -> ChoiceValue {
        ChoiceValue::Small(i64::from(self.is_always_true()))
    }

    pub(super) fn permits(&self, bit: i64) -> bool {
        match bit {
            0 => !self.is_always_true(),
            1 => self.chance > 0,
            _ => false,
        }
    }

    pub(super) fn rank(&self, bit: i64) -> u128 {
        u128::from(bit != 0 && !self.is_always_true())
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<ChoiceValue> {
        // With `true` alone, rank 0 belongs to it: the simplest permitted value has rank 0.
        let value = if self.is_always_true() { rank.checked_add(1)? } else { rank };
        let bit = i64::try_from(value).ok()?;
        self.permits(bit).then_some(ChoiceValue::Small(bit))
    }

    pub(super) fn cardinality(&self) -> Cardinality {
        Cardinality::Finite(if self.is_always_true() || self.chance == 0 { 1 } else { 2 })
    }

    #[inline]
    pub(crate) fn sample(&self, random: &mut Random, bias: CaseBias) -> i64 {
        // Only even Booleans are biased: a stated probability is the user's decision.
        let chance = if self.chance == EVEN { bias.boolean_chance() } else { self.chance };
        i64::from((random.next() >> 32) < chance)
    }

    fn is_always_true(&self) -> bool {
        self.chance >= 1 << 32
    }
}
