//! Patterns against terms with unknowns.

use gainsay_core::{CtorId, Literal};

use super::equality::Blocker;
use super::goals::{Alternative, Goal};
use super::heap::{Cell, Ref, Refs, UnknownId};
use super::{Interrupt, Run, Step};
use crate::code::{CodeArm, Expr, ExprId, Matcher, MatcherId, ResultRange, ShapeKind};
use crate::ranges::add;

/// Whether a pattern matches a term.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Fit {
    Yes,
    No,
    /// That depends on an unknown.
    Open(Blocker),
}

impl Fit {
    /// Both must fit.
    fn and(self, other: impl FnOnce() -> Fit) -> Fit {
        match self {
            Fit::No => Fit::No,
            Fit::Yes => other(),
            Fit::Open(blocker) => match other() {
                Fit::No => Fit::No,
                Fit::Yes | Fit::Open(_) => Fit::Open(blocker),
            },
        }
    }
}

/// What a match does now.
pub(super) enum MatchOutcome {
    Taken(usize),
    Waits([Option<Blocker>; 2]),
}

impl Run<'_, '_> {
    pub(super) fn eval_match(
        &mut self,
        id: ExprId,
        scrutinee: Ref,
        env: Refs,
        want: Option<Ref>,
    ) -> Step<Ref> {
        let Expr::Match(_, arms) = self.context.code.expr(id) else { return self.cut() };
        match self.match_outcome(arms, scrutinee, env, want)? {
            MatchOutcome::Taken(at) => self.take_arm(arms, at, scrutinee, env, want),
            MatchOutcome::Waits(_) => {
                let result = self.result(id, want)?;
                self.suspend(Goal::Match { id, scrutinee, env, result })?;
                Ok(result)
            }
        }
    }

    /// Which arm is the only one that can be taken and can lead to what is wanted.
    pub(super) fn match_outcome(
        &mut self,
        arms: &[CodeArm],
        scrutinee: Ref,
        env: Refs,
        want: Option<Ref>,
    ) -> Step<MatchOutcome> {
        let mut only = None;
        let mut blockers = [None, None];
        for (at, arm) in arms.iter().enumerate() {
            let fit = self.fit(arm.matcher, scrutinee);
            let blocker = match fit {
                Fit::No => continue,
                Fit::Yes => None,
                Fit::Open(blocker) => Some(blocker),
            };
            blockers[0] = blockers[0].or(blocker);
            // An arm whose body cannot have the wanted value is as impossible as one whose
            // pattern does not match. This is what makes `match` run backward.
            let leads = match want {
                Some(want) => self.can_be(Alternative::Expr(arm.body), env, want),
                None => Fit::Yes,
            };
            if let Fit::Open(blocker) = leads {
                blockers[1] = blockers[1].or(Some(blocker));
            }
            if leads == Fit::No {
                self.rule_out(arm.matcher, scrutinee)?;
            } else {
                if only.is_some() {
                    // Two are possible: every unknown that could rule one out is worth waiting
                    // for, and the first that blocks a pattern is.
                    return Ok(MatchOutcome::Waits(blockers));
                }
                only = Some(at);
            }
            // Arms after one that matches for certain are never reached.
            if fit == Fit::Yes {
                break;
            }
        }
        only.map(MatchOutcome::Taken).ok_or(Interrupt::Conflict)
    }

    /// Rules out the constructor of an arm that cannot lead to what is wanted.
    fn rule_out(&mut self, matcher: MatcherId, scrutinee: Ref) -> Step<()> {
        if let Cell::Unknown(id) = self.it.heap.cell(scrutinee)
            && let Some(tag) = self.excluding_tag(matcher, id)
        {
            let at = self.it.heap.deref(scrutinee);
            self.exclude_tags(at, id, 1 << tag)?;
        }
        Ok(())
    }

    /// Takes an arm: its pattern matches, and those before it do not.
    pub(super) fn take_arm(
        &mut self,
        arms: &[CodeArm],
        at: usize,
        scrutinee: Ref,
        env: Refs,
        want: Option<Ref>,
    ) -> Step<Ref> {
        self.bind_pattern(arms[at].matcher, scrutinee, env)?;
        // Arms are tried in order, so taking this one says that those before it do not match.
        for earlier in &arms[..at] {
            self.refute(earlier.matcher, scrutinee)?;
        }
        self.eval(arms[at].body, env, want)
    }

    /// Makes a pattern not match.
    pub(super) fn refute(&mut self, matcher: MatcherId, it: Ref) -> Step<()> {
        match self.fit(matcher, it) {
            Fit::No => Ok(()),
            Fit::Yes => Err(Interrupt::Conflict),
            Fit::Open(_) => {
                let literal = self.context.code.matcher(matcher);
                if let Matcher::Literal(literal) = literal {
                    let literal = self.literal(literal);
                    return self.separate(it, literal);
                }
                if let Cell::Unknown(id) = self.it.heap.cell(it)
                    && let Some(tag) = self.excluding_tag(matcher, id)
                {
                    let at = self.it.heap.deref(it);
                    return self.exclude_tags(at, id, 1 << tag);
                }
                self.suspend(Goal::Refute { matcher, it })
            }
        }
    }

    /// The position of the constructor that a pattern matches whatever its fields are.
    fn excluding_tag(&self, matcher: MatcherId, id: UnknownId) -> Option<usize> {
        let code = self.context.code;
        let matches_all =
            |it: &MatcherId| matches!(code.matcher(*it), Matcher::Any | Matcher::Bind(_));
        match (code.matcher(matcher), &code.shape(self.it.heap.unknown(id).shape).kind) {
            (Matcher::Ctor(ctor, parts), ShapeKind::Sum(ctors))
                if parts.iter().all(matches_all) =>
            {
                ctors.iter().position(|it| it.ctor == *ctor).filter(|it| *it < 64)
            }
            (Matcher::List(items, None), ShapeKind::List(_)) if items.is_empty() => Some(0),
            (Matcher::List(items, Some(rest)), ShapeKind::List(_))
                if items.len() == 1 && items.iter().chain([rest]).all(matches_all) =>
            {
                Some(1)
            }
            _ => None,
        }
    }

    /// The position of the constructor that a pattern begins with.
    pub(super) fn head_tag(&self, matcher: MatcherId, id: UnknownId) -> Option<usize> {
        let code = self.context.code;
        match (code.matcher(matcher), &code.shape(self.it.heap.unknown(id).shape).kind) {
            (Matcher::Ctor(ctor, _), ShapeKind::Sum(ctors)) => {
                ctors.iter().position(|it| it.ctor == *ctor)
            }
            (Matcher::List(items, None), _) => Some(usize::from(!items.is_empty())),
            (Matcher::List(items, Some(_)), _) if !items.is_empty() => Some(1),
            (Matcher::Literal(Literal::Bool(it)), _) => Some(usize::from(!it)),
            _ => None,
        }
    }

    /// Whether a constructor is still possible for an unknown.
    pub(super) fn is_possible(&self, id: UnknownId, ctor: CtorId) -> bool {
        let unknown = self.it.heap.unknown(id);
        if unknown.excluded == 0 {
            return true;
        }
        let ShapeKind::Sum(ctors) = &self.context.code.shape(unknown.shape).kind else {
            return true;
        };
        let at = ctors.iter().position(|it| it.ctor == ctor);
        at.is_none_or(|at| at >= 64 || unknown.excluded & (1 << at) == 0)
    }

    /// Whether a pattern matches.
    pub(super) fn fit(&self, matcher: MatcherId, it: Ref) -> Fit {
        let code = self.context.code;
        let cell = self.it.heap.cell(it);
        match (code.matcher(matcher), cell) {
            (Matcher::Any | Matcher::Bind(_), _) => Fit::Yes,
            (Matcher::Or(parts), _) => {
                let mut open = Fit::No;
                for part in parts {
                    match self.fit(*part, it) {
                        Fit::Yes => return Fit::Yes,
                        Fit::No => {}
                        fit @ Fit::Open(_) => open = fit,
                    }
                }
                open
            }
            (Matcher::Ctor(ctor, _), Cell::Unknown(id)) if !self.is_possible(id, *ctor) => {
                Fit::No
            }
            (_, Cell::Unknown(id)) => Fit::Open(Blocker::Unknown(id)),
            (Matcher::Literal(literal), cell) => self.fit_literal(literal, cell),
            (Matcher::Tuple(matchers), Cell::Tuple(parts)) => self.fit_parts(matchers, parts),
            (Matcher::Ctor(ctor, matchers), Cell::Data(found, parts)) => {
                if *ctor == found {
                    self.fit_parts(matchers, parts)
                } else {
                    Fit::No
                }
            }
            (Matcher::List(items, rest), _) => self.fit_list(items, *rest, it),
            _ => Fit::No,
        }
    }

    fn fit_parts(&self, matchers: &[MatcherId], parts: Refs) -> Fit {
        let mut fit = Fit::Yes;
        for (at, matcher) in matchers.iter().enumerate() {
            fit = fit.and(|| self.fit(*matcher, self.it.heap.part(parts, at)));
        }
        fit
    }

    fn fit_list(&self, items: &[MatcherId], rest: Option<MatcherId>, list: Ref) -> Fit {
        let mut fit = Fit::Yes;
        let mut list = list;
        for item in items {
            match self.it.heap.cell(list) {
                Cell::Nil => return Fit::No,
                Cell::Cons(first, others) => {
                    fit = fit.and(|| self.fit(*item, first));
                    list = others;
                }
                Cell::Unknown(id) => {
                    return fit.and(|| Fit::Open(Blocker::Unknown(id)));
                }
                _ => return Fit::No,
            }
        }
        match rest {
            Some(rest) => fit.and(|| self.fit(rest, list)),
            None => fit.and(|| match self.it.heap.cell(list) {
                Cell::Nil => Fit::Yes,
                Cell::Unknown(id) => Fit::Open(Blocker::Unknown(id)),
                _ => Fit::No,
            }),
        }
    }

    fn fit_literal(&self, literal: &Literal, cell: Cell) -> Fit {
        let int = match literal {
            Literal::Int(int) => *int,
            Literal::Char(char) => i64::from(u32::from(*char)),
            Literal::Bool(bool) => {
                return if cell == Cell::Bool(*bool) { Fit::Yes } else { Fit::No };
            }
            Literal::Str(text) if !matches!(cell, Cell::Opaque(_)) => {
                return self.fit_text(text, cell);
            }
            Literal::Big(_) | Literal::Float(_) | Literal::Str(_) => {
                let Cell::Opaque(at) = cell else { return Fit::No };
                let value = gainsay_vm::Value::literal(literal);
                let same = gainsay_vm::equal(&self.it.heap.opaque[at as usize], &value);
                return if same { Fit::Yes } else { Fit::No };
            }
        };
        match cell {
            Cell::Int(it) if it == int => Fit::Yes,
            Cell::Var(offset) => {
                let (lo, hi) = self.it.store.bounds(offset.var);
                let int = int - offset.plus;
                if int < lo || int > hi || self.it.store.is_hole(offset.var, int) {
                    Fit::No
                } else if lo == hi {
                    Fit::Yes
                } else {
                    Fit::Open(Blocker::Var(offset.var))
                }
            }
            _ => Fit::No,
        }
    }

    /// Whether a text that was looked into is a literal.
    fn fit_text(&self, text: &str, cell: Cell) -> Fit {
        let Cell::Items(mut list) = cell else { return Fit::No };
        let mut fit = Fit::Yes;
        for char in text.chars() {
            let (first, rest) = match self.it.heap.cell(list) {
                Cell::Cons(first, rest) => (first, rest),
                Cell::Unknown(id) => return fit.and(|| Fit::Open(Blocker::Unknown(id))),
                _ => return Fit::No,
            };
            let cell = self.it.heap.cell(first);
            fit = fit.and(|| self.fit_literal(&Literal::Char(char), cell));
            list = rest;
        }
        match self.it.heap.cell(list) {
            Cell::Nil => fit,
            Cell::Unknown(id) => fit.and(|| Fit::Open(Blocker::Unknown(id))),
            _ => Fit::No,
        }
    }

    /// Makes a pattern match, and binds its locals.
    pub(super) fn bind_pattern(&mut self, matcher: MatcherId, it: Ref, env: Refs) -> Step<()> {
        let code = self.context.code;
        match code.matcher(matcher) {
            Matcher::Any => Ok(()),
            Matcher::Bind(slot) => {
                self.it.heap.refs[env.start as usize + slot.index()] = it;
                Ok(())
            }
            Matcher::Literal(literal) => {
                let literal = self.literal(literal);
                self.unify(it, literal)
            }
            Matcher::Tuple(matchers) => {
                let Cell::Tuple(parts) = self.it.heap.cell(it) else { return self.cut() };
                self.bind_parts(matchers, parts, env)
            }
            Matcher::Ctor(ctor, matchers) => {
                if let Cell::Unknown(id) = self.it.heap.cell(it) {
                    self.choose_constructor(it, id, *ctor)?;
                }
                match self.it.heap.cell(it) {
                    Cell::Data(found, parts) if found == *ctor => {
                        self.bind_parts(matchers, parts, env)
                    }
                    _ => Err(Interrupt::Conflict),
                }
            }
            Matcher::List(items, rest) => {
                let mut list = it;
                for item in items {
                    if let Cell::Unknown(id) = self.it.heap.cell(list) {
                        self.choose_cons(list, id)?;
                    }
                    let Cell::Cons(first, others) = self.it.heap.cell(list) else {
                        return Err(Interrupt::Conflict);
                    };
                    self.bind_pattern(*item, first, env)?;
                    list = others;
                }
                match rest {
                    Some(rest) => self.bind_pattern(*rest, list, env),
                    None => self.unify(list, Ref::NIL),
                }
            }
            Matcher::Or(parts) => {
                let fitting = parts.iter().filter(|part| self.fit(**part, it) != Fit::No);
                let fitting: Vec<MatcherId> = fitting.copied().collect();
                match fitting[..] {
                    [] => Err(Interrupt::Conflict),
                    [only] => self.bind_pattern(only, it, env),
                    [first, ..] => match self.fit(first, it) {
                        Fit::Yes => self.bind_pattern(first, it, env),
                        // What its locals are is not known yet, and the body needs them now.
                        Fit::No | Fit::Open(_) if self.context.code.binds(matcher) => {
                            self.cut()
                        }
                        Fit::No | Fit::Open(_) => {
                            self.suspend(Goal::AnyOf { matcher, it, env })
                        }
                    },
                }
            }
        }
    }

    fn bind_parts(&mut self, matchers: &[MatcherId], parts: Refs, env: Refs) -> Step<()> {
        for (at, matcher) in matchers.iter().enumerate() {
            self.bind_pattern(*matcher, self.it.heap.part(parts, at), env)?;
        }
        Ok(())
    }

    /// Whether an alternative can have a wanted value, judging by the constructors it begins with.
    pub(super) fn can_be(&self, it: Alternative, env: Refs, want: Ref) -> Fit {
        match it {
            Alternative::Known(bool) => match self.it.heap.cell(want) {
                Cell::Bool(wanted) if wanted != bool => Fit::No,
                Cell::Unknown(id) => Fit::Open(Blocker::Unknown(id)),
                _ => Fit::Yes,
            },
            Alternative::Expr(id) => self.expr_can_be(id, env, want),
        }
    }

    fn expr_can_be(&self, id: ExprId, env: Refs, want: Ref) -> Fit {
        let in_range = self.range_fits(self.context.code.expr_range(id), want);
        if in_range == Fit::No {
            return Fit::No;
        }
        let wanted = self.it.heap.cell(want);
        match self.context.code.expr(id) {
            Expr::Literal(literal) => match wanted {
                Cell::Unknown(id) => Fit::Open(Blocker::Unknown(id)),
                wanted => self.fit_literal(literal, wanted),
            },
            Expr::Construct(ctor, args) => match wanted {
                Cell::Unknown(id) if !self.is_possible(id, *ctor) => Fit::No,
                Cell::Unknown(id) => Fit::Open(Blocker::Unknown(id)),
                Cell::Data(found, parts) if found == *ctor => {
                    self.exprs_can_be(args, env, parts)
                }
                _ => Fit::No,
            },
            Expr::Tuple(args) => match wanted {
                Cell::Tuple(parts) => self.exprs_can_be(args, env, parts),
                _ => Fit::Yes,
            },
            Expr::List(items, rest) => match wanted {
                Cell::Unknown(id) => Fit::Open(Blocker::Unknown(id)),
                Cell::Nil if !items.is_empty() => Fit::No,
                Cell::Cons(..) if items.is_empty() && rest.is_none() => Fit::No,
                _ => Fit::Yes,
            },
            Expr::Let(_, _, rest) | Expr::Then(_, rest) => self.expr_can_be(*rest, env, want),
            Expr::If(_, then, otherwise) => {
                let then = self.expr_can_be(*then, env, want);
                if then == Fit::No { self.expr_can_be(*otherwise, env, want) } else { then }
            }
            Expr::Match(_, arms) => {
                let fits = arms.iter().map(|it| self.expr_can_be(it.body, env, want));
                let mut open = Fit::No;
                for fit in fits {
                    match fit {
                        Fit::No => {}
                        Fit::Yes => return Fit::Yes,
                        Fit::Open(_) => open = fit,
                    }
                }
                open
            }
            Expr::Fail => Fit::No,
            _ => in_range,
        }
    }

    /// Whether a value in a range can be what is wanted.
    fn range_fits(&self, range: &ResultRange, want: Ref) -> Fit {
        match (range, self.it.heap.cell(want)) {
            (ResultRange::Never, _) => Fit::No,
            (ResultRange::Int(lo, hi), Cell::Int(it)) if it < *lo || it > *hi => Fit::No,
            (ResultRange::Int(lo, hi), Cell::Var(offset)) => {
                let (least, most) = self.it.store.bounds(offset.var);
                let (least, most) = (add(least, offset.plus), add(most, offset.plus));
                match (most < *lo || least > *hi, least < *lo || most > *hi) {
                    (true, _) => Fit::No,
                    (false, true) => Fit::Open(Blocker::Var(offset.var)),
                    (false, false) => Fit::Yes,
                }
            }
            (ResultRange::Tuple(ranges), Cell::Tuple(parts)) => self.ranges_fit(ranges, parts),
            (ResultRange::Data(ctors), Cell::Data(found, parts)) => {
                match ctors.iter().find(|it| it.0 == found) {
                    Some((_, ranges)) => self.ranges_fit(ranges, parts),
                    None => Fit::No,
                }
            }
            (ResultRange::Data(ctors), Cell::Unknown(id)) => {
                if ctors.iter().any(|it| self.is_possible(id, it.0)) {
                    Fit::Open(Blocker::Unknown(id))
                } else {
                    Fit::No
                }
            }
            _ => Fit::Yes,
        }
    }

    fn ranges_fit(&self, ranges: &[ResultRange], parts: Refs) -> Fit {
        let mut fit = Fit::Yes;
        for (at, range) in ranges.iter().enumerate() {
            fit = fit.and(|| self.range_fits(range, self.it.heap.part(parts, at)));
        }
        fit
    }

    fn exprs_can_be(&self, args: &[ExprId], env: Refs, wanted: Refs) -> Fit {
        let mut fit = Fit::Yes;
        for (at, arg) in args.iter().enumerate() {
            fit = fit.and(|| self.expr_can_be(*arg, env, self.it.heap.part(wanted, at)));
        }
        fit
    }
}
