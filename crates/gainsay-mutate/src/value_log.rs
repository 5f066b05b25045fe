//! A log of the values of traced terms, by trace place. It compares runs with and without a mutant,
//! measures branch distances, and supplies inputs that claims use.

use std::collections::BTreeMap;

use gainsay_core::Datum;
use gainsay_test::{ValueTracer, value_to_datum};
use gainsay_vm::{Value, same};
use num_traits::ToPrimitive as _;

/// The values seen at each place, in order: all of them, or an even sample.
#[derive(Debug, Clone, Default)]
pub(crate) struct ValueLog {
    places: BTreeMap<i64, LoggedValues>,
    retention: ValueRetention,
}

/// Which values are retained.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
enum ValueRetention {
    #[default]
    All,
    Sample,
}

/// The values seen at one place.
#[derive(Debug, Clone, Default)]
struct LoggedValues {
    values: Vec<Value>,
    n_seen: u64,
    /// The sampling interval is two to this power.
    doublings: u32,
}

/// Values retained per place.
const MAX_VALUES: usize = 10_000;

/// Values per place that are converted to data.
const MAX_DATA: usize = 20;

impl ValueLog {
    /// An empty log that retains a sample of each place, no more than is converted to data.
    pub(crate) fn sampling() -> Self {
        Self { retention: ValueRetention::Sample, ..Self::default() }
    }

    /// Takes the log, leaving an empty one with the same retention.
    pub(crate) fn take(&mut self) -> Self {
        let nothing = Self { places: BTreeMap::new(), retention: self.retention };
        std::mem::replace(self, nothing)
    }

    pub(crate) fn append(&mut self, other: Self) {
        for (number, place) in other.places {
            place.values.iter().for_each(|value| self.record(number, value));
        }
    }

    fn values(&self, place: i64) -> &[Value] {
        self.places.get(&place).map_or(&[], |it| &it.values)
    }

    /// A sample of the distinct values at a place, without those that contain functions.
    pub(crate) fn data(&self, place: i64) -> Vec<Datum> {
        let values = self.values(place);
        // Spread over the whole log: the first values are often alike.
        let n_wanted = values.len().min(MAX_DATA);
        let chosen = (0..n_wanted).map(|at| &values[at * values.len() / n_wanted]);
        let mut data: Vec<Datum> = Vec::new();
        for datum in chosen.filter_map(value_to_datum) {
            if !data.contains(&datum) {
                data.push(datum);
            }
        }
        data
    }

    /// The number of retained values.
    pub(crate) fn n_values(&self) -> usize {
        self.places.values().map(|it| it.values.len()).sum()
    }

    /// The smallest distance between the numbers logged pairwise at two places: the branch
    /// distance.
    pub(crate) fn min_distance(&self, a: i64, b: i64) -> Option<f64> {
        let (a, b) = (self.values(a), self.values(b));
        let number = |value: &Value| {
            let int = value.as_int().map(|it| it as f64);
            let char = || {
                if let Value::Char(char) = value {
                    Some(f64::from(u32::from(*char)))
                } else {
                    None
                }
            };
            int.or_else(|| value.as_float()).or_else(|| value.as_big()?.to_f64()).or_else(char)
        };
        let distances =
            // Both sides are logged at each evaluation, so equal positions belong together.
            a.iter().zip(b).filter_map(|(a, b)| Some((number(a)? - number(b)?).abs()));
        distances.filter(|it| !it.is_nan()).min_by(f64::total_cmp)
    }

    /// The places at which two runs logged different values, in order.
    pub(crate) fn differing_places(&self, other: &Self) -> Vec<i64> {
        let is_same = |a: &[Value], b: &[Value]| {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        };
        let mut places: Vec<i64> =
            self.places.keys().chain(other.places.keys()).copied().collect();
        places.sort_unstable();
        places.dedup();
        places.retain(|place| !is_same(self.values(*place), other.values(*place)));
        places
    }
}

impl ValueTracer for ValueLog {
    fn skips_next(&mut self, place: i64) -> bool {
        if self.retention == ValueRetention::All {
            return false;
        }
        let place = self.places.entry(place).or_default();
        let number = place.n_seen;
        place.n_seen += 1;
        // A fixed interval, not a random choice, so that the sample is reproducible.
        !number.is_multiple_of(1 << place.doublings)
    }

    fn record(&mut self, place: i64, value: &Value) {
        let place = self.places.entry(place).or_default();
        // Values beyond the limit are dropped on both sides of a comparison alike.
        if place.values.len() < MAX_VALUES {
            place.values.push(value.clone());
        }
        if self.retention == ValueRetention::Sample && place.values.len() >= 2 * MAX_DATA {
            place.drop_every_other();
        }
    }
}

impl LoggedValues {
    /// Drops every other value and doubles the sampling interval, so the sample stays even.
    fn drop_every_other(&mut self) {
        let mut is_kept = false;
        self.values.retain(|_| {
            is_kept = !is_kept;
            is_kept
        });
        // Capped so that the shift in `skips_next` cannot overflow.
        self.doublings = (self.doublings + 1).min(32);
    }
}
