//! Live output of a test run: claim lines in source order, whichever thread finishes first; a
//! progress line on terminals; and individual cases, if requested.

use std::env;
use std::io::{self, IsTerminal as _};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use gainsay::NamedClaim;
use gainsay::source::SourceMap;
use gainsay::test::{ClaimReport, ObservedCase, Report, RunListener};

use super::TestPlan;
use crate::output;
use crate::report::ReportFormat;
use crate::report::Verbosity;
use crate::report::claims::{self, DurationDisplay, ReportLayout, TycheWriter};
use crate::reporter::Reporter;
use crate::world;

/// More frequent redraws are unreadable and cost time.
const REDRAW_INTERVAL: Duration = Duration::from_millis(80);

/// The run listener of the command.
pub(super) struct ConsoleProgress<'a> {
    plan: &'a TestPlan,
    files: &'a SourceMap,
    claims: &'a [NamedClaim],
    live_output: LiveOutput,
    observer: Option<TycheWriter>,
    progress: ProgressLine,
    clock: world::Stopwatch,
    state: Mutex<ConsoleState>,
}

/// The live output on stdout.
#[derive(Debug)]
enum LiveOutput {
    /// Lines for people.
    HumanLines(ReportLayout),
    /// Lines of JSON.
    JsonLines(DurationDisplay),
    /// Nothing.
    Nothing,
}

/// Whether a progress line is shown.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum ProgressLine {
    Shown,
    Hidden,
}

#[derive(Debug, Default)]
struct ConsoleState {
    /// The next claim to print.
    next: usize,
    /// Claims that finished before their turn.
    ended: Vec<Option<ClaimReport>>,
    /// Lines of individual cases, for each claim that is not printed yet.
    cases: Vec<String>,
    /// Lines of individual cases of printed claims.
    observed: String,
    n_ended: usize,
    /// When the progress line was last drawn.
    last_drawn: Option<Duration>,
}

impl<'a> ConsoleProgress<'a> {
    /// The progress of these claims.
    pub(super) fn new(
        plan: &'a TestPlan,
        files: &'a SourceMap,
        wanted: &'a [NamedClaim],
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
            clock: world::Stopwatch::start(),
            state: Mutex::new(state),
        }
    }

    /// The layout of lines, if lines are printed.
    pub(super) fn layout(&self) -> Option<&ReportLayout> {
        match &self.live_output {
            LiveOutput::HumanLines(layout) => Some(layout),
            LiveOutput::JsonLines(_) | LiveOutput::Nothing => None,
        }
    }

    /// The writer of individual cases, and its lines so far.
    pub(super) fn take_observed(&self) -> Option<(TycheWriter, String)> {
        let observer = self.observer?;
        Some((observer, mem::take(&mut self.state().observed)))
    }

    /// Starts the run.
    pub(super) fn start(&self) {
        match &self.live_output {
            LiveOutput::JsonLines(_) => {
                let settings = &self.plan.settings;
                let n_claims = self.claims.len();
                let line = claims::ndjson_start(settings.seed, settings.profile, n_claims);
                // Output errors are reported once, when the command ends.
                let _ = output::write(line.as_bytes());
            }
            LiveOutput::HumanLines(_) | LiveOutput::Nothing => {}
        }
    }

    /// Ends the run: prints the remaining claims.
    pub(super) fn finish(&self, report: &Report) {
        let mut state = self.state();
        while let Some(claim) = report.claims.get(state.next) {
            let at = state.next;
            self.report_claim(&mut state, at, claim);
        }
        self.erase_progress();
    }

    fn state(&self) -> MutexGuard<'_, ConsoleState> {
        // A panic in another thread loses at most a line.
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

    fn draw_progress(&self, claim: usize, n_cases: u64) {
        if self.progress == ProgressLine::Hidden {
            return;
        }
        let mut state = self.state();
        let now = self.clock.elapsed();
        let is_recent =
            state.last_drawn.is_some_and(|last| now.saturating_sub(last) < REDRAW_INTERVAL);
        // The start of a claim is always drawn, since a long claim may not report again soon.
        if n_cases > 0 && is_recent {
            return;
        }
        state.last_drawn = Some(now);
        let name = self.claims.get(claim).map_or("", |it| it.id.as_str());
        let line = progress_line(state.n_ended, self.claims.len(), name, n_cases);
        output::write_stderr(&format!("\r\u{1b}[K{line}"));
    }
}

/// `[2/7] ledger::transfer keeps the sum, 640 cases`.
fn progress_line(n_ended: usize, n_claims: usize, name: &str, n_cases: u64) -> String {
    // A wrapped line cannot be erased.
    let name: String = name.replace('\n', " ").chars().take(50).collect();
    let cases = if n_cases == 0 { String::new() } else { format!(", {n_cases} cases") };
    format!("[{n_ended}/{n_claims}] {name}{cases}")
}

impl RunListener for ConsoleProgress<'_> {
    fn claim_started(&self, claim: usize) {
        self.draw_progress(claim, 0);
    }

    fn cases_ran(&self, claim: usize, cases: u64) {
        self.draw_progress(claim, cases);
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
        // Print this claim and those that were waiting for it; a claim that is out of turn waits.
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

#[cfg(test)]
mod tests {
    use super::progress_line;

    #[test]
    fn the_line_counts_claims_and_cases() {
        assert_eq!(progress_line(0, 7, "bank::keeps the sum", 0), "[0/7] bank::keeps the sum");
        assert_eq!(progress_line(2, 7, "bank::keeps", 640), "[2/7] bank::keeps, 640 cases");
        let long = "a\n".repeat(100);
        assert!(progress_line(12, 34, &long, 1_000_000).chars().count() < 80);
        assert!(!progress_line(12, 34, &long, 0).contains('\n'));
    }
}
