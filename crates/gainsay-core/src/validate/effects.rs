//! What a function performs, directly or through calls of known functions, is in its row.
//!
//! Claims are left out: their effects are answered by the world they are run in. Effect
//! parameters of a callee stand for rows that only the checker knew.

use super::ValidationError;
use crate::id::{FunctionId, OpId};
use crate::program::{FunctionKind, Program};
use crate::term::Term;

/// Adds operations that a function performs and does not declare.
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
                let what = format!("`{}` is performed and not declared", program.op_name(*op));
                defects.push(ValidationError {
                    function: id,
                    span: function.body.spans[at],
                    message: what,
                });
            }
        }
    }
}
