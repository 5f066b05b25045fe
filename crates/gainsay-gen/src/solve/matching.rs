//! Pattern matching: which values take which arm.

use gainsay_core::{Arm, Comparison, CtorId, Pattern, PatternId, RestPattern, TermId, Ty};

use super::symbolic_value::{SymbolicValue, all_but_constructor, only_constructor};
use super::{PredicateSolution, PredicateSolver, SolverFrame, WantedTruth};
use crate::domain::LengthRange;

/// The values that a pattern matches, and those that it does not.
pub(super) struct MatchSolution {
    yes: PredicateSolution,
    no: PredicateSolution,
}

impl From<bool> for MatchSolution {
    fn from(matches: bool) -> Self {
        MatchSolution {
            yes: PredicateSolution::from(matches),
            no: PredicateSolution::from(!matches),
        }
    }
}

impl MatchSolution {
    fn unknown() -> Self {
        MatchSolution { yes: PredicateSolution::unknown(), no: PredicateSolution::unknown() }
    }

    fn and(self, other: MatchSolution) -> MatchSolution {
        MatchSolution { yes: self.yes.and(other.yes), no: self.no.or(other.no) }
    }

    fn or(self, other: MatchSolution) -> MatchSolution {
        MatchSolution { yes: self.yes.or(other.yes), no: self.no.and(other.no) }
    }
}

impl<'p> PredicateSolver<'p> {
    //   an arm is taken by the values that its pattern matches and its guard admits,
    //   except those that an earlier arm takes
    pub(super) fn match_truth(
        &mut self,
        frame: &mut SolverFrame<'p>,
        scrutinee: TermId,
        arms: &[Arm],
        want: WantedTruth,
    ) -> PredicateSolution {
        let symbol = self.value(frame, scrutinee);
        let mut left = PredicateSolution::from(true);
        let mut holds = PredicateSolution::from(false);
        for arm in arms {
            let MatchSolution { yes, no } = self.matches(frame, &symbol, arm.pattern);
            let (taken, passed) = match arm.guard {
                None => (left.clone().and(yes), no),
                // A value goes on to the next arm if the pattern does not match, or if the guard
                // is false.
                Some(guard) => {
                    let through = self.solve_truth(frame, guard, WantedTruth::True);
                    let held = self.solve_truth(frame, guard, WantedTruth::False);
                    (left.clone().and(yes.clone()).and(through), no.or(yes.and(held)))
                }
            };
            left = left.and(passed);
            let body = self.solve_truth(frame, arm.body, want);
            holds = holds.or(taken.and(body));
        }
        holds
    }

    /// Matches a symbolic value, and binds the locals of the pattern.
    pub(super) fn matches(
        &mut self,
        frame: &mut SolverFrame<'p>,
        symbol: &SymbolicValue,
        pattern: PatternId,
    ) -> MatchSolution {
        if !self.spend_fuel() {
            return MatchSolution::unknown();
        }
        match frame.body.pattern(pattern) {
            Pattern::Wildcard => MatchSolution::from(true),
            Pattern::Bind(local) => {
                frame.locals[local.index()] = symbol.clone();
                MatchSolution::from(true)
            }
            Pattern::Literal(literal) => {
                let literal = SymbolicValue::literal(literal);
                let yes = self.related(Comparison::Eq, symbol, &literal, WantedTruth::True);
                let no = self.related(Comparison::Eq, symbol, &literal, WantedTruth::False);
                MatchSolution { yes, no }
            }
            Pattern::Tuple(parts) => {
                let symbols: Vec<SymbolicValue> =
                    (0..parts.len()).map(|at| self.field(symbol, at)).collect();
                self.all_match(frame, &symbols, parts)
            }
            Pattern::Ctor(ctor, parts) => self.ctor_matches(frame, symbol, *ctor, parts),
            Pattern::List(parts, rest) => self.list_matches(frame, symbol, parts, *rest),
            Pattern::Or(alternatives) => {
                let mut any = MatchSolution::from(false);
                for alternative in alternatives {
                    any = any.or(self.matches(frame, symbol, *alternative));
                }
                // Which alternative binds is not tracked.
                if alternatives.len() > 1 {
                    self.forget(frame, pattern);
                }
                any
            }
        }
    }

    /// Makes the locals of a pattern unknown.
    fn forget(&mut self, frame: &mut SolverFrame<'p>, pattern: PatternId) {
        let mut pending = vec![pattern];
        while let Some(next) = pending.pop() {
            let pattern = frame.body.pattern(next);
            if let Pattern::Bind(local) = pattern {
                frame.locals[local.index()] = SymbolicValue::Unknown;
            }
            pattern.for_each_subpattern(&mut |part| pending.push(part));
        }
    }

    fn all_match(
        &mut self,
        frame: &mut SolverFrame<'p>,
        symbols: &[SymbolicValue],
        patterns: &[PatternId],
    ) -> MatchSolution {
        let mut all = MatchSolution::from(true);
        for (symbol, pattern) in symbols.iter().zip(patterns) {
            all = all.and(self.matches(frame, symbol, *pattern));
        }
        all
    }

    fn ctor_matches(
        &mut self,
        frame: &mut SolverFrame<'p>,
        symbol: &SymbolicValue,
        ctor: CtorId,
        parts: &[PatternId],
    ) -> MatchSolution {
        match symbol {
            SymbolicValue::Data(made_by, fields) if *made_by == ctor => {
                self.all_match(frame, fields, parts)
            }
            SymbolicValue::Data(..) => {
                // Match all the same: the locals of the pattern must not keep values of another
                // match.
                let unknown = vec![SymbolicValue::Unknown; parts.len()];
                self.all_match(frame, &unknown, parts);
                MatchSolution::from(false)
            }
            SymbolicValue::Subject(place) => {
                let fields: Vec<SymbolicValue> =
                    (0..parts.len()).map(|at| self.field_of(place, ctor, at)).collect();
                let MatchSolution { yes, no } = self.all_match(frame, &fields, parts);
                let made = self.with_part_in(
                    place,
                    PredicateSolution::exactly(only_constructor(self.program, ctor)),
                );
                let others = self.with_part_in(
                    place,
                    PredicateSolution::exactly(all_but_constructor(self.program, ctor)),
                );
                MatchSolution { yes: made.clone().and(yes), no: others.or(made.and(no)) }
            }
            _ => {
                let unknown = vec![SymbolicValue::Unknown; parts.len()];
                self.all_match(frame, &unknown, parts);
                // The pattern of a record without fields matches everything.
                let is_record =
                    self.program.nominal(self.program.ctor(ctor).ty).ctors.len() == 1;
                if is_record && parts.is_empty() {
                    return MatchSolution::from(true);
                }
                MatchSolution::unknown()
            }
        }
    }

    fn list_matches(
        &mut self,
        frame: &mut SolverFrame<'p>,
        symbol: &SymbolicValue,
        parts: &[PatternId],
        rest: RestPattern,
    ) -> MatchSolution {
        let known =
            if let SymbolicValue::List(items) = symbol { Some(items.clone()) } else { None };
        let n = parts.len();
        let symbols: Vec<SymbolicValue> = (0..n)
            .map(|at| {
                known
                    .as_ref()
                    .and_then(|it| it.get(at).cloned())
                    .unwrap_or(SymbolicValue::Unknown)
            })
            .collect();
        let elements = self.all_match(frame, &symbols, parts);
        let after = match rest {
            RestPattern::Nothing => MatchSolution::from(true),
            RestPattern::Some(pattern) => {
                let rest = known.as_ref().and_then(|it| it.get(n..));
                let rest =
                    rest.map_or(SymbolicValue::Unknown, |it| SymbolicValue::List(it.to_vec()));
                self.matches(frame, &rest, pattern)
            }
        };
        self.len_matches(symbol, n, rest).and(elements).and(after)
    }

    /// Whether a list has `n` elements, or at least `n` if the rest may follow.
    fn len_matches(
        &mut self,
        symbol: &SymbolicValue,
        n: usize,
        rest: RestPattern,
    ) -> MatchSolution {
        let or_more = matches!(rest, RestPattern::Some(_));
        match symbol {
            SymbolicValue::List(items) => {
                let fits = items.len() == n || (or_more && items.len() > n);
                MatchSolution::from(fits)
            }
            SymbolicValue::Subject(place)
                if matches!(self.types.get(self.types.base(place.ty)), Ty::List(_)) =>
            {
                let n = u32::try_from(n).unwrap_or(u32::MAX);
                let exact = |min, max| Some((LengthRange { min, max }, true));
                let fewer = match n.checked_sub(1) {
                    Some(most) => self.with_len(place, exact(0, Some(most))),
                    None => PredicateSolution::from(false),
                };
                if or_more {
                    let yes = self.with_len(place, exact(n, None));
                    return MatchSolution { yes, no: fewer };
                }
                let more = self.with_len(place, exact(n.saturating_add(1), None));
                let yes = self.with_len(place, exact(n, Some(n)));
                MatchSolution { yes, no: fewer.or(more) }
            }
            _ => MatchSolution::unknown(),
        }
    }
}
