//! Arithmetic: on known numbers at once, on others as steps that are undone later.

use gainsay_core::{BuiltinId, Literal, Ty, TypeTable, builtin};
use num_bigint::BigInt;
use num_traits::{ToPrimitive as _, Zero};

use super::Solver;
use super::symbol::{Either, Measure, Number, Step, Symbol, View};
use crate::domain::Ints;

/// The largest exponent that is computed: bounds of types are not longer.
const MOST_EXPONENT: u32 = 4_096;

impl Solver<'_> {
    /// What is known of the value of a builtin.
    pub(super) fn builtin_value(&mut self, id: BuiltinId, args: &[Symbol]) -> Symbol {
        match args {
            [Symbol::Either(either), rest @ ..] => self.inside(either, |this, it| {
                let args: Vec<Symbol> = [it].into_iter().chain(rest.iter().cloned()).collect();
                this.builtin_value(id, &args)
            }),
            [a, Symbol::Either(either)] => {
                self.inside(either, |this, it| this.builtin_value(id, &[a.clone(), it]))
            }
            [a] => self.of_one(id, a),
            [Symbol::Literal(Literal::Float(a)), Symbol::Literal(Literal::Float(b))] => {
                float_result(id, *a, *b)
            }
            [a, b] => self.of_two(id, a, b),
            _ => Symbol::Opaque,
        }
    }

    fn inside(
        &mut self,
        either: &Either,
        mut change: impl FnMut(&mut Self, Symbol) -> Symbol,
    ) -> Symbol {
        let then = change(self, either.then.clone());
        let otherwise = change(self, either.otherwise.clone());
        let (yes, no) = (either.yes.clone(), either.no.clone());
        Symbol::Either(Box::new(Either { yes, no, then, otherwise }))
    }

    /// A symbol as a number that is not known, if it is one.
    pub(super) fn number(&mut self, symbol: &Symbol) -> Option<Number> {
        match symbol {
            Symbol::Number(number) => Some(number.clone()),
            Symbol::Subject(place) if self.types.base(place.ty) == TypeTable::INT => {
                let (place, steps) = (place.clone(), Vec::new());
                Some(Number { place, measure: Measure::Itself, steps })
            }
            _ => None,
        }
    }

    fn of_one(&mut self, id: BuiltinId, arg: &Symbol) -> Symbol {
        match (id, arg) {
            (builtin::INT_NEG, Symbol::Int(int)) => Symbol::Int(-int),
            (builtin::INT_NEG, _) => self.then(arg, [Step::Negate]),
            (builtin::FLOAT_NEG, Symbol::Literal(Literal::Float(it))) => {
                Symbol::Literal(Literal::Float(-it))
            }
            (builtin::INT_TO_FLOAT, Symbol::Int(int)) => {
                int.to_f64().map_or(Symbol::Opaque, |it| Symbol::Literal(Literal::Float(it)))
            }
            (builtin::CHAR_CODE, Symbol::Literal(Literal::Char(char))) => {
                Symbol::Int(BigInt::from(u32::from(*char)))
            }
            (builtin::CHAR_CODE, Symbol::Subject(_)) => measured(arg, Measure::Code),
            (builtin::STR_LEN, Symbol::Literal(Literal::Str(text))) => {
                Symbol::Int(BigInt::from(text.chars().count()))
            }
            (builtin::LIST_LEN, Symbol::List(items)) => Symbol::Int(BigInt::from(items.len())),
            (
                builtin::STR_LEN | builtin::LIST_LEN | builtin::MAP_LEN | builtin::SET_LEN,
                Symbol::Subject(_) | Symbol::View(..),
            ) => measured(arg, Measure::Len),
            (builtin::STR_CHARS, _) => self.view(arg, View::Chars),
            (builtin::SET_ITEMS, _) => self.view(arg, View::Items),
            (builtin::MAP_KEYS, _) => self.view(arg, View::Keys),
            (builtin::MAP_VALUES, _) => self.view(arg, View::Values),
            (builtin::MAP_ENTRIES, _) => self.view(arg, View::Entries),
            _ => Symbol::Opaque,
        }
    }

    fn view(&mut self, symbol: &Symbol, view: View) -> Symbol {
        let Symbol::Subject(place) = symbol else { return Symbol::Opaque };
        let base = self.types.get(self.types.base(place.ty));
        let fits = match view {
            View::Chars => matches!(base, Ty::Str),
            View::Items => matches!(base, Ty::Set(_)),
            View::Keys | View::Values | View::Entries => matches!(base, Ty::Map(..)),
        };
        if fits { Symbol::View(place.clone(), view) } else { Symbol::Opaque }
    }

    fn then(&mut self, symbol: &Symbol, steps: impl IntoIterator<Item = Step>) -> Symbol {
        let Some(mut number) = self.number(symbol) else { return Symbol::Opaque };
        number.steps.extend(steps);
        Symbol::Number(number)
    }

    fn of_two(&mut self, id: BuiltinId, a: &Symbol, b: &Symbol) -> Symbol {
        match (id, a, b) {
            (_, Symbol::Int(a), Symbol::Int(b)) => int_result(id, a, b),
            (builtin::INT_ADD, it, Symbol::Int(c)) | (builtin::INT_ADD, Symbol::Int(c), it) => {
                self.then(it, [Step::Add(c.clone())])
            }
            (builtin::INT_SUB, it, Symbol::Int(c)) => self.then(it, [Step::Add(-c)]),
            (builtin::INT_SUB, Symbol::Int(c), it) => {
                self.then(it, [Step::Negate, Step::Add(c.clone())])
            }
            (builtin::INT_MUL, it, Symbol::Int(c)) | (builtin::INT_MUL, Symbol::Int(c), it) => {
                if c.is_zero() {
                    return Symbol::Int(BigInt::zero());
                }
                self.then(it, [Step::Multiply(c.clone())])
            }
            (builtin::INT_DIV, it, Symbol::Int(c)) if !c.is_zero() => {
                self.then(it, [Step::Divide(c.clone())])
            }
            (builtin::INT_REM, it, Symbol::Int(c)) if !c.is_zero() => {
                self.then(it, [Step::Remainder(c.clone())])
            }
            _ => Symbol::Opaque,
        }
    }
}

fn measured(symbol: &Symbol, measure: Measure) -> Symbol {
    match symbol {
        Symbol::Subject(place) | Symbol::View(place, _) => {
            Symbol::Number(Number { place: place.clone(), measure, steps: Vec::new() })
        }
        _ => Symbol::Opaque,
    }
}

fn int_result(id: BuiltinId, a: &BigInt, b: &BigInt) -> Symbol {
    let int = match id {
        builtin::INT_ADD => a + b,
        builtin::INT_SUB => a - b,
        builtin::INT_MUL => a * b,
        builtin::INT_DIV if !b.is_zero() => a / b,
        builtin::INT_REM if !b.is_zero() => a % b,
        builtin::INT_POW => match b.to_u32() {
            Some(exponent) if exponent <= MOST_EXPONENT && a.bits() <= 64 => a.pow(exponent),
            Some(_) | None => return Symbol::Opaque,
        },
        _ => return Symbol::Opaque,
    };
    Symbol::Int(int)
}

fn float_result(id: BuiltinId, a: f64, b: f64) -> Symbol {
    let float = match id {
        builtin::FLOAT_ADD => a + b,
        builtin::FLOAT_SUB => a - b,
        builtin::FLOAT_MUL => a * b,
        builtin::FLOAT_DIV => a / b,
        _ => return Symbol::Opaque,
    };
    Symbol::Literal(Literal::Float(float))
}

/// The numbers that steps take into a set; nothing where that is not written down.
pub(super) fn undone(steps: &[Step], set: Ints) -> Option<Ints> {
    steps.iter().rev().try_fold(set, |set, step| match step {
        Step::Add(c) => Some(set.before_adding(c)),
        Step::Negate => Some(set.before_negating()),
        Step::Multiply(c) => set.before_multiplying(c),
        Step::Divide(c) => set.before_dividing(c),
        Step::Remainder(m) => set.before_remainder(m),
    })
}
