//! Trials: whether a claim notices that the program is another one.
//!
//! The cases are those of a run; nothing is made simpler, explained or kept. A trial ends with the
//! first case that an assertion refuses. What comes before in the order of [`Noticed`] does not
//! end it, so that what is noticed does not depend on the order of the cases.

mod course;
mod culprit;

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use gainsay_choice::{Enumerated, MAX_SIZE, Next, Source, Verdict, enumerate};
use gainsay_core::{ClaimKind, FunctionId};
use gainsay_gen::Lowered;
use gainsay_source::Span;
use gainsay_vm::{ClauseKind, EngineKind, FaultKind, Instruments, Limits};

pub use self::course::Course;
pub use self::culprit::Culprit;
use crate::attack::{Attacker, End, Engines, Runner, SitePlan, as_verdict, max_discards};
use crate::constants::Constants;
use crate::heard::Heard;
use crate::report::{self, Conclusion};
use crate::settings::Settings;
use crate::tally::Tally;

/// What a claim noticed; what is more comes later.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noticed {
    /// Nothing was wrong.
    #[default]
    Nothing,
    /// A case took more steps, depth or memory than it may.
    Limit,
    /// A boundary inside the program was crossed.
    Boundary(Boundary),
    /// What is claimed does not hold, or cannot be computed any more.
    Assertion,
    /// The user ended it.
    Interrupted,
}

/// A boundary inside a program that values are checked at.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Boundary {
    /// An `in` clause, by its place.
    In(Span),
    /// An `out` clause, by its place.
    Out(Span),
    /// A refinement type.
    Refinement,
}

/// What came of a trial.
#[derive(Debug, Clone, Default)]
pub struct Tried {
    /// What was noticed.
    pub noticed: Noticed,
    /// Whether the claim refuses no case, but tests none either.
    pub is_vacuous: bool,
    /// The case that noticed it, to be tried first next time.
    pub hint: Option<u64>,
    /// The case that noticed it, if one did.
    pub culprit: Option<Culprit>,
    /// The most steps that one case took.
    pub most_steps: u64,
    /// The steps of all cases.
    pub steps: u64,
}

/// A program with switches, shared by threads.
pub struct Trials<'l> {
    engines: Engines<'l>,
    constants: Constants<'l>,
    settings: &'l Settings,
}

/// Cases of one claim that may run out of steps before the others are left out. A case that is tried
/// before its turn may refuse a mutant that would be given up like that: it is noticed either way.
const MAX_LIMITS: u64 = 3;

impl<'l> Trials<'l> {
    /// A program that can be run with mutants, or in which it is counted what is reached.
    pub fn new(
        lowered: &'l Lowered,
        kind: EngineKind,
        instruments: Instruments,
        settings: &'l Settings,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let engines = Engines::instrumented(lowered, kind, instruments, interrupt);
        let constants = Constants::new(lowered, engines.search.clone(), &engines.interrupt);
        Self { engines, constants, settings }
    }

    /// For one thread.
    pub fn trial(&'l self) -> Trial<'l> {
        let attacker = Attacker::new(&self.engines, None);
        Trial {
            attacker,
            settings: self.settings,
            steps: None,
            mutant: None,
            constants: &self.constants,
        }
    }
}

/// Runs claims on one thread.
pub struct Trial<'l> {
    attacker: Attacker<'l>,
    settings: &'l Settings,
    /// Steps that a case may take, if they are fewer than in a run.
    steps: Option<u64>,
    mutant: Option<usize>,
    constants: &'l Constants<'l>,
}

/// What is known of a claim before it is run, or is to be known afterwards.
enum Known<'c> {
    Nothing,
    /// It is watched.
    Watched(&'c mut Course),
    /// How it goes without the mutant that is on, and the mark of that.
    Course(&'c Course, u32),
}

impl Trial<'_> {
    /// Switches a mutant on.
    pub fn set_mutant(&mut self, mutant: Option<usize>) {
        self.mutant = mutant;
        self.attacker.search.worker.set_mutant(mutant);
        self.attacker.record.worker.set_mutant(mutant);
    }

    /// Says how many steps a case may take; as many as in a run if it is not said.
    pub fn set_steps(&mut self, steps: Option<u64>) {
        self.steps = steps;
    }

    /// Runs a claim with all mutants off, and watches which of their terms are come to.
    pub fn watch(&mut self, claim: usize) -> (Tried, Course) {
        let mut course = Course::default();
        self.set_mutant(None);
        self.attacker.search.worker.watch();
        let tried = self.run_known(claim, None, &mut Known::Watched(&mut course));
        course.reach(&self.attacker.search.worker.reached());
        (tried, course)
    }

    /// Whether a claim comes to the term of a mutant.
    pub fn is_reached(&self, course: &Course, mutant: usize) -> bool {
        let switch = self.attacker.search.worker.switch(mutant);
        switch.is_some_and(|it| course.is_reached(it))
    }

    /// From now on, remembers some of what comes by where somebody listens, and not all.
    pub fn hear_some(&mut self) {
        self.attacker.search.host.heard = Heard::some();
    }

    /// What came by where somebody listens, since this was last asked.
    pub fn take_heard(&mut self) -> Heard {
        self.attacker.search.host.heard.take()
    }

    /// Runs a claim.
    pub fn run(&mut self, claim: usize) -> Tried {
        self.run_known(claim, None, &mut Known::Nothing)
    }

    /// Runs a claim with the mutant that is on. Cases that do not come to it, or in which it
    /// changes no value, are known from the course of the claim without it. With the case that
    /// noticed something of the kind before, that one comes first.
    pub fn try_mutant(&mut self, claim: usize, hint: Option<u64>, course: &Course) -> Tried {
        let mark = self.mutant.and_then(|it| self.attacker.search.worker.mark(it));
        let mut known = match mark {
            Some(mark) if !self.constants.reach(mark) => {
                if !course.is_reached(mark) {
                    return Tried::default();
                }
                Known::Course(course, mark)
            }
            Some(_) | None => Known::Nothing,
        };
        self.run_known(claim, hint, &mut known)
    }

    fn run_known(&mut self, claim: usize, hint: Option<u64>, known: &mut Known<'_>) -> Tried {
        let lowered = self.attacker.engines.lowered;
        let usual = self.attacker.limits_of(claim, self.settings);
        let steps = self.steps.unwrap_or(usual.steps).min(usual.steps);
        self.attacker.set_limits(Limits { steps, ..usual });
        let mut run = ClaimRun::default();
        match (lowered.entries[claim], &lowered.search.claims[claim].kind) {
            (Some(entry), _) => self.run_entry(claim, entry, hint, known, &mut run),
            (None, ClaimKind::Verify(verify)) => {
                self.attacker.try_cases(verify, self.settings, &mut run);
            }
            (None, ClaimKind::Test(_) | ClaimKind::Property(..)) => {}
        }
        let ClaimRun { noticed, is_vacuous, hint, culprit, most_steps, steps, .. } = run;
        Tried { noticed, is_vacuous, hint, culprit, most_steps, steps }
    }

    fn run_entry(
        &mut self,
        claim: usize,
        entry: FunctionId,
        hint: Option<u64>,
        known: &mut Known<'_>,
        run: &mut ClaimRun,
    ) {
        let end = self.attacker.search_once(entry);
        let passed = self.attacker.search.host.passed.clone();
        run.end(&end, &self.attacker.search);
        if matches!(end, End::Assumed(_) | End::GaveUp(_) | End::CutOff | End::Missed) {
            run.is_vacuous = !matches!(end, End::Missed);
            run.notice(Noticed::Assertion);
        }
        // What stands around the acrosses is part of each of their cases.
        if end != End::Passed {
            return;
        }
        for (number, site) in passed.iter().enumerate() {
            if run.is_over() {
                return;
            }
            let plan = self.attacker.plan(claim, number as u32, *site as usize, self.settings);
            if self.attacker.engines.lowered.sites[plan.site].no_generator.is_some() {
                run.notice(Noticed::Limit);
                continue;
            }
            // One that may come after enough others is not among the cases of every mutant.
            let hint = hint.filter(|it| passed.len() == 1 && *it < plan.wanted);
            self.run_site(&plan, hint, known, run);
        }
    }

    fn run_site(
        &mut self,
        plan: &SitePlan,
        hint: Option<u64>,
        known: &mut Known<'_>,
        run: &mut ClaimRun,
    ) {
        let mut site = SiteCount::default();
        if !self.run_all(plan, run, &mut site) {
            if let Some(hint) = hint {
                let end = self.attacker.search_case(plan, hint);
                let mut culprit = || Culprit::drawn(plan, hint);
                run.case(hint, &end, &self.attacker.search, &mut culprit);
            }
            self.run_some(plan, known, run, &mut site);
        }
        if run.is_over() {
            return;
        }
        let tally = site.tally;
        let is_uncovered = tally.covers().iter().any(|it| it.verdict == report::Verdict::Fails);
        let is_vacuous = site.conclusion == Some(Conclusion::GaveUp)
            || (tally.cases == 0 && tally.tried() > 0 && tally.declined == 0);
        if is_uncovered || is_vacuous {
            run.is_vacuous = !is_uncovered;
            run.notice(Noticed::Assertion);
        }
    }

    /// All cases of a site, if they are few.
    fn run_all(&mut self, plan: &SitePlan, run: &mut ClaimRun, site: &mut SiteCount) -> bool {
        let n_inputs = self.attacker.engines.lowered.sites[plan.site].n_inputs;
        if n_inputs.is_none_or(|it| it > plan.wanted) || plan.single.is_some() {
            return false;
        }
        let before = run.clone();
        let mut source = self.attacker.take_source();
        let runner = &mut self.attacker.search;
        runner.host.case_size = MAX_SIZE;
        let is_over = Cell::new(false);
        let mut subject = |source: &mut Source| {
            let end = runner.run_with(source, plan.entry, plan.entered());
            run.case(0, &end, runner, &mut || Culprit::enumerated(plan, source.case()));
            site.tally.end(&end, &runner.host.remarks);
            is_over.set(run.is_over());
            as_verdict(&end, source)
        };
        let mut visit = |_: &mut Source, _: Verdict| {
            if is_over.get() { Next::End } else { Next::Continue }
        };
        let ended = enumerate(&mut subject, &mut source, plan.wanted, &mut visit);
        self.attacker.give_back(source);
        if ended == Enumerated::TooMany {
            *run = before;
            *site = SiteCount::default();
            return false;
        }
        run.hint = None;
        true
    }

    fn run_some(
        &mut self,
        plan: &SitePlan,
        known: &mut Known<'_>,
        run: &mut ClaimRun,
        site: &mut SiteCount,
    ) {
        let max_discards = max_discards(plan.wanted);
        for number in 0.. {
            let tally = &site.tally;
            let is_enough = match plan.single {
                Some(_) => number > 0,
                None => tally.cases + tally.declined >= plan.wanted,
            };
            if is_enough || run.is_over() {
                return;
            }
            if tally.discarded() > max_discards || tally.is_mostly_cut_off() {
                site.conclusion = Some(Conclusion::GaveUp);
                return;
            }
            if let Known::Course(course, mark) = known
                && let Some(course) = course.site(plan.number, plan.site)
                && let Some((end, remarks)) = course.end(number, *mark)
            {
                site.tally.end(end, remarks);
                continue;
            }
            let end = self.attacker.search_case(plan, number);
            let mut culprit = || Culprit::drawn(plan, number);
            run.case(number, &end, &self.attacker.search, &mut culprit);
            let runner = &mut self.attacker.search;
            site.tally.end(&end, &runner.host.remarks);
            if let Known::Watched(course) = known {
                let reached = runner.worker.reached();
                runner.worker.watch();
                course.reach(&reached);
                let remarks = runner.host.remarks.clone();
                course.site_mut(plan.number, plan.site).push(end, remarks, &reached);
            }
        }
    }
}

/// What the cases of a site came to.
#[derive(Default)]
struct SiteCount {
    tally: Tally,
    conclusion: Option<Conclusion>,
}

/// What the cases of a claim came to so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct ClaimRun {
    pub(crate) noticed: Noticed,
    pub(crate) is_vacuous: bool,
    hint: Option<u64>,
    pub(crate) culprit: Option<Culprit>,
    most_steps: u64,
    steps: u64,
    n_limits: u64,
}

impl ClaimRun {
    pub(crate) fn notice(&mut self, noticed: Noticed) {
        self.n_limits += u64::from(noticed == Noticed::Limit);
        if noticed > self.noticed {
            self.noticed = noticed;
        }
    }

    /// Whether nothing more can be noticed.
    pub(crate) fn is_over(&self) -> bool {
        self.noticed >= Noticed::Assertion || self.n_limits >= MAX_LIMITS
    }

    /// Takes down how long something took.
    pub(crate) fn took(&mut self, steps: u64) {
        self.most_steps = self.most_steps.max(steps);
        self.steps = self.steps.saturating_add(steps);
    }

    fn case(
        &mut self,
        number: u64,
        end: &End,
        runner: &Runner<'_>,
        culprit: &mut dyn FnMut() -> Culprit,
    ) {
        let was_over = self.is_over();
        let before = self.noticed.clone();
        self.end(end, runner);
        if self.noticed > before {
            self.culprit = Some(culprit());
        }
        if !was_over && self.noticed == Noticed::Assertion {
            self.hint = Some(number);
        }
    }

    fn end(&mut self, end: &End, runner: &Runner<'_>) {
        self.took(runner.steps);
        match end {
            End::Passed | End::Assumed(_) | End::GaveUp(_) | End::CutOff => {}
            End::Declined(_) | End::Missed => self.notice(Noticed::Limit),
            End::Interrupted => self.notice(Noticed::Interrupted),
            End::Failed(_) => self.fault(runner.fault.as_ref()),
        }
    }

    /// A fault that ended a case.
    pub(crate) fn fault(&mut self, kind: Option<&FaultKind>) {
        let noticed = match kind {
            Some(FaultKind::Contract { clause: ClauseKind::In, at, .. }) => {
                Noticed::Boundary(Boundary::In(*at))
            }
            Some(FaultKind::Contract { clause: ClauseKind::Out, at, .. }) => {
                Noticed::Boundary(Boundary::Out(*at))
            }
            Some(FaultKind::Refinement { .. }) => Noticed::Boundary(Boundary::Refinement),
            Some(FaultKind::Interrupted) => Noticed::Interrupted,
            Some(kind) if kind.is_limit() => Noticed::Limit,
            Some(_) | None => Noticed::Assertion,
        };
        self.notice(noticed);
    }
}
