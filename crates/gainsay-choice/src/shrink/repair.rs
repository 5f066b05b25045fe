//! Repairs after a deletion: when deleting a sibling fails by itself, retries the deletion together
//! with a change elsewhere that may belong to it (a length, an index, a reference).

use std::rc::Rc;

use super::attempt::{CandidateFilter, CandidatePatch};
use super::integer_search::find_integer;
use super::{AttemptResult, Shrinker};
use crate::case::ChoiceSequence;
use crate::kind::ChoiceClass;
use crate::value::ChoiceValue;

/// A sibling to delete.
#[derive(Debug, Copy, Clone)]
pub(super) struct SiblingRemoval<'a> {
    /// The indices of the sibling spans.
    pub(super) siblings: &'a [u32],
    /// The position in `siblings` of the one to delete.
    pub(super) which: usize,
    /// The end of the enclosing span.
    pub(super) end: usize,
}

/// The maximum number of integers before the siblings that are tried as their declared length.
const MAX_SIZES: usize = 3;

impl Shrinker<'_> {
    /// Deletes a sibling together with what may depend on it.
    pub(super) fn repair(
        &mut self,
        base: &Rc<ChoiceSequence>,
        removal: SiblingRemoval<'_>,
    ) -> AttemptResult {
        let span = base.spans[removal.siblings[removal.which] as usize];
        let cut = CandidatePatch::without(span.range());
        // From the most specific evidence to the least: bindings are recorded, the rest is guessed.
        Ok(self.repair_references(base, removal)?
            || self.repair_size(base, removal)?
            || self.repair_indices(base, removal, &cut)?
            || self.repair_follower(base, removal, &cut)?)
    }

    /// An earlier integer equal to the number of siblings may be their length: lowers it while
    /// deleting as many siblings as possible.
    fn repair_size(
        &mut self,
        base: &ChoiceSequence,
        removal: SiblingRemoval<'_>,
    ) -> AttemptResult {
        let SiblingRemoval { siblings, which, .. } = removal;
        let span = |it: &u32| base.spans[*it as usize];
        let label = span(&siblings[which]).label;
        let start = span(&siblings[0]).start as usize;
        let n_alike = siblings.iter().filter(|it| span(it).label == label).count() as i64;
        let is_size = |at: &usize| {
            let choice = base.choices[*at];
            // Or one less: a generator may draw the last index instead of the length.
            let sizes = [n_alike, n_alike - 1].map(ChoiceValue::Small);
            choice.class() == ChoiceClass::Integer
                && sizes.contains(&choice.value())
                && choice.value() != ChoiceValue::Small(0)
        };
        let first = siblings.iter().find(|it| span(it).label == label);
        let end = first.map_or(start, |it| span(it).start as usize);
        // The nearest integer first: lengths are usually drawn right before their elements.
        for at in (0..end).rev().filter(is_size).take(MAX_SIZES) {
            let ChoiceValue::Small(size) = base.choices[at].value() else { continue };
            let n_gone = find_integer(|k| {
                // Backwards from the sibling that could not go alone: those behind it have been
                // tried.
                let Some(from) = (which + 1).checked_sub(k) else { return Ok(false) };
                let gone = &siblings[from..=which];
                // Only siblings of one label were counted as the length.
                if gone.iter().any(|it| span(it).label != label) || k as i64 > size {
                    return Ok(false);
                }
                let cuts = CandidatePatch::cut(gone.iter().map(|it| span(it).range()));
                let patch = cuts.and_set(at, ChoiceValue::Small(size - k as i64));
                self.attempt_flat(base, &patch, CandidateFilter::IfSimpler)
            })?;
            if n_gone > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Decrements integers that could be indices of later siblings.
    fn repair_indices(
        &mut self,
        base: &ChoiceSequence,
        removal: SiblingRemoval<'_>,
        cut: &CandidatePatch,
    ) -> AttemptResult {
        let start = base.spans[removal.siblings[0] as usize].start as usize;
        // Up to the number of siblings inclusive: such an integer may be an exclusive end.
        let later = removal.which as i64 + 1..=removal.siblings.len() as i64;
        let mut patch = cut.clone();
        for (at, choice) in base.choices.iter().enumerate().skip(start) {
            if let (ChoiceClass::Integer, ChoiceValue::Small(value)) =
                (choice.class(), choice.value())
                && later.contains(&value)
            {
                patch.sets.push((at, ChoiceValue::Small(value - 1)));
            }
        }
        if patch.sets.is_empty() {
            return Ok(false);
        }
        self.attempt_flat(base, &patch, CandidateFilter::IfSimpler)
    }

    /// Moves the first integer after the siblings by one.
    fn repair_follower(
        &mut self,
        base: &ChoiceSequence,
        removal: SiblingRemoval<'_>,
        cut: &CandidatePatch,
    ) -> AttemptResult {
        // Only right behind the siblings: an integer further away hardly refers to them.
        let Some(at) = (removal.end..base.choices.len())
            .take(3)
            .find(|it| base.choices[*it].class() == ChoiceClass::Integer)
        else {
            return Ok(false);
        };
        let ChoiceValue::Small(value) = base.choices[at].value() else { return Ok(false) };
        for near in [value.saturating_sub(1), value.saturating_add(1)] {
            let patch = cut.clone().and_set(at, ChoiceValue::Small(near));
            if self.attempt_flat(base, &patch, CandidateFilter::IfSimpler)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Renumbers references to later variables; deletes siblings that use the deleted variable, or
    /// else makes them use the variable before it.
    fn repair_references(
        &mut self,
        base: &ChoiceSequence,
        removal: SiblingRemoval<'_>,
    ) -> AttemptResult {
        let span = base.spans[removal.siblings[removal.which] as usize].range();
        // A binding made after the last choice of the span has the span's end as its position.
        let inside = |at: u32| span.contains(&(at as usize)) || at as usize == span.end;
        let Some(gone) = base.bindings.iter().position(|it| {
            inside(it.at)
                && it.span.is_some_and(|it| {
                    base.spans[it as usize].range().start >= span.start
                        && base.spans[it as usize].range().end <= span.end
                })
        }) else {
            return Ok(false);
        };
        let pool = base.bindings[gone].pool;
        let ordinal = base.bindings[..gone].iter().filter(|it| it.pool == pool).count() as i64;
        let mut renumbered = CandidatePatch::without(span.clone());
        let mut users = Vec::new();
        for (at, choice) in base.choices.iter().enumerate().skip(span.end) {
            let is_reference = self.source.kinds().reference_pool(choice.kind()) == Some(pool);
            if let ChoiceValue::Small(value) = choice.value()
                && is_reference
            {
                if value > ordinal {
                    renumbered.sets.push((at, ChoiceValue::Small(value - 1)));
                } else if value == ordinal {
                    users.push(at);
                }
            }
        }
        let user_spans = removal.siblings.iter().map(|it| base.spans[*it as usize].range());
        let used: Vec<_> =
            user_spans.filter(|it| users.iter().any(|at| it.contains(at))).collect();
        // Deleting the users goes first, because it removes more.
        let without_users = renumbered.clone().and_cut(used.iter().cloned());
        if !used.is_empty()
            && self.attempt_flat(base, &without_users, CandidateFilter::IfSimpler)?
        {
            return Ok(true);
        }
        for at in users {
            renumbered.sets.push((at, ChoiceValue::Small((ordinal - 1).max(0))));
        }
        self.attempt_flat(base, &renumbered, CandidateFilter::IfSimpler)
    }
}
