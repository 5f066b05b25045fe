//! Base cases: recursive calls whose answer the caller can determine itself.
//!
//! ```text
//! fn depth(tree) = match tree {
//!   Leaf => 0,
//!   Node(left, right) => .. depth(left) .. depth(right) ..,
//! }
//! ```
//!
//! If a function calls itself more than once per activation, most calls are leaves of the
//! recursion, which only inspect an argument and return a constant. The caller does that inline:
//! what remains of the call is charging one step and checking that steps and depth suffice.

use gainsay_core::builtin::EQ;
use gainsay_core::{
    Arm, Function, FunctionId, Literal, LocalId, Pattern, PatternId, Program, RestPattern,
    Statement, Term, TermId,
};

use super::calling_convention::checks_result;
use super::instrumentation::Instrumentation;
use super::word::Word;

/// An answer that a function gives immediately.
#[derive(Copy, Clone)]
pub(super) struct BaseCase {
    /// The index of the argument that decides.
    pub(super) param: usize,
    /// The value of that argument, as a word that no other value shares.
    pub(super) word: Word,
    pub(super) result: Word,
}

/// The base case of a function, if it has one that is likely to be frequent.
pub(super) fn base_case_of(
    program: &Program,
    instruments: &Instrumentation,
    id: FunctionId,
) -> Option<BaseCase> {
    let function = program.function(id);
    let root = function.body.root?;
    let is_refined = |ty| program.types.flags(ty).has_refinement();
    // Checks, mutants and counters at the entry must run in the callee.
    let checks_entry =
        !function.requires.is_empty() || function.params.iter().any(|it| is_refined(it.ty));
    if function.n_captures > 0
        || checks_entry
        || checks_result(program, function)
        || instruments.has_mutants_in(id)
        || instruments.counter(id, root, 0).is_some()
    {
        return None;
    }
    let term = function.body.term(root);
    let base = if let Term::If { condition, then, .. } = term {
        base_case_of_if(function, *condition, *then)
    } else if let Term::Match { scrutinee, arms } = term {
        base_case_of_match(function, *scrutinee, arms)
    } else {
        None
    };
    // With a single recursive call per activation, base cases are too rare to pay for the test.
    base.filter(|_| max_self_calls(function, id, root) > 1)
}

/// `if n == 0 || .. { constant } ..`
fn base_case_of_if(function: &Function, condition: TermId, then: TermId) -> Option<BaseCase> {
    let body = &function.body;
    let mut first = condition;
    // Only the first operand of `||` is evaluated unconditionally and before anything can fault.
    while let Term::Or(left, _) = body.term(first) {
        first = *left;
    }
    let Term::Builtin { builtin: EQ, args, .. } = body.term(first) else { return None };
    let [a, b] = **args else { return None };
    // Small integers only, which have a single word each: comparing words is comparing values.
    let Term::Literal(Literal::Int(int)) = body.term(b) else { return None };
    let (param, word) = (param_index(function, a)?, Word::from_small_int(*int)?);
    Some(BaseCase { param, word, result: constant_word(function, then)? })
}

/// `match tree { Leaf => constant .. }`
fn base_case_of_match(
    function: &Function,
    scrutinee: TermId,
    arms: &[Arm],
) -> Option<BaseCase> {
    let param = param_index(function, scrutinee)?;
    // Only the first arm: a later one applies only if no earlier pattern matches.
    let first = arms.first().filter(|arm| arm.guard.is_none())?;
    let word = nullary_word(function, first.pattern)?;
    Some(BaseCase { param, word, result: constant_word(function, first.body)? })
}

fn param_index(function: &Function, term: TermId) -> Option<usize> {
    let Term::Local(LocalId(local)) = function.body.term(term) else { return None };
    let at = *local as usize;
    (at < function.params.len()).then_some(at)
}

/// The only word that matches a pattern, if it belongs to a value without parts.
fn nullary_word(function: &Function, pattern: PatternId) -> Option<Word> {
    let pattern = function.body.pattern(pattern);
    if let Pattern::Ctor(ctor, fields) = pattern
        && fields.is_empty()
    {
        Some(Word::nullary(*ctor))
    } else if let Pattern::List(items, RestPattern::Nothing) = pattern
        && items.is_empty()
    {
        Some(Word::NIL)
    } else {
        None
    }
}

/// The word of a constant term.
fn constant_word(function: &Function, term: TermId) -> Option<Word> {
    let term = function.body.term(term);
    if let Term::Literal(Literal::Bool(truth)) = term {
        Some(Word::from(*truth))
    } else if let Term::Literal(Literal::Int(int)) = term {
        Word::from_small_int(*int)
    } else if let Term::Construct { ctor, args } = term
        && args.is_empty()
    {
        Some(Word::nullary(*ctor))
    } else if let Term::List { items, rest: None } = term
        && items.is_empty()
    {
        Some(Word::NIL)
    } else {
        None
    }
}

/// The largest number of calls that a function makes to itself on any one path, estimated without
/// looking into rare terms.
#[expect(clippy::wildcard_enum_match_arm, reason = "it is an estimate")]
fn max_self_calls(function: &Function, id: FunctionId, term: TermId) -> usize {
    let sum = |terms: &[TermId]| terms.iter().map(|it| max_self_calls(function, id, *it)).sum();
    match function.body.term(term) {
        Term::Call { function: callee, args, .. } => {
            // The recursion is as deep as terms nest, which the parser bounds.
            let inside: usize = sum(args);
            inside + usize::from(*callee == id)
        }
        Term::If { condition, then, otherwise } => {
            let [then, otherwise] =
                [then, otherwise].map(|it| max_self_calls(function, id, *it));
            max_self_calls(function, id, *condition) + then.max(otherwise)
        }
        Term::Match { scrutinee, arms } => {
            let arms = arms.iter().map(|arm| max_self_calls(function, id, arm.body));
            max_self_calls(function, id, *scrutinee) + arms.max().unwrap_or(0)
        }
        Term::And(a, b) | Term::Or(a, b) => sum(&[*a, *b]),
        Term::Block { statements, result } => {
            let statements = statements.iter().map(|it| match it {
                Statement::Drop(value) | Statement::Let(_, value) => {
                    max_self_calls(function, id, *value)
                }
            });
            statements.sum::<usize>() + max_self_calls(function, id, *result)
        }
        Term::Builtin { args, .. } | Term::Construct { args, .. } => sum(args),
        Term::Tuple(items) => sum(items),
        Term::List { items, rest } => {
            let rest = rest.map_or(0, |it| max_self_calls(function, id, it));
            let items: usize = sum(items);
            items + rest
        }
        _ => 0,
    }
}
