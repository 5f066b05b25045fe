//! Which inputs others are made of: small ones, on which the function does different things.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use gainsay_core::{Datum, Literal};
use gainsay_vm::Value;

use super::{DifferentialCall, DifferentialRunner, VersionOutcome, call};

/// How deep what a function gives is looked into.
const MAX_DEPTH: u32 = 4;

impl DifferentialRunner<'_> {
    /// Some of the inputs that are given. Small ones are cheap, and what is put into them is not
    /// drowned by the rest. Those for which the function gives something of another shape come
    /// first: an input that is refused says little about those that are not.
    pub(super) fn select_seed_inputs(
        &mut self,
        pairing: &DifferentialCall,
        of: &[Datum],
        most: usize,
    ) -> Vec<Datum> {
        let mut sorted: Vec<&Datum> = Vec::new();
        for it in of {
            if !sorted.contains(&it) {
                sorted.push(it);
            }
        }
        sorted.sort_by_key(|it| size(it));
        // How many of the same shape come before each.
        let mut known: BTreeMap<u64, usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, &Datum)> = Vec::new();
        for input in sorted {
            let Some(args) = self.given_args(pairing, input) else { continue };
            let (gave, steps) =
                call(&mut self.original, pairing.function, &args, &mut self.host);
            self.spend(steps);
            let rank = known.entry(outcome_shape(&gave)).or_default();
            ranked.push((*rank, input));
            *rank += 1;
        }
        ranked.sort_by_key(|it| it.0);
        ranked.into_iter().take(most).map(|it| it.1.clone()).collect()
    }
}

/// How large an input is.
fn size(datum: &Datum) -> usize {
    let inside: usize = match datum {
        Datum::Literal(Literal::Str(text)) => text.len(),
        Datum::Literal(_) | Datum::Function(_) => 0,
        Datum::Tuple(parts)
        | Datum::Data(_, parts)
        | Datum::List(parts)
        | Datum::Set(parts) => parts.iter().map(size).sum(),
        Datum::Map(entries) => entries.iter().map(|(a, b)| size(a) + size(b)).sum(),
    };
    1 + inside
}

/// A number that is the same for what is made of the same constructors.
fn outcome_shape(gave: &VersionOutcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(gave).hash(&mut hasher);
    match gave {
        VersionOutcome::Value(value) => add_shape(value, 0, &mut hasher),
        VersionOutcome::Failure(kind) => kind.name().hash(&mut hasher),
        VersionOutcome::Undecided => {}
    }
    hasher.finish()
}

fn add_shape(value: &Value, depth: u32, hasher: &mut DefaultHasher) {
    if depth >= MAX_DEPTH {
        return;
    }
    match value {
        Value::Bool(truth) => truth.hash(hasher),
        Value::Str(text) => text.as_str().is_empty().hash(hasher),
        Value::Tuple(fields) => {
            fields.as_slice().iter().for_each(|it| add_shape(it, depth + 1, hasher));
        }
        Value::Data(ctor, fields) => {
            ctor.hash(hasher);
            fields.as_slice().iter().for_each(|it| add_shape(it, depth + 1, hasher));
        }
        Value::List(list) => list.len().min(2).hash(hasher),
        Value::Map(map) => map.len().min(2).hash(hasher),
        Value::Set(set) => set.len().min(2).hash(hasher),
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Char(_) => {}
        Value::Closure(..) => {}
    }
}
