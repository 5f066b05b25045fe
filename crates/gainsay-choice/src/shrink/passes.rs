//! The passes, in the order in which they are run. Each is a file; to add one is to add a file
//! and a row, and the laws of passes are tested for it.

mod aligned;
mod blank;
mod branch;
mod bump;
mod discarded;
mod duplicates;
mod exchange;
mod extremes;
mod hoist;
mod joint;
mod lower;
mod matched;
mod pairs;
mod raise;
mod rename;
mod reorder;
mod repeats;
mod rotate;
mod scan;
mod shift;
mod siblings;
mod sized;
mod small_pairs;
mod sparse;
mod transplant;
mod twins;
mod two_cuts;
mod windows;
mod zeros;

#[cfg(test)]
mod laws;

use super::{End, Shrinker};

/// When a pass is run.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Stage {
    /// First, until nothing changes: what makes the case shorter.
    Structure,
    /// Then: what makes values simpler.
    Values,
    /// Where nothing else helps: what changes two things at once.
    Escapes,
}

/// A way to propose simpler cases.
pub struct Pass {
    /// Its name.
    pub name: &'static str,
    /// When it is run.
    pub stage: Stage,
    pub(super) run: fn(&mut Shrinker<'_>) -> Result<(), End>,
}

/// All passes.
pub const PASSES: &[Pass] = &[
    Pass { name: "discarded", stage: Stage::Structure, run: discarded::run },
    Pass { name: "siblings", stage: Stage::Structure, run: siblings::run },
    Pass { name: "sized", stage: Stage::Structure, run: sized::run },
    Pass { name: "blank", stage: Stage::Structure, run: blank::run },
    Pass { name: "hoist", stage: Stage::Structure, run: hoist::run },
    Pass { name: "repeats", stage: Stage::Structure, run: repeats::run },
    Pass { name: "windows", stage: Stage::Structure, run: windows::run },
    Pass { name: "zeros", stage: Stage::Values, run: zeros::run },
    Pass { name: "reorder", stage: Stage::Values, run: reorder::run },
    Pass { name: "exchange", stage: Stage::Values, run: exchange::run },
    Pass { name: "duplicates", stage: Stage::Values, run: duplicates::run },
    Pass { name: "lower", stage: Stage::Values, run: lower::run },
    Pass { name: "pairs", stage: Stage::Values, run: pairs::run },
    Pass { name: "rename", stage: Stage::Values, run: rename::run },
    Pass { name: "shift", stage: Stage::Escapes, run: shift::run },
    Pass { name: "suffixes", stage: Stage::Escapes, run: shift::run_suffixes },
    Pass { name: "aligned", stage: Stage::Escapes, run: aligned::run },
    Pass { name: "matched", stage: Stage::Escapes, run: matched::run },
    Pass { name: "twins", stage: Stage::Escapes, run: twins::run },
    Pass { name: "ratios", stage: Stage::Escapes, run: pairs::run_ratios },
    Pass { name: "joint", stage: Stage::Escapes, run: joint::run },
    Pass { name: "sparse", stage: Stage::Escapes, run: sparse::run },
    Pass { name: "subgroups", stage: Stage::Escapes, run: duplicates::run_subgroups },
    Pass { name: "products", stage: Stage::Escapes, run: pairs::run_products },
    Pass { name: "transplant", stage: Stage::Escapes, run: transplant::run },
    Pass { name: "extremes", stage: Stage::Escapes, run: extremes::run },
    Pass { name: "raise", stage: Stage::Escapes, run: raise::run },
    Pass { name: "bump", stage: Stage::Escapes, run: bump::run },
    Pass { name: "two_cuts", stage: Stage::Escapes, run: two_cuts::run },
    Pass { name: "transplant_twice", stage: Stage::Escapes, run: transplant::run_twice },
    Pass { name: "rotate", stage: Stage::Escapes, run: rotate::run },
    Pass { name: "grafts", stage: Stage::Escapes, run: twins::run_grafts },
    Pass { name: "branch", stage: Stage::Escapes, run: branch::run },
    Pass { name: "small_pairs", stage: Stage::Escapes, run: small_pairs::run },
    Pass { name: "scan", stage: Stage::Escapes, run: scan::run },
];
