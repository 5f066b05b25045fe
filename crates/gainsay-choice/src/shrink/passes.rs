//! The shrink passes in the order in which they run, and a guide to writing one. A pass is a file
//! with a `run` function and a row in [`PASSES`]; `pass_tests` then covers it.
//!
//! **What a pass may assume.** `shrinker.best` fails with the wanted identity, and its choices,
//! spans and bindings are what the generator really drew. Nothing else: kinds may depend on earlier
//! choices, a span may be empty, and every adopted candidate may change the length, the spans and
//! the forest of `best`. Clone the `Rc` of `best` as the base, compute indices against that base,
//! and after an adoption either return or read `best` again.
//!
//! **The order.** Shortlex: fewer choices are simpler; among equally many, the first choice whose
//! rank under its own kind differs decides. So deletions beat everything, early choices
//! outweigh later ones, and a pass may raise a later choice if that lowers an earlier one or
//! shortens the case. Shortlex is well-founded, but descending one rank at a time from 2^60 is not
//! an algorithm.
//!
//! **Why choices and not values.** A candidate is a list of choices that the generator replays. The
//! source projects values that do not fit their kind, and draws the simplest ones where the list
//! ends or a class does not match. So whatever comes out is a value that the generator makes
//! itself: refinements and dependent draws hold, and one set of passes serves every type. A run
//! may still be stopped or discarded, which rejects the candidate. The cost: a deletion shifts
//! later choices. `attempt` therefore retries by spans when a rejected run had another structure;
//! `attempt_flat` does not and costs one run. A pass proposes; only the gate in `attempt.rs`
//! adopts, and it adopts what was drawn.
//!
//! **Deleting adaptively.** Do not guess how many elements can go: `find_integer` tries 1 to 4,
//! then doubles, then bisects, and finds a count `k` in about `2 log k` attempts. Its predicate
//! proposes "k at once" against one fixed base, so that each success is simpler than the last.
//! Work from the back: later choices depend on earlier ones, and indices in front stay valid.
//!
//! **Progress and termination.** The gate adopts only strictly simpler cases, so no pass can cycle
//! through adoptions; but a pass that waits for a better case would hang. Every loop moves a
//! cursor (`at += 1`, `end -= n.max(1)`) or shortens the case, and propagates errors with `?`:
//! after an `Err` no run is possible, because the budget is exhausted or the caller stopped. A
//! pass reports nothing; the driver compares `best` by pointer.
//!
//! **Cost.** An attempt is a run of the property, and nothing a pass computes is as expensive.
//! `IfSimpler` rejects candidates that are no simpler as proposed without a run; use `Always` only
//! where the run may end up shorter than the proposal. The candidate cache answers for rejected
//! candidates and for those that begin with a finished run, so overlapping passes and later rounds
//! cost a hash. `probe` and `attempt_with_tail` bypass it. Anything quadratic needs a cap on the
//! length of the case, on pairs, or on runs (`MAX_CHOICES`, `MAX_RUNS`): the last round of each
//! shrink runs every pass in vain, so a pass is paid for mostly when it finds nothing.
//!
//! **Stages.** `Structure` repeats while it shortens the case, `Values` runs once per round, and
//! the first escape that helps restarts everything. Put a pass into the cheapest stage that needs
//! it: escapes change two things at once, for failures without a simpler neighbor.
//!
//! **Passes that fight.** Two passes cannot undo each other's work outright, but one can raise what
//! the other lowers, each time a little further down the order, and need a round for each step.
//! `Shrinker::extrapolate` repeats such a step as far as it goes, for integers in an unchanged
//! structure. Better: take the whole step in one candidate, move coupled values together, and leave
//! lowering a value by itself to `values`.
//!
//! **Testing.** `pass_tests` checks, on random test programs, that each pass ends, never makes a
//! case worse, and does not improve what a whole shrink left. That shows a pass is safe, not that
//! it is useful. For that, first add a specimen with its minimum to `tests/shrink_specimens`, watch
//! it miss the minimum, and then write the pass; 98 % of seeds must reach the minimum. Compare the
//! runs of all other specimens before and after: they are the price.

mod delete_aligned;
mod delete_counted;
mod delete_discarded;
mod delete_matched_pairs;
mod delete_repeats;
mod delete_siblings;
mod delete_span_pairs;
mod delete_windows;
mod hoist;
mod lower_and_bump;
mod lower_duplicates;
mod lower_number_pairs;
mod lower_selectors;
mod lower_sparse_integers;
mod lower_values;
mod raise_to_shorten;
mod remap_values;
mod replace_by_extreme;
mod replace_equal_terms;
mod reset_runs;
mod reset_spans;
mod rotate_trees;
mod scan_value_pairs;
mod scan_values;
mod shift_numbers;
mod sort_siblings;
mod swap_siblings;
mod swap_subtrees;
mod swap_values;

#[cfg(test)]
mod pass_tests;

use super::{Shrinker, TerminationReason};

/// The stage in which a pass runs.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum PassStage {
    /// Runs first, repeatedly while the case gets shorter: deletes choices.
    Structure,
    /// Runs next: lowers values.
    Values,
    /// Runs when nothing else helps: changes two things at once.
    Escapes,
}

/// A named strategy for proposing simpler cases.
pub struct ShrinkPass {
    /// The name of the pass.
    pub name: &'static str,
    /// The stage in which it runs.
    pub stage: PassStage,
    pub(super) run: fn(&mut Shrinker<'_>) -> Result<(), TerminationReason>,
}

/// All passes. Each stage runs its rows from top to bottom, and the first escape that helps ends
/// its stage: that is why the exhaustive scans come last.
pub const PASSES: &[ShrinkPass] = &[
    ShrinkPass { name: "discarded", stage: PassStage::Structure, run: delete_discarded::run },
    ShrinkPass { name: "siblings", stage: PassStage::Structure, run: delete_siblings::run },
    ShrinkPass { name: "sized", stage: PassStage::Structure, run: delete_counted::run },
    ShrinkPass { name: "blank", stage: PassStage::Structure, run: reset_spans::run },
    ShrinkPass { name: "hoist", stage: PassStage::Structure, run: hoist::run },
    ShrinkPass { name: "repeats", stage: PassStage::Structure, run: delete_repeats::run },
    ShrinkPass { name: "windows", stage: PassStage::Structure, run: delete_windows::run },
    ShrinkPass { name: "zeros", stage: PassStage::Values, run: reset_runs::run },
    ShrinkPass { name: "reorder", stage: PassStage::Values, run: sort_siblings::run },
    ShrinkPass { name: "exchange", stage: PassStage::Values, run: swap_siblings::run },
    ShrinkPass { name: "duplicates", stage: PassStage::Values, run: lower_duplicates::run },
    ShrinkPass { name: "lower", stage: PassStage::Values, run: lower_values::run },
    ShrinkPass { name: "pairs", stage: PassStage::Values, run: lower_number_pairs::run },
    ShrinkPass { name: "rename", stage: PassStage::Values, run: swap_values::run },
    ShrinkPass { name: "shift", stage: PassStage::Escapes, run: shift_numbers::run },
    ShrinkPass {
        name: "suffixes",
        stage: PassStage::Escapes,
        run: shift_numbers::run_suffixes,
    },
    ShrinkPass { name: "aligned", stage: PassStage::Escapes, run: delete_aligned::run },
    ShrinkPass { name: "matched", stage: PassStage::Escapes, run: delete_matched_pairs::run },
    ShrinkPass { name: "twins", stage: PassStage::Escapes, run: replace_equal_terms::run },
    ShrinkPass {
        name: "ratios",
        stage: PassStage::Escapes,
        run: lower_number_pairs::run_ratios,
    },
    ShrinkPass { name: "joint", stage: PassStage::Escapes, run: remap_values::run },
    ShrinkPass { name: "sparse", stage: PassStage::Escapes, run: lower_sparse_integers::run },
    ShrinkPass {
        name: "subgroups",
        stage: PassStage::Escapes,
        run: lower_duplicates::run_subgroups,
    },
    ShrinkPass {
        name: "products",
        stage: PassStage::Escapes,
        run: lower_number_pairs::run_products,
    },
    ShrinkPass { name: "transplant", stage: PassStage::Escapes, run: swap_subtrees::run },
    ShrinkPass { name: "extremes", stage: PassStage::Escapes, run: replace_by_extreme::run },
    ShrinkPass { name: "raise", stage: PassStage::Escapes, run: raise_to_shorten::run },
    ShrinkPass { name: "bump", stage: PassStage::Escapes, run: lower_and_bump::run },
    ShrinkPass { name: "two_cuts", stage: PassStage::Escapes, run: delete_span_pairs::run },
    ShrinkPass {
        name: "transplant_twice",
        stage: PassStage::Escapes,
        run: swap_subtrees::run_twice,
    },
    ShrinkPass { name: "rotate", stage: PassStage::Escapes, run: rotate_trees::run },
    ShrinkPass {
        name: "grafts",
        stage: PassStage::Escapes,
        run: replace_equal_terms::run_grafts,
    },
    ShrinkPass { name: "branch", stage: PassStage::Escapes, run: lower_selectors::run },
    ShrinkPass { name: "small_pairs", stage: PassStage::Escapes, run: scan_value_pairs::run },
    ShrinkPass { name: "scan", stage: PassStage::Escapes, run: scan_values::run },
];
