//! The passes, in the order in which they are run. Each is a file; to add one is to add a file
//! and a row, and the laws of passes are tested for it.

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

/// When a pass is run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum PassStage {
    /// First, until nothing changes: what makes the case shorter.
    Structure,
    /// Then: what makes values simpler.
    Values,
    /// Where nothing else helps: what changes two things at once.
    Escapes,
}

/// A way to propose simpler cases.
pub struct ShrinkPass {
    /// Its name.
    pub name: &'static str,
    /// When it is run.
    pub stage: PassStage,
    pub(super) run: fn(&mut Shrinker<'_>) -> Result<(), TerminationReason>,
}

/// All passes.
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
