//! The source that generators draw from.
//!
//! One struct with four modes, so that compiled code calls plain functions:
//!
//! - *search* samples values and records nothing;
//! - *record* samples the same values for the same seed, and records choices and spans;
//! - *replay* takes values in order from a list, then the simplest ones up to a limit;
//! - *guided* takes values by the spans they are in, for lists whose shape may not fit.
//!
//! In every mode, a value that does not fit its kind is projected into it, never rejected, and what
//! is recorded is what was drawn.

mod directed;
mod draws;
mod part_copies;
mod span_guide;
mod spans;
mod stated;
mod text;
mod value_pools;

use self::directed::EdgeCaseCursor;
use self::part_copies::PartLog;
pub use self::part_copies::PartSort;
pub(crate) use self::span_guide::{SpanGuide, SpanOverrides};
pub use self::text::TextKind;
pub(crate) use self::value_pools::ValuePools;
use crate::address::AddressedChoices;
use crate::bias::CaseBias;
use crate::case::{Case, Choice, ChoiceSequence};
use crate::kind::KindTable;
use crate::random::{Random, Seed};
use crate::span_label::SpanLabel;

/// The default limit on the choices of one case.
const MAX_CHOICES: u32 = 1 << 20;

/// The run is over: nothing more can be drawn, and the generator should return.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct RunStopped;

/// Why a run was stopped.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RunStopReason {
    /// More choices than the case may have.
    Overrun,
    /// There is nothing to draw from.
    DeadEnd,
}

#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum SourceMode {
    Search,
    Record,
    Replay,
    Guided,
}

/// What follows when a list of values is used up.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ReplayTail {
    /// The simplest value of each kind.
    Simplest,
    /// Random values.
    Random(Seed),
}

/// A state to return to when a generator backtracks.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Checkpoint {
    n_choices: u32,
    n_spans: u32,
    n_open: u32,
    n_bindings: u32,
    n_parts: u32,
}

/// What generators draw from.
#[derive(Debug)]
pub struct Source {
    mode: SourceMode,
    /// The choices left.
    n_choices_left: u32,
    size: u32,
    /// The number of the case.
    number: u64,
    random: Random,
    bias: CaseBias,
    /// The number of elements so far, for the next "one more?" choice.
    n_elements: u32,
    /// Whether draws are not purely random: an edge case is active, or parts may be copied.
    is_directed: bool,
    edge_case: EdgeCaseCursor,
    part_log: PartLog,
    kinds: KindTable,
    pools: ValuePools,
    sequence: ChoiceSequence,
    open: Vec<u32>,
    replay_script: Vec<Choice>,
    /// How far the position in the script is ahead of the recorded choices.
    script_lead: i64,
    tail: ReplayTail,
    guide: SpanGuide,
    stop_reason: Option<RunStopReason>,
    n_rewinds: u32,
    scores: Vec<(SpanLabel, f64)>,
}

impl Source {
    /// A source for generators that use these kinds. It starts as a search with seed 0.
    pub fn new(kinds: KindTable) -> Self {
        let seed = Seed { run: 0, claim: 0, case: 0 };
        let mut source = Source {
            mode: SourceMode::Search,
            n_choices_left: MAX_CHOICES,
            size: 0,
            number: 0,
            random: Random::new(seed),
            bias: CaseBias::NONE,
            n_elements: 0,
            is_directed: false,
            edge_case: EdgeCaseCursor::default(),
            part_log: PartLog::default(),
            kinds,
            pools: ValuePools::default(),
            sequence: ChoiceSequence::default(),
            open: Vec::new(),
            replay_script: Vec::new(),
            script_lead: 0,
            tail: ReplayTail::Simplest,
            guide: SpanGuide::default(),
            stop_reason: None,
            n_rewinds: 0,
            scores: Vec::new(),
        };
        source.begin(SourceMode::Search, MAX_CHOICES);
        source
    }

    /// The kinds in use.
    pub fn kinds(&self) -> &KindTable {
        &self.kinds
    }

    /// The kinds in use, for adding to them.
    pub fn kinds_mut(&mut self) -> &mut KindTable {
        &mut self.kinds
    }

    /// The intended size of the case, from 0 to [`crate::MAX_SIZE`].
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Why the run was stopped, if it was.
    pub fn stop_reason(&self) -> Option<RunStopReason> {
        self.stop_reason
    }

    /// Starts a case of a search: random, not recorded.
    pub fn search(&mut self, seed: Seed, size: u32) {
        // Only a search may trim: recorded values still refer to interned big integers.
        self.kinds.bigs.trim();
        self.begin(SourceMode::Search, MAX_CHOICES);
        self.start(seed, size);
    }

    /// Starts the same case again, with recording.
    pub fn record(&mut self, seed: Seed, size: u32) {
        self.begin(SourceMode::Record, MAX_CHOICES);
        self.start(seed, size);
    }

    #[inline]
    fn start(&mut self, seed: Seed, size: u32) {
        self.pools.schedule_boundaries(seed.case);
        self.number = seed.case;
        // Spare bits, so that the bias takes no number from the random stream.
        let (random, spare) = Random::with_spare(seed);
        self.random = random;
        self.bias = CaseBias::from_bits(spare);
        self.pools.take_bias(self.bias);
        self.size = size;
    }

    /// Reports that a drawn value was rejected and is drawn again. If this case is limited to a few
    /// values, they may be the wrong ones, so the limit is lifted.
    pub fn reject(&mut self) {
        self.pools.lift_limit();
    }

    /// The number of choices made since the run started.
    pub fn n_choices(&self) -> u32 {
        MAX_CHOICES - self.n_choices_left.min(MAX_CHOICES)
    }

    /// Starts a run with the choices of a case, followed by the simplest ones up to `limit`
    /// choices.
    pub fn replay(&mut self, case: &Case, limit: usize) {
        // Imported: a case may come from another source, whose big integers have other ids.
        let choices = case.import_choices(&mut self.kinds);
        self.replay_choices(&choices, ReplayTail::Simplest, limit);
    }

    /// Starts a run that takes the values of a case by the spans they are in, and the simplest ones
    /// where the case has none.
    pub fn replay_guided(&mut self, case: &Case) {
        let choices = case.import_choices(&mut self.kinds);
        // Taken out for the time being, to reuse its buffers; `replay_guide` puts it back.
        let mut guide = std::mem::take(&mut self.guide);
        guide.build(&choices, &case.sequence.spans, &[], SpanOverrides::default());
        self.replay_guide(guide, ReplayTail::Simplest, 0, MAX_CHOICES as usize);
    }

    /// Starts a run with choices by address, and the simplest ones where there is none.
    pub fn replay_addressed(&mut self, addressed: &AddressedChoices) {
        let mut guide = std::mem::take(&mut self.guide);
        addressed.fill_guide(&mut guide, &mut self.kinds);
        self.replay_guide(guide, ReplayTail::Simplest, 0, MAX_CHOICES as usize);
    }

    pub(crate) fn replay_choices(
        &mut self,
        choices: &[Choice],
        tail: ReplayTail,
        limit: usize,
    ) {
        self.begin(SourceMode::Replay, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.replay_script.clear();
        self.replay_script.extend_from_slice(choices);
        self.continue_with(tail);
    }

    pub(crate) fn replay_guide(
        &mut self,
        guide: SpanGuide,
        tail: ReplayTail,
        size: u32,
        limit: usize,
    ) {
        self.begin(SourceMode::Guided, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.guide = guide;
        self.size = size;
        self.continue_with(tail);
    }

    fn continue_with(&mut self, tail: ReplayTail) {
        self.tail = tail;
        if let ReplayTail::Random(seed) = tail {
            self.random = Random::new(seed);
        }
    }

    /// Takes the guide, to reuse its buffers.
    pub(crate) fn take_guide(&mut self) -> SpanGuide {
        std::mem::take(&mut self.guide)
    }

    /// What has been recorded since the run started; spans that are still open end here.
    pub fn recorded_case(&mut self) -> Case {
        self.close_all();
        Case::from_sequence(&self.sequence, &self.kinds)
    }

    /// What has been recorded, with values that refer to this source.
    pub(crate) fn sequence(&mut self) -> &mut ChoiceSequence {
        self.close_all();
        &mut self.sequence
    }

    /// The scores reported since the run started.
    pub fn scores(&self) -> &[(SpanLabel, f64)] {
        &self.scores
    }

    /// Reports a score of the case for targeted search: more is better.
    pub fn target(&mut self, label: SpanLabel, score: f64) {
        // Targeted search runs its cases with recording, so a plain search can skip the scores.
        if self.mode != SourceMode::Search {
            self.scores.push((label, score));
        }
    }

    fn begin(&mut self, mode: SourceMode, limit: u32) {
        self.mode = mode;
        self.n_choices_left = limit;
        // Only `start` gives a case its bias: a replay draws nothing that it could distort.
        self.bias = CaseBias::NONE;
        self.is_directed = false;
        self.edge_case.end();
        // Most cases log nothing, and then there is nothing to clear.
        if self.part_log.is_dirty() {
            self.part_log.begin();
        }
        self.pools.begin(self.kinds.n_pools);
        self.sequence.clear();
        self.open.clear();
        self.stop_reason = None;
        self.n_rewinds = 0;
        self.script_lead = 0;
        self.scores.clear();
    }
}
