//! Equality of values from two engines: bit for bit, functions included.

use std::collections::HashSet;

use gainsay_vm::{List, Value};

/// Comparisons before pairs are memoized: ordinary values never reach this.
const FREE: usize = 500;

/// Whether two values are indistinguishable. No recursion, because values may be deep; and each
/// pair of shared parts is compared once.
pub(super) fn identical(a: &Value, b: &Value) -> bool {
    let mut comparison =
        EngineValueComparison { pending: vec![(a, b)], n_done: 0, seen: HashSet::new() };
    while let Some((a, b)) = comparison.pending.pop() {
        if !comparison.pair(a, b) {
            return false;
        }
    }
    true
}

/// Whether two lists of values are pairwise identical.
pub(super) fn all_identical(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| identical(a, b))
}

struct EngineValueComparison<'a> {
    pending: Vec<(&'a Value, &'a Value)>,
    n_done: usize,
    /// The addresses of the first components of cells that were compared.
    seen: HashSet<(usize, usize)>,
}

impl<'a> EngineValueComparison<'a> {
    /// Compares two values shallowly, and pushes their components.
    fn pair(&mut self, a: &'a Value, b: &'a Value) -> bool {
        self.n_done += 1;
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Big(a), Value::Big(b)) => a.get() == b.get(),
            // Bits, so that `-0.0` and `0.0` differ and NaN equals itself.
            (Value::Float(a), Value::Float(b)) => a.to_bits() == b.to_bits(),
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Char(a), Value::Char(b)) => a == b,
            (Value::Str(a), Value::Str(b)) => a.as_str() == b.as_str(),
            (Value::Tuple(a), Value::Tuple(b)) => self.fields(a.as_slice(), b.as_slice()),
            (Value::Data(a_ctor, a), Value::Data(b_ctor, b)) => {
                a_ctor == b_ctor && self.fields(a.as_slice(), b.as_slice())
            }
            (Value::Closure(a_function, a), Value::Closure(b_function, b)) => {
                a_function == b_function && self.fields(a.as_slice(), b.as_slice())
            }
            (Value::List(a), Value::List(b)) => self.lists(a, b),
            (Value::Map(a), Value::Map(b)) | (Value::Set(a), Value::Set(b)) => {
                for ((a_key, a), (b_key, b)) in a.iter().zip(b.iter()) {
                    self.pending.extend([(a_key, b_key), (a, b)]);
                }
                a.len() == b.len()
            }
            _ => false,
        }
    }

    fn fields(&mut self, a: &'a [Value], b: &'a [Value]) -> bool {
        if let (Some(first_a), Some(first_b)) = (a.first(), b.first())
            && self.is_new(first_a, first_b)
        {
            self.pending.extend(a.iter().zip(b));
        }
        a.len() == b.len()
    }

    fn lists(&mut self, a: &'a List, b: &'a List) -> bool {
        for (a, b) in a.iter().zip(b) {
            // After a pair of cells that was compared before, the rest of the list is known as
            // well.
            if !self.is_new(a, b) {
                break;
            }
            self.pending.push((a, b));
        }
        a.len() == b.len()
    }

    /// Whether a pair of cells, identified by their first components, is new.
    fn is_new(&mut self, a: &Value, b: &Value) -> bool {
        let pair = (std::ptr::from_ref(a).addr(), std::ptr::from_ref(b).addr());
        self.n_done < FREE || self.seen.insert(pair)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_parts_are_compared_once() {
        let grown = || (0..200).fold(Value::Int(1), |it, _| Value::tuple(vec![it.clone(), it]));
        assert!(identical(&grown(), &grown()));
    }

    #[test]
    fn zeros_are_distinguished_and_nan_is_not() {
        assert!(!identical(&Value::Float(0.0), &Value::Float(-0.0)));
        assert!(identical(&Value::Float(f64::NAN), &Value::Float(f64::NAN)));
    }
}
