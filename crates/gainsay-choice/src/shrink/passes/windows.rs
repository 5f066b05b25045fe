//! Leaves out up to five choices in a row, whatever the spans: for what they do not show.

use std::rc::Rc;

use super::super::attempt::{Hope, Patch};
use super::super::find::find_integer;
use super::super::{End, Shrinker};

/// Longer cases are left to passes that know their structure.
const MAX_CHOICES: usize = 200;

/// From the back, and once something can go, as often as it can.
pub(super) fn run(shrinker: &mut Shrinker<'_>) -> Result<(), End> {
    for width in (1..=5).rev() {
        let mut end = shrinker.best.choices.len();
        while end >= width && shrinker.best.choices.len() <= MAX_CHOICES {
            let base = Rc::clone(&shrinker.best);
            end = end.min(base.choices.len());
            let n_gone = find_integer(|k| match end.checked_sub(k * width) {
                Some(start) => {
                    let patch = Patch::without(start..end);
                    shrinker.attempt_flat(&base, &patch, Hope::Simpler)
                }
                None => Ok(false),
            })?;
            end = end.saturating_sub((n_gone * width).max(1));
        }
    }
    Ok(())
}
