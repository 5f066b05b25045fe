//! Terms and events as text, in the syntax of the language.

use std::fmt::Write as _;

use gainsay_smt::{LinearSum, TermId, TermNode, Terms, VarId};

/// Names for variables.
pub trait VarNames {
    /// The name of a variable.
    fn var_name(&self, terms: &Terms, var: VarId) -> String;
}

impl VarNames for [(VarId, String)] {
    fn var_name(&self, terms: &Terms, var: VarId) -> String {
        match self.iter().find(|it| it.0 == var) {
            Some((_, name)) => name.clone(),
            None => terms.signature.var(var).name.clone(),
        }
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "any other formula is negated as it is")]
/// A term as text.
pub fn term_text<N: VarNames + ?Sized>(terms: &Terms, term: TermId, names: &N) -> String {
    match terms.node(term) {
        TermNode::Bool(value) => value.to_string(),
        TermNode::Int(value) => value.to_string(),
        TermNode::Var(var) => names.var_name(terms, *var),
        TermNode::App(fun, args) => {
            let name = &terms.signature.fun(*fun).name;
            if args.is_empty() {
                return name.clone();
            }
            let args: Vec<String> =
                args.iter().map(|it| term_text(terms, *it, names)).collect();
            format!("{name}({})", args.join(", "))
        }
        TermNode::Sum(sum) => sum_text(terms, sum, names),
        TermNode::AtMostZero(sum) => comparison_text(terms, sum, names, "<="),
        TermNode::Zero(sum) => comparison_text(terms, sum, names, "=="),
        TermNode::Equal(a, b) => {
            format!("{} == {}", operand(terms, *a, names), operand(terms, *b, names))
        }
        TermNode::Not(inner) => match terms.node(*inner) {
            TermNode::Zero(sum) => comparison_text(terms, sum, names, "!="),
            TermNode::Equal(a, b) => {
                format!("{} != {}", operand(terms, *a, names), operand(terms, *b, names))
            }
            _ => format!("!{}", operand(terms, *inner, names)),
        },
        TermNode::And(parts) => joined(terms, parts, names, " && "),
        TermNode::Or(parts) => joined(terms, parts, names, " || "),
        TermNode::Ite(condition, a, b) => format!(
            "if {} {{ {} }} else {{ {} }}",
            term_text(terms, *condition, names),
            term_text(terms, *a, names),
            term_text(terms, *b, names)
        ),
        TermNode::Opaque(..) => "_".to_owned(),
    }
}

fn joined<N: VarNames + ?Sized>(
    terms: &Terms,
    parts: &[TermId],
    names: &N,
    separator: &str,
) -> String {
    let parts: Vec<String> = parts.iter().map(|it| operand(terms, *it, names)).collect();
    parts.join(separator)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other terms bind tighter")]
/// A term as an operand: in parentheses if it is itself an operation between truth values.
fn operand<N: VarNames + ?Sized>(terms: &Terms, term: TermId, names: &N) -> String {
    let text = term_text(terms, term, names);
    let needs_parentheses = match terms.node(term) {
        TermNode::And(_) | TermNode::Or(_) | TermNode::Ite(..) => true,
        TermNode::Equal(a, _) => terms.sort(*a) == gainsay_smt::Sort::Bool,
        _ => false,
    };
    if needs_parentheses { format!("({text})") } else { text }
}

fn sum_text<N: VarNames + ?Sized>(terms: &Terms, sum: &LinearSum, names: &N) -> String {
    let mut text = String::new();
    let positive_first =
        sum.parts.iter().filter(|it| it.1 > 0).chain(sum.parts.iter().filter(|it| it.1 < 0));
    for (part, coefficient) in positive_first {
        let part = term_text(terms, *part, names);
        let sign = match (text.is_empty(), *coefficient < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        if coefficient.unsigned_abs() != 1 {
            let _ = write!(text, "{} * ", coefficient.unsigned_abs());
        }
        text.push_str(&part);
    }
    if text.is_empty() {
        return sum.constant.to_string();
    }
    if sum.constant != 0 {
        let sign = if sum.constant < 0 { '-' } else { '+' };
        let _ = write!(text, " {sign} {}", sum.constant.unsigned_abs());
    }
    text
}

/// `left <= right`, with every part on the side where it is positive.
fn comparison_text<N: VarNames + ?Sized>(
    terms: &Terms,
    sum: &LinearSum,
    names: &N,
    operator: &str,
) -> String {
    let side = |sign: i128| {
        let parts = sum
            .parts
            .iter()
            .filter(|it| it.1.signum() == sign)
            .filter_map(|it| Some((it.0, it.1.checked_abs()?)))
            .collect();
        LinearSum { constant: 0, parts }
    };
    let (mut left, mut right) = (side(1), side(-1));
    let has_left = !left.parts.is_empty();
    // `x + 1 <= y` reads better as `x < y`.
    if operator == "<=" && sum.constant == 1 && has_left && !right.parts.is_empty() {
        return format!(
            "{} < {}",
            sum_text(terms, &left, names),
            sum_text(terms, &right, names)
        );
    }
    match sum.constant.checked_neg() {
        Some(negated) if sum.constant < 0 || right.parts.is_empty() && has_left => {
            right.constant = negated;
        }
        _ => left.constant = sum.constant,
    }
    format!("{} {operator} {}", sum_text(terms, &left, names), sum_text(terms, &right, names))
}
