//! The validator: what every pass may assume of a finished program, stated in code.
//!
//! Linear in the size of the program. Ids are checked first and everything else only where
//! they are in range, so that the checks after them may look things up.

mod effects;
mod ids;
mod scopes;
mod typing;

use gainsay_source::Span;

use crate::id::FunctionId;
use crate::program::Program;

/// Something that a finished program never has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Defect {
    /// The function it is in.
    pub function: FunctionId,
    /// Where.
    pub span: Span,
    /// What is wrong, for whoever wrote the pass.
    pub what: String,
}

/// Whether a program is what every pass may assume: ids in range, parts before wholes,
/// locals bound before they are used, types consistent, no performed operation undeclared,
/// nothing left of inference or errors.
pub fn validate(program: &Program) -> Result<(), Vec<Defect>> {
    let mut defects = Vec::new();
    for at in 0..program.functions.len() {
        ids::check(program, FunctionId(at as u32), &mut defects);
    }
    if !defects.is_empty() {
        return Err(defects);
    }
    let mut typing = typing::Typing::new(program);
    for at in 0..program.functions.len() {
        let function = FunctionId(at as u32);
        scopes::check(program, function, &mut defects);
        typing.check(function, &mut defects);
        effects::check(program, function, &mut defects);
    }
    if defects.is_empty() { Ok(()) } else { Err(defects) }
}
