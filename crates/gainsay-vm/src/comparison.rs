//! Structural comparison of values: without recursion, and with counted work.
//!
//! Floats compare in two ways. By IEEE 754, NaN is unequal to and unordered with everything; this
//! is `==` and `<`. In the total order, which sorts and keys maps, NaN equals itself and is above
//! all other floats. In both, `-0.0` equals `0.0`. Sums are ordered by constructor, then by fields;
//! maps and sets like the lists of their entries.
//!
//! # What counts as a visit
//!
//! Engines that store values differently must count the same, so the rule is fixed here. Pairs are
//! examined one after the other until one decides. Each pair that turns out equal costs one visit;
//! the deciding pair costs none. Examining a pair means examining
//!
//! - two integers of any size, floats, booleans, characters or texts as a whole, however long they
//!   are;
//! - two functions, which always compare equal;
//! - two tuples or sums: their constructors. If those are equal, the fields follow from the left,
//!   each a pair of its own;
//! - two lists: nothing is decided yet. Unless both are empty, the elements follow from the front,
//!   each a pair of its own, and after the last one of either list one more pair, which compares
//!   whether both have ended;
//! - two maps or sets: nothing is decided yet. The entries follow in ascending order, each as two
//!   pairs, of the keys and then of the values, which in a set are `()`; after the last one of
//!   either, even if both are empty, one more pair compares whether both have ended.
//!
//! The pairs that follow from a pair come before everything else that is pending. Pointer equality
//! is not used as a shortcut. So `(1, 2) == (1, 3)` takes two visits, `[] == []` one, `[1] == [1]`
//! three, and `Map.empty() == Map.empty()` two.
//!
//! A comparison that uses its last allowed visit fails, even if nothing is left to do.
//!
//! When comparing keys of maps and sets, and elements during sorting, two integers cost exactly one
//! visit, even if they are unequal ([`compare_keys`]).

use std::cmp::Ordering;

use num_bigint::Sign;

use crate::value::{List, ListIter, Value, ValueTableIter};

/// How floats are compared.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum FloatOrder {
    /// By IEEE 754.
    Ieee,
    /// In a total order.
    Total,
}

impl FloatOrder {
    /// The order of two floats.
    #[inline]
    pub(crate) fn compare(self, a: f64, b: f64) -> Option<Ordering> {
        match self {
            Self::Ieee => a.partial_cmp(&b),
            Self::Total => {
                Some(a.partial_cmp(&b).unwrap_or_else(|| a.is_nan().cmp(&b.is_nan())))
            }
        }
    }
}

/// The comparison has used up its allowed visits.
#[derive(Debug)]
pub(crate) struct VisitLimitReached;

/// The order of two values in the total order.
pub fn order(a: &Value, b: &Value) -> Ordering {
    compare_unbounded(a, b, FloatOrder::Total).unwrap_or(Ordering::Equal)
}

/// Whether two values are the same: like `==`, but NaN is the same as NaN.
pub fn same(a: &Value, b: &Value) -> bool {
    order(a, b).is_eq()
}

/// The language's `a == b`: NaN is unequal to everything.
pub fn equal(a: &Value, b: &Value) -> bool {
    compare_unbounded(a, b, FloatOrder::Ieee) == Some(Ordering::Equal)
}

fn compare_unbounded(a: &Value, b: &Value, floats: FloatOrder) -> Option<Ordering> {
    let mut visits_left = u64::MAX;
    // `u64::MAX` visits are never used up, so the error is unreachable.
    compare(a, b, floats, &mut visits_left).unwrap_or(None)
}

/// Compares keys and sorted elements in the total order.
pub(crate) fn compare_keys(
    a: &Value,
    b: &Value,
    visits_left: &mut u64,
) -> Result<Ordering, VisitLimitReached> {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        charge_visit(visits_left)?;
        return Ok(a.cmp(b));
    }
    let ordering = compare(a, b, FloatOrder::Total, visits_left)?.unwrap_or(Ordering::Equal);
    let is_int = |value: &Value| matches!(value, Value::Int(_) | Value::Big(_));
    // `compare` charges no visit for the deciding pair, but integer keys always cost one. Small and
    // big integers must agree here, because engines draw the line between them differently.
    if ordering.is_ne() && is_int(a) && is_int(b) {
        charge_visit(visits_left)?;
    }
    Ok(ordering)
}

/// Compares two values; `None` if they are unordered.
pub(crate) fn compare(
    a: &Value,
    b: &Value,
    floats: FloatOrder,
    visits_left: &mut u64,
) -> Result<Option<Ordering>, VisitLimitReached> {
    let mut comparison = ValueComparison { floats, pending: Vec::new() };
    let mut ordering = comparison.pair(a, b);
    // Iterative: values nest more deeply than the native stack allows.
    while ordering == Some(Ordering::Equal) {
        charge_visit(visits_left)?;
        let Some(pending) = comparison.pending.pop() else { break };
        ordering = comparison.step(pending);
    }
    Ok(ordering)
}

/// Charges one visit; fails on the last one.
#[inline]
pub(crate) fn charge_visit(visits_left: &mut u64) -> Result<(), VisitLimitReached> {
    *visits_left = visits_left.saturating_sub(1);
    if *visits_left == 0 { Err(VisitLimitReached) } else { Ok(()) }
}

/// Parts still to be compared if everything before them is equal.
enum PendingComparison<'a> {
    Slices(&'a [Value], &'a [Value]),
    Lists(ListIter<'a>, ListIter<'a>),
    Tables(ValueTableIter<'a>, ValueTableIter<'a>),
    Pair(&'a Value, &'a Value),
}

struct ValueComparison<'a> {
    floats: FloatOrder,
    pending: Vec<PendingComparison<'a>>,
}

impl<'a> ValueComparison<'a> {
    /// Compares the heads of two values and pushes their parts as pending.
    fn pair(&mut self, a: &'a Value, b: &'a Value) -> Option<Ordering> {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
            (Value::Big(a), Value::Big(b)) => Some(a.get().cmp(b.get())),
            // A `Big` never fits `i64`, so its sign decides.
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
            (Value::Float(a), Value::Float(b)) => self.floats.compare(*a, *b),
            (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
            (Value::Char(a), Value::Char(b)) => Some(a.cmp(b)),
            (Value::Str(a), Value::Str(b)) => Some(a.as_str().cmp(b.as_str())),
            (Value::Tuple(a), Value::Tuple(b)) => self.slices(a.as_slice(), b.as_slice()),
            (Value::Data(a, a_fields), Value::Data(b, b_fields)) => match a.cmp(b) {
                // Constructor ids of one type are consecutive and in declaration order.
                Ordering::Equal => self.slices(a_fields.as_slice(), b_fields.as_slice()),
                unequal @ (Ordering::Less | Ordering::Greater) => Some(unequal),
            },
            (Value::List(a), Value::List(b)) => self.lists(a, b),
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => {
                self.pending.push(PendingComparison::Tables(a.iter(), b.iter()));
                Some(Ordering::Equal)
            }
            // Functions cannot be compared, and a checked program only compares values of equal
            // type.
            _ => Some(kind_rank(a).cmp(&kind_rank(b))),
        }
    }

    fn slices(&mut self, a: &'a [Value], b: &'a [Value]) -> Option<Ordering> {
        // Two empty slices cost no extra visit, unlike two empty tables.
        if !a.is_empty() || !b.is_empty() {
            self.pending.push(PendingComparison::Slices(a, b));
        }
        Some(Ordering::Equal)
    }

    fn lists(&mut self, a: &'a List, b: &'a List) -> Option<Ordering> {
        if !a.is_empty() || !b.is_empty() {
            self.pending.push(PendingComparison::Lists(a.iter(), b.iter()));
        }
        Some(Ordering::Equal)
    }

    fn step(&mut self, pending: PendingComparison<'a>) -> Option<Ordering> {
        match pending {
            PendingComparison::Pair(a, b) => self.pair(a, b),
            PendingComparison::Slices([a, a_rest @ ..], [b, b_rest @ ..]) => {
                self.slices(a_rest, b_rest);
                self.pair(a, b)
            }
            PendingComparison::Slices(a, b) => Some(a.len().cmp(&b.len())),
            PendingComparison::Lists(mut a_items, mut b_items) => {
                match (a_items.next(), b_items.next()) {
                    (Some(a), Some(b)) => {
                        self.pending.push(PendingComparison::Lists(a_items, b_items));
                        self.pair(a, b)
                    }
                    (a, b) => Some(a.is_some().cmp(&b.is_some())),
                }
            }
            PendingComparison::Tables(mut a_items, mut b_items) => {
                match (a_items.next(), b_items.next()) {
                    (Some((a_key, a)), Some((b_key, b))) => {
                        self.pending.push(PendingComparison::Tables(a_items, b_items));
                        // Pushed after the rest of the entries and therefore popped before them.
                        self.pending.push(PendingComparison::Pair(a, b));
                        self.pair(a_key, b_key)
                    }
                    (a, b) => Some(a.is_some().cmp(&b.is_some())),
                }
            }
        }
    }
}

/// Ranks the kinds of values, so that the order is total even on values of different types.
fn kind_rank(value: &Value) -> u8 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::ValueTable;

    fn visits(compare: impl FnOnce(&mut u64) -> Result<(), VisitLimitReached>) -> u64 {
        let mut left = 1_000;
        assert!(compare(&mut left).is_ok());
        1_000 - left
    }

    /// Visits taken by comparing two values with `==`.
    fn visits_of(a: &Value, b: &Value) -> u64 {
        visits(|left| compare(a, b, FloatOrder::Ieee, left).map(drop))
    }

    #[test]
    fn visits_are_those_of_the_rule() {
        let int = Value::Int;
        let pair = |a, b| Value::tuple(vec![int(a), int(b)]);
        let list = |items: &[i64]| Value::list(items.iter().copied().map(int));
        let set =
            |items: &[i64]| Value::Set(ValueTable::from_items(items.iter().copied().map(int)));
        for (a, b, n_visits) in [
            (int(1), int(1), 1),
            (int(1), int(2), 0),
            (Value::UNIT, Value::UNIT, 1),
            (pair(1, 2), pair(1, 2), 3),
            (pair(1, 2), pair(1, 3), 2),
            (pair(1, 2), pair(2, 2), 1),
            (list(&[]), list(&[]), 1),
            (list(&[]), list(&[1]), 1),
            (list(&[1]), list(&[1]), 3),
            (list(&[1]), list(&[1, 2]), 2),
            (set(&[]), set(&[]), 2),
            (set(&[1]), set(&[1]), 4),
            (set(&[1]), set(&[1, 2]), 3),
            (Value::list([pair(1, 2), pair(3, 4)]), Value::list([pair(1, 2), pair(4, 4)]), 5),
            (Value::Float(f64::NAN), Value::Float(f64::NAN), 0),
        ] {
            assert_eq!(visits_of(&a, &b), n_visits, "{a:?} {b:?}");
        }
    }

    #[test]
    fn keys_that_are_integers_take_one_visit() {
        let big = || Value::int(num_bigint::BigInt::from(u64::MAX) * 2);
        for (a, b) in [(Value::Int(1), Value::Int(2)), (big(), Value::Int(1)), (big(), big())] {
            assert_eq!(visits(|left| compare_keys(&a, &b, left).map(drop)), 1);
        }
        let (a, b) = (Value::str("a"), Value::str("b"));
        assert_eq!(visits(|left| compare_keys(&a, &b, left).map(drop)), 0);
    }

    #[test]
    fn the_last_visit_is_one_too_many() {
        let list = Value::list([Value::Int(1)]);
        assert!(compare(&list, &list, FloatOrder::Total, &mut 3).is_err());
        assert!(compare(&list, &list, FloatOrder::Total, &mut 4).is_ok());
        assert!(compare_keys(&Value::Int(1), &Value::Int(2), &mut 1).is_err());
    }
}
