//! References to variables made earlier in the same case: older ones are simpler, because
//! deleting what comes later leaves them as they are.

use super::integer::Pool;
use crate::random::Random;
use crate::value::Value;

/// A choice among the variables of a pool that are alive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    /// Which sort of variables.
    pub pool: Pool,
    /// How many there are; their ordinals are below it, oldest first.
    pub live: u32,
}

impl Reference {
    pub(super) fn permits(&self, variable: i64) -> bool {
        (0..i64::from(self.live)).contains(&variable)
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<Value> {
        (rank < u128::from(self.live)).then_some(Value::Small(rank as i64))
    }

    pub(super) fn project(&self, variable: i64) -> Value {
        Value::Small(variable.clamp(0, i64::from(self.live).saturating_sub(1).max(0)))
    }

    #[inline]
    pub(crate) fn sample(&self, random: &mut Random) -> i64 {
        random.below(u64::from(self.live.max(1))) as i64
    }
}
