//! Measures cases per second of processor time.
//!
//! The machine is never quite idle, so contenders take turns: each has its share of every round,
//! and ratios are taken within rounds.

use crate::cpu_time;

/// The number of turns of each contender.
const N_ROUNDS: u64 = 11;

/// The minimum duration of a turn, in seconds.
const TURN: f64 = 0.07;

/// The duration of a batch, which runs without reading the clock, in seconds: long enough to make
/// the reading negligible.
const BATCH: f64 = 0.002;

/// Runs this many cases from a seed; returns an error if one does not hold.
pub(in crate::bench) type BenchBatch = Box<dyn FnMut(u64, u32) -> Result<(), String>>;

/// A contender.
pub(in crate::bench) struct Contender {
    /// Its name.
    pub(in crate::bench) name: &'static str,
    batch: BenchBatch,
    n_cases: u32,
    rates: Vec<f64>,
}

impl Contender {
    /// Calibrates the number of cases per batch, which also warms it up.
    pub(in crate::bench) fn new(name: &'static str, batch: BenchBatch) -> Result<Self, String> {
        Self::with_batches_of(BATCH, name, batch)
    }

    /// The same for contenders with setup costs per batch: a batch takes this many seconds, so that
    /// setup counts as much as in a run of that length.
    pub(in crate::bench) fn with_batches_of(
        seconds: f64,
        name: &'static str,
        mut batch: BenchBatch,
    ) -> Result<Self, String> {
        let mut n_cases = 16;
        loop {
            let start = cpu_time::used();
            batch(0, n_cases)?;
            // The bound ends calibration for cases that are too cheap to measure.
            if (cpu_time::used() - start).as_secs_f64() >= seconds || n_cases >= 1 << 24 {
                return Ok(Self { name, batch, n_cases, rates: Vec::new() });
            }
            n_cases *= 2;
        }
    }

    fn take_turn(&mut self, round: u64) -> Result<(), String> {
        let start = cpu_time::used();
        for at in 1_u32.. {
            // A new seed for every batch, so that no contender profits from repeated inputs.
            (self.batch)(round << 32 | u64::from(at), self.n_cases)?;
            let seconds = (cpu_time::used() - start).as_secs_f64();
            if seconds >= TURN {
                self.rates.push(f64::from(at) * f64::from(self.n_cases) / seconds);
                break;
            }
        }
        Ok(())
    }

    /// Cases per second.
    pub(in crate::bench) fn rate(&self) -> Measurements {
        Measurements::of(self.rates.clone())
    }

    /// The ratio of its cases to those of another, in the same rounds.
    pub(in crate::bench) fn ratio(&self, other: &Self) -> Measurements {
        Measurements::of(
            self.rates.iter().zip(&other.rates).map(|(own, its)| own / its).collect(),
        )
    }
}

/// Lets all contenders take their turns.
pub(in crate::bench) fn run_rounds(contenders: &mut [Contender]) -> Result<(), String> {
    for round in 0..N_ROUNDS {
        for contender in &mut *contenders {
            let name = contender.name;
            contender.take_turn(round).map_err(|it| format!("{name}: {it}"))?;
        }
    }
    Ok(())
}

/// Repeated measurements; at least one.
pub(in crate::bench) struct Measurements {
    sorted: Vec<f64>,
}

impl Measurements {
    /// From measurements in any order.
    pub(in crate::bench) fn of(mut figures: Vec<f64>) -> Self {
        figures.sort_by(f64::total_cmp);
        Self { sorted: figures }
    }

    /// The quantile for a share.
    pub(in crate::bench) fn quantile(&self, share: f64) -> f64 {
        let at = (self.sorted.len() as f64 * share) as usize;
        self.sorted.get(at).or(self.sorted.last()).copied().unwrap_or(f64::NAN)
    }

    pub(in crate::bench) fn least(&self) -> f64 {
        self.quantile(0.0)
    }

    /// The median.
    pub(in crate::bench) fn median(&self) -> f64 {
        let n_figures = self.sorted.len();
        let [below, above] = [n_figures.saturating_sub(1) / 2, n_figures / 2];
        match (self.sorted.get(below), self.sorted.get(above)) {
            (Some(below), Some(above)) => f64::midpoint(*below, *above),
            _ => f64::NAN,
        }
    }

    pub(in crate::bench) fn greatest(&self) -> f64 {
        self.quantile(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Measurements;

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(Measurements::of(vec![3.0, 1.0]).median(), 2.0);
        assert!(Measurements::of(Vec::new()).median().is_nan());
    }

    #[test]
    fn quantiles_are_figures_that_were_measured() {
        let figures = Measurements::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        let [least, median, greatest] = [figures.least(), figures.median(), figures.greatest()];
        assert_eq!([least, median, greatest], [1.0, 3.0, 5.0]);
        assert_eq!(figures.quantile(0.9), 5.0);
    }
}
