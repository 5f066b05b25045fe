//! Comparisons of symbolic values.

use gainsay_core::{BuiltinId, Comparison, CtorId, Literal, Ty, TypeTable, builtin};
use num_bigint::BigInt;

use super::arithmetic::preimage;
use super::symbolic_value::{
    IntMeasure, SubjectPath, SymbolicInt, SymbolicValue, all_but_constructor, only_constructor,
};
use super::{PredicateSolution, PredicateSolver, WantedTruth};
use crate::domain::{CodePointSet, Domain, FloatSet, IntSet, LengthRange, RangeSet, TextSet};

/// The integers that are in a relation to one.
fn related_ints(relation: Comparison, c: &BigInt) -> IntSet {
    match relation {
        Comparison::Eq => IntSet::one(c),
        Comparison::Ne => IntSet::all_but(c),
        Comparison::Lt => IntSet::between(None, Some(c - 1)),
        Comparison::Le => IntSet::between(None, Some(c.clone())),
        Comparison::Gt => IntSet::between(Some(c + 1), None),
        Comparison::Ge => IntSet::between(Some(c.clone()), None),
    }
}

/// The floats that are in a relation to one.
fn related_floats(relation: Comparison, c: f64) -> FloatSet {
    let none = FloatSet { order_keys: RangeSet::of(Vec::new()), nan: false };
    match relation {
        Comparison::Ne => related_floats(Comparison::Eq, c).not(),
        _ if c.is_nan() => none,
        Comparison::Eq => FloatSet::numbers(c, c),
        Comparison::Lt => FloatSet::below(c),
        Comparison::Gt => FloatSet::above(c),
        Comparison::Le => FloatSet::below(c).join(&FloatSet::numbers(c, c)),
        Comparison::Ge => FloatSet::above(c).join(&FloatSet::numbers(c, c)),
    }
}

impl PredicateSolver<'_> {
    /// The values for which a comparison has the wanted truth value.
    pub(super) fn compare(
        &mut self,
        builtin: BuiltinId,
        a: &SymbolicValue,
        b: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        match builtin::get(builtin).comparison {
            Some(relation) => self.related(relation, a, b, want),
            None => PredicateSolution::unknown(),
        }
    }

    pub(super) fn related(
        &mut self,
        relation: Comparison,
        a: &SymbolicValue,
        b: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        if !self.spend_fuel() {
            return PredicateSolution::unknown();
        }
        match (a, b) {
            (SymbolicValue::Either(either), b) => {
                let then = self.related(relation, &either.then, b, want);
                let otherwise = self.related(relation, &either.otherwise, b, want);
                either.yes.clone().and(then).or(either.no.clone().and(otherwise))
            }
            (a, SymbolicValue::Either(_)) => self.related(relation.swapped(), b, a, want),
            (SymbolicValue::Int(a), SymbolicValue::Int(b)) => {
                PredicateSolution::from(want == relation.holds(a, b))
            }
            (SymbolicValue::Literal(a), SymbolicValue::Literal(b)) => {
                literals(relation, a, b, want)
            }
            (SymbolicValue::Int(_) | SymbolicValue::Literal(_), _) => {
                self.with_constant(relation.swapped(), b, a, want)
            }
            (_, SymbolicValue::Int(_) | SymbolicValue::Literal(_)) => {
                self.with_constant(relation, a, b, want)
            }
            (SymbolicValue::Subject(a), SymbolicValue::Subject(b))
                // Not for floats: NaN is not equal to itself.
                if a == b && self.is_total(a) =>
            {
                let is_reflexive =
                    matches!(relation, Comparison::Eq | Comparison::Le | Comparison::Ge);
                PredicateSolution::from(want == is_reflexive)
            }
            _ => match (relation, want) {
                (Comparison::Eq, want) => self.equal(a, b, want),
                (Comparison::Ne, want) => self.equal(a, b, want.not()),
                _ => PredicateSolution::unknown(),
            },
        }
    }

    /// Whether all values of a place are equal to themselves.
    fn is_total(&self, place: &SubjectPath) -> bool {
        let base = self.types.get(self.types.base(place.ty));
        matches!(base, Ty::Int | Ty::Bool | Ty::Char | Ty::Str)
    }

    fn with_constant(
        &mut self,
        relation: Comparison,
        symbol: &SymbolicValue,
        constant: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        match constant {
            SymbolicValue::Int(c) => {
                let relation =
                    if want == WantedTruth::True { relation } else { relation.negated() };
                match self.number(symbol) {
                    Some(number) => self.number_in(&number, related_ints(relation, c)),
                    None => PredicateSolution::unknown(),
                }
            }
            SymbolicValue::Literal(Literal::Bool(truth)) => {
                let is_same = match relation {
                    Comparison::Eq => want,
                    Comparison::Ne => want.not(),
                    Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => {
                        return PredicateSolution::unknown();
                    }
                };
                let want = if *truth { is_same } else { is_same.not() };
                self.symbol_truth(symbol, want)
            }
            SymbolicValue::Literal(literal) => match symbol {
                SymbolicValue::Subject(place) => self.place_and(relation, place, literal, want),
                _ => PredicateSolution::unknown(),
            },
            _ => PredicateSolution::unknown(),
        }
    }

    /// The values whose number is in a set.
    pub(super) fn number_in(&mut self, number: &SymbolicInt, set: IntSet) -> PredicateSolution {
        let Some(set) = preimage(&number.steps, set) else {
            return PredicateSolution::unknown();
        };
        let place = &number.place;
        match number.measure {
            IntMeasure::Identity => {
                self.with_part_in(place, PredicateSolution::exactly(Domain::of_ints(set)))
            }
            IntMeasure::Len => {
                let natural = set.meet(&IntSet::between(Some(BigInt::ZERO), None));
                match natural {
                    Some(natural) if natural.is_empty() => self.with_len(place, None),
                    Some(natural) => match LengthRange::from_ints(&natural) {
                        Some(lens) => self.with_len(place, Some(lens)),
                        None => PredicateSolution::unknown(),
                    },
                    None => PredicateSolution::unknown(),
                }
            }
            IntMeasure::Code => match CodePointSet::from_ints(&set) {
                Some(codes) => self
                    .with_part_in(place, PredicateSolution::exactly(Domain::of_chars(codes))),
                None => PredicateSolution::unknown(),
            },
        }
    }

    fn place_and(
        &mut self,
        relation: Comparison,
        place: &SubjectPath,
        literal: &Literal,
        want: WantedTruth,
    ) -> PredicateSolution {
        match literal {
            Literal::Float(c) => {
                // The complement of the set, not the negated relation: NaN satisfies neither `<`
                // nor `>=`.
                let floats = related_floats(relation, *c);
                let floats = if want == WantedTruth::True { floats } else { floats.not() };
                self.with_part_in(place, PredicateSolution::exactly(Domain::of_floats(floats)))
            }
            Literal::Char(char) => {
                let relation =
                    if want == WantedTruth::True { relation } else { relation.negated() };
                let code = BigInt::from(u32::from(*char));
                match CodePointSet::from_ints(&related_ints(relation, &code)) {
                    Some(codes) => self.with_part_in(
                        place,
                        PredicateSolution::exactly(Domain::of_chars(codes)),
                    ),
                    None => PredicateSolution::unknown(),
                }
            }
            Literal::Str(text) => {
                let is_same = match relation {
                    Comparison::Eq => want == WantedTruth::True,
                    Comparison::Ne => want == WantedTruth::False,
                    Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => {
                        return PredicateSolution::unknown();
                    }
                };
                if is_same {
                    self.with_part_in(
                        place,
                        PredicateSolution::exactly(Domain::Text(TextSet::single(text))),
                    )
                } else if text.is_empty() {
                    self.with_len(place, Some((LengthRange { min: 1, max: None }, true)))
                } else {
                    // Other texts would need a complement, which cannot be represented.
                    PredicateSolution::unknown()
                }
            }
            Literal::Int(_) | Literal::Big(_) | Literal::Bool(_) => {
                PredicateSolution::unknown()
            }
        }
    }

    /// The values for which two symbolic values are equal, or not.
    pub(super) fn equal(
        &mut self,
        a: &SymbolicValue,
        b: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        match (a, b) {
            (SymbolicValue::Data(ctor, a), SymbolicValue::Data(other, b)) => {
                if ctor != other {
                    return PredicateSolution::from(want == WantedTruth::False);
                }
                self.all_equal(a, b, want)
            }
            (SymbolicValue::Tuple(a), SymbolicValue::Tuple(b)) => self.all_equal(a, b, want),
            (SymbolicValue::Subject(place), SymbolicValue::Data(ctor, fields))
            | (SymbolicValue::Data(ctor, fields), SymbolicValue::Subject(place)) => {
                self.made_by(place, *ctor, fields, want)
            }
            (SymbolicValue::Subject(place), SymbolicValue::Tuple(parts))
            | (SymbolicValue::Tuple(parts), SymbolicValue::Subject(place)) => {
                let own: Vec<SymbolicValue> =
                    (0..parts.len()).map(|at| self.part(place, at)).collect();
                self.all_equal(&own, parts, want)
            }
            (SymbolicValue::Subject(place), SymbolicValue::List(items))
            | (SymbolicValue::List(items), SymbolicValue::Subject(place)) => {
                self.list_is(place, items.len(), want)
            }
            (SymbolicValue::Truth(_) | SymbolicValue::Subject(_), _)
                if self.is_truth(a) && self.is_truth(b) =>
            {
                // Equal booleans are both true or both false; different ones are one of each.
                let both = |this: &mut Self, x, y| {
                    this.symbol_truth(a, x).and(this.symbol_truth(b, y))
                };
                let other =
                    |x: WantedTruth| if want == WantedTruth::True { x } else { x.not() };
                both(self, WantedTruth::True, other(WantedTruth::True)).or(both(
                    self,
                    WantedTruth::False,
                    other(WantedTruth::False),
                ))
            }
            _ => PredicateSolution::unknown(),
        }
    }

    fn is_truth(&self, symbol: &SymbolicValue) -> bool {
        match symbol {
            SymbolicValue::Truth(_) => true,
            SymbolicValue::Subject(place) => self.types.base(place.ty) == TypeTable::BOOL,
            _ => false,
        }
    }

    fn all_equal(
        &mut self,
        a: &[SymbolicValue],
        b: &[SymbolicValue],
        want: WantedTruth,
    ) -> PredicateSolution {
        let mut all = PredicateSolution::from(want == WantedTruth::True);
        for (a, b) in a.iter().zip(b) {
            let each = self.related(Comparison::Eq, a, b, want);
            all = if want == WantedTruth::True { all.and(each) } else { all.or(each) };
        }
        all
    }

    fn made_by(
        &mut self,
        place: &SubjectPath,
        ctor: CtorId,
        fields: &[SymbolicValue],
        want: WantedTruth,
    ) -> PredicateSolution {
        let own: Vec<SymbolicValue> =
            (0..fields.len()).map(|at| self.field_of(place, ctor, at)).collect();
        let fields = self.all_equal(&own, fields, want);
        let made = self.with_part_in(
            place,
            PredicateSolution::exactly(only_constructor(self.program, ctor)),
        );
        match want {
            WantedTruth::True => made.and(fields),
            WantedTruth::False => {
                let others = self.with_part_in(
                    place,
                    PredicateSolution::exactly(all_but_constructor(self.program, ctor)),
                );
                // Another constructor, or this one with a field that differs.
                others.or(made.and(fields))
            }
        }
    }

    fn list_is(
        &mut self,
        place: &SubjectPath,
        len: usize,
        want: WantedTruth,
    ) -> PredicateSolution {
        if !matches!(self.types.get(self.types.base(place.ty)), Ty::List(_)) {
            return PredicateSolution::unknown();
        }
        let n = u32::try_from(len).unwrap_or(u32::MAX);
        match want {
            WantedTruth::True => {
                let lens = LengthRange { min: n, max: Some(n) };
                // Only the length is represented, so a non-empty list is an over-approximation.
                self.with_len(place, Some((lens, n == 0)))
            }
            WantedTruth::False if n == 0 => {
                self.with_len(place, Some((LengthRange { min: 1, max: None }, true)))
            }
            WantedTruth::False => PredicateSolution::unknown(),
        }
    }
}

fn literals(
    relation: Comparison,
    a: &Literal,
    b: &Literal,
    want: WantedTruth,
) -> PredicateSolution {
    let holds = match (a, b) {
        (Literal::Bool(a), Literal::Bool(b)) => relation.holds(a, b),
        (Literal::Char(a), Literal::Char(b)) => relation.holds(a, b),
        (Literal::Str(a), Literal::Str(b)) => relation.holds(a, b),
        (Literal::Float(a), Literal::Float(b)) => relation.holds(a, b),
        _ => return PredicateSolution::unknown(),
    };
    PredicateSolution::from(want == holds)
}
