//! References to variables bound earlier in the same case. Older variables are simpler, because
//! deleting later parts of the case does not affect them.

use super::integer::PoolId;
use crate::random::Random;
use crate::value::ChoiceValue;

/// A choice among the live variables of a pool.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ReferenceKind {
    /// The pool of variables.
    pub pool: PoolId,
    /// How many are live; their ordinals are below it, oldest first.
    pub n_live: u32,
}

impl ReferenceKind {
    pub(super) fn permits(&self, variable: i64) -> bool {
        (0..i64::from(self.n_live)).contains(&variable)
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<ChoiceValue> {
        (rank < u128::from(self.n_live)).then_some(ChoiceValue::Small(rank as i64))
    }

    pub(super) fn project(&self, variable: i64) -> ChoiceValue {
        ChoiceValue::Small(variable.clamp(0, i64::from(self.n_live).saturating_sub(1).max(0)))
    }

    #[inline]
    pub(crate) fn sample(&self, random: &mut Random) -> i64 {
        random.below(u64::from(self.n_live.max(1))) as i64
    }
}
