//! Lowers integers whose failing values are sparse.

use std::rc::Rc;

use super::super::values::lower_sparse_integer;
use super::super::{Shrinker, TerminationReason};
use crate::kind::ChoiceClass;

/// Longer cases have too many integers for so many attempts.
const MAX_CHOICES: usize = 400;

/// Lowers each integer by itself.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), TerminationReason> {
    let mut at = 0;
    while at < shrinker.best.choices.len().min(MAX_CHOICES) {
        let base = Rc::clone(&shrinker.best);
        let is_integer = base.choices[at].class() == ChoiceClass::Integer;
        if is_integer && !shrinker.is_trivial(&base, at) {
            lower_sparse_integer(shrinker, &base, &[at])?;
        }
        at += 1;
    }
    Ok(())
}
