//! Selects the seed inputs from which others are derived: small ones on which the function behaves
//! differently.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use gainsay_core::{Datum, Literal};
use gainsay_vm::Value;

use super::{DifferentialCall, DifferentialRunner, VersionOutcome, call};

/// Depth to which a result contributes to its shape.
const MAX_DEPTH: u32 = 4;

impl DifferentialRunner<'_> {
    /// Selects some of the given inputs. Small ones are cheap, and a change to them is not drowned
    /// out by the rest. Inputs whose results have a new shape come first: a rejected input says
    /// little about those that are accepted.
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
        // Stable, so that the given order decides among inputs of one size.
        sorted.sort_by_key(|it| size(it));
        // The number of inputs of each shape so far; it is the rank of the next one.
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
        let mut ranked: Vec<(usize, &Datum)> = Vec::new();
        for input in sorted {
            let Some(args) = self.given_args(pairing, input) else { continue };
            let (gave, steps) =
                call(&mut self.original, pairing.function, &args, &mut self.host);
            self.spend(steps);
            let rank = counts.entry(outcome_shape(&gave)).or_default();
            ranked.push((*rank, input));
            *rank += 1;
        }
        // A stable sort: within a rank, smaller inputs stay first.
        ranked.sort_by_key(|it| it.0);
        ranked.into_iter().take(most).map(|it| it.1.clone()).collect()
    }
}

/// The size of an input: its nodes and the bytes of its strings.
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

/// A hash that is equal for results built from the same constructors.
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
        // Empty, one, or several: functions seldom distinguish more.
        Value::List(list) => list.len().min(2).hash(hasher),
        Value::Map(map) => map.len().min(2).hash(hasher),
        Value::Set(set) => set.len().min(2).hash(hasher),
        Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Char(_) => {}
        Value::Closure(..) => {}
    }
}
