//! Cases of which only the inputs are wanted.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use gainsay_choice::Stop;
use gainsay_source::{Diagnostic, Span};
use gainsay_vm::FaultKind;

use super::Attacker;
use super::cases::{SitePlan, max_discards};
use crate::findings::Ungenerated;
use crate::sample::{Fault, SampleEnd, Sampled};
use crate::settings::Settings;
use crate::tally::MAX_CUT_OFF;

/// A value, or where a generator gave up.
type Drawn<'a> = Result<Sampled<'a>, Option<Span>>;

impl Attacker<'_> {
    /// Draws the first input of the first `across` of a claim, again and again.
    pub(crate) fn sample(
        &mut self,
        claim: usize,
        settings: &Settings,
        visit: &mut dyn FnMut(Drawn<'_>) -> ControlFlow<()>,
    ) -> SampleEnd {
        let lowered = self.engines.lowered;
        // The first that is come by may not be the first in the source.
        if let Some(entry) = lowered.entries[claim] {
            self.search_once(entry);
        }
        let is_its = |it: &gainsay_gen::Site| it.claims.contains(&claim);
        let first = self.search.host.passed.first().map(|it| *it as usize);
        let Some(site) = first.or_else(|| lowered.sites.iter().position(is_its)) else {
            return SampleEnd::GaveUp;
        };
        if let Some(why) = &lowered.sites[site].no_generator {
            let finding = Ungenerated::new(self.engines.program(), &lowered.sites[site], why);
            let finding = Diagnostic::from(finding).with_phrase("nothing can be drawn of it");
            return SampleEnd::NoGenerator(finding);
        }
        // Whoever wants samples wants them as they usually are.
        let plan = SitePlan { edges: Arc::default(), ..self.plan(claim, 0, site, settings) };
        let max_given_up = max_discards(plan.wanted);
        let (mut n_drawn, mut n_given_up, mut n_cut_off) = (0, 0, 0);
        for number in 0.. {
            if n_drawn >= plan.wanted {
                return SampleEnd::Enough;
            }
            if self.engines.is_interrupted() {
                break;
            }
            self.record.host.record(plan.case(number));
            let went_on = match self.call(&plan) {
                Ok(()) => {
                    n_drawn += 1;
                    self.first_input(site).map(|sampled| visit(Ok(sampled)))
                }
                Err(fault) if fault.kind == FaultKind::Discarded => {
                    n_given_up += 1;
                    if n_given_up > max_given_up {
                        return SampleEnd::GaveUp;
                    }
                    n_cut_off +=
                        u64::from(self.record.host.source.stop() == Some(Stop::Overrun));
                    let went_on = visit(Err(self.record.host.given_up));
                    if n_cut_off >= MAX_CUT_OFF && n_cut_off > n_drawn {
                        return SampleEnd::CutOff;
                    }
                    Some(went_on)
                }
                Err(fault) if fault.kind == FaultKind::Interrupted => break,
                Err(fault) => {
                    let diagnostic = fault.to_diagnostic(self.engines.program());
                    let is_limit = is_limit(&fault.kind);
                    return SampleEnd::Fault(Fault { diagnostic, is_limit });
                }
            };
            if went_on != Some(ControlFlow::Continue(())) {
                break;
            }
        }
        SampleEnd::Stopped
    }

    /// The first input of the last case that was recorded.
    fn first_input(&self, site: usize) -> Option<Sampled<'_>> {
        let binder = self.engines.lowered.sites[site].binders.first()?;
        let value = self.record.host.inputs.first(binder.id)?;
        Some(Sampled { program: self.engines.program(), value, text: self.text(value) })
    }

    /// How many values each filter threw away while cases were recorded.
    pub(crate) fn rejected(&mut self) -> BTreeMap<u32, u64> {
        std::mem::take(&mut self.record.host.rejected)
    }
}

/// Whether a fault says nothing about the program but that it takes too much.
pub(super) fn is_limit(kind: &FaultKind) -> bool {
    matches!(
        kind,
        FaultKind::StepLimit
            | FaultKind::DepthLimit
            | FaultKind::MemoryLimit
            | FaultKind::Unsupported(_)
    )
}
