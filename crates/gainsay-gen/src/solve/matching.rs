//! Matches: which values take which arm.

use gainsay_core::{Arm, CtorId, Pattern, PatternId, RestPattern, TermId, Ty};

use super::compare::Relation;
use super::symbol::{Symbol, all_but, only};
use super::{Frame, Solved, Solver, Want};
use crate::domain::Lens;

/// The values that a pattern matches, and those that it does not.
pub(super) struct Matched {
    yes: Solved,
    no: Solved,
}

impl From<bool> for Matched {
    fn from(matches: bool) -> Self {
        Matched { yes: Solved::from(matches), no: Solved::from(!matches) }
    }
}

impl Matched {
    fn unknown() -> Self {
        Matched { yes: Solved::unknown(), no: Solved::unknown() }
    }

    fn and(self, other: Matched) -> Matched {
        Matched { yes: self.yes.and(other.yes), no: self.no.or(other.no) }
    }

    fn or(self, other: Matched) -> Matched {
        Matched { yes: self.yes.or(other.yes), no: self.no.and(other.no) }
    }
}

impl<'p> Solver<'p> {
    //   an arm is taken by what its pattern matches and its guard lets through,
    //   of what no arm before it takes
    pub(super) fn match_truth(
        &mut self,
        frame: &mut Frame<'p>,
        scrutinee: TermId,
        arms: &[Arm],
        want: Want,
    ) -> Solved {
        let symbol = self.value(frame, scrutinee);
        let mut left = Solved::from(true);
        let mut holds = Solved::from(false);
        for arm in arms {
            let Matched { yes, no } = self.matches(frame, &symbol, arm.pattern);
            let (taken, passed) = match arm.guard {
                None => (left.clone().and(yes), no),
                Some(guard) => {
                    let through = self.truth(frame, guard, Want::True);
                    let held = self.truth(frame, guard, Want::False);
                    (left.clone().and(yes.clone()).and(through), no.or(yes.and(held)))
                }
            };
            left = left.and(passed);
            let body = self.truth(frame, arm.body, want);
            holds = holds.or(taken.and(body));
        }
        holds
    }

    /// Matches a symbol, and binds the locals of the pattern.
    pub(super) fn matches(
        &mut self,
        frame: &mut Frame<'p>,
        symbol: &Symbol,
        pattern: PatternId,
    ) -> Matched {
        if !self.spend() {
            return Matched::unknown();
        }
        match frame.body.pattern(pattern) {
            Pattern::Wildcard => Matched::from(true),
            Pattern::Bind(local) => {
                frame.locals[local.index()] = symbol.clone();
                Matched::from(true)
            }
            Pattern::Literal(literal) => {
                let literal = Symbol::literal(literal);
                let yes = self.related(Relation::Eq, symbol, &literal, Want::True);
                let no = self.related(Relation::Eq, symbol, &literal, Want::False);
                Matched { yes, no }
            }
            Pattern::Tuple(parts) => {
                let symbols: Vec<Symbol> =
                    (0..parts.len()).map(|at| self.field(symbol, at)).collect();
                self.all_match(frame, &symbols, parts)
            }
            Pattern::Ctor(ctor, parts) => self.ctor_matches(frame, symbol, *ctor, parts),
            Pattern::List(parts, rest) => self.list_matches(frame, symbol, parts, *rest),
            Pattern::Or(alternatives) => {
                let mut any = Matched::from(false);
                for alternative in alternatives {
                    any = any.or(self.matches(frame, symbol, *alternative));
                }
                // Which alternative binds is not followed.
                if alternatives.len() > 1 {
                    self.forget(frame, pattern);
                }
                any
            }
        }
    }

    /// Nothing is known of the locals of a pattern.
    fn forget(&mut self, frame: &mut Frame<'p>, pattern: PatternId) {
        let mut pending = vec![pattern];
        while let Some(next) = pending.pop() {
            let pattern = frame.body.pattern(next);
            if let Pattern::Bind(local) = pattern {
                frame.locals[local.index()] = Symbol::Opaque;
            }
            pattern.each_part(&mut |part| pending.push(part));
        }
    }

    fn all_match(
        &mut self,
        frame: &mut Frame<'p>,
        symbols: &[Symbol],
        patterns: &[PatternId],
    ) -> Matched {
        let mut all = Matched::from(true);
        for (symbol, pattern) in symbols.iter().zip(patterns) {
            all = all.and(self.matches(frame, symbol, *pattern));
        }
        all
    }

    fn ctor_matches(
        &mut self,
        frame: &mut Frame<'p>,
        symbol: &Symbol,
        ctor: CtorId,
        parts: &[PatternId],
    ) -> Matched {
        match symbol {
            Symbol::Data(made_by, fields) if *made_by == ctor => {
                self.all_match(frame, fields, parts)
            }
            Symbol::Data(..) => {
                let unknown = vec![Symbol::Opaque; parts.len()];
                self.all_match(frame, &unknown, parts);
                Matched::from(false)
            }
            Symbol::Subject(place) => {
                let fields: Vec<Symbol> =
                    (0..parts.len()).map(|at| self.field_of(place, ctor, at)).collect();
                let Matched { yes, no } = self.all_match(frame, &fields, parts);
                let made = self.at(place, Solved::exactly(only(self.program, ctor)));
                let others = self.at(place, Solved::exactly(all_but(self.program, ctor)));
                Matched { yes: made.clone().and(yes), no: others.or(made.and(no)) }
            }
            _ => {
                let unknown = vec![Symbol::Opaque; parts.len()];
                self.all_match(frame, &unknown, parts);
                let is_record =
                    self.program.nominal(self.program.ctor(ctor).ty).ctors.len() == 1;
                if is_record && parts.is_empty() {
                    return Matched::from(true);
                }
                Matched::unknown()
            }
        }
    }

    fn list_matches(
        &mut self,
        frame: &mut Frame<'p>,
        symbol: &Symbol,
        parts: &[PatternId],
        rest: RestPattern,
    ) -> Matched {
        let known = if let Symbol::List(items) = symbol { Some(items.clone()) } else { None };
        let n = parts.len();
        let symbols: Vec<Symbol> = (0..n)
            .map(|at| {
                known.as_ref().and_then(|it| it.get(at).cloned()).unwrap_or(Symbol::Opaque)
            })
            .collect();
        let elements = self.all_match(frame, &symbols, parts);
        let after = match rest {
            RestPattern::Nothing => Matched::from(true),
            RestPattern::Some(pattern) => {
                let rest = known.as_ref().and_then(|it| it.get(n..));
                let rest = rest.map_or(Symbol::Opaque, |it| Symbol::List(it.to_vec()));
                self.matches(frame, &rest, pattern)
            }
        };
        self.len_matches(symbol, n, rest).and(elements).and(after)
    }

    /// Whether a list has so many elements, or more if something may follow.
    fn len_matches(&mut self, symbol: &Symbol, n: usize, rest: RestPattern) -> Matched {
        let or_more = matches!(rest, RestPattern::Some(_));
        match symbol {
            Symbol::List(items) => {
                let fits = items.len() == n || (or_more && items.len() > n);
                Matched::from(fits)
            }
            Symbol::Subject(place)
                if matches!(self.types.get(self.types.base(place.ty)), Ty::List(_)) =>
            {
                let n = u32::try_from(n).unwrap_or(u32::MAX);
                let exact = |min, max| Some((Lens { min, max }, true));
                let fewer = match n.checked_sub(1) {
                    Some(most) => self.with_len(place, exact(0, Some(most))),
                    None => Solved::from(false),
                };
                if or_more {
                    let yes = self.with_len(place, exact(n, None));
                    return Matched { yes, no: fewer };
                }
                let more = self.with_len(place, exact(n.saturating_add(1), None));
                let yes = self.with_len(place, exact(n, Some(n)));
                Matched { yes, no: fewer.or(more) }
            }
            _ => Matched::unknown(),
        }
    }
}
