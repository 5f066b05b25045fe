//! Draws sample inputs of a claim, without judging its cases.

use gainsay_core::ClaimId;
use gainsay_gen::SiteId;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use gainsay_choice::RunStopReason;
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::FaultKind;

use super::ClaimRunner;
use super::random_cases::{SitePlan, max_discards};
use crate::findings::UngeneratedInput;
use crate::sample::{SampleEnd, SampleFault, SampledValue};
use crate::settings::Settings;
use crate::tally::MAX_CUT_OFF;

/// A sampled value, or where a generator gave up.
type SampleResult<'a> = Result<SampledValue<'a>, Option<Span>>;

impl ClaimRunner<'_> {
    /// Repeatedly draws the first input of the first `across` of a claim.
    pub(crate) fn sample(
        &mut self,
        claim: ClaimId,
        settings: &Settings,
        visit: &mut dyn FnMut(SampleResult<'_>) -> ControlFlow<()>,
    ) -> SampleEnd {
        let lowered = self.engines.lowered;
        // The first site that a run passes may not be the first in the source.
        if let Some(entry) = lowered.entries[claim.index()] {
            self.search_outside_sites(entry);
        }
        let mut sites = lowered.numbered_sites();
        let first = self.search.host.passed_sites.first().copied();
        let first_in_source = || sites.find(|it| it.1.claims.contains(&claim)).map(|it| it.0);
        let Some(site) = first.or_else(first_in_source) else {
            return SampleEnd::GaveUp;
        };
        if let Some(why) = &lowered.site(site).no_generator {
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
                    self.first_input(site).map(|sampled| visit(Ok(sampled)))
                }
                Err(fault) if fault.kind == FaultKind::Discarded => {
                    n_given_up += 1;
                    if n_given_up > max_given_up {
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
                    return SampleEnd::Fault(SampleFault { diagnostic, is_limit });
                }
            };
            if went_on != Some(ControlFlow::Continue(())) {
                break;
            }
        }
        SampleEnd::StoppedByVisitor
    }

    /// The first input of the last recorded case.
    fn first_input(&self, site: SiteId) -> Option<SampledValue<'_>> {
        let binder = self.engines.lowered.site(site).binders.first()?;
        let value = self.record.host.inputs.first(binder.id)?;
        Some(SampledValue { program: self.engines.program(), value, text: self.text(value) })
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
