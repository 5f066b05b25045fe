//! Where generators draw from.
//!
//! One struct with four modes, so that compiled code calls plain functions:
//!
//! - *search* draws by chance and keeps nothing;
//! - *record* draws the same values for the same seed, and keeps choices and spans;
//! - *replay* takes values in order from a list, then the simplest ones up to a length;
//! - *guided* takes values by the spans they are in, for lists whose shape may not fit.
//!
//! Whatever the mode, a value that does not fit its kind is projected into it, never refused, and
//! what is recorded is what was drawn.

mod draws;
mod guide;
mod parts;
mod planned;
mod pools;
mod spans;
mod text;

pub(crate) use self::guide::{Guide, Special};
pub use self::parts::Part;
use self::parts::Parts;
use self::planned::Following;
pub(crate) use self::pools::Pools;
pub use self::text::TextKind;
use crate::address::Addressed;
use crate::bias::Bias;
use crate::case::{Case, Choice, Trail};
use crate::kind::Kinds;
use crate::label::Label;
use crate::random::{Random, Seed};

/// The most choices of one case, unless the caller says otherwise.
const MAX_CHOICES: u32 = 1 << 20;

/// The run is over: nothing can be drawn any more, and the generator should return.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Stopped;

/// Why a run was stopped.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Stop {
    /// More choices than the case may have.
    Overrun,
    /// Nothing is left to draw from.
    DeadEnd,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Mode {
    Search,
    Record,
    Replay,
    Guided,
}

/// What follows when a list of values is used up.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Tail {
    /// The simplest value of each kind.
    Simplest,
    /// Values drawn by chance.
    Random(Seed),
}

/// A place to return to when a generator takes something back.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Mark {
    n_choices: u32,
    n_spans: u32,
    n_open: u32,
    n_bindings: u32,
    n_parts: u32,
}

/// What generators draw from.
#[derive(Debug)]
pub struct Source {
    mode: Mode,
    /// How many choices may still be made.
    left: u32,
    size: u32,
    random: Random,
    bias: Bias,
    /// How many elements are there when it is asked whether one more follows.
    n_elements: u32,
    /// Whether draws do not go by chance alone: there is an edge to come, or a part to copy.
    is_planned: bool,
    following: Following,
    parts: Parts,
    kinds: Kinds,
    pools: Pools,
    trail: Trail,
    open: Vec<u32>,
    script: Vec<Choice>,
    tail: Tail,
    guide: Guide,
    stop: Option<Stop>,
    n_rewinds: u32,
    scores: Vec<(Label, f64)>,
}

impl Source {
    /// A source for generators that use these kinds. It starts as a search of seed 0.
    pub fn new(kinds: Kinds) -> Self {
        let seed = Seed { run: 0, claim: 0, case: 0 };
        let mut source = Source {
            mode: Mode::Search,
            left: MAX_CHOICES,
            size: 0,
            random: Random::new(seed),
            bias: Bias::NONE,
            n_elements: 0,
            is_planned: false,
            following: Following::default(),
            parts: Parts::default(),
            kinds,
            pools: Pools::default(),
            trail: Trail::default(),
            open: Vec::new(),
            script: Vec::new(),
            tail: Tail::Simplest,
            guide: Guide::default(),
            stop: None,
            n_rewinds: 0,
            scores: Vec::new(),
        };
        source.begin(Mode::Search, MAX_CHOICES);
        source
    }

    /// The kinds in use.
    pub fn kinds(&self) -> &Kinds {
        &self.kinds
    }

    /// The kinds in use, to add to them.
    pub fn kinds_mut(&mut self) -> &mut Kinds {
        &mut self.kinds
    }

    /// How large the case should be, from 0 to [`crate::MAX_SIZE`].
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Why the run was stopped, if it was.
    pub fn stop(&self) -> Option<Stop> {
        self.stop
    }

    /// Begins a case of a search: drawn by chance, not recorded.
    pub fn search(&mut self, seed: Seed, size: u32) {
        self.kinds.bigs.trim();
        self.begin(Mode::Search, MAX_CHOICES);
        self.start(seed, size);
    }

    /// Begins the same case once more, with recording.
    pub fn record(&mut self, seed: Seed, size: u32) {
        self.begin(Mode::Record, MAX_CHOICES);
        self.start(seed, size);
    }

    #[inline]
    fn start(&mut self, seed: Seed, size: u32) {
        self.pools.take_turn(seed.case);
        let (random, spare) = Random::with_spare(seed);
        self.random = random;
        self.bias = Bias::of(spare);
        self.pools.take_bias(self.bias);
        self.size = size;
    }

    /// Tells that something that was drawn will not do, and is drawn again. If the values of this
    /// case were a few, they may be the wrong ones, so any others may follow.
    pub fn reject(&mut self) {
        self.pools.lift_limit();
    }

    /// How many choices were made since the run began.
    pub fn n_choices(&self) -> u32 {
        MAX_CHOICES - self.left.min(MAX_CHOICES)
    }

    /// Begins a run with the choices of a case, and then the simplest up to `limit` choices.
    pub fn replay(&mut self, case: &Case, limit: usize) {
        let choices = case.choices_in(&mut self.kinds);
        self.replay_choices(&choices, Tail::Simplest, limit);
    }

    /// Begins a run that takes the values of a case by the spans they are in, and the simplest
    /// ones wherever the case has nothing to say.
    pub fn replay_guided(&mut self, case: &Case) {
        let choices = case.choices_in(&mut self.kinds);
        let mut guide = std::mem::take(&mut self.guide);
        guide.follow(&choices, &case.trail.spans, &[], Special::default());
        self.replay_guide(guide, Tail::Simplest, 0, MAX_CHOICES as usize);
    }

    /// Begins a run with choices by address, and the simplest wherever there is none.
    pub fn replay_addressed(&mut self, addressed: &Addressed) {
        let mut guide = std::mem::take(&mut self.guide);
        addressed.fill(&mut guide, &mut self.kinds);
        self.replay_guide(guide, Tail::Simplest, 0, MAX_CHOICES as usize);
    }

    pub(crate) fn replay_choices(&mut self, choices: &[Choice], tail: Tail, limit: usize) {
        self.begin(Mode::Replay, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.script.clear();
        self.script.extend_from_slice(choices);
        self.continue_with(tail);
    }

    pub(crate) fn replay_guide(&mut self, guide: Guide, tail: Tail, size: u32, limit: usize) {
        self.begin(Mode::Guided, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.guide = guide;
        self.size = size;
        self.continue_with(tail);
    }

    fn continue_with(&mut self, tail: Tail) {
        self.tail = tail;
        if let Tail::Random(seed) = tail {
            self.random = Random::new(seed);
        }
    }

    /// A guide whose buffers can be filled anew.
    pub(crate) fn take_guide(&mut self) -> Guide {
        std::mem::take(&mut self.guide)
    }

    /// What has been recorded since the run began; spans that are still open end here.
    pub fn case(&mut self) -> Case {
        self.close_all();
        Case::of(&self.trail, &self.kinds)
    }

    /// What has been recorded, with values of this source.
    pub(crate) fn trail(&mut self) -> &mut Trail {
        self.close_all();
        &mut self.trail
    }

    /// The scores that were reported since the run began.
    pub fn scores(&self) -> &[(Label, f64)] {
        &self.scores
    }

    /// Reports how close the case came to something wanted: more is better.
    pub fn target(&mut self, label: Label, score: f64) {
        if self.mode != Mode::Search {
            self.scores.push((label, score));
        }
    }

    fn begin(&mut self, mode: Mode, limit: u32) {
        self.mode = mode;
        self.left = limit;
        self.bias = Bias::NONE;
        self.is_planned = false;
        self.following.end();
        if self.parts.is_touched() {
            self.parts.begin();
        }
        self.pools.begin(self.kinds.n_pools);
        self.trail.clear();
        self.open.clear();
        self.stop = None;
        self.n_rewinds = 0;
        self.scores.clear();
    }
}
