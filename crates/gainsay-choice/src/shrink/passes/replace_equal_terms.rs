//! Replaces equal terms together: by another alternative that needs fewer choices, or by a simpler
//! term of the same label from elsewhere in the case.

use std::ops::Range;
use std::rc::Rc;

use super::super::attempt::{CandidateFilter, CandidatePatch};
use super::super::{AttemptResult, Shrinker, TerminationReason};
use crate::case::{Choice, ChoiceSequence, compare_choices};
use crate::kind::{Cardinality, ChoiceClass};
use crate::span_label::SpanLabel;
use crate::value::ChoiceValue;

/// Longer cases have too many terms.
const MAX_CHOICES: usize = 200;

/// The maximum number of alternatives per term, and of runs for terms from elsewhere.
const MAX_ALTERNATIVES: u64 = 12;
const MAX_RUNS: u64 = 150;

/// Tries every set of equal terms with every other alternative.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    for twins in terms(&base).iter().filter(|it| it.occurrences.len() > 1) {
        if replace_by_alternative(shrinker, &base, twins)? {
            return Ok(());
        }
    }
    Ok(())
}

/// Replaces every term, and all that are equal to it, by every simpler term of the same label.
pub(super) fn run_grafts(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let base = Rc::clone(&shrinker.best);
    if base.choices.len() > MAX_CHOICES {
        return Ok(());
    }
    let n_before = shrinker.n_executions;
    let terms = terms(&base);
    // Terms of one choice are left to the passes for values.
    for old in terms.iter().filter(|it| it.content.len() > 1) {
        for new in terms.iter().filter(|it| it.label == old.label) {
            let by_length = new.content.len().cmp(&old.content.len());
            let kinds = shrinker.source.kinds();
            let order =
                by_length.then_with(|| compare_choices(new.content, old.content, kinds));
            // A term that is not simpler cannot make the case simpler.
            if order.is_ge() {
                continue;
            }
            if shrinker.n_executions > n_before + MAX_RUNS {
                return Ok(());
            }
            if graft(shrinker, &base, old, new)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// Spans of one label with equal content.
struct RepeatedTerm<'b> {
    label: SpanLabel,
    content: &'b [Choice],
    /// The disjoint ranges in which it occurs.
    occurrences: Vec<Range<usize>>,
}

fn terms(base: &ChoiceSequence) -> Vec<RepeatedTerm<'_>> {
    let mut terms: Vec<RepeatedTerm<'_>> = Vec::new();
    for span in base.spans.iter().filter(|it| it.end > it.start) {
        let (label, range) = (span.label, span.range());
        let content = &base.choices[range.clone()];
        match terms.iter_mut().find(|it| it.label == label && it.content == content) {
            Some(term) => {
                // Spans come in order of their start, so comparing with the last one is enough.
                if term.occurrences.last().is_none_or(|it| it.end <= range.start) {
                    term.occurrences.push(range);
                }
            }
            None => terms.push(RepeatedTerm { label, content, occurrences: vec![range] }),
        }
    }
    terms
}

fn replace_by_alternative(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    twins: &RepeatedTerm<'_>,
) -> AttemptResult {
    let first = twins.content[0];
    let is_open = first.class() == ChoiceClass::Selector && !first.is_forced();
    // A term of one choice has nothing to cut.
    if !is_open || twins.content.len() < 2 {
        return Ok(false);
    }
    let count = match shrinker.source.kinds().cardinality(first.kind()) {
        Cardinality::Finite(count) => count.min(MAX_ALTERNATIVES) as i64,
        Cardinality::Large => 0,
    };
    for alternative in (0..count).filter(|it| ChoiceValue::Small(*it) != first.value()) {
        let sets =
            twins.occurrences.iter().map(|it| (it.start, ChoiceValue::Small(alternative)));
        let patch = CandidatePatch::set(sets);
        // Cut the old arguments: the new alternative draws its own, as simple as possible.
        let patch = patch.and_cut(twins.occurrences.iter().map(|it| it.start + 1..it.end));
        // `Always`: an alternative with a higher index may still need fewer choices.
        if shrinker.attempt(base, &patch, CandidateFilter::Always)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Replaces all occurrences of one term by another, and if that fails, one at a time.
fn graft(
    shrinker: &mut Shrinker<'_>,
    base: &ChoiceSequence,
    old: &RepeatedTerm<'_>,
    new: &RepeatedTerm<'_>,
) -> AttemptResult {
    let n_places = old.occurrences.len();
    let alone = (0..n_places).filter(|_| n_places > 1).map(|it| it..it + 1);
    for which in std::iter::once(0..n_places).chain(alone) {
        let mut choices: Vec<Choice> = Vec::with_capacity(base.choices.len());
        let mut done = 0;
        for place in &old.occurrences[which] {
            choices.extend_from_slice(&base.choices[done..place.start]);
            choices.extend_from_slice(new.content);
            done = place.end;
        }
        choices.extend_from_slice(&base.choices[done..]);
        if shrinker.attempt_choices(&choices, CandidateFilter::IfSimpler)? {
            return Ok(true);
        }
    }
    Ok(false)
}
