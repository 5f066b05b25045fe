//! Literals: 0 and 1 for each other, off by one, the opposite sign; an empty string for a non-empty
//! one and vice versa; `true` and `false` for each other.

use std::sync::Arc;

use gainsay_core::{Literal, Term};
use num_bigint::BigInt;

use crate::mutation_site::MutationSite;
use crate::operator::{Operator, OperatorScope};

pub(crate) const OPERATOR: Operator = Operator {
    name: "constant",
    about: "another number, string or Boolean",
    scope: OperatorScope::Code,
    make,
};

fn make(site: &mut MutationSite<'_, '_>) {
    let Term::Literal(literal) = site.current_term() else { return };
    for (other, text) in others(&literal) {
        let before = site.text().to_owned();
        // A literal that the checker inserted has no text to replace.
        if before.is_empty() {
            return;
        }
        let instead = site.add_term(Term::Literal(other));
        let what = format!("replace `{before}` with `{text}`");
        let text = site.parenthesized(&text);
        site.replace(instead, text, what);
    }
}

/// Replacement literals, with their texts.
pub(crate) fn others(literal: &Literal) -> Vec<(Literal, String)> {
    match literal {
        Literal::Int(int) => others_of_int(&BigInt::from(*int)),
        Literal::Big(int) => others_of_int(int),
        Literal::Float(float) => others_of_float(*float),
        Literal::Bool(truth) => vec![(Literal::Bool(!truth), (!truth).to_string())],
        Literal::Char(_) => Vec::new(),
        Literal::Str(text) if text.is_empty() => vec![text_literal("x")],
        Literal::Str(_) => vec![text_literal("")],
    }
}

fn text_literal(text: &str) -> (Literal, String) {
    (Literal::Str(Arc::from(text)), format!("\"{text}\""))
}

/// A literal of an integer, with its text.
pub(crate) fn int_literal(int: &BigInt) -> (Literal, String) {
    let literal = match i64::try_from(int.clone()) {
        Ok(small) => Literal::Int(small),
        Err(_) => Literal::Big(Arc::new(int.clone())),
    };
    (literal, int.to_string())
}

fn others_of_int(int: &BigInt) -> Vec<(Literal, String)> {
    let mut others: Vec<BigInt> = Vec::new();
    for other in [BigInt::from(0), int + 1, int - 1, -int] {
        // 0 replaces only 1: for other numbers, such a large change would be killed too easily.
        let is_far = other == BigInt::from(0) && *int != BigInt::from(1);
        if other != *int && !is_far && !others.contains(&other) {
            others.push(other);
        }
    }
    others.iter().map(int_literal).collect()
}

fn others_of_float(float: f64) -> Vec<(Literal, String)> {
    let mut others = Vec::new();
    for other in [0.0, 1.0, -float] {
        let is_far = other == 0.0 && float != 1.0 || other == 1.0 && float != 0.0;
        if other != float && !is_far && other.is_finite() {
            others.push((Literal::Float(other), format!("{other:?}")));
        }
    }
    others
}
