//! Comparisons of symbols.

use gainsay_core::{BuiltinId, CtorId, Literal, Ty, TypeTable, builtin};
use num_bigint::BigInt;

use super::arithmetic::undone;
use super::symbol::{Measure, Number, Place, Symbol, all_but, only};
use super::{Solved, Solver, Want};
use crate::domain::{Codes, Domain, Floats, Ints, Lens, Ranges, Texts};

/// The comparisons.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Relation {
    fn of(id: BuiltinId) -> Option<Self> {
        Some(match id {
            builtin::EQ => Relation::Eq,
            builtin::NE => Relation::Ne,
            builtin::LT => Relation::Lt,
            builtin::LE => Relation::Le,
            builtin::GT => Relation::Gt,
            builtin::GE => Relation::Ge,
            _ => return None,
        })
    }

    /// The one that holds with both sides swapped.
    fn swapped(self) -> Self {
        match self {
            Relation::Eq | Relation::Ne => self,
            Relation::Lt => Relation::Gt,
            Relation::Le => Relation::Ge,
            Relation::Gt => Relation::Lt,
            Relation::Ge => Relation::Le,
        }
    }

    /// The one that holds when this one does not, in a total order.
    fn negated(self) -> Self {
        match self {
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Lt => Relation::Ge,
            Relation::Le => Relation::Gt,
            Relation::Gt => Relation::Le,
            Relation::Ge => Relation::Lt,
        }
    }

    fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Relation::Eq => a == b,
            Relation::Ne => a != b,
            Relation::Lt => a < b,
            Relation::Le => a <= b,
            Relation::Gt => a > b,
            Relation::Ge => a >= b,
        }
    }

    /// The integers that are in this relation to one.
    fn ints(self, c: &BigInt) -> Ints {
        match self {
            Relation::Eq => Ints::one(c),
            Relation::Ne => Ints::all_but(c),
            Relation::Lt => Ints::between(None, Some(c - 1)),
            Relation::Le => Ints::between(None, Some(c.clone())),
            Relation::Gt => Ints::between(Some(c + 1), None),
            Relation::Ge => Ints::between(Some(c.clone()), None),
        }
    }

    /// The floats that are in this relation to one.
    fn floats(self, c: f64) -> Floats {
        let none = Floats { places: Ranges::of(Vec::new()), nan: false };
        match self {
            Relation::Ne => Relation::Eq.floats(c).not(),
            _ if c.is_nan() => none,
            Relation::Eq => Floats::numbers(c, c),
            Relation::Lt => Floats::below(c),
            Relation::Gt => Floats::above(c),
            Relation::Le => Floats::below(c).join(&Floats::numbers(c, c)),
            Relation::Ge => Floats::above(c).join(&Floats::numbers(c, c)),
        }
    }
}

impl Solver<'_> {
    /// The values for which a comparison is true, or false.
    pub(super) fn compare(
        &mut self,
        builtin: BuiltinId,
        a: &Symbol,
        b: &Symbol,
        want: Want,
    ) -> Solved {
        match Relation::of(builtin) {
            Some(relation) => self.related(relation, a, b, want),
            None => Solved::unknown(),
        }
    }

    pub(super) fn related(
        &mut self,
        relation: Relation,
        a: &Symbol,
        b: &Symbol,
        want: Want,
    ) -> Solved {
        if !self.spend() {
            return Solved::unknown();
        }
        match (a, b) {
            (Symbol::Either(either), b) => {
                let then = self.related(relation, &either.then, b, want);
                let otherwise = self.related(relation, &either.otherwise, b, want);
                either.yes.clone().and(then).or(either.no.clone().and(otherwise))
            }
            (a, Symbol::Either(_)) => self.related(relation.swapped(), b, a, want),
            (Symbol::Int(a), Symbol::Int(b)) => Solved::from(want == relation.holds(a, b)),
            (Symbol::Literal(a), Symbol::Literal(b)) => literals(relation, a, b, want),
            (Symbol::Int(_) | Symbol::Literal(_), _) => {
                self.with_constant(relation.swapped(), b, a, want)
            }
            (_, Symbol::Int(_) | Symbol::Literal(_)) => {
                self.with_constant(relation, a, b, want)
            }
            (Symbol::Subject(a), Symbol::Subject(b)) if a == b && self.is_total(a) => {
                let is_reflexive =
                    matches!(relation, Relation::Eq | Relation::Le | Relation::Ge);
                Solved::from(want == is_reflexive)
            }
            _ => match (relation, want) {
                (Relation::Eq, want) => self.equal(a, b, want),
                (Relation::Ne, want) => self.equal(a, b, want.not()),
                _ => Solved::unknown(),
            },
        }
    }

    /// Whether all values of a place are equal to themselves.
    fn is_total(&self, place: &Place) -> bool {
        let base = self.types.get(self.types.base(place.ty));
        matches!(base, Ty::Int | Ty::Bool | Ty::Char | Ty::Str)
    }

    fn with_constant(
        &mut self,
        relation: Relation,
        symbol: &Symbol,
        constant: &Symbol,
        want: Want,
    ) -> Solved {
        match constant {
            Symbol::Int(c) => {
                let relation = if want == Want::True { relation } else { relation.negated() };
                match self.number(symbol) {
                    Some(number) => self.number_in(&number, relation.ints(c)),
                    None => Solved::unknown(),
                }
            }
            Symbol::Literal(Literal::Bool(truth)) => {
                let is_same = match relation {
                    Relation::Eq => want,
                    Relation::Ne => want.not(),
                    Relation::Lt | Relation::Le | Relation::Gt | Relation::Ge => {
                        return Solved::unknown();
                    }
                };
                let want = if *truth { is_same } else { is_same.not() };
                self.symbol_truth(symbol, want)
            }
            Symbol::Literal(literal) => match symbol {
                Symbol::Subject(place) => self.place_and(relation, place, literal, want),
                _ => Solved::unknown(),
            },
            _ => Solved::unknown(),
        }
    }

    /// The values whose number is in a set.
    pub(super) fn number_in(&mut self, number: &Number, set: Ints) -> Solved {
        let Some(set) = undone(&number.steps, set) else { return Solved::unknown() };
        let place = &number.place;
        match number.measure {
            Measure::Itself => self.at(place, Solved::exactly(Domain::of_ints(set))),
            Measure::Len => {
                let natural = set.meet(&Ints::between(Some(BigInt::ZERO), None));
                match natural {
                    Some(natural) if natural.is_empty() => self.with_len(place, None),
                    Some(natural) => match Lens::among(&natural) {
                        Some(lens) => self.with_len(place, Some(lens)),
                        None => Solved::unknown(),
                    },
                    None => Solved::unknown(),
                }
            }
            Measure::Code => match Codes::among(&set) {
                Some(codes) => self.at(place, Solved::exactly(Domain::of_chars(codes))),
                None => Solved::unknown(),
            },
        }
    }

    fn place_and(
        &mut self,
        relation: Relation,
        place: &Place,
        literal: &Literal,
        want: Want,
    ) -> Solved {
        match literal {
            Literal::Float(c) => {
                let floats = relation.floats(*c);
                let floats = if want == Want::True { floats } else { floats.not() };
                self.at(place, Solved::exactly(Domain::of_floats(floats)))
            }
            Literal::Char(char) => {
                let relation = if want == Want::True { relation } else { relation.negated() };
                let code = BigInt::from(u32::from(*char));
                match Codes::among(&relation.ints(&code)) {
                    Some(codes) => self.at(place, Solved::exactly(Domain::of_chars(codes))),
                    None => Solved::unknown(),
                }
            }
            Literal::Str(text) => {
                let is_same = match relation {
                    Relation::Eq => want == Want::True,
                    Relation::Ne => want == Want::False,
                    Relation::Lt | Relation::Le | Relation::Gt | Relation::Ge => {
                        return Solved::unknown();
                    }
                };
                if is_same {
                    self.at(place, Solved::exactly(Domain::Text(Texts::word(text))))
                } else if text.is_empty() {
                    self.with_len(place, Some((Lens { min: 1, max: None }, true)))
                } else {
                    Solved::unknown()
                }
            }
            Literal::Int(_) | Literal::Big(_) | Literal::Bool(_) => Solved::unknown(),
        }
    }

    /// The values for which two symbols are equal, or not.
    pub(super) fn equal(&mut self, a: &Symbol, b: &Symbol, want: Want) -> Solved {
        match (a, b) {
            (Symbol::Data(ctor, a), Symbol::Data(other, b)) => {
                if ctor != other {
                    return Solved::from(want == Want::False);
                }
                self.all_equal(a, b, want)
            }
            (Symbol::Tuple(a), Symbol::Tuple(b)) => self.all_equal(a, b, want),
            (Symbol::Subject(place), Symbol::Data(ctor, fields))
            | (Symbol::Data(ctor, fields), Symbol::Subject(place)) => {
                self.made_by(place, *ctor, fields, want)
            }
            (Symbol::Subject(place), Symbol::Tuple(parts))
            | (Symbol::Tuple(parts), Symbol::Subject(place)) => {
                let own: Vec<Symbol> =
                    (0..parts.len()).map(|at| self.part(place, at)).collect();
                self.all_equal(&own, parts, want)
            }
            (Symbol::Subject(place), Symbol::List(items))
            | (Symbol::List(items), Symbol::Subject(place)) => {
                self.list_is(place, items.len(), want)
            }
            (Symbol::Truth(_) | Symbol::Subject(_), _)
                if self.is_truth(a) && self.is_truth(b) =>
            {
                let both = |this: &mut Self, x, y| {
                    this.symbol_truth(a, x).and(this.symbol_truth(b, y))
                };
                let other = |x: Want| if want == Want::True { x } else { x.not() };
                both(self, Want::True, other(Want::True)).or(both(
                    self,
                    Want::False,
                    other(Want::False),
                ))
            }
            _ => Solved::unknown(),
        }
    }

    fn is_truth(&self, symbol: &Symbol) -> bool {
        match symbol {
            Symbol::Truth(_) => true,
            Symbol::Subject(place) => self.types.base(place.ty) == TypeTable::BOOL,
            _ => false,
        }
    }

    fn all_equal(&mut self, a: &[Symbol], b: &[Symbol], want: Want) -> Solved {
        let mut all = Solved::from(want == Want::True);
        for (a, b) in a.iter().zip(b) {
            let each = self.related(Relation::Eq, a, b, want);
            all = if want == Want::True { all.and(each) } else { all.or(each) };
        }
        all
    }

    fn made_by(
        &mut self,
        place: &Place,
        ctor: CtorId,
        fields: &[Symbol],
        want: Want,
    ) -> Solved {
        let own: Vec<Symbol> =
            (0..fields.len()).map(|at| self.field_of(place, ctor, at)).collect();
        let fields = self.all_equal(&own, fields, want);
        let made = self.at(place, Solved::exactly(only(self.program, ctor)));
        match want {
            Want::True => made.and(fields),
            Want::False => {
                let others = self.at(place, Solved::exactly(all_but(self.program, ctor)));
                others.or(made.and(fields))
            }
        }
    }

    fn list_is(&mut self, place: &Place, len: usize, want: Want) -> Solved {
        if !matches!(self.types.get(self.types.base(place.ty)), Ty::List(_)) {
            return Solved::unknown();
        }
        let n = u32::try_from(len).unwrap_or(u32::MAX);
        match want {
            Want::True => {
                let lens = Lens { min: n, max: Some(n) };
                self.with_len(place, Some((lens, n == 0)))
            }
            Want::False if n == 0 => {
                self.with_len(place, Some((Lens { min: 1, max: None }, true)))
            }
            Want::False => Solved::unknown(),
        }
    }
}

fn literals(relation: Relation, a: &Literal, b: &Literal, want: Want) -> Solved {
    let holds = match (a, b) {
        (Literal::Bool(a), Literal::Bool(b)) => relation.holds(a, b),
        (Literal::Char(a), Literal::Char(b)) => relation.holds(a, b),
        (Literal::Str(a), Literal::Str(b)) => relation.holds(a, b),
        (Literal::Float(a), Literal::Float(b)) => relation.holds(a, b),
        _ => return Solved::unknown(),
    };
    Solved::from(want == holds)
}
