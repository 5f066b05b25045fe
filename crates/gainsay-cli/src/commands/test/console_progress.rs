//! What is seen while claims are run: their lines as they end, in their order whatever thread
//! was first; how far it is, on a terminal; and single cases, if somebody wants them.

use std::env;
use std::io::{self, IsTerminal as _};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gainsay::source::SourceMap;
use gainsay::test::{ClaimReport, ObservedCase, Report, RunListener};

use super::TestPlan;
use super::select::SelectedClaim;
use crate::config::ReportFormat;
use crate::output;
use crate::report::claims::{self, DurationDisplay, ReportLayout, TycheWriter};
use crate::report::{Reporter, Verbosity};
use crate::world;

/// The audience of a run.
pub(super) struct ConsoleProgress<'a> {
    plan: &'a TestPlan,
    files: &'a SourceMap,
    claims: &'a [SelectedClaim],
    live_output: LiveOutput,
    observer: Option<TycheWriter>,
    progress: ProgressLine,
    state: Mutex<ConsoleState>,
}

/// What is written to the output while claims are run.
#[derive(Debug)]
enum LiveOutput {
    /// Lines for people.
    HumanLines(ReportLayout),
    /// Lines of JSON.
    JsonLines(DurationDisplay),
    /// Nothing.
    Nothing,
}

/// Whether it is shown how far the run is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum ProgressLine {
    Shown,
    Hidden,
}

#[derive(Debug, Default)]
struct ConsoleState {
    /// The claim whose turn it is to be told.
    next: usize,
    /// Claims that ended before their turn.
    ended: Vec<Option<ClaimReport>>,
    /// Lines of single cases, for each claim that was not told yet.
    cases: Vec<String>,
    /// Lines of single cases of claims that were.
    observed: String,
    n_ended: usize,
}

impl<'a> ConsoleProgress<'a> {
    /// A stage for these claims.
    pub(super) fn new(
        plan: &'a TestPlan,
        files: &'a SourceMap,
        wanted: &'a [SelectedClaim],
        reporter: &Reporter,
    ) -> Self {
        let names = wanted.iter().map(|it| it.id.as_str());
        let (style, detail) = (reporter.output_style(), reporter.verbosity());
        let voice = match plan.on_output {
            Some(ReportFormat::Human) => {
                let columns = io::stdout()
                    .is_terminal()
                    .then(|| usize::from(world::terminal_dimensions().0));
                let layout = ReportLayout::new(style, detail, plan.times_on_output, names);
                LiveOutput::HumanLines(layout.with_columns(columns))
            }
            Some(ReportFormat::Ndjson) => LiveOutput::JsonLines(plan.times_elsewhere),
            Some(
                ReportFormat::Json
                | ReportFormat::Junit
                | ReportFormat::Sarif
                | ReportFormat::Github,
            )
            | None => LiveOutput::Nothing,
        };
        let observer = plan.observe.as_ref().map(|(_, times)| TycheWriter {
            run_start: match times {
                DurationDisplay::Shown => world::unix_seconds(),
                DurationDisplay::Hidden => 0.0,
            },
            durations: *times,
        });
        let is_dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
        let is_seen = io::stderr().is_terminal() && !is_dumb && detail != Verbosity::Quiet;
        let progress = if is_seen { ProgressLine::Shown } else { ProgressLine::Hidden };
        let state = ConsoleState {
            ended: wanted.iter().map(|_| None).collect(),
            cases: vec![String::new(); wanted.len()],
            ..ConsoleState::default()
        };
        Self {
            plan,
            files,
            claims: wanted,
            live_output: voice,
            observer,
            progress,
            state: Mutex::new(state),
        }
    }

    /// How lines are laid out, if lines are told.
    pub(super) fn layout(&self) -> Option<&ReportLayout> {
        match &self.live_output {
            LiveOutput::HumanLines(layout) => Some(layout),
            LiveOutput::JsonLines(_) | LiveOutput::Nothing => None,
        }
    }

    /// What makes the lines of single cases, and those there are.
    pub(super) fn take_observed(&self) -> Option<(TycheWriter, String)> {
        let observer = self.observer?;
        Some((observer, mem::take(&mut self.state().observed)))
    }

    /// The run begins.
    pub(super) fn start(&self) {
        match &self.live_output {
            LiveOutput::JsonLines(_) => {
                let settings = &self.plan.settings;
                let n_claims = self.claims.len();
                let line = claims::ndjson_start(settings.seed, settings.profile, n_claims);
                // What became of the output is asked when the command ends.
                let _ = output::write(line.as_bytes());
            }
            LiveOutput::HumanLines(_) | LiveOutput::Nothing => {}
        }
    }

    /// The run is over: what was not told is told.
    pub(super) fn finish(&self, report: &Report) {
        let mut state = self.state();
        while let Some(claim) = report.claims.get(state.next) {
            let at = state.next;
            self.report_claim(&mut state, at, claim);
        }
        self.erase_progress();
    }

    fn state(&self) -> MutexGuard<'_, ConsoleState> {
        // A panic elsewhere leaves at worst a line untold.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_claim(&self, state: &mut ConsoleState, at: usize, report: &ClaimReport) {
        let deny = &self.plan.deny;
        let text = match &self.live_output {
            LiveOutput::HumanLines(layout) => {
                claims::human_claim(self.files, deny, report, layout)
            }
            LiveOutput::JsonLines(times) => {
                claims::ndjson_claim(self.files, deny, *times, report)
            }
            LiveOutput::Nothing => String::new(),
        };
        self.erase_progress();
        if let Some(lines) = text.strip_suffix('\n') {
            let _ = output::write_line(lines);
        }
        if let Some(cases) = state.cases.get_mut(at) {
            let cases = mem::take(cases);
            state.observed += &cases;
        }
        state.next = at + 1;
    }

    fn erase_progress(&self) {
        if self.progress == ProgressLine::Shown {
            output::write_stderr("\r\u{1b}[K");
        }
    }

    fn draw_progress(&self, state: &ConsoleState, claim: usize, cases: u64) {
        if self.progress == ProgressLine::Hidden {
            return;
        }
        let name = self.claims.get(claim).map_or("", |it| it.id.as_str());
        // A line that wraps cannot be erased.
        let name: String = name.replace('\n', " ").chars().take(50).collect();
        let (done, all) = (state.n_ended, self.claims.len());
        let cases = if cases == 0 { String::new() } else { format!(", {cases} cases") };
        output::write_stderr(&format!("\r\u{1b}[K[{done}/{all}] {name}{cases}"));
    }
}

impl RunListener for ConsoleProgress<'_> {
    fn claim_started(&self, claim: usize) {
        self.draw_progress(&self.state(), claim, 0);
    }

    fn cases_ran(&self, claim: usize, cases: u64) {
        self.draw_progress(&self.state(), claim, cases);
    }

    fn case_finished(&self, claim: usize, case: ObservedCase) {
        if let (Some(observer), Some(wanted)) = (self.observer, self.claims.get(claim)) {
            let line = observer.case_line(&wanted.id, &case);
            if let Some(cases) = self.state().cases.get_mut(claim) {
                *cases += &line;
            }
        }
    }

    fn claim_finished(&self, claim: usize, report: &ClaimReport) {
        let mut state = self.state();
        state.n_ended += 1;
        if let Some(place) = state.ended.get_mut(claim) {
            *place = Some(report.clone());
        }
        loop {
            let at = state.next;
            let Some(report) = state.ended.get_mut(at).and_then(Option::take) else { break };
            self.report_claim(&mut state, at, &report);
        }
    }

    fn wants_cases(&self) -> bool {
        self.observer.is_some()
    }
}
