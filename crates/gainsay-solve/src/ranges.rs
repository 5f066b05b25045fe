//! What the value of an expression can be, whatever the arguments of its function: an interval for
//! each integer, the constructors of a sum, and which lists are never empty.
//!
//! An abstract interpretation with intervals (Cousot and Cousot, POPL 1977): all functions start
//! with no result, their bodies are evaluated until nothing changes, and bounds that still move
//! after a few rounds are given up. Without it a machine that looks for a list of length -1 goes on
//! to longer and longer lists, and one that looks for a tree of height 0 tries nodes.

mod interval;

use std::collections::BTreeMap;

use gainsay_core::{Comparison, CtorId, Literal};

pub(crate) use self::interval::{INFINITY, add, is_finite};
use self::interval::{arithmetic, int};
use crate::code::{
    BranchSide, Code, CodeFnId, CollectionOp, Expr, ExprId, Matcher, MatcherId, ResultRange,
};

/// Rounds after which bounds that still move are given up.
const N_EXACT_ROUNDS: usize = 3;

/// Rounds after which everything that still changes is given up.
const MAX_ROUNDS: usize = 32;

/// Constructors inside constructors that are distinguished.
const MAX_DEPTH: usize = 3;

/// Calls inside calls that are evaluated for their arguments: `max` of two heights is a height.
const MAX_CALL_DEPTH: usize = 3;

/// Expressions that are evaluated for one function. Arms with guards share what follows them, so
/// that a small function can have many paths.
const MAX_VISITS: usize = 4_000;

/// Computes the result ranges of all functions, and the ranges of all expressions.
pub(crate) fn infer(code: &mut Code) {
    for function in &mut code.functions {
        function.result_range = ResultRange::Never;
    }
    for round in 0.. {
        let mut has_changed = false;
        for at in 0..code.functions.len() {
            let found = RangeInference::new(code).function(CodeFnId(at as u32));
            let old = &code.functions[at].result_range;
            let joined = join(old, &found, MAX_DEPTH);
            if joined != *old {
                has_changed = true;
                code.functions[at].result_range = match round {
                    0..N_EXACT_ROUNDS => joined,
                    N_EXACT_ROUNDS..MAX_ROUNDS => widen(old, &joined),
                    _ => ResultRange::Any,
                };
            }
        }
        if !has_changed {
            break;
        }
    }
    let mut expr_ranges = vec![ResultRange::Any; code.exprs.len()];
    for at in 0..code.functions.len() {
        let mut inference = RangeInference { is_recording: true, ..RangeInference::new(code) };
        inference.function(CodeFnId(at as u32));
        // What was not reached in time may be more than what was.
        if inference.n_left > 0 {
            for (id, range) in inference.found {
                expr_ranges[id.index()] = range;
            }
        }
    }
    code.expr_ranges = expr_ranges;
}

/// The evaluation of one function.
struct RangeInference<'a> {
    code: &'a Code,
    /// The ranges of the expressions of the function itself, if they are wanted.
    found: BTreeMap<ExprId, ResultRange>,
    is_recording: bool,
    n_left: usize,
    call_depth: usize,
}

impl<'a> RangeInference<'a> {
    fn new(code: &'a Code) -> Self {
        let found = BTreeMap::new();
        Self { code, found, is_recording: false, n_left: MAX_VISITS, call_depth: 0 }
    }

    /// The result of a function for any arguments.
    fn function(&mut self, id: CodeFnId) -> ResultRange {
        let function = self.code.function(id);
        let mut frame = vec![ResultRange::Any; function.n_slots as usize];
        self.range_of(function.body, &mut frame)
    }

    fn range_of(&mut self, id: ExprId, frame: &mut [ResultRange]) -> ResultRange {
        let Some(n_left) = self.n_left.checked_sub(1) else { return ResultRange::Any };
        self.n_left = n_left;
        let range = self.compound(id, frame);
        if self.is_recording && self.call_depth == 0 {
            // Several paths may lead to an expression.
            let known = self.found.entry(id).or_insert(ResultRange::Never);
            *known = join(known, &range, MAX_DEPTH);
        }
        range
    }

    fn compound(&mut self, id: ExprId, frame: &mut [ResultRange]) -> ResultRange {
        let code = self.code;
        match code.expr(id) {
            Expr::Literal(Literal::Int(it)) => ResultRange::Int(*it, *it),
            Expr::Local(slot) => frame.get(slot.index()).cloned().unwrap_or(ResultRange::Any),
            Expr::Tuple(parts) => ResultRange::Tuple(self.ranges_of(parts, frame)),
            Expr::Construct(ctor, args) => {
                ResultRange::Data([(*ctor, self.ranges_of(args, frame))].into())
            }
            Expr::Field(base, at) => {
                let base = self.range_of(*base, frame);
                part(&base, None, *at as usize)
            }
            Expr::If(condition, then, otherwise) => {
                self.range_of(*condition, frame);
                let then = self.branch(*condition, (BranchSide::Then, *then), frame);
                let otherwise =
                    self.branch(*condition, (BranchSide::Otherwise, *otherwise), frame);
                join(&then, &otherwise, MAX_DEPTH)
            }
            Expr::Match(scrutinee, arms) => {
                let value = self.range_of(*scrutinee, frame);
                let mut all = ResultRange::Never;
                for arm in arms {
                    if can_match(code, arm.matcher, &value) {
                        bind(code, arm.matcher, &value, frame);
                        let found = self.range_of(arm.body, frame);
                        all = join(&all, &found, MAX_DEPTH);
                    }
                }
                all
            }
            Expr::Let(matcher, value, rest) => {
                let value = self.range_of(*value, frame);
                bind(code, *matcher, &value, frame);
                self.range_of(*rest, frame)
            }
            Expr::Then(first, rest) => {
                self.range_of(*first, frame);
                self.range_of(*rest, frame)
            }
            Expr::Call(function, args) => {
                let args = self.ranges_of(args, frame);
                self.called(*function, &args)
            }
            Expr::List(items, _) if !items.is_empty() => {
                self.parts(id, frame);
                ResultRange::NonEmpty
            }
            Expr::List(_, Some(rest)) => self.range_of(*rest, frame),
            Expr::Collection(CollectionOp::Len, _) => {
                self.parts(id, frame);
                int(0, INFINITY)
            }
            Expr::Builtin(call) => {
                self.parts(id, frame);
                let name = gainsay_core::builtin::get(call.builtin).name;
                if name.ends_with(".len") { int(0, INFINITY) } else { ResultRange::Any }
            }
            Expr::Refine(value, _) => self.range_of(*value, frame),
            Expr::Arithmetic(operator, a, b) => {
                let (a, b) = (self.range_of(*a, frame), self.range_of(*b, frame));
                arithmetic(*operator, &a, &b)
            }
            Expr::Fail => ResultRange::Never,
            Expr::Literal(_)
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
            | Expr::Sample(..) => {
                self.parts(id, frame);
                ResultRange::Any
            }
        }
    }

    /// Evaluates the parts of an expression: branches inside of it have ranges, too.
    fn parts(&mut self, id: ExprId, frame: &mut [ResultRange]) {
        self.code.expr(id).each_part(&mut |part| {
            self.range_of(part, frame);
        });
    }

    fn ranges_of(&mut self, ids: &[ExprId], frame: &mut [ResultRange]) -> Box<[ResultRange]> {
        ids.iter().map(|it| self.range_of(*it, frame)).collect()
    }

    /// One side of a branch, with what its condition says about a local.
    fn branch(
        &mut self,
        condition: ExprId,
        (side, value): (BranchSide, ExprId),
        frame: &mut [ResultRange],
    ) -> ResultRange {
        let Some((slot, range)) = self.compared_local(condition, side, frame) else {
            return self.range_of(value, frame);
        };
        if range == ResultRange::Never {
            return ResultRange::Never;
        }
        let outside = std::mem::replace(&mut frame[slot], range);
        let found = self.range_of(value, frame);
        frame[slot] = outside;
        found
    }

    /// The local that a condition compares with a number, and its range on one side of the branch.
    fn compared_local(
        &self,
        condition: ExprId,
        side: BranchSide,
        frame: &[ResultRange],
    ) -> Option<(usize, ResultRange)> {
        let Expr::Compare(comparison, a, b) = self.code.expr(condition) else { return None };
        let comparison = side.comparison(*comparison);
        let (Expr::Local(slot), Expr::Literal(Literal::Int(bound))) =
            (self.code.expr(*a), self.code.expr(*b))
        else {
            return None;
        };
        let known = match frame.get(slot.index())? {
            ResultRange::Int(lo, hi) => (*lo, *hi),
            ResultRange::Any => (-INFINITY, INFINITY),
            ResultRange::Never
            | ResultRange::Tuple(_)
            | ResultRange::Data(_)
            | ResultRange::NonEmpty => return None,
        };
        let (lo, hi) = match comparison {
            Comparison::Lt => (-INFINITY, add(*bound, -1)),
            Comparison::Le => (-INFINITY, *bound),
            Comparison::Gt => (add(*bound, 1), INFINITY),
            Comparison::Ge => (*bound, INFINITY),
            Comparison::Eq => (*bound, *bound),
            Comparison::Ne => return None,
        };
        let (lo, hi) = (lo.max(known.0), hi.min(known.1));
        Some((slot.index(), if lo > hi { ResultRange::Never } else { int(lo, hi) }))
    }

    /// The result of a call. A function that calls nothing is evaluated for its arguments; of
    /// others, what they return for any.
    fn called(&mut self, id: CodeFnId, args: &[ResultRange]) -> ResultRange {
        let function = self.code.function(id);
        let is_informative = args.iter().any(|it| *it != ResultRange::Any);
        let is_worth_it = is_informative && self.call_depth < MAX_CALL_DEPTH;
        if !is_worth_it || function.result_range == ResultRange::Never {
            return function.result_range.clone();
        }
        let mut frame = vec![ResultRange::Any; function.n_slots as usize];
        for (slot, arg) in frame.iter_mut().zip(args) {
            slot.clone_from(arg);
        }
        self.call_depth += 1;
        let found = self.range_of(function.body, &mut frame);
        self.call_depth -= 1;
        meet(&found, &function.result_range)
    }
}

/// A part of a value: an element of a tuple, or a field of a constructor; of any, if none is
/// named.
fn part(range: &ResultRange, ctor: Option<CtorId>, at: usize) -> ResultRange {
    match range {
        ResultRange::Never => ResultRange::Never,
        ResultRange::Tuple(parts) => parts.get(at).cloned().unwrap_or(ResultRange::Any),
        ResultRange::Data(ctors) => {
            let named = ctors.iter().filter(|it| ctor.is_none_or(|ctor| it.0 == ctor));
            let fields = named.map(|it| it.1.get(at).cloned().unwrap_or(ResultRange::Any));
            fields.fold(ResultRange::Never, |all, it| join(&all, &it, MAX_DEPTH))
        }
        ResultRange::Any | ResultRange::Int(..) | ResultRange::NonEmpty => ResultRange::Any,
    }
}

/// Whether a pattern can match a value in a range.
fn can_match(code: &Code, matcher: MatcherId, value: &ResultRange) -> bool {
    match (code.matcher(matcher), value) {
        (_, ResultRange::Never) => false,
        (Matcher::Literal(Literal::Int(it)), ResultRange::Int(lo, hi)) => {
            (*lo..=*hi).contains(it)
        }
        (Matcher::Ctor(ctor, matchers), ResultRange::Data(ctors)) => {
            ctors.iter().filter(|it| it.0 == *ctor).any(|(_, fields)| {
                matchers.iter().zip(fields).all(|(it, field)| can_match(code, *it, field))
            })
        }
        (Matcher::Tuple(matchers), ResultRange::Tuple(parts)) => {
            matchers.iter().zip(parts).all(|(it, part)| can_match(code, *it, part))
        }
        (Matcher::List(items, None), ResultRange::NonEmpty) => !items.is_empty(),
        (Matcher::Or(parts), _) => parts.iter().any(|it| can_match(code, *it, value)),
        _ => true,
    }
}

/// Binds the locals of a pattern to what they can be.
fn bind(code: &Code, matcher: MatcherId, value: &ResultRange, frame: &mut [ResultRange]) {
    match code.matcher(matcher) {
        Matcher::Any | Matcher::Literal(_) => {}
        Matcher::Bind(slot) => frame[slot.index()] = value.clone(),
        Matcher::Tuple(parts) => {
            for (at, it) in parts.iter().enumerate() {
                bind(code, *it, &part(value, None, at), frame);
            }
        }
        Matcher::Ctor(ctor, parts) => {
            for (at, it) in parts.iter().enumerate() {
                bind(code, *it, &part(value, Some(*ctor), at), frame);
            }
        }
        // Each alternative binds the same locals.
        Matcher::Or(parts) => {
            parts.iter().for_each(|it| bind(code, *it, &ResultRange::Any, frame));
        }
        Matcher::List(items, rest) => {
            items.iter().chain(rest).for_each(|it| bind(code, *it, &ResultRange::Any, frame));
        }
    }
}

/// What is in either; constructors nested deeper than `depth` are not distinguished.
fn join(a: &ResultRange, b: &ResultRange, depth: usize) -> ResultRange {
    match (a, b) {
        (ResultRange::Never, it) | (it, ResultRange::Never) => limited(it, depth),
        (ResultRange::Int(a, b), ResultRange::Int(c, d)) => int(*a.min(c), *b.max(d)),
        (ResultRange::NonEmpty, ResultRange::NonEmpty) => ResultRange::NonEmpty,
        (ResultRange::Tuple(a), ResultRange::Tuple(b)) if a.len() == b.len() => {
            ResultRange::Tuple(a.iter().zip(b).map(|(a, b)| join(a, b, depth)).collect())
        }
        (ResultRange::Data(a), ResultRange::Data(b)) if depth > 0 => {
            merge(a, b, |a, b| join(a, b, depth - 1))
        }
        _ => ResultRange::Any,
    }
}

/// The same range, without what is nested too deep.
fn limited(range: &ResultRange, depth: usize) -> ResultRange {
    match range {
        ResultRange::Data(_) if depth == 0 => ResultRange::Any,
        ResultRange::Data(ctors) => ResultRange::Data(
            ctors
                .iter()
                .map(|(ctor, fields)| {
                    (*ctor, fields.iter().map(|it| limited(it, depth - 1)).collect())
                })
                .collect(),
        ),
        ResultRange::Tuple(parts) => {
            ResultRange::Tuple(parts.iter().map(|it| limited(it, depth)).collect())
        }
        ResultRange::Never | ResultRange::Any => range.clone(),
        ResultRange::Int(..) | ResultRange::NonEmpty => range.clone(),
    }
}

type CtorRanges = [(CtorId, Box<[ResultRange]>)];

/// The constructors of both; the fields of those in both are combined.
fn merge(
    a: &CtorRanges,
    b: &CtorRanges,
    combine: impl Fn(&ResultRange, &ResultRange) -> ResultRange,
) -> ResultRange {
    let mut all = a.to_vec();
    for (ctor, fields) in b {
        match all.iter_mut().find(|it| it.0 == *ctor) {
            Some((_, known)) => {
                *known = known.iter().zip(fields).map(|(a, b)| combine(a, b)).collect();
            }
            None => all.push((*ctor, fields.clone())),
        }
    }
    all.sort_by_key(|it| it.0);
    ResultRange::Data(all.into())
}

/// What is in both, where that is easy to say.
fn meet(a: &ResultRange, b: &ResultRange) -> ResultRange {
    match (a, b) {
        (ResultRange::Any, it) => it.clone(),
        (ResultRange::Int(a, b), ResultRange::Int(c, d)) => {
            let (lo, hi) = (*a.max(c), *b.min(d));
            if lo > hi { ResultRange::Never } else { int(lo, hi) }
        }
        (it, _) => it.clone(),
    }
}

/// The join of two ranges, without bounds that have moved.
fn widen(old: &ResultRange, new: &ResultRange) -> ResultRange {
    match (old, new) {
        (ResultRange::Int(a, b), ResultRange::Int(c, d)) => {
            int(if c < a { -INFINITY } else { *c }, if d > b { INFINITY } else { *d })
        }
        (ResultRange::Tuple(a), ResultRange::Tuple(b)) if a.len() == b.len() => {
            ResultRange::Tuple(a.iter().zip(b).map(|(a, b)| widen(a, b)).collect())
        }
        (ResultRange::Data(a), ResultRange::Data(b)) => merge(a, b, widen),
        (_, new) => new.clone(),
    }
}
