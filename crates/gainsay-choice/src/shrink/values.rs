//! Lowering one value, or several equal ones together, by a strategy for its class.

mod by_rank;
mod float;
mod integer;
mod sparse_integer;

use std::rc::Rc;

pub(super) use self::integer::{common_divisor, target_and_offset};
pub(super) use self::sparse_integer::{has_passing_larger_value, lower_sparse_integer};
use super::attempt::{CandidateFilter, CandidatePatch};
use super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::{ChoiceValue, ValueRank};

impl Shrinker<'_> {
    /// Whether a choice cannot become simpler: it is forced, or already the simplest of its kind.
    pub(super) fn is_trivial(&mut self, trail: &ChoiceSequence, at: usize) -> bool {
        let choice = trail.choices[at];
        choice.is_forced() || self.source.kinds_mut().simplest(choice.kind()) == choice.value()
    }

    /// The simplest value of the kind of a choice.
    pub(super) fn simplest_at(&mut self, trail: &ChoiceSequence, at: usize) -> ChoiceValue {
        self.source.kinds_mut().simplest(trail.choices[at].kind())
    }

    /// The rank of a choice, unless it exceeds 128 bits.
    pub(super) fn rank_at(&self, trail: &ChoiceSequence, at: usize) -> Option<u128> {
        let choice = trail.choices[at];
        match self.source.kinds().rank(choice.kind(), choice.value()) {
            ValueRank::Small(rank) => Some(rank),
            ValueRank::Big(_) => None,
        }
    }

    /// Sets several choices of a base to the same value.
    pub(super) fn set_all(
        &mut self,
        base: &ChoiceSequence,
        at: &[usize],
        value: ChoiceValue,
    ) -> AttemptResult {
        let patch = CandidatePatch::set(at.iter().map(|it| (*it, value)));
        // With a retry by spans: a value may be a length, which moves everything after it.
        self.attempt(base, &patch, CandidateFilter::IfSimpler)
    }

    /// Lowers choices of the best case with the same class and value, all together.
    pub(super) fn lower(&mut self, at: &[usize]) -> Result<(), TerminationReason> {
        let base = Rc::clone(&self.best);
        let Some(first) = at.first().and_then(|it| base.choices.get(*it)) else {
            return Ok(());
        };
        match first.class() {
            ChoiceClass::Integer => integer::lower(self, &base, at),
            ChoiceClass::Float => float::lower(self, &base, at),
            ChoiceClass::Boolean
            | ChoiceClass::Selector
            | ChoiceClass::MoreElements
            | ChoiceClass::Char
            | ChoiceClass::Reference => by_rank::lower(self, &base, at),
        }
    }
}
