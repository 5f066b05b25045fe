//! Evaluates conditions that consist of literals only.

use gainsay_core::{Body, BuiltinId, Comparison, Literal, Term, TermId, builtin};

/// The value of a condition made of literals; `None` if it contains anything else.
pub(super) fn constant_truth(body: &Body, condition: TermId) -> Option<bool> {
    let term = body.term(condition);
    if let Term::Literal(Literal::Bool(holds)) = term {
        Some(*holds)
    } else if let Term::And(a, b) = term {
        both([*a, *b].map(|side| constant_truth(body, side)))
    } else if let Term::Or(a, b) = term {
        // `a || b` is `!(!a && !b)`.
        let neither = [*a, *b].map(|side| constant_truth(body, side).map(|it| !it));
        both(neither).map(|it| !it)
    } else if let Term::Builtin { builtin, args, .. } = term {
        match **args {
            [operand] if *builtin == builtin::BOOL_NOT => {
                constant_truth(body, operand).map(|it| !it)
            }
            [a, b] => compare_literals(*builtin, body.term(a), body.term(b)),
            _ => None,
        }
    } else {
        None
    }
}

/// The result of a comparison of two equal values other than NaN.
pub(super) fn comparison_of_equals(comparison: BuiltinId) -> Option<bool> {
    builtin::get(comparison).total_comparison.map(Comparison::is_reflexive)
}

/// Three-valued conjunction: one false operand decides.
fn both(sides: [Option<bool>; 2]) -> Option<bool> {
    if sides.contains(&Some(false)) {
        return Some(false);
    }
    (sides == [Some(true); 2]).then_some(true)
}

fn compare_literals(comparison: BuiltinId, a: &Term, b: &Term) -> Option<bool> {
    let (Term::Literal(a), Term::Literal(b)) = (a, b) else { return None };
    if let (Literal::Float(_), _) | (_, Literal::Float(_)) = (a, b) {
        return None;
    }
    if a == b {
        return comparison_of_equals(comparison);
    }
    match (builtin::get(comparison).total_comparison?, a, b) {
        (Comparison::Eq, _, _) => Some(false),
        (Comparison::Ne, _, _) => Some(true),
        (order, Literal::Int(a), Literal::Int(b)) => Some(order.holds(a, b)),
        (_, _, _) => None,
    }
}
