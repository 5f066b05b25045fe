//! Samples: draws inputs of a claim as its cases would have them.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay_core::{ClaimId, Program};
use gainsay_gen::{ConditionWay, FilterReason, LoweredProgram};
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::{EngineKind, Value, run_on_big_stack};

use crate::claim_runner::{ClaimEngines, ClaimRunner, SampledSite};
use crate::report::NarrowedPredicate;
use crate::settings::Settings;

/// What to sample.
pub struct SampleJob<'a> {
    /// The lowered program.
    pub lowered: &'a LoweredProgram,
    /// The claim whose only `across` has the sampled input as its first one.
    pub claim: ClaimId,
    /// Whether the inputs are the unknowns of a query: solutions of the condition.
    pub is_query: bool,
    /// How many values to draw; sizes grow from the first to the last.
    pub n_wanted: u64,
    /// The maximum number of steps per value, if not the usual one.
    pub steps: Option<u64>,
    /// The seed of the run.
    pub seed: u64,
    /// The engine to run generators with.
    pub engine: EngineKind,
    /// Stops the run soon after it is set.
    pub interrupt: Arc<AtomicBool>,
}

/// A sampled value.
pub struct SampledValue<'a> {
    /// The program it is a value of.
    pub program: &'a Program,
    /// The value.
    pub value: &'a Value,
    /// The value as source text.
    pub text: String,
    /// All inputs of the case in their order; the value is the first.
    pub inputs: Vec<SampledInput<'a>>,
}

/// An input of a sampled case.
pub struct SampledInput<'a> {
    /// Its name.
    pub name: &'a str,
    /// The value.
    pub value: &'a Value,
    /// The value as source text.
    pub text: String,
}

/// The result of sampling.
#[derive(Debug, Clone)]
pub struct SampleReport {
    /// Number of values drawn.
    pub n_drawn: u64,
    /// How often a generator gave up instead.
    pub n_given_up: u64,
    /// Where generators gave up, and how often.
    pub places: Vec<(Span, u64)>,
    /// Filters that rejected values, and how many.
    pub filtered: Vec<SampleFilter>,
    /// The condition on the inputs, and how inputs were found that satisfy it.
    pub condition: Option<(Span, ConditionWay)>,
    /// Predicates whose values a solver found.
    pub narrowed: Vec<NarrowedPredicate>,
    /// Why sampling stopped.
    pub end: SampleEnd,
}

/// A filter that rejected values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampleFilter {
    /// Its span.
    pub span: Span,
    /// Whether it is a refinement that could not be solved; otherwise it rejects equal elements of
    /// a set or map.
    pub is_refinement: bool,
    /// Number of rejected values.
    pub n_rejected: u64,
}

/// Why sampling stopped.
#[derive(Debug, Clone)]
pub enum SampleEnd {
    /// It has the requested number of values.
    Enough,
    /// Generators gave up too often.
    GaveUp,
    /// The query was proved to have no solution.
    Unsatisfiable,
    /// Values took more choices than a case may have.
    TooManyChoices,
    /// A generator failed, or hit a limit.
    Fault(SampleFault),
    /// There is no generator.
    NoGenerator(Diagnostic),
    /// The visitor stopped it, or the user interrupted it.
    StoppedByVisitor,
}

/// A fault in place of a value.
#[derive(Debug, Clone)]
pub struct SampleFault {
    /// The fault.
    pub diagnostic: Diagnostic,
    /// Whether it is a limit.
    pub is_limit: bool,
}

/// Draws values, and passes each to the visitor.
pub fn sample(
    job: &SampleJob<'_>,
    visit: &mut (dyn FnMut(&SampledValue<'_>) -> ControlFlow<()> + Send),
) -> SampleReport {
    let still = || Duration::ZERO;
    let engines =
        ClaimEngines::new(job.lowered, job.engine, Arc::clone(&job.interrupt), &still, 1);
    run_on_big_stack(|| {
        let settings =
            Settings { cases: Some(job.n_wanted), steps: job.steps, ..Settings::new(job.seed) };
        let mut report = SampleReport {
            n_drawn: 0,
            n_given_up: 0,
            places: Vec::new(),
            filtered: Vec::new(),
            condition: None,
            narrowed: Vec::new(),
            end: SampleEnd::Enough,
        };
        let mut places = BTreeMap::new();
        let mut attacker = ClaimRunner::new(&engines, None);
        let site = attacker.sampled_site(job.claim);
        report.condition = site.and_then(|it| job.lowered.site(it).condition);
        let what = SampledSite { claim: job.claim, site, is_query: job.is_query };
        report.end = attacker.sample(what, &settings, &mut |drawn| match drawn {
            Ok(sampled) => {
                report.n_drawn += 1;
                visit(&sampled)
            }
            Err(place) => {
                report.n_given_up += 1;
                *places.entry(place).or_insert(0_u64) += 1;
                ControlFlow::Continue(())
            }
        });
        let places = places.into_iter();
        report.places = places.filter_map(|(place, n)| Some((place?, n))).collect();
        report.places.sort_by_key(|(place, n)| (std::cmp::Reverse(*n), *place));
        let filters = attacker.rejected().into_iter().map(|(filter, n_rejected)| {
            let filter = &job.lowered.filters[filter as usize];
            let is_refinement = matches!(filter.why, FilterReason::Refinement(_));
            SampleFilter { span: filter.span, is_refinement, n_rejected }
        });
        report.filtered = filters.collect();
        let narrowed = attacker.narrowings().into_iter().map(|(query, counts)| {
            NarrowedPredicate { span: job.lowered.queries[query as usize].span, counts }
        });
        report.narrowed = narrowed.collect();
        report
    })
}
