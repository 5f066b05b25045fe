//! Differential testing of the engines: generated core programs, on which two engines must agree in
//! everything observable: values, faults with their locations and traces, steps, words, and the
//! events at the host.
//!
//! A seed gives a program with declarations, functions, contracts and effects; calls of its
//! functions with arguments; and a host with prepared answers. All programs pass `validate`, and no
//! engine may report them as unsupported.

mod argument_values;
mod bindings;
mod calls;
mod declarations;
mod effects;
mod engine_comparison;
mod function_plan;
mod logging_host;
mod occurrence_counts;
mod patterns;
mod prelude;
mod program_generator;
mod random_choices;
mod random_types;
mod report;
mod shrink;
mod terms;
mod test_program;
mod value_equality;

use gainsay_core::{Literal, TyId, TypeTable, validate};
use gainsay_vm::EngineKind;

pub use self::occurrence_counts::OccurrenceCounts;
pub use self::test_program::TestProgramRecipe;

use self::engine_comparison::{EngineDifference, compare_engines};
use self::test_program::TestProgram;

/// The engines that are compared.
pub const ENGINES: [EngineKind; 2] = [EngineKind::Interpreter, EngineKind::Jit];

/// Runs the test program of a recipe on both engines. Returns a disagreement as text.
pub fn compare(recipe: TestProgramRecipe, census: &mut OccurrenceCounts) -> Result<(), String> {
    let trial = test_program::make(recipe);
    if let Err(defects) = validate(&trial.program) {
        return Err(format!("the generator made an invalid program: {:?}", defects[0]));
    }
    census.program(&trial.program);
    match compare_engines(&trial, ENGINES, census) {
        Some(difference) => Err(report::describe(&trial, &difference, ENGINES)),
        None => Ok(()),
    }
}

/// The disagreement about a recipe, shrunk, as text; `None` if there is none.
pub fn smallest_disagreement(recipe: TestProgramRecipe) -> Option<String> {
    let original = test_program::make(recipe);
    let what = difference(&original)?.what;
    // It must stay the same disagreement: a program that is simplified too much may be one that no
    // engine supports.
    let disagree = |trial: &TestProgram| difference(trial).is_some_and(|it| it.what == what);
    let mut smaller =
        (0..recipe.size).map(|size| test_program::make(TestProgramRecipe { size, ..recipe }));
    let trial = smaller.find(|it| validate(&it.program).is_ok() && disagree(it));
    let trial = shrink::shrink(trial.unwrap_or(original), &disagree);
    let difference = difference(&trial)?;
    Some(report::describe(&trial, &difference, ENGINES))
}

fn difference(trial: &TestProgram) -> Option<EngineDifference> {
    compare_engines(trial, ENGINES, &mut OccurrenceCounts::default())
}

fn literal_type(literal: &Literal) -> TyId {
    match literal {
        Literal::Int(_) | Literal::Big(_) => TypeTable::INT,
        Literal::Float(_) => TypeTable::FLOAT,
        Literal::Bool(_) => TypeTable::BOOL,
        Literal::Char(_) => TypeTable::CHAR,
        Literal::Str(_) => TypeTable::STR,
    }
}
