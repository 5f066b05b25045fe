//! Laws as properties: `--explore` generates the givens, `--hostile=fuzz` also the world.

use gainsay_choice::Case;
use gainsay_core::{ClaimId, FunctionId, VerifyBlock};
use gainsay_source::Diagnostic;

use super::case_text;
use crate::claim_runner::{ClaimRunner, FlakyCase, SitePlan, worse_status};
use crate::findings::{
    FailingPart, HostileChanges, HostileStub, VerifyCaseScope, VerifyMismatch,
    VerifyRuntimeError,
};
use crate::report::{
    ClaimReport, ClaimStatus, FailedVerifyCase, Failure, FailureCause, HostileOrigin,
};
use crate::settings::Settings;

/// A way to explore a law: where its cases come from, and the prefix of their ids.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Exploration {
    /// The values of the givens are generated.
    Values,
    /// The world is generated as well.
    Worlds,
}

impl Exploration {
    /// The prefix of failure ids, so that a saved case is replayed in the way it was found.
    pub(super) fn prefix(self) -> &'static str {
        match self {
            Self::Values => EXPLORED_PREFIX,
            Self::Worlds => GENERATED_PREFIX,
        }
    }
}

/// Prefix of the ids of failures that exploration found.
pub(super) const EXPLORED_PREFIX: &str = "explored-";
/// Prefix of the ids of failures that generated worlds found.
pub(super) const GENERATED_PREFIX: &str = "generated-";

impl ClaimRunner<'_> {
    /// The function that explores a law in this way, if there is one.
    pub(super) fn entry_of(
        &self,
        claim: ClaimId,
        exploration: Exploration,
    ) -> Option<FunctionId> {
        let lowered = self.engines.lowered;
        let entries = match exploration {
            Exploration::Values => &lowered.explored_laws,
            Exploration::Worlds => &lowered.generated_world_laws,
        };
        entries.get(claim.index()).copied().flatten()
    }

    /// The plan for exploring a law in this way.
    pub(super) fn law_plan(
        &mut self,
        claim: ClaimId,
        exploration: Exploration,
        settings: &Settings,
    ) -> Option<SitePlan> {
        let entry = self.entry_of(claim, exploration)?;
        self.search_outside_sites(entry);
        let site = self.search.host.passed_sites.first().copied()?;
        let is_drawn = self.engines.lowered.site(site).no_generator.is_none();
        let plan = self.site_plan(claim, 0, site, settings);
        is_drawn.then_some(SitePlan { entry, ..plan })
    }

    /// Explores a law. Its cases count as hostile ones.
    pub(super) fn explore(
        &mut self,
        plan: &SitePlan,
        exploration: Exploration,
        verify: &VerifyBlock,
        settings: &Settings,
        report: &mut ClaimReport,
    ) -> Result<ClaimStatus, FlakyCase> {
        let run = self.run_site(plan);
        let n_failed = run.failing.len() as u64;
        if let Some(verify_report) = &mut report.verify {
            // Saturating, because `failing` counts kinds of failures and not the cases that fail.
            verify_report.hostile.passed += run.tally.cases.saturating_sub(n_failed);
            verify_report.hostile.failed += n_failed;
            verify_report.declined += run.tally.declined;
            verify_report.skipped += run.tally.discarded_by_assumptions;
        }
        report.cases += run.tally.cases;
        // A law has one assertion, which every case that counts has checked.
        report.n_observations += run.tally.cases;
        let n_before = report.failures.len();
        // Saving is off while failures are shrunk: the loop below saves them under their prefixed
        // id.
        let saved_cases = self.saved_cases.take();
        let reported = self.report_failures(plan, &run, settings, report);
        self.saved_cases = saved_cases;
        reported?;
        for at in n_before..report.failures.len() {
            let mut failure = report.failures[at].clone();
            failure.id = format!("{}{}", exploration.prefix(), failure.id);
            let mut labels = self.engines.lowered.labels.clone();
            let word = failure.replay_token.as_deref().unwrap_or_default();
            if let Ok(case) = Case::from_replay_token(word, &mut labels) {
                self.save_failing_case(report, &mut failure, &case);
            }
            report.failures[at] = self.law_failure(verify, failure, exploration);
        }
        let found = ClaimStatus::of_failures(&report.failures[n_before..]);
        Ok(worse_status(self.site_status(&run, report), found))
    }

    /// Turns a failure of the property that a law was lowered to into one of the law.
    pub(super) fn law_failure(
        &self,
        verify: &VerifyBlock,
        failure: Failure,
        exploration: Exploration,
    ) -> Failure {
        let (program, files) = (self.engines.program(), self.engines.files);
        let assertion = &verify.assertions[0];
        let mut in_text = Vec::new();
        let mut answers = Vec::new();
        let mut answered = Vec::new();
        for argument in &failure.arguments {
            let op = op_of(verify, &argument.name, &|op| program.op_name(op));
            // A stub keeps its name: its text would hide the assertion.
            let shown =
                if op.is_some() { argument.name.clone() } else { argument.value.clone() };
            // Operations without a `given` are no parameters of the parts of a block.
            if verify.givens.iter().any(|it| *it.name == *argument.name) {
                in_text.push(shown);
            }
            answered.extend(op.clone().map(|op| {
                let is_given = op != argument.name;
                HostileStub { op, name: is_given.then(|| argument.name.clone()) }
            }));
            answers.extend(op.map(|op| format!("  {op} = {}", argument.value)));
        }
        let side = |function| case_text::with_values(program, files, function, &in_text);
        // A failure that asked no generated stub does not depend on the world.
        let is_fuzz = exploration == Exploration::Worlds && !answers.is_empty();
        let verified = FailedVerifyCase {
            case: format!("{} => {}", side(assertion.lhs), side(assertion.rhs)),
            law: files.map(|files| files.text(assertion.span).to_owned()),
            from_hostile: true,
            origin: vec![if is_fuzz {
                HostileOrigin::Generated
            } else {
                HostileOrigin::Explored
            }],
            others: 0,
            world: is_fuzz.then(|| format!("world found {{\n{}\n}}", answers.join("\n"))),
        };
        let scope = VerifyCaseScope::Hostile;
        let adversity = if is_fuzz {
            HostileChanges { stubbed_operations: answered, ..HostileChanges::default() }
        } else {
            HostileChanges { values: true, ..HostileChanges::default() }
        };
        let is_mismatch = failure.sides.is_some();
        let fault: Diagnostic = if is_mismatch {
            let span = assertion.span;
            VerifyMismatch { span, scope, adversity, is_law: true }.into()
        } else {
            let span = assertion.span;
            let part = FailingPart::Law;
            VerifyRuntimeError { span, part, fault: failure.fault, scope, adversity }.into()
        };
        // A subexpression whose text is its value tells nothing.
        let parts = failure.subexpressions.into_iter();
        let parts =
            parts.filter(|(span, value)| files.is_none_or(|it| it.text(*span) != value));
        let parts = parts.collect();
        let sides = failure.sides.map(|mut it| {
            "=>".clone_into(&mut it.operator);
            it
        });
        Failure {
            fault,
            sides,
            subexpressions: parts,
            cause: if is_mismatch { FailureCause::Mismatch } else { FailureCause::Fault },
            verify_case: Some(verified),
            ..failure
        }
    }
}

/// The operation that an input is the stub of: for a given, the one it stubs; any other input is
/// named after its operation.
fn op_of(
    verify: &VerifyBlock,
    input: &str,
    name: &dyn Fn(gainsay_core::OpId) -> String,
) -> Option<String> {
    let given = verify.givens.iter().find(|it| &*it.name == input);
    match given.map(|it| &it.source) {
        Some(gainsay_core::GivenSource::Stubs(op, _)) => Some(name(*op)),
        Some(_) => None,
        None => Some(input.to_owned()),
    }
}
