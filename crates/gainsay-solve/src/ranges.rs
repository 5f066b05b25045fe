//! What the result of a function can be, whatever its arguments: an interval for each integer, and
//! which lists are never empty.
//!
//! An abstract interpretation with intervals (Cousot and Cousot, POPL 1977): all functions start
//! with no result, their bodies are evaluated until nothing changes, and bounds that still move
//! after a few rounds are given up. Without it a machine that looks for a list of length -1 goes on
//! to longer and longer lists.

use gainsay_core::Literal;

use crate::code::{
    Arithmetic, Code, CodeFnId, CollectionOp, Expr, ExprId, Matcher, MatcherId, ResultRange,
};

/// Bounds at and beyond these are no bounds.
pub(crate) const INFINITY: i64 = 1 << 62;

/// Whether an integer is small enough to be reasoned about.
pub(crate) fn is_finite(int: i64) -> bool {
    -INFINITY < int && int < INFINITY
}

/// Rounds after which bounds that still move are given up.
const N_EXACT_ROUNDS: usize = 3;

/// Computes the result ranges of all functions.
pub(crate) fn infer(code: &mut Code) {
    for function in &mut code.functions {
        function.result_range = ResultRange::Never;
    }
    for round in 0.. {
        let mut has_changed = false;
        for at in 0..code.functions.len() {
            let function = &code.functions[at];
            let mut frame = vec![ResultRange::Any; function.n_slots as usize];
            let found = range_of(code, function.body, &mut frame);
            let joined = join(&function.result_range, &found);
            if joined != function.result_range {
                has_changed = true;
                let widened = if round < N_EXACT_ROUNDS {
                    joined
                } else {
                    widen(&function.result_range, &joined)
                };
                code.functions[at].result_range = widened;
            }
        }
        if !has_changed {
            return;
        }
    }
}

fn range_of(code: &Code, id: ExprId, frame: &mut [ResultRange]) -> ResultRange {
    match code.expr(id) {
        Expr::Literal(Literal::Int(int)) => ResultRange::Int(*int, *int),
        Expr::Literal(_) => ResultRange::Any,
        Expr::Local(slot) => frame.get(slot.index()).cloned().unwrap_or(ResultRange::Any),
        Expr::Tuple(parts) => {
            ResultRange::Tuple(parts.iter().map(|it| range_of(code, *it, frame)).collect())
        }
        Expr::Field(base, at) => match range_of(code, *base, frame) {
            ResultRange::Tuple(parts) => {
                parts.get(*at as usize).cloned().unwrap_or(ResultRange::Any)
            }
            ResultRange::Never => ResultRange::Never,
            ResultRange::Any | ResultRange::Int(..) | ResultRange::NonEmpty => ResultRange::Any,
        },
        Expr::List(items, _) if !items.is_empty() => ResultRange::NonEmpty,
        Expr::List(_, Some(rest)) => range_of(code, *rest, frame),
        Expr::If(_, then, otherwise) => {
            join(&range_of(code, *then, frame), &range_of(code, *otherwise, frame))
        }
        Expr::Match(scrutinee, arms) => {
            let value = range_of(code, *scrutinee, frame);
            let mut all = ResultRange::Never;
            for arm in arms {
                bind(code, arm.matcher, &value, frame);
                all = join(&all, &range_of(code, arm.body, frame));
            }
            all
        }
        Expr::Let(matcher, value, rest) => {
            let value = range_of(code, *value, frame);
            bind(code, *matcher, &value, frame);
            range_of(code, *rest, frame)
        }
        Expr::Then(_, rest) => range_of(code, *rest, frame),
        Expr::Call(function, _) => called(code, *function),
        Expr::Builtin(call) => {
            let name = gainsay_core::builtin::get(call.builtin).name;
            if name.ends_with(".len") {
                ResultRange::Int(0, INFINITY)
            } else {
                ResultRange::Any
            }
        }
        Expr::Collection(CollectionOp::Len, _) => ResultRange::Int(0, INFINITY),
        Expr::Refine(value, _) => range_of(code, *value, frame),
        Expr::Arithmetic(operator, a, b) => {
            arithmetic(*operator, &range_of(code, *a, frame), &range_of(code, *b, frame))
        }
        Expr::Fail => ResultRange::Never,
        Expr::Construct(..)
        | Expr::List(..)
        | Expr::Closure(..)
        | Expr::Update(..)
        | Expr::And(..)
        | Expr::Or(..)
        | Expr::Not(_)
        | Expr::CallValue(..)
        | Expr::Compare(..)
        | Expr::Rel(..)
        | Expr::Collection(..)
        | Expr::Sample(..) => ResultRange::Any,
    }
}

fn called(code: &Code, function: CodeFnId) -> ResultRange {
    code.function(function).result_range.clone()
}

fn bind(code: &Code, matcher: MatcherId, value: &ResultRange, frame: &mut [ResultRange]) {
    match code.matcher(matcher) {
        Matcher::Any | Matcher::Literal(_) => {}
        Matcher::Bind(slot) => frame[slot.index()] = value.clone(),
        Matcher::Tuple(parts) => {
            for (at, part) in parts.iter().enumerate() {
                let inner = match value {
                    ResultRange::Tuple(values) => {
                        values.get(at).cloned().unwrap_or(ResultRange::Any)
                    }
                    ResultRange::Never => ResultRange::Never,
                    ResultRange::Any | ResultRange::Int(..) | ResultRange::NonEmpty => {
                        ResultRange::Any
                    }
                };
                bind(code, *part, &inner, frame);
            }
        }
        Matcher::Ctor(_, parts) | Matcher::Or(parts) => {
            parts.iter().for_each(|it| bind(code, *it, &ResultRange::Any, frame));
        }
        Matcher::List(items, rest) => {
            items.iter().chain(rest).for_each(|it| bind(code, *it, &ResultRange::Any, frame));
        }
    }
}

fn arithmetic(operator: Arithmetic, a: &ResultRange, b: &ResultRange) -> ResultRange {
    if *a == ResultRange::Never || *b == ResultRange::Never {
        return ResultRange::Never;
    }
    let bounds = |it: &ResultRange| match it {
        ResultRange::Int(lo, hi) => (*lo, *hi),
        ResultRange::Any | ResultRange::Never => (-INFINITY, INFINITY),
        ResultRange::Tuple(_) | ResultRange::NonEmpty => (-INFINITY, INFINITY),
    };
    let ((a_lo, a_hi), (b_lo, b_hi)) = (bounds(a), bounds(b));
    match operator {
        Arithmetic::Add => int(add(a_lo, b_lo), add(a_hi, b_hi)),
        Arithmetic::Sub => int(add(a_lo, -b_hi), add(a_hi, -b_lo)),
        Arithmetic::Rem if b_lo == b_hi && b_lo != 0 && b_lo > -INFINITY => {
            let most = b_lo.abs() - 1;
            int(if a_lo >= 0 { 0 } else { -most }, most)
        }
        Arithmetic::Mul if a_lo >= 0 && b_lo >= 0 => int(0, INFINITY),
        Arithmetic::Div if a_lo >= 0 && b_lo > 0 => int(0, a_hi),
        Arithmetic::Mul | Arithmetic::Div | Arithmetic::Rem => ResultRange::Any,
    }
}

/// The sum of two bounds; an infinite one stays infinite.
pub(crate) fn add(a: i64, b: i64) -> i64 {
    if a <= -INFINITY || b <= -INFINITY {
        return -INFINITY;
    }
    if a >= INFINITY || b >= INFINITY {
        return INFINITY;
    }
    (a + b).clamp(-INFINITY, INFINITY)
}

fn int(lo: i64, hi: i64) -> ResultRange {
    if lo <= -INFINITY && hi >= INFINITY { ResultRange::Any } else { ResultRange::Int(lo, hi) }
}

fn join(a: &ResultRange, b: &ResultRange) -> ResultRange {
    match (a, b) {
        (ResultRange::Never, it) | (it, ResultRange::Never) => it.clone(),
        (ResultRange::Int(a, b), ResultRange::Int(c, d)) => int(*a.min(c), *b.max(d)),
        (ResultRange::NonEmpty, ResultRange::NonEmpty) => ResultRange::NonEmpty,
        (ResultRange::Tuple(a), ResultRange::Tuple(b)) if a.len() == b.len() => {
            ResultRange::Tuple(a.iter().zip(b).map(|(a, b)| join(a, b)).collect())
        }
        _ => ResultRange::Any,
    }
}

fn widen(old: &ResultRange, new: &ResultRange) -> ResultRange {
    match (old, new) {
        (ResultRange::Int(a, b), ResultRange::Int(c, d)) => {
            int(if c < a { -INFINITY } else { *c }, if d > b { INFINITY } else { *d })
        }
        (ResultRange::Tuple(a), ResultRange::Tuple(b)) if a.len() == b.len() => {
            ResultRange::Tuple(a.iter().zip(b).map(|(a, b)| widen(a, b)).collect())
        }
        (_, new) => new.clone(),
    }
}
