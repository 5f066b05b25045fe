//! Generated core programs, run by two engines that must agree on everything a caller can
//! see: values, faults with their places and traces, steps, words, and what the host heard.
//!
//! A seed gives a program with declarations, functions, contracts and effects; calls of its
//! functions with arguments; and a host with prepared answers. All of them pass `validate`,
//! and no engine may say that it does not support them.

mod alike;
mod arguments;
mod bindings;
mod calls;
mod census;
mod chance;
mod declare;
mod duel;
mod effects;
mod kinds;
mod maker;
mod oracle;
mod patterns;
mod plan;
mod prelude;
mod report;
mod simplify;
mod terms;
mod trial;

use gainsay_core::{Literal, TyId, TypeTable, validate};
use gainsay_vm::EngineKind;

pub use self::census::Census;
pub use self::trial::Recipe;

use self::duel::{Difference, fight};
use self::trial::Trial;

/// The engines that are compared.
pub const ENGINES: [EngineKind; 2] = [EngineKind::Interpreter, EngineKind::Jit];

/// Runs the trial of a recipe by both engines. A disagreement comes back as text.
pub fn compare(recipe: Recipe, census: &mut Census) -> Result<(), String> {
    let trial = trial::make(recipe);
    if let Err(defects) = validate(&trial.program) {
        return Err(format!("the generator made an invalid program: {:?}", defects[0]));
    }
    census.program(&trial.program);
    match fight(&trial, ENGINES, census) {
        Some(difference) => Err(report::describe(&trial, &difference, ENGINES)),
        None => Ok(()),
    }
}

/// A disagreement of a recipe about as small a program as can be found, as text; nothing if
/// there is none.
pub fn smallest_disagreement(recipe: Recipe) -> Option<String> {
    let original = trial::make(recipe);
    let what = difference(&original)?.what;
    // It must stay the same disagreement: a program that is simplified too much may be one
    // that no engine supports.
    let disagree = |trial: &Trial| difference(trial).is_some_and(|it| it.what == what);
    let mut smaller = (0..recipe.size).map(|size| trial::make(Recipe { size, ..recipe }));
    let trial = smaller.find(|it| validate(&it.program).is_ok() && disagree(it));
    let trial = simplify::simplify(trial.unwrap_or(original), &disagree);
    let difference = difference(&trial)?;
    Some(report::describe(&trial, &difference, ENGINES))
}

fn difference(trial: &Trial) -> Option<Difference> {
    fight(trial, ENGINES, &mut Census::default())
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
