//! Splits a match on a tuple literal into one column per part, so that the tuple is never built.

use gainsay_core::{Body, Pattern, PatternId};

use super::DecisionRow;

/// Turns rows with one tuple column into rows with a column per part. `None` if some row needs the
/// tuple itself, because it binds it.
pub(crate) fn split_columns(
    body: &Body,
    rows: &[DecisionRow],
    n_columns: usize,
) -> Option<Vec<DecisionRow>> {
    let mut split = Vec::with_capacity(rows.len());
    for row in rows {
        let [pattern] = row.patterns[..] else { return None };
        let Some(pattern) = pattern else {
            split.push(DecisionRow { patterns: vec![None; n_columns], ..row.clone() });
            continue;
        };
        split_alternatives(body, row, pattern, n_columns, &mut split)?;
    }
    Some(split)
}

/// Each alternative of an or-pattern becomes a row of its own.
fn split_alternatives(
    body: &Body,
    row: &DecisionRow,
    pattern: PatternId,
    n_columns: usize,
    split: &mut Vec<DecisionRow>,
) -> Option<()> {
    let mut pending = vec![pattern];
    while let Some(pattern) = pending.pop() {
        let patterns = match body.pattern(pattern) {
            Pattern::Wildcard => vec![None; n_columns],
            Pattern::Tuple(parts) if parts.len() == n_columns => {
                parts.iter().copied().map(Some).collect()
            }
            Pattern::Or(alternatives) => {
                // Reversed, because `pending` is a stack and alternatives are tried in source
                // order.
                pending.extend(alternatives.iter().rev());
                continue;
            }
            Pattern::Bind(_)
            | Pattern::Tuple(_)
            | Pattern::Literal(_)
            | Pattern::Ctor(..)
            // A name needs the tuple; the others cannot match one in a checked program.
            | Pattern::List(..) => return None,
        };
        split.push(DecisionRow { patterns, ..*row });
    }
    Some(())
}
