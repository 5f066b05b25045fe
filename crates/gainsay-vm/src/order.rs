//! The order of values: structural, without recursion, and with its work counted.
//!
//! Two readings of floats. By IEEE 754, NaN is unequal to everything and comparable with
//! nothing; this is `==` and `<`. In the total order, which sorts and keys maps, NaN equals
//! itself and is above all other floats. In both, `-0.0` equals `0.0`. Sums are ordered by
//! constructor, then by fields; maps and sets like the lists of their entries.

use std::cell::Cell;
use std::cmp::Ordering;

use num_bigint::Sign;

use crate::value::{List, ListIter, TableIter, Value};

/// How floats are compared.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Floats {
    /// As IEEE 754 says.
    Ieee,
    /// In a total order.
    Total,
}

/// The order of two values in the total order.
pub fn order(a: &Value, b: &Value) -> Ordering {
    compare(a, b, Floats::Total, &mut u64::MAX.clone()).unwrap_or(Ordering::Equal)
}

/// Whether two values are the same: `==`, but NaN is the same as NaN.
pub fn same(a: &Value, b: &Value) -> bool {
    order(a, b).is_eq()
}

/// `a == b` of the language: NaN is unequal to everything.
pub fn equal(a: &Value, b: &Value) -> bool {
    compare(a, b, Floats::Ieee, &mut u64::MAX.clone()) == Some(Ordering::Equal)
}

thread_local! {
    /// Visits that ordered tables may still make; set around each of their operations.
    static TABLE_BUDGET: Cell<u64> = const { Cell::new(u64::MAX) };
}

/// Runs an operation of a table with at most `budget` visits of values. When none is left
/// afterwards they did not suffice, and the result is meaningless.
pub(crate) fn with_budget<T>(budget: &mut u64, operation: impl FnOnce() -> T) -> T {
    let before = TABLE_BUDGET.replace(*budget);
    let result = operation();
    *budget = TABLE_BUDGET.replace(before);
    result
}

/// The total order, paid from the budget of [`with_budget`]; `Equal` when it is spent.
pub(crate) fn order_within_budget(a: &Value, b: &Value) -> Ordering {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        let budget = TABLE_BUDGET.get();
        TABLE_BUDGET.set(budget.saturating_sub(1));
        return a.cmp(b);
    }
    let mut budget = TABLE_BUDGET.get();
    if budget == 0 {
        return Ordering::Equal;
    }
    let ordering = compare(a, b, Floats::Total, &mut budget);
    TABLE_BUDGET.set(budget);
    ordering.unwrap_or(Ordering::Equal)
}

/// The order of two values, `None` when they cannot be compared. Each visited pair takes one
/// from `budget`; when it reaches 0, the answer is meaningless.
pub(crate) fn compare(
    a: &Value,
    b: &Value,
    floats: Floats,
    budget: &mut u64,
) -> Option<Ordering> {
    let mut comparison = Comparison { floats, pending: Vec::new() };
    let mut ordering = comparison.pair(a, b);
    while ordering == Some(Ordering::Equal) {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            break;
        }
        let Some(pending) = comparison.pending.pop() else { break };
        ordering = comparison.step(pending);
    }
    ordering
}

/// Parts still to be compared, should everything before them be equal.
enum Pending<'a> {
    Slices(&'a [Value], &'a [Value]),
    Lists(ListIter<'a>, ListIter<'a>),
    Tables(TableIter<'a>, TableIter<'a>),
    Pair(&'a Value, &'a Value),
}

struct Comparison<'a> {
    floats: Floats,
    pending: Vec<Pending<'a>>,
}

impl<'a> Comparison<'a> {
    /// Compares what costs nothing and leaves the parts pending.
    fn pair(&mut self, a: &'a Value, b: &'a Value) -> Option<Ordering> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Big(a), Value::Big(b)) => Some(a.get().cmp(b.get())),
            (Value::Int(_), Value::Big(b)) => Some(if b.get().sign() == Sign::Minus {
                Ordering::Greater
            } else {
                Ordering::Less
            }),
            (Value::Big(a), Value::Int(_)) => Some(if a.get().sign() == Sign::Minus {
                Ordering::Less
            } else {
                Ordering::Greater
            }),
            (Value::Float(a), Value::Float(b)) => self.floats(*a, *b),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Char(a), Value::Char(b)) => Some(a.cmp(b)),
            (Value::Str(a), Value::Str(b)) => Some(a.as_str().cmp(b.as_str())),
            (Value::Tuple(a), Value::Tuple(b)) => self.slices(a.as_slice(), b.as_slice()),
            (Value::Data(a, a_fields), Value::Data(b, b_fields)) => match a.cmp(b) {
                // Constructors of one type are adjacent and in declared order.
                Ordering::Equal => self.slices(a_fields.as_slice(), b_fields.as_slice()),
                unequal @ (Ordering::Less | Ordering::Greater) => Some(unequal),
            },
            (Value::List(a), Value::List(b)) => self.lists(a, b),
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => {
                self.pending.push(Pending::Tables(a.iter(), b.iter()));
                Some(Ordering::Equal)
            }
            // Functions are not first order, and a checked program compares like with like.
            _ => Some(rank(a).cmp(&rank(b))),
        }
    }

    fn floats(&self, a: f64, b: f64) -> Option<Ordering> {
        match self.floats {
            Floats::Ieee => a.partial_cmp(&b),
            Floats::Total => {
                Some(a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())))
            }
        }
    }

    fn slices(&mut self, a: &'a [Value], b: &'a [Value]) -> Option<Ordering> {
        if !a.is_empty() || !b.is_empty() {
            self.pending.push(Pending::Slices(a, b));
        }
        Some(Ordering::Equal)
    }

    fn lists(&mut self, a: &'a List, b: &'a List) -> Option<Ordering> {
        if !a.is_empty() || !b.is_empty() {
            self.pending.push(Pending::Lists(a.iter(), b.iter()));
        }
        Some(Ordering::Equal)
    }

    fn step(&mut self, pending: Pending<'a>) -> Option<Ordering> {
        match pending {
            Pending::Pair(a, b) => self.pair(a, b),
            Pending::Slices([a, a_rest @ ..], [b, b_rest @ ..]) => {
                self.slices(a_rest, b_rest);
                self.pair(a, b)
            }
            Pending::Slices(a, b) => Some(a.len().cmp(&b.len())),
            Pending::Lists(mut a_items, mut b_items) => {
                match (a_items.next(), b_items.next()) {
                    (Some(a), Some(b)) => {
                        self.pending.push(Pending::Lists(a_items, b_items));
                        self.pair(a, b)
                    }
                    (a, b) => Some(a.is_some().cmp(&b.is_some())),
                }
            }
            Pending::Tables(mut a_items, mut b_items) => match (a_items.next(), b_items.next())
            {
                (Some((a_key, a)), Some((b_key, b))) => {
                    self.pending.push(Pending::Tables(a_items, b_items));
                    self.pending.push(Pending::Pair(a, b));
                    self.pair(a_key, b_key)
                }
                (a, b) => Some(a.is_some().cmp(&b.is_some())),
            },
        }
    }
}

/// An order of kinds of values, so that the order is total whatever it is asked.
fn rank(value: &Value) -> u8 {
    match value {
        Value::Int(_) | Value::Big(_) => 0,
        Value::Float(_) => 1,
        Value::Bool(_) => 2,
        Value::Char(_) => 3,
        Value::Str(_) => 4,
        Value::Tuple(_) => 5,
        Value::Data(..) => 6,
        Value::List(_) => 7,
        Value::Map(_) => 8,
        Value::Set(_) => 9,
        Value::Closure(..) => 10,
    }
}
