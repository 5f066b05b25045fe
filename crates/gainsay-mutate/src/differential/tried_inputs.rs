//! The set of inputs tried by a search. Its size, the number of distinct inputs, is what a report
//! states about a mutant without a difference.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use gainsay_vm::Value;

/// Inputs by their fingerprints.
pub(crate) type InputFingerprints = HashSet<u64>;

/// The inputs of one search.
#[derive(Debug, Default)]
pub(super) struct TriedInputs {
    /// Those of earlier searches for the same function.
    before: Arc<InputFingerprints>,
    now: InputFingerprints,
}

impl TriedInputs {
    /// An empty set that does not count the inputs of earlier searches.
    pub(super) fn after(before: Arc<InputFingerprints>) -> Self {
        Self { before, now: HashSet::new() }
    }

    /// Adds an input; true if it is tried for the first time.
    pub(super) fn insert(&mut self, args: &[Value]) -> bool {
        let fingerprint = fingerprint(args);
        // A collision makes a count too low by one, which errs on the side of claiming less.
        !self.before.contains(&fingerprint) && self.now.insert(fingerprint)
    }

    /// How many were tried for the first time.
    pub(super) fn len(&self) -> u64 {
        self.now.len() as u64
    }

    /// All inputs tried so far.
    pub(super) fn into_all(self) -> InputFingerprints {
        let Self { before, mut now } = self;
        now.extend(&*before);
        now
    }
}

/// A hash of arguments. All functions hash alike: they cannot be distinguished by comparison.
fn fingerprint(args: &[Value]) -> u64 {
    // `DefaultHasher::new` is unkeyed, so counts are the same in every run.
    let mut hasher = DefaultHasher::new();
    let mut pending: Vec<&Value> = args.iter().rev().collect();
    while let Some(value) = pending.pop() {
        std::mem::discriminant(value).hash(&mut hasher);
        match value {
            Value::Int(int) => int.hash(&mut hasher),
            Value::Big(int) => int.get().hash(&mut hasher),
            Value::Float(float) => float.to_bits().hash(&mut hasher),
            Value::Bool(truth) => truth.hash(&mut hasher),
            Value::Char(char) => char.hash(&mut hasher),
            Value::Str(text) => text.as_str().hash(&mut hasher),
            Value::Closure(..) => {}
            Value::Tuple(fields) => pending.extend(fields.as_slice().iter().rev()),
            Value::Data(ctor, fields) => {
                ctor.hash(&mut hasher);
                pending.extend(fields.as_slice().iter().rev());
            }
            Value::List(list) => {
                list.len().hash(&mut hasher);
                pending.extend(list.iter());
            }
            Value::Map(map) => {
                map.len().hash(&mut hasher);
                pending.extend(map.iter().flat_map(|(key, value)| [key, value]));
            }
            Value::Set(set) => {
                set.len().hash(&mut hasher);
                pending.extend(set.iter().map(|it| it.0));
            }
        }
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gainsay_vm::Value;

    use super::TriedInputs;

    #[test]
    fn the_same_inputs_count_once() {
        let mut tried = TriedInputs::default();
        assert!(tried.insert(&[Value::Int(1), Value::Int(2)]));
        assert!(tried.insert(&[Value::Int(2), Value::Int(1)]));
        assert!(!tried.insert(&[Value::Int(1), Value::Int(2)]));
        assert_eq!(tried.len(), 2);
        let mut later = TriedInputs::after(Arc::new(tried.into_all()));
        assert!(!later.insert(&[Value::Int(2), Value::Int(1)]));
        assert!(later.insert(&[Value::Bool(true)]));
        assert_eq!(later.len(), 1);
    }
}
