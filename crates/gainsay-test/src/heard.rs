//! Values that came by where somebody listens.

use std::collections::BTreeMap;

use gainsay_core::Datum;
use gainsay_vm::{Value, same};
use num_traits::ToPrimitive as _;

use crate::data::datum_of;

/// The values that came by each place, in order.
#[derive(Debug, Clone, Default)]
pub struct Heard(BTreeMap<i64, Vec<Value>>);

/// Values that are remembered of each place.
const MOST: usize = 10_000;

/// Values of a place that are given as data.
const MOST_DATA: usize = 20;

impl Heard {
    pub(crate) fn hear(&mut self, place: i64, value: &Value) {
        let values = self.0.entry(place).or_default();
        if values.len() < MOST {
            values.push(value.clone());
        }
    }

    pub(crate) fn add(&mut self, other: Self) {
        for (place, values) in other.0 {
            values.iter().for_each(|value| self.hear(place, value));
        }
    }

    /// Some of the values that came by a place, each once, as far as they have no functions in
    /// them.
    pub fn data(&self, place: i64) -> Vec<Datum> {
        let values = self.0.get(&place).map_or(&[][..], Vec::as_slice);
        // From all over: what comes first is often alike.
        let n_wanted = values.len().min(MOST_DATA);
        let chosen = (0..n_wanted).map(|at| &values[at * values.len() / n_wanted]);
        let mut data: Vec<Datum> = Vec::new();
        for datum in chosen.filter_map(datum_of) {
            if !data.contains(&datum) {
                data.push(datum);
            }
        }
        data
    }

    /// How many values are remembered.
    pub(crate) fn n_values(&self) -> usize {
        self.0.values().map(Vec::len).sum()
    }

    /// How far the numbers that came by two places at a time were from each other at least.
    pub(crate) fn distance(&self, a: i64, b: i64) -> Option<f64> {
        let (a, b) = (self.0.get(&a)?, self.0.get(&b)?);
        let number = |value: &Value| {
            let int = value.as_int().map(|it| it as f64);
            int.or_else(|| value.as_float()).or_else(|| value.as_big()?.to_f64())
        };
        let distances =
            a.iter().zip(b).filter_map(|(a, b)| Some((number(a)? - number(b)?).abs()));
        distances.filter(|it| !it.is_nan()).min_by(f64::total_cmp)
    }

    /// The places where something else came by than in another run, in order.
    pub fn differences(&self, other: &Self) -> Vec<i64> {
        let is_same = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        };
        let mut places: Vec<i64> = self.0.keys().chain(other.0.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        let at = |it: &Self, place: i64| it.0.get(&place).cloned().unwrap_or_default();
        places.retain(|place| !is_same(&at(self, *place), &at(other, *place)));
        places
    }
}
