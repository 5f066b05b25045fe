//! Draws sample inputs of a claim, without judging its cases.

use gainsay_core::ClaimId;
use gainsay_gen::{NoGenerator, SiteId};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use gainsay_choice::RunStopReason;
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::FaultKind;

use super::ClaimRunner;
use super::random_cases::{SitePlan, max_discards};
use crate::findings::UngeneratedInput;
use crate::host::NarrowingCounts;
use crate::sample::{SampleEnd, SampleFault, SampledInput, SampledValue};
use crate::settings::Settings;
use crate::tally::MAX_CUT_OFF;

/// A sampled value, or where a generator gave up.
type SampleResult<'a> = Result<SampledValue<'a>, Option<Span>>;

/// Searches in vain, each with its whole budget, after which a query without a solution is given up.
const MAX_HOPELESS: u64 = 8;

/// Whose inputs are drawn.
#[derive(Debug, Copy, Clone)]
pub(crate) struct SampledSite {
    pub(crate) claim: ClaimId,
    pub(crate) site: Option<SiteId>,
    /// Whether its condition is a query, of which the first proof that it has no solution is
    /// enough.
    pub(crate) is_query: bool,
}

impl ClaimRunner<'_> {
    /// The first `across` that a run of a claim passes.
    pub(crate) fn sampled_site(&mut self, claim: ClaimId) -> Option<SiteId> {
        let lowered = self.engines.lowered;
        // The first site that a run passes may not be the first in the source.
        if let Some(entry) = lowered.entries[claim.index()] {
            self.search_outside_sites(entry);
        }
        let mut sites = lowered.numbered_sites();
        let first = self.search.host.passed_sites.first().copied();
        first.or_else(|| sites.find(|it| it.1.claims.contains(&claim)).map(|it| it.0))
    }

    /// Repeatedly draws the inputs of an `across`.
    pub(crate) fn sample(
        &mut self,
        SampledSite { claim, site, is_query }: SampledSite,
        settings: &Settings,
        visit: &mut dyn FnMut(SampleResult<'_>) -> ControlFlow<()>,
    ) -> SampleEnd {
        let lowered = self.engines.lowered;
        let Some(site) = site else { return SampleEnd::GaveUp };
        if let Some(why) = &lowered.site(site).no_generator {
            if is_query && matches!(why, NoGenerator::NoValue(_)) {
                return SampleEnd::Unsatisfiable;
            }
            let finding =
                UngeneratedInput::new(self.engines.program(), lowered.site(site), why);
            let finding = Diagnostic::from(finding)
                .with_primary_label("cannot generate values for this input");
            return SampleEnd::NoGenerator(finding);
        }
        // Samples show typical values, so edge cases are left out.
        let plan =
            SitePlan { edges: Arc::default(), ..self.site_plan(claim, 0, site, settings) };
        // The stopping rules of a site do not apply: only inputs count, no case is judged or
        // tallied.
        let max_given_up = max_discards(plan.min_cases);
        let (mut n_drawn, mut n_given_up, mut n_cut_off) = (0, 0, 0);
        let mut n_hopeless = 0;
        for number in 0.. {
            if n_drawn >= plan.min_cases {
                return SampleEnd::Enough;
            }
            if self.engines.is_interrupted() {
                break;
            }
            self.record.host.record(plan.case_start(number));
            let went_on = match self.rerun_for_fault(&plan) {
                Ok(()) => {
                    n_drawn += 1;
                    self.sampled_value(site).map(|sampled| visit(Ok(sampled)))
                }
                Err(fault) if fault.kind == FaultKind::Discarded => {
                    n_given_up += 1;
                    if is_query && n_drawn == 0 && self.is_proved_unsatisfiable() {
                        return SampleEnd::Unsatisfiable;
                    }
                    // Not yet a proof: a search may also end because its budget is spent.
                    n_hopeless += u64::from(is_query && self.record.host.found_no_solution);
                    let is_hopeless = n_drawn == 0 && n_hopeless >= MAX_HOPELESS;
                    if n_given_up > max_given_up || is_hopeless {
                        return SampleEnd::GaveUp;
                    }
                    n_cut_off += u64::from(
                        self.record.host.source.stop_reason() == Some(RunStopReason::Overrun),
                    );
                    let went_on = visit(Err(self.record.host.given_up));
                    if n_cut_off >= MAX_CUT_OFF && n_cut_off > n_drawn {
                        return SampleEnd::TooManyChoices;
                    }
                    Some(went_on)
                }
                Err(fault) if fault.kind == FaultKind::Interrupted => break,
                Err(fault) => {
                    let diagnostic = fault.to_diagnostic(self.engines.program());
                    let is_limit = is_limit(&fault.kind);
                    // A fault in a generator is a defect to report, not a value to leave out.
                    return SampleEnd::Fault(SampleFault { diagnostic, is_limit });
                }
            };
            if went_on != Some(ControlFlow::Continue(())) {
                break;
            }
        }
        SampleEnd::StoppedByVisitor
    }

    /// Whether a solver proved that there are no inputs: nothing that it searched with was drawn
    /// before.
    fn is_proved_unsatisfiable(&self) -> bool {
        self.record.host.narrowings.values().any(|it| it.n_unsatisfiable > 0)
    }

    /// The inputs of the last recorded case.
    fn sampled_value(&self, site: SiteId) -> Option<SampledValue<'_>> {
        let binders = self.engines.lowered.site(site).binders.iter();
        let inputs = binders.filter_map(|binder| {
            let value = self.record.host.inputs.first(binder.id)?;
            Some(SampledInput { name: &binder.name, value, text: self.text(value) })
        });
        let inputs: Vec<SampledInput<'_>> = inputs.collect();
        let first = inputs.first()?;
        let (value, text) = (first.value, first.text.clone());
        Some(SampledValue { program: self.engines.program(), value, text, inputs })
    }

    /// What the searches of solvers took while cases were recorded, by query.
    pub(crate) fn narrowings(&mut self) -> BTreeMap<u32, NarrowingCounts> {
        std::mem::take(&mut self.record.host.narrowings)
    }

    /// How many values each filter rejected while cases were recorded.
    pub(crate) fn rejected(&mut self) -> BTreeMap<u32, u64> {
        std::mem::take(&mut self.record.host.rejected)
    }
}

/// Whether a fault only says that the program needs more than it may use or the engine supports.
pub(super) fn is_limit(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::StepLimit
            | FaultKind::DepthLimit
            | FaultKind::MemoryLimit
            | FaultKind::Unsupported(_)
    )
}
