//! Arithmetic: constants are computed at once, and unknown numbers collect steps that `preimage`
//! later inverts.

use gainsay_core::{BuiltinId, Literal, Ty, TypeTable, builtin};
use num_bigint::BigInt;
use num_traits::{ToPrimitive as _, Zero};

use super::PredicateSolver;
use super::symbolic_value::{
    ArithmeticStep, ConditionalValue, ElementView, IntMeasure, SymbolicInt, SymbolicValue,
};
use crate::domain::IntSet;

/// The largest exponent that is computed: bounds of types are not longer.
const MAX_EXPONENT: u32 = 4_096;

impl PredicateSolver<'_> {
    /// The symbolic value of a builtin.
    pub(super) fn builtin_value(
        &mut self,
        id: BuiltinId,
        args: &[SymbolicValue],
    ) -> SymbolicValue {
        match args {
            // Conditionals stay outermost, so that all other cases see plain values.
            [SymbolicValue::Either(either), rest @ ..] => self.inside(either, |this, it| {
                let args: Vec<SymbolicValue> =
                    [it].into_iter().chain(rest.iter().cloned()).collect();
                this.builtin_value(id, &args)
            }),
            [a, SymbolicValue::Either(either)] => {
                self.inside(either, |this, it| this.builtin_value(id, &[a.clone(), it]))
            }
            [a] => self.unary_result(id, a),
            [
                SymbolicValue::Literal(Literal::Float(a)),
                SymbolicValue::Literal(Literal::Float(b)),
            ] => float_result(id, *a, *b),
            [a, b] => self.binary_result(id, a, b),
            _ => SymbolicValue::Unknown,
        }
    }

    fn inside(
        &mut self,
        either: &ConditionalValue,
        mut change: impl FnMut(&mut Self, SymbolicValue) -> SymbolicValue,
    ) -> SymbolicValue {
        let then = change(self, either.then.clone());
        let otherwise = change(self, either.otherwise.clone());
        let (yes, no) = (either.yes.clone(), either.no.clone());
        SymbolicValue::Either(Box::new(ConditionalValue { yes, no, then, otherwise }))
    }

    /// A symbolic value as an unknown number, if it is one.
    pub(super) fn number(&mut self, symbol: &SymbolicValue) -> Option<SymbolicInt> {
        match symbol {
            SymbolicValue::Number(number) => Some(number.clone()),
            SymbolicValue::Subject(place) if self.types.base(place.ty) == TypeTable::INT => {
                let (place, steps) = (place.clone(), Vec::new());
                Some(SymbolicInt { place, measure: IntMeasure::Identity, steps })
            }
            _ => None,
        }
    }

    fn unary_result(&mut self, id: BuiltinId, arg: &SymbolicValue) -> SymbolicValue {
        match (id, arg) {
            (builtin::INT_NEG, SymbolicValue::Int(int)) => SymbolicValue::Int(-int),
            (builtin::INT_NEG, _) => self.with_steps(arg, [ArithmeticStep::Negate]),
            (builtin::FLOAT_NEG, SymbolicValue::Literal(Literal::Float(it))) => {
                SymbolicValue::Literal(Literal::Float(-it))
            }
            (builtin::INT_TO_FLOAT, SymbolicValue::Int(int)) => {
                int.to_f64().map_or(SymbolicValue::Unknown, |it| {
                    SymbolicValue::Literal(Literal::Float(it))
                })
            }
            (builtin::CHAR_CODE, SymbolicValue::Literal(Literal::Char(char))) => {
                SymbolicValue::Int(BigInt::from(u32::from(*char)))
            }
            (builtin::CHAR_CODE, SymbolicValue::Subject(_)) => measured(arg, IntMeasure::Code),
            (builtin::STR_LEN, SymbolicValue::Literal(Literal::Str(text))) => {
                SymbolicValue::Int(BigInt::from(text.chars().count()))
            }
            (builtin::LIST_LEN, SymbolicValue::List(items)) => {
                SymbolicValue::Int(BigInt::from(items.len()))
            }
            (
                builtin::STR_LEN | builtin::LIST_LEN | builtin::MAP_LEN | builtin::SET_LEN,
                SymbolicValue::Subject(_) | SymbolicValue::View(..),
            ) => measured(arg, IntMeasure::Len),
            (builtin::STR_CHARS, _) => self.element_view(arg, ElementView::Chars),
            (builtin::SET_ITEMS, _) => self.element_view(arg, ElementView::Items),
            (builtin::MAP_KEYS, _) => self.element_view(arg, ElementView::Keys),
            (builtin::MAP_VALUES, _) => self.element_view(arg, ElementView::Values),
            (builtin::MAP_ENTRIES, _) => self.element_view(arg, ElementView::Entries),
            _ => SymbolicValue::Unknown,
        }
    }

    fn element_view(&mut self, symbol: &SymbolicValue, view: ElementView) -> SymbolicValue {
        let SymbolicValue::Subject(place) = symbol else { return SymbolicValue::Unknown };
        let base = self.types.get(self.types.base(place.ty));
        let fits = match view {
            ElementView::Chars => matches!(base, Ty::Str),
            ElementView::Items => matches!(base, Ty::Set(_)),
            ElementView::Keys | ElementView::Values | ElementView::Entries => {
                matches!(base, Ty::Map(..))
            }
        };
        if fits { SymbolicValue::View(place.clone(), view) } else { SymbolicValue::Unknown }
    }

    fn with_steps(
        &mut self,
        symbol: &SymbolicValue,
        steps: impl IntoIterator<Item = ArithmeticStep>,
    ) -> SymbolicValue {
        let Some(mut number) = self.number(symbol) else { return SymbolicValue::Unknown };
        number.steps.extend(steps);
        SymbolicValue::Number(number)
    }

    fn binary_result(
        &mut self,
        id: BuiltinId,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> SymbolicValue {
        match (id, a, b) {
            (_, SymbolicValue::Int(a), SymbolicValue::Int(b)) => int_result(id, a, b),
            (builtin::INT_ADD, it, SymbolicValue::Int(c))
            | (builtin::INT_ADD, SymbolicValue::Int(c), it) => {
                self.with_steps(it, [ArithmeticStep::Add(c.clone())])
            }
            (builtin::INT_SUB, it, SymbolicValue::Int(c)) => {
                self.with_steps(it, [ArithmeticStep::Add(-c)])
            }
            (builtin::INT_SUB, SymbolicValue::Int(c), it) => {
                self.with_steps(it, [ArithmeticStep::Negate, ArithmeticStep::Add(c.clone())])
            }
            (builtin::INT_MUL, it, SymbolicValue::Int(c))
            | (builtin::INT_MUL, SymbolicValue::Int(c), it) => {
                // Every number is mapped to 0, which no step could invert.
                if c.is_zero() {
                    return SymbolicValue::Int(BigInt::zero());
                }
                self.with_steps(it, [ArithmeticStep::Multiply(c.clone())])
            }
            (builtin::INT_DIV, it, SymbolicValue::Int(c)) if !c.is_zero() => {
                self.with_steps(it, [ArithmeticStep::Divide(c.clone())])
            }
            (builtin::INT_REM, it, SymbolicValue::Int(c)) if !c.is_zero() => {
                self.with_steps(it, [ArithmeticStep::Remainder(c.clone())])
            }
            _ => SymbolicValue::Unknown,
        }
    }
}

fn measured(symbol: &SymbolicValue, measure: IntMeasure) -> SymbolicValue {
    match symbol {
        SymbolicValue::Subject(place) | SymbolicValue::View(place, _) => {
            SymbolicValue::Number(SymbolicInt {
                place: place.clone(),
                measure,
                steps: Vec::new(),
            })
        }
        _ => SymbolicValue::Unknown,
    }
}

fn int_result(id: BuiltinId, a: &BigInt, b: &BigInt) -> SymbolicValue {
    let int = match id {
        builtin::INT_ADD => a + b,
        builtin::INT_SUB => a - b,
        builtin::INT_MUL => a * b,
        builtin::INT_DIV if !b.is_zero() => a / b,
        builtin::INT_REM if !b.is_zero() => a % b,
        builtin::INT_POW => match b.to_u32() {
            // Bounds the result: 64 bits to the power of 4,096 at most.
            Some(exponent) if exponent <= MAX_EXPONENT && a.bits() <= 64 => a.pow(exponent),
            Some(_) | None => return SymbolicValue::Unknown,
        },
        _ => return SymbolicValue::Unknown,
    };
    SymbolicValue::Int(int)
}

fn float_result(id: BuiltinId, a: f64, b: f64) -> SymbolicValue {
    let float = match id {
        builtin::FLOAT_ADD => a + b,
        builtin::FLOAT_SUB => a - b,
        builtin::FLOAT_MUL => a * b,
        builtin::FLOAT_DIV => a / b,
        _ => return SymbolicValue::Unknown,
    };
    SymbolicValue::Literal(Literal::Float(float))
}

/// The numbers that the steps map into a set; `None` where that cannot be represented.
pub(super) fn preimage(steps: &[ArithmeticStep], set: IntSet) -> Option<IntSet> {
    // The last step is inverted first.
    steps.iter().rev().try_fold(set, |set, step| match step {
        ArithmeticStep::Add(c) => Some(set.preimage_of_add(c)),
        ArithmeticStep::Negate => Some(set.preimage_of_negate()),
        ArithmeticStep::Multiply(c) => set.preimage_of_multiply(c),
        ArithmeticStep::Divide(c) => set.preimage_of_divide(c),
        ArithmeticStep::Remainder(m) => set.preimage_of_remainder(m),
    })
}
