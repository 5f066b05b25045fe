//! Selectors: a choice among weighted alternatives, of which the first is the simplest.

use super::Cardinality;
use crate::bias::CaseBias;
use crate::random::Random;
use crate::value::ChoiceValue;

/// A choice among numbered alternatives. One of weight 0 is not permitted; a narrower set of
/// alternatives thus keeps their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SelectorKind {
    weights: Box<[u32]>,
    total: u64,
    /// Whether all weights are equal and not 0; then no weighted search is needed.
    is_even: bool,
    /// The sum type whose constructors the alternatives are, if a case may favour some of them and
    /// leave out others.
    sum: Option<SumTypeBias>,
}

/// A sum type whose constructors may be biased.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
struct SumTypeBias {
    /// Identifies the sum type wherever a case draws from it.
    number: u32,
    /// Which constructors are recursive, one bit for each of the first 64.
    recursive: u64,
}

impl SelectorKind {
    /// Alternatives with these weights; `None` if all are 0.
    pub fn weighted(weights: &[u32]) -> Option<Self> {
        let total: u64 = weights.iter().copied().map(u64::from).sum();
        let first = *weights.first()?;
        let is_even = first > 0 && weights.iter().all(|it| *it == first);
        (total > 0).then(|| SelectorKind { weights: weights.into(), total, is_even, sum: None })
    }

    /// `n` alternatives of equal weight; `None` if there are none.
    pub fn even(n: u32) -> Option<Self> {
        SelectorKind::weighted(&vec![1; n as usize])
    }

    /// Marks the alternatives as constructors of a numbered sum type: a case may favour some of
    /// them and leave out others, the same ones wherever it draws from that sum. The overall share
    /// of recursive constructors, given by one bit each, is unaffected.
    #[must_use]
    pub fn for_sum_type(mut self, number: u32, recursive: u64) -> Self {
        self.sum = Some(SumTypeBias { number, recursive });
        self
    }

    /// The weights, one per alternative.
    pub fn weights(&self) -> &[u32] {
        &self.weights
    }

    pub(super) fn simplest(&self) -> ChoiceValue {
        ChoiceValue::Small(self.position(0).unwrap_or(0))
    }

    pub(super) fn permits(&self, alternative: i64) -> bool {
        let weight = usize::try_from(alternative).ok().and_then(|it| self.weights.get(it));
        weight.is_some_and(|it| *it > 0)
    }

    pub(super) fn rank(&self, alternative: i64) -> u128 {
        let end = usize::try_from(alternative).unwrap_or(0).min(self.weights.len());
        // Alternatives of weight 0 have no rank, so that ranks have no gaps.
        self.weights[..end].iter().filter(|it| **it > 0).count() as u128
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<ChoiceValue> {
        self.position(usize::try_from(rank).ok()?).map(ChoiceValue::Small)
    }

    /// The next permitted alternative, or else the last.
    pub(super) fn project(&self, alternative: i64) -> ChoiceValue {
        // The next one and not the simplest: in a replay, an alternative that was removed should
        // disturb as little as possible.
        let start = usize::try_from(alternative).unwrap_or(0).min(self.weights.len());
        let next = self.weights[start..].iter().position(|it| *it > 0).map(|it| it + start);
        let found = next.or_else(|| self.weights.iter().rposition(|it| *it > 0));
        ChoiceValue::Small(found.unwrap_or(0) as i64)
    }

    pub(super) fn cardinality(&self) -> Cardinality {
        Cardinality::Finite(self.weights.iter().filter(|it| **it > 0).count() as u64)
    }

    #[inline]
    pub(crate) fn sample(&self, random: &mut Random, bias: CaseBias) -> i64 {
        if let Some(sum) = self.sum
            && bias.has_constructor_bias()
        {
            return self.sample_biased(sum, random, bias);
        }
        if self.is_even {
            return random.below(self.weights.len() as u64) as i64;
        }
        pick_weighted(&self.weights, random.below(self.total))
    }

    /// Samples with the weights of the case. Whether to take a recursive alternative is decided by
    /// the usual weights, because they keep values from growing without bound.
    fn sample_biased(&self, sum: SumTypeBias, random: &mut Random, bias: CaseBias) -> i64 {
        let picked = pick_weighted(&self.weights, random.below(self.total));
        // Constructors beyond the bits count as not recursive, which only makes the bias less
        // exact.
        let is_recursive = |at: usize| at < 64 && sum.recursive >> at & 1 == 1;
        let recurs = is_recursive(picked as usize);
        let weight = |(at, weight): (usize, &u32)| match *weight {
            0 => 0,
            _ if is_recursive(at) != recurs => 0,
            weight => u64::from(weight) * bias.constructor_weight_factor(sum.number, at),
        };
        let total: u64 = self.weights.iter().enumerate().map(weight).sum();
        // The bias leaves out every candidate.
        if total == 0 {
            return picked;
        }
        let mut point = random.below(total);
        for (at, own) in self.weights.iter().enumerate() {
            let share = weight((at, own));
            if point < share {
                return at as i64;
            }
            point -= share;
        }
        picked
    }

    fn position(&self, rank: usize) -> Option<i64> {
        let allowed = self.weights.iter().enumerate().filter(|(_, it)| **it > 0);
        allowed.map(|(at, _)| at as i64).nth(rank)
    }
}

/// The alternative into whose share of the total weight a point falls.
#[inline]
pub(crate) fn pick_weighted(weights: &[u32], mut point: u64) -> i64 {
    for (alternative, weight) in weights.iter().enumerate() {
        let weight = u64::from(*weight);
        if point < weight {
            return alternative as i64;
        }
        point -= weight;
    }
    0
}
