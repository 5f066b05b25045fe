//! What is seen while claims are run: their lines as they end, in their order whatever thread
//! was first; how far it is, on a terminal; and single cases, if somebody wants them.

use std::env;
use std::io::{self, IsTerminal as _};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use gainsay::source::Files;
use gainsay::test::{Audience, ClaimReport, Observed, Report};

use super::Plan;
use super::select::Wanted;
use crate::config::Format;
use crate::output;
use crate::report::claims::{self, Durations, Layout, Observer};
use crate::report::{Detail, Reporter};
use crate::world;

/// The audience of a run.
pub(super) struct Stage<'a> {
    plan: &'a Plan,
    files: &'a Files,
    wanted: &'a [Wanted],
    voice: Voice,
    observer: Option<Observer>,
    progress: Progress,
    state: Mutex<State>,
}

/// What is written to the output while claims are run.
#[derive(Debug)]
enum Voice {
    /// Lines for people.
    Lines(Layout),
    /// Lines of JSON.
    Objects(Durations),
    /// Nothing.
    Silence,
}

/// Whether it is shown how far the run is.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Progress {
    Shown,
    Hidden,
}

#[derive(Debug, Default)]
struct State {
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

impl<'a> Stage<'a> {
    /// A stage for these claims.
    pub(super) fn new(
        plan: &'a Plan,
        files: &'a Files,
        wanted: &'a [Wanted],
        reporter: &Reporter,
    ) -> Self {
        let names = wanted.iter().map(|it| it.id.as_str());
        let (style, detail) = (reporter.output_style(), reporter.detail());
        let voice = match plan.on_output {
            Some(Format::Human) => {
                let columns = io::stdout()
                    .is_terminal()
                    .then(|| usize::from(world::terminal_dimensions().0));
                let layout = Layout::new(style, detail, plan.times_on_output, names);
                Voice::Lines(layout.within(columns))
            }
            Some(Format::Ndjson) => Voice::Objects(plan.times_elsewhere),
            Some(Format::Json | Format::Junit | Format::Sarif | Format::Github) | None => {
                Voice::Silence
            }
        };
        let observer = plan.observe.as_ref().map(|(_, times)| Observer {
            run_start: match times {
                Durations::Shown => world::unix_seconds(),
                Durations::Hidden => 0.0,
            },
            times: *times,
        });
        let is_dumb = env::var_os("TERM").is_some_and(|it| it == "dumb");
        let is_seen = io::stderr().is_terminal() && !is_dumb && detail != Detail::Quiet;
        let progress = if is_seen { Progress::Shown } else { Progress::Hidden };
        let state = State {
            ended: wanted.iter().map(|_| None).collect(),
            cases: vec![String::new(); wanted.len()],
            ..State::default()
        };
        Self { plan, files, wanted, voice, observer, progress, state: Mutex::new(state) }
    }

    /// How lines are laid out, if lines are told.
    pub(super) fn layout(&self) -> Option<&Layout> {
        match &self.voice {
            Voice::Lines(layout) => Some(layout),
            Voice::Objects(_) | Voice::Silence => None,
        }
    }

    /// What makes the lines of single cases, and those there are.
    pub(super) fn observed(&self) -> Option<(Observer, String)> {
        let observer = self.observer?;
        Some((observer, mem::take(&mut self.state().observed)))
    }

    /// The run begins.
    pub(super) fn opens(&self) {
        match &self.voice {
            Voice::Objects(_) => {
                let settings = &self.plan.settings;
                let n_claims = self.wanted.len();
                let line = claims::ndjson_start(settings.seed, settings.profile, n_claims);
                // What became of the output is asked when the command ends.
                let _ = output::write(line.as_bytes());
            }
            Voice::Lines(_) | Voice::Silence => {}
        }
    }

    /// The run is over: what was not told is told.
    pub(super) fn closes(&self, report: &Report) {
        let mut state = self.state();
        while let Some(claim) = report.claims.get(state.next) {
            let at = state.next;
            self.tell(&mut state, at, claim);
        }
        self.erase();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic elsewhere leaves at worst a line untold.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, state: &mut State, at: usize, report: &ClaimReport) {
        let deny = &self.plan.deny;
        let text = match &self.voice {
            Voice::Lines(layout) => claims::human_claim(self.files, deny, report, layout),
            Voice::Objects(times) => claims::ndjson_claim(self.files, deny, *times, report),
            Voice::Silence => String::new(),
        };
        self.erase();
        if let Some(lines) = text.strip_suffix('\n') {
            let _ = output::write_line(lines);
        }
        if let Some(cases) = state.cases.get_mut(at) {
            let cases = mem::take(cases);
            state.observed += &cases;
        }
        state.next = at + 1;
    }

    fn erase(&self) {
        if self.progress == Progress::Shown {
            output::talk("\r\u{1b}[K");
        }
    }

    fn draw(&self, state: &State, claim: usize, cases: u64) {
        if self.progress == Progress::Hidden {
            return;
        }
        let name = self.wanted.get(claim).map_or("", |it| it.id.as_str());
        // A line that wraps cannot be erased.
        let name: String = name.replace('\n', " ").chars().take(50).collect();
        let (done, all) = (state.n_ended, self.wanted.len());
        let cases = if cases == 0 { String::new() } else { format!(", {cases} cases") };
        output::talk(&format!("\r\u{1b}[K[{done}/{all}] {name}{cases}"));
    }
}

impl Audience for Stage<'_> {
    fn begins(&self, claim: usize) {
        self.draw(&self.state(), claim, 0);
    }

    fn goes_on(&self, claim: usize, cases: u64) {
        self.draw(&self.state(), claim, cases);
    }

    fn ran(&self, claim: usize, case: Observed) {
        if let (Some(observer), Some(wanted)) = (self.observer, self.wanted.get(claim)) {
            let line = observer.case(&wanted.id, &case);
            if let Some(cases) = self.state().cases.get_mut(claim) {
                *cases += &line;
            }
        }
    }

    fn ends(&self, claim: usize, report: &ClaimReport) {
        let mut state = self.state();
        state.n_ended += 1;
        if let Some(place) = state.ended.get_mut(claim) {
            *place = Some(report.clone());
        }
        loop {
            let at = state.next;
            let Some(report) = state.ended.get_mut(at).and_then(Option::take) else { break };
            self.tell(&mut state, at, &report);
        }
    }

    fn wants_cases(&self) -> bool {
        self.observer.is_some()
    }
}
