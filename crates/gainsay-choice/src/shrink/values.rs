//! Lowering one value, or several equal ones together, by what its kind means.

mod float;
mod integer;
mod ranked;
mod sparse;

use std::rc::Rc;

pub(super) use self::integer::{common_divisor, magnitude_of};
pub(super) use self::sparse::{is_rare, lower_sparsely};
use super::attempt::{Hope, Patch};
use super::{End, Shrinker, Step};
use crate::case::Trail;
use crate::kind::Class;
use crate::value::{Rank, Value};

impl Shrinker<'_> {
    /// Whether a choice of the best case could be simpler.
    pub(super) fn is_trivial(&mut self, trail: &Trail, at: usize) -> bool {
        let choice = trail.choices[at];
        choice.is_forced() || self.source.kinds_mut().simplest(choice.kind()) == choice.value()
    }

    /// The simplest value that a choice of a case could have.
    pub(super) fn simplest_at(&mut self, trail: &Trail, at: usize) -> Value {
        self.source.kinds_mut().simplest(trail.choices[at].kind())
    }

    /// The rank of a choice of a case, if it is no giant.
    pub(super) fn rank_at(&self, trail: &Trail, at: usize) -> Option<u128> {
        let choice = trail.choices[at];
        match self.source.kinds().rank(choice.kind(), choice.value()) {
            Rank::Small(rank) => Some(rank),
            Rank::Big(_) => None,
        }
    }

    /// Gives several choices of a base the same new value.
    pub(super) fn put(&mut self, base: &Trail, at: &[usize], value: Value) -> Step {
        let patch = Patch::set(at.iter().map(|it| (*it, value)));
        self.attempt(base, &patch, Hope::Simpler)
    }

    /// Lowers choices of the best case that have the same class and value, all together.
    pub(super) fn lower(&mut self, at: &[usize]) -> Result<(), End> {
        let base = Rc::clone(&self.best);
        let Some(first) = at.first().and_then(|it| base.choices.get(*it)) else {
            return Ok(());
        };
        match first.class() {
            Class::Integer => integer::lower(self, &base, at),
            Class::Float => float::lower(self, &base, at),
            Class::Boolean | Class::Selector | Class::More | Class::Char | Class::Reference => {
                ranked::lower(self, &base, at)
            }
        }
    }
}
