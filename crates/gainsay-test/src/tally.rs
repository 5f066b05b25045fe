//! Counts over the cases of a site. Tallies of separate chunks merge, so that the result does not
//! depend on which thread counted what.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::OpId;
use gainsay_gen::SiteId;
use gainsay_source::Span;

use crate::claim_runner::CaseOutcome;
use crate::host::{CaseAnnotation, CaseAnnotations, NarrowingCounts, UntestedReason};
use crate::report::{ClassCount, CoverReport, CoverVerdict, DiscardCounts, LabelCount};
use crate::systems::SystemCallCounts;

/// The counts.
#[derive(Debug, Clone, Default)]
pub struct CaseTally {
    /// Cases that counted.
    pub cases: u64,
    pub(crate) discarded_by_assumptions: u64,
    pub(crate) discarded_by_generators: u64,
    /// Cases that could not be run.
    pub declined: u64,
    /// Cases that a generator gave up because they would have taken too many choices.
    pub(crate) cut_off: u64,
    /// Cases for whose inputs a solver found no value.
    unsolved: u64,
    /// Cases that hit a limit; they also count as failing.
    pub(crate) limits: u64,
    /// Executions of hill climbing. They are no random sample, so they enter no percentage.
    pub(crate) hill_climbing_runs: u64,
    pub(crate) observed: u64,
    places: BTreeMap<Span, u64>,
    rejected: BTreeMap<u32, u64>,
    accepted: BTreeMap<u32, u64>,
    /// What each query took.
    narrowings: BTreeMap<u32, NarrowingCounts>,
    /// Why walks tested nothing, and how often.
    untested: BTreeMap<UntestedReason, u64>,
    system_calls: BTreeMap<OpId, SystemCallCounts>,
    labels: BTreeMap<String, u64>,
    classes: BTreeMap<String, u64>,
    covers: BTreeMap<(String, i64), u64>,
    /// The sites that drew inputs.
    pub(crate) entered_sites: BTreeSet<SiteId>,
    /// The input digest of each case that counted, up to a limit.
    digests: Vec<u64>,
    /// How often each value of an input came, by binder, as far as values were recorded.
    values: BTreeMap<u32, BTreeMap<u64, u64>>,
    pub(crate) best_score: Option<f64>,
}

/// Number of cases that may be cut off, unless more than that have counted.
pub(crate) const MAX_CUT_OFF: u64 = 10;
/// Maximum number of distinct labels; what `collect` adds beyond is counted together.
const MAX_LABELS: usize = 1000;
/// Maximum number of cases that are compared for duplicates.
const MAX_DIGESTS: usize = 100_000;
/// Maximum number of distinct values counted per input.
const MAX_VALUES: usize = 1000;
const OTHER_LABELS: &str = "(others)";

impl CaseTally {
    /// Adds a case that has ended.
    pub fn add_case(&mut self, end: &CaseOutcome, remarks: &CaseAnnotations) {
        match end {
            CaseOutcome::Passed => self.count_annotations(remarks),
            // Without its annotations: it ended early, and they would distort the distribution.
            CaseOutcome::Failed(_) => self.cases += 1,
            CaseOutcome::AssumptionFailed(place) => self.discard_by_assumption(*place),
            CaseOutcome::GeneratorGaveUp(place) => self.discard_by_generator(*place),
            CaseOutcome::NoSolution(place) => {
                self.discard_by_generator(Some(*place));
                self.unsolved += 1;
            }
            CaseOutcome::TooManyChoices => {
                self.discarded_by_generators += 1;
                self.cut_off += 1;
            }
            CaseOutcome::Declined(_) | CaseOutcome::SiteNotReached => self.declined += 1,
            CaseOutcome::Interrupted => {}
        }
    }

    /// Adds a case that counts, with its annotations.
    fn count_annotations(&mut self, remarks: &CaseAnnotations) {
        self.cases += 1;
        if self.digests.len() < MAX_DIGESTS {
            self.digests.extend(remarks.digest());
        }
        for (binder, value) in remarks.values() {
            self.count_value(*binder, *value, 1);
        }
        for remark in remarks.list() {
            match remark {
                CaseAnnotation::Collect(label) => self.label(label),
                CaseAnnotation::Classify(name, holds) => {
                    *self.classes.entry(name.clone()).or_default() += u64::from(*holds);
                }
                CaseAnnotation::Cover(percent, name, holds) => {
                    let key = (name.clone(), *percent);
                    *self.covers.entry(key).or_default() += u64::from(*holds);
                }
                CaseAnnotation::Target(_) => {}
            }
        }
        if let Some(score) = remarks.score() {
            self.best_score = Some(self.best_score.map_or(score, |best| best.max(score)));
        }
    }

    fn count_value(&mut self, binder: u32, value: u64, times: u64) {
        let values = self.values.entry(binder).or_default();
        let is_full = values.len() >= MAX_VALUES && !values.contains_key(&value);
        // Beyond the maximum, all new values share bucket 0: memory stays bounded and the total
        // exact.
        *values.entry(if is_full { 0 } else { value }).or_default() += times;
    }

    /// For each input with recorded values: its binder, the count of the most frequent value, and
    /// the total.
    pub(crate) fn most_frequent(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        self.values.iter().map(|(binder, values)| {
            (*binder, values.values().copied().max().unwrap_or(0), values.values().sum())
        })
    }

    fn label(&mut self, label: &str) {
        if let Some(count) = self.labels.get_mut(label) {
            *count += 1;
        } else if self.labels.len() < MAX_LABELS {
            self.labels.insert(label.to_owned(), 1);
        } else {
            *self.labels.entry(OTHER_LABELS.to_owned()).or_default() += 1;
        }
    }

    /// Adds a case that an assumption of the claim discarded.
    fn discard_by_assumption(&mut self, place: Span) {
        self.discarded_by_assumptions += 1;
        *self.places.entry(place).or_default() += 1;
    }

    /// Adds a case that a generator discarded.
    fn discard_by_generator(&mut self, place: Option<Span>) {
        self.discarded_by_generators += 1;
        if let Some(place) = place {
            *self.places.entry(place).or_default() += 1;
        }
    }

    /// Adds the values that filters rejected.
    pub(crate) fn add_rejected(&mut self, rejected: &BTreeMap<u32, u64>) {
        for (filter, count) in rejected {
            *self.rejected.entry(*filter).or_default() += count;
        }
    }

    /// Adds the values that filters accepted.
    pub(crate) fn add_accepted(&mut self, accepted: &BTreeMap<u32, u64>) {
        for (filter, count) in accepted {
            *self.accepted.entry(*filter).or_default() += count;
        }
    }

    /// Adds what queries took.
    pub(crate) fn add_narrowings(&mut self, counts: BTreeMap<u32, NarrowingCounts>) {
        for (query, counts) in counts {
            self.narrowings.entry(query).or_default().add(counts);
        }
    }

    /// Adds the reasons why walks tested nothing.
    /// Adds the answers of systems.
    pub(crate) fn add_system_calls(&mut self, calls: &BTreeMap<OpId, SystemCallCounts>) {
        for (op, counts) in calls {
            let all = self.system_calls.entry(*op).or_default();
            all.answered += counts.answered;
            all.succeeded += counts.succeeded;
        }
    }

    /// How often each operation of a system was answered.
    pub(crate) fn system_calls(&self) -> &BTreeMap<OpId, SystemCallCounts> {
        &self.system_calls
    }

    pub(crate) fn add_untested(&mut self, counts: BTreeMap<UntestedReason, u64>) {
        merge_counts(&mut self.untested, counts);
    }

    /// Why walks tested nothing, and how often.
    pub(crate) fn untested(&self) -> impl Iterator<Item = (UntestedReason, u64)> {
        self.untested.iter().map(|(reason, count)| (reason.clone(), *count))
    }

    /// How often `collect` counted a label.
    pub(crate) fn count_of(&self, label: &str) -> u64 {
        self.labels.get(label).copied().unwrap_or(0)
    }

    /// What each query took.
    pub(crate) fn narrowings(&self) -> impl Iterator<Item = (u32, NarrowingCounts)> {
        self.narrowings.iter().map(|(query, counts)| (*query, *counts))
    }

    /// Adds sites that drew inputs.
    pub(crate) fn add_entered_sites(&mut self, sites: impl Iterator<Item = SiteId>) {
        self.entered_sites.extend(sites);
    }

    /// Adds all counts of another tally.
    pub(crate) fn merge(&mut self, other: Self) {
        self.cases += other.cases;
        self.discarded_by_assumptions += other.discarded_by_assumptions;
        self.discarded_by_generators += other.discarded_by_generators;
        self.declined += other.declined;
        self.cut_off += other.cut_off;
        self.unsolved += other.unsolved;
        self.limits += other.limits;
        self.hill_climbing_runs += other.hill_climbing_runs;
        self.observed += other.observed;
        self.entered_sites.extend(other.entered_sites);
        merge_counts(&mut self.places, other.places);
        merge_counts(&mut self.rejected, other.rejected);
        merge_counts(&mut self.accepted, other.accepted);
        self.add_narrowings(other.narrowings);
        self.add_untested(other.untested);
        self.add_system_calls(&other.system_calls);
        merge_counts(&mut self.labels, other.labels);
        merge_counts(&mut self.classes, other.classes);
        merge_counts(&mut self.covers, other.covers);
        for (binder, values) in other.values {
            values.into_iter().for_each(|(value, n)| self.count_value(binder, value, n));
        }
        // The first ones, as one thread would have kept them.
        let n_missing = MAX_DIGESTS.saturating_sub(self.digests.len());
        self.digests.extend(other.digests.into_iter().take(n_missing));
        self.best_score = better_score(self.best_score, other.best_score);
    }

    /// The number of cases that were run.
    pub fn n_run(&self) -> u64 {
        self.cases + self.discarded() + self.declined
    }

    /// The number of cases that were compared for duplicates.
    pub(crate) fn compared(&self) -> u64 {
        self.digests.len() as u64
    }

    /// The number of compared cases with the inputs of an earlier one.
    pub(crate) fn duplicates(&self) -> u64 {
        let mut digests = self.digests.clone();
        digests.sort_unstable();
        digests.dedup();
        (self.digests.len() - digests.len()) as u64
    }

    /// Whether most cases repeat earlier ones, so that more of them add little.
    pub(crate) fn has_mostly_duplicates(&self) -> bool {
        self.duplicates() * 5 > self.compared() * 4
    }

    /// Whether so many cases were cut off that no more should be tried: each takes as long as
    /// thousands of others.
    pub fn is_mostly_cut_off(&self) -> bool {
        // A search that ends without a value has used up its budget, or has tried everything.
        let n = self.cut_off + self.unsolved;
        n >= MAX_CUT_OFF && n > self.cases
    }

    /// The number of discarded cases.
    pub fn discarded(&self) -> u64 {
        self.discarded_by_assumptions + self.discarded_by_generators
    }

    /// The filters that rejected values: how many, and how many they accepted.
    pub(crate) fn filters(&self) -> impl Iterator<Item = (u32, u64, u64)> {
        self.rejected.iter().map(|(filter, rejected)| {
            let accepted = self.accepted.get(filter).copied().unwrap_or(0);
            (*filter, *rejected, accepted)
        })
    }

    pub(crate) fn discards(&self) -> DiscardCounts {
        let mut places: Vec<(Span, u64)> =
            self.places.iter().map(|(at, count)| (*at, *count)).collect();
        places.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        DiscardCounts {
            assumptions: self.discarded_by_assumptions,
            generators: self.discarded_by_generators,
            cut_off: self.cut_off,
            filtered: self.rejected.values().sum(),
            places,
        }
    }

    /// The labels of `collect`, the most frequent first.
    pub(crate) fn labels(&self) -> Vec<LabelCount> {
        let labels = self.labels.iter();
        let mut labels: Vec<LabelCount> = labels
            .map(|(text, cases)| LabelCount { text: text.clone(), cases: *cases })
            .collect();
        labels.sort_by(|a, b| b.cases.cmp(&a.cases).then_with(|| a.text.cmp(&b.text)));
        labels
    }

    pub(crate) fn classes(&self) -> Vec<ClassCount> {
        let classes = self.classes.iter();
        classes.map(|(name, cases)| ClassCount { name: name.clone(), cases: *cases }).collect()
    }

    /// The requirements of `cover`, and how often each held.
    pub fn covers(&self) -> Vec<CoverReport> {
        let covers = self.covers.iter();
        covers.map(|((name, percent), held)| cover(name, *percent, *held, self.cases)).collect()
    }
}

/// The larger of two scores, if there are any.
pub(crate) fn better_score(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn merge_counts<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (key, count) in from {
        *into.entry(key).or_default() += count;
    }
}

/// The z-score of the 99.9 % confidence level: half the width of the interval, in standard
/// deviations.
const Z_SCORE: f64 = 3.290_526_731_491_9;

/// The confidence interval of the true percentage of cases: the score interval (Wilson, "Probable
/// inference, the law of succession, and statistical inference", 1927).
pub(crate) fn wilson_interval(held: u64, cases: u64) -> (f64, f64) {
    if cases == 0 {
        return (0.0, 100.0);
    }
    let (n, share) = (cases as f64, held as f64 / cases as f64);
    let z2 = Z_SCORE * Z_SCORE;
    let middle = share + z2 / (2.0 * n);
    let width = Z_SCORE * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 100.0 / (1.0 + z2 / n);
    (((middle - width) * scale).max(0.0), ((middle + width) * scale).min(100.0))
}

fn cover(name: &str, percent: i64, held: u64, cases: u64) -> CoverReport {
    let interval = wilson_interval(held, cases);
    let wanted = percent as f64;
    let share = if cases == 0 { 0.0 } else { held as f64 * 100.0 / cases as f64 };
    // `Fails` needs confidence, but a class that never came up fails even after few cases.
    let verdict = if interval.1 < wanted || (held == 0 && cases > 0 && percent > 0) {
        CoverVerdict::Fails
    } else if share >= wanted {
        CoverVerdict::Holds
    } else {
        CoverVerdict::Unclear
    };
    CoverReport { name: name.to_owned(), percent, cases: held, interval, verdict }
}

#[cfg(test)]
mod tests {
    use super::{CaseTally, cover, wilson_interval};
    use crate::claim_runner::CaseOutcome;
    use crate::host::CaseAnnotations;
    use crate::report::CoverVerdict;

    fn tally(cases: &[&[u64]]) -> CaseTally {
        let mut tally = CaseTally::default();
        for case in cases {
            let mut remarks = CaseAnnotations::default();
            remarks.begin();
            case.iter().for_each(|drawn| remarks.record_draw(*drawn));
            tally.add_case(&CaseOutcome::Passed, &remarks);
        }
        tally
    }

    #[test]
    fn the_same_cases_are_counted_whoever_ran_them() {
        let mut all = tally(&[&[1, 2], &[2, 1], &[], &[1, 2]]);
        assert_eq!(all.duplicates(), 1);
        all.merge(tally(&[&[2, 1], &[0], &[0, 0]]));
        assert_eq!((all.cases, all.duplicates()), (7, 2));
    }

    #[test]
    fn an_interval_holds_the_share_and_narrows() {
        let (lo, hi) = wilson_interval(50, 100);
        assert!(lo > 33.0 && lo < 50.0 && hi > 50.0 && hi < 67.0);
        let (lo, hi) = wilson_interval(5000, 10_000);
        assert!(lo > 48.0 && hi < 52.0);
        assert_eq!(wilson_interval(0, 0), (0.0, 100.0));
        assert!(wilson_interval(0, 100).0 < 1e-9 && wilson_interval(100, 100).1 > 100.0 - 1e-9);
    }

    #[test]
    fn a_demand_is_met_missed_or_unclear() {
        assert_eq!(cover("a", 10, 12, 100).verdict, CoverVerdict::Holds);
        assert_eq!(cover("a", 10, 8, 100).verdict, CoverVerdict::Unclear);
        assert_eq!(cover("a", 50, 8, 100).verdict, CoverVerdict::Fails);
        assert_eq!(cover("a", 1, 0, 100).verdict, CoverVerdict::Fails);
    }
}
