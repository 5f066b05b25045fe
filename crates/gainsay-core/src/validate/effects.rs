//! Checks that a function's row contains what it performs, directly or by calling known functions.
//!
//! Claims are exempt: the world they run in answers their effects. Effect parameters of a callee
//! are skipped, because only the checker knew the rows they stand for.

use super::ValidationError;
use crate::id::{FunctionId, OpId};
use crate::program::{FunctionKind, Program};
use crate::term::Term;

/// Adds a violation for each operation that a function performs but does not declare.
pub(super) fn check(program: &Program, id: FunctionId, defects: &mut Vec<ValidationError>) {
    let function = program.function(id);
    if function.kind == FunctionKind::Claim {
        return;
    }
    let allowed = &program.types.get_row(function.row).ops;
    for (at, term) in function.body.terms.iter().enumerate() {
        let performed: &[OpId] = if let Term::Perform { op, .. } = term {
            std::slice::from_ref(op)
        } else if let Term::Call { function, .. } = term {
            &program.types.get_row(program.function(*function).row).ops
        } else {
            &[]
        };
        for op in performed {
            if allowed.binary_search(op).is_err() {
                let what = format!("`{}` is performed but not declared", program.op_name(*op));
                defects.push(ValidationError {
                    function: id,
                    span: function.body.spans[at],
                    message: what,
                });
            }
        }
    }
}
