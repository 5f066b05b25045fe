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

mod guide;
mod pools;
mod text;

use num_bigint::BigInt;

pub(crate) use self::guide::{Guide, Special};
pub(crate) use self::pools::Pools;
pub use self::text::TextKind;
use crate::case::{Binding, Case, Choice, Ending, Freedom, Span, Trail};
use crate::kind::{Class, Integer, Kind, KindId, Kinds, Pool, Reference, Selector};
use crate::label::Label;
use crate::random::{Random, Seed};
use crate::value::Value;

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
pub enum Tail {
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
}

/// What generators draw from.
#[derive(Debug)]
pub struct Source {
    mode: Mode,
    /// How many choices may still be made.
    left: u32,
    size: u32,
    random: Random,
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
        self.random = Random::new(seed);
        self.size = size;
    }

    /// Begins the same case once more, with recording.
    pub fn record(&mut self, seed: Seed, size: u32) {
        self.begin(Mode::Record, MAX_CHOICES);
        self.random = Random::new(seed);
        self.size = size;
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
        self.replay_guide(guide, MAX_CHOICES as usize);
    }

    pub(crate) fn replay_choices(&mut self, choices: &[Choice], tail: Tail, limit: usize) {
        self.begin(Mode::Replay, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.script.clear();
        self.script.extend_from_slice(choices);
        self.tail = tail;
        if let Tail::Random(seed) = tail {
            self.random = Random::new(seed);
        }
    }

    pub(crate) fn replay_guide(&mut self, guide: Guide, limit: usize) {
        self.begin(Mode::Guided, u32::try_from(limit).unwrap_or(MAX_CHOICES));
        self.guide = guide;
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
        self.pools.begin(self.kinds.n_pools);
        self.trail.clear();
        self.open.clear();
        self.stop = None;
        self.n_rewinds = 0;
        self.scores.clear();
    }
}

/// Draws.
impl Source {
    /// A value of a kind.
    #[inline]
    pub fn draw(&mut self, kind: KindId) -> Result<Value, Stopped> {
        if self.mode == Mode::Search {
            self.spend()?;
            return Ok(self.sample(kind));
        }
        self.draw_recorded(kind)
    }

    /// A value of a kind, if it fits in 64 bits. Where it does not, or the run is over, there is
    /// nothing: [`Source::stop`] tells the two apart, and kinds without members beyond 64 bits
    /// have only the second.
    #[inline]
    pub fn draw_small(&mut self, kind: KindId) -> Option<i64> {
        match self.draw(kind) {
            Ok(Value::Small(small)) => Some(small),
            Ok(Value::Big(_)) | Err(Stopped) => None,
        }
    }

    /// An integer of a kind, of any size.
    pub fn integer(&mut self, kind: KindId) -> Result<BigInt, Stopped> {
        self.draw(kind).map(|it| self.kinds.bigs.integer(it))
    }

    /// An integer of a kind that is also between two bounds; no such integer stops the run.
    #[inline]
    pub fn draw_within(&mut self, kind: KindId, min: i64, max: i64) -> Result<i64, Stopped> {
        if self.mode == Mode::Search
            && let Kind::Integer(integer) = &self.kinds.list[kind.0 as usize]
        {
            let (lo, hi) = (integer.lo.max(min), integer.hi.min(max));
            if lo <= hi && self.left > 0 {
                self.left -= 1;
                let (random, pools) = (&mut self.random, &mut self.pools);
                return Ok(integer.sample_within(lo, hi, random, self.size, pools));
            }
        }
        let narrow = self.integer_kind(kind).and_then(|it| it.within(min, max));
        self.draw_narrow(narrow.map(Kind::Integer)).map(small)
    }

    /// The same with bounds of any size, where given.
    pub fn integer_within(
        &mut self,
        kind: KindId,
        min: Option<&BigInt>,
        max: Option<&BigInt>,
    ) -> Result<BigInt, Stopped> {
        let narrow = self.integer_kind(kind).and_then(|it| it.within_wide(min, max));
        if self.mode == Mode::Search
            && let Some(integer) = &narrow
        {
            self.spend()?;
            let (random, pools) = (&mut self.random, &mut self.pools);
            let value = integer.sample(random, self.size, pools, &mut self.kinds.bigs);
            return Ok(self.kinds.bigs.integer(value));
        }
        let value = self.draw_narrow(narrow.map(Kind::Integer))?;
        Ok(self.kinds.bigs.integer(value))
    }

    /// One of the alternatives whose weight is above 0; if there is none, the run stops.
    #[inline]
    pub fn select(&mut self, weights: &[u32]) -> Result<u32, Stopped> {
        if self.mode == Mode::Search {
            let total: u64 = weights.iter().copied().map(u64::from).sum();
            if total > 0 {
                self.spend()?;
                return Ok(crate::kind::pick(weights, self.random.below(total)) as u32);
            }
        }
        let narrow = Selector::weighted(weights).map(Kind::Selector);
        self.draw_narrow(narrow).map(|it| small(it) as u32)
    }

    /// Whether one more element follows, when `n` are there already.
    #[inline]
    pub fn more(&mut self, kind: KindId, n: u32) -> Result<bool, Stopped> {
        if let Kind::More(more) = &self.kinds.list[kind.0 as usize]
            && let Some(answer) = more.forced(n)
        {
            self.force(kind, Value::Small(answer))?;
            return Ok(answer != 0);
        }
        self.draw(kind).map(|it| it != Value::Small(0))
    }

    /// Whether one more element follows, when `n` are there already; if so, its span is open,
    /// and the answer is a part of it. So removing an element is removing a span.
    #[inline]
    pub fn element(&mut self, label: Label, kind: KindId, n: u32) -> Result<bool, Stopped> {
        if self.mode == Mode::Search {
            return self.more(kind, n);
        }
        let is_guided = self.mode == Mode::Guided && self.guide.enter_if_any(label);
        let follows = self.more(kind, n)?;
        if follows {
            self.open_at_last(label);
            if self.mode == Mode::Guided && !is_guided {
                self.guide.enter(label);
            }
        } else if is_guided {
            self.guide.leave();
        }
        Ok(follows)
    }

    /// A truth value.
    #[inline]
    pub fn boolean(&mut self, kind: KindId) -> Result<bool, Stopped> {
        self.draw(kind).map(|it| it != Value::Small(0))
    }

    /// A floating-point number.
    pub fn float(&mut self, kind: KindId) -> Result<f64, Stopped> {
        self.draw(kind).map(|it| f64::from_bits(small(it) as u64))
    }

    /// A character.
    pub fn char(&mut self, kind: KindId) -> Result<char, Stopped> {
        let code = self.draw(kind).map(small)?;
        Ok(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'))
    }

    /// One of the `live` variables of a pool, the oldest being 0; without any, the run stops.
    pub fn reference(&mut self, pool: Pool, live: u32) -> Result<u32, Stopped> {
        if self.mode == Mode::Search && live > 0 {
            self.spend()?;
            return Ok(Reference { pool, live }.sample(&mut self.random) as u32);
        }
        let kind = (live > 0).then_some(Kind::Reference(Reference { pool, live }));
        self.draw_narrow(kind).map(|it| small(it) as u32)
    }

    /// Notes that the innermost open span makes the next variable of a pool.
    pub fn bind(&mut self, pool: Pool) {
        if self.mode != Mode::Search {
            let at = self.trail.choices.len() as u32;
            self.trail.bindings.push(Binding { pool, at, span: self.open.last().copied() });
        }
    }

    /// Makes a choice that leaves nothing to choose, so that every case has it at this place.
    #[inline]
    pub fn force(&mut self, kind: KindId, value: Value) -> Result<(), Stopped> {
        self.spend()?;
        if self.mode != Mode::Search {
            if self.mode == Mode::Guided {
                let _ = self.guide.next(self.kinds.class(kind));
            }
            let class = self.kinds.class(kind);
            self.trail.choices.push(Choice::new(kind, class, value, Freedom::Forced));
        }
        Ok(())
    }

    /// Makes a free choice that the source itself has planned.
    fn put(&mut self, kind: KindId, value: i64) -> Result<(), Stopped> {
        self.spend()?;
        if self.mode != Mode::Search {
            let class = self.kinds.class(kind);
            let choice = Choice::new(kind, class, Value::Small(value), Freedom::Free);
            self.trail.choices.push(choice);
        }
        Ok(())
    }

    fn draw_narrow(&mut self, kind: Option<Kind>) -> Result<Value, Stopped> {
        let Some(kind) = kind else { return Err(self.halt(Stop::DeadEnd)) };
        let kind = self.kinds.intern(kind);
        self.draw_recorded(kind)
    }

    fn integer_kind(&self, kind: KindId) -> Option<&Integer> {
        if let Kind::Integer(integer) = self.kinds.get(kind) { Some(integer) } else { None }
    }

    fn draw_recorded(&mut self, kind: KindId) -> Result<Value, Stopped> {
        self.spend()?;
        let class = self.kinds.class(kind);
        let value = match self.mode {
            Mode::Search | Mode::Record => self.sample(kind),
            Mode::Replay => match self.script.get(self.trail.choices.len()).copied() {
                Some(choice) => self.fit(kind, class, choice),
                None => match self.tail {
                    Tail::Simplest => self.kinds.simplest(kind),
                    Tail::Random(_) => self.sample(kind),
                },
            },
            Mode::Guided => match self.guide.next(class) {
                Some(choice) => self.fit(kind, class, choice),
                None => self.kinds.simplest(kind),
            },
        };
        self.trail.choices.push(Choice::new(kind, class, value, Freedom::Free));
        Ok(value)
    }

    fn fit(&mut self, kind: KindId, class: Class, choice: Choice) -> Value {
        if choice.class() == class {
            self.kinds.project(kind, choice.value())
        } else {
            self.kinds.simplest(kind)
        }
    }

    #[inline]
    fn sample(&mut self, kind: KindId) -> Value {
        let (random, size) = (&mut self.random, self.size);
        match &self.kinds.list[kind.0 as usize] {
            Kind::Integer(it) => it.sample(random, size, &mut self.pools, &mut self.kinds.bigs),
            Kind::Float(it) => Value::Small(it.sample(random, size)),
            Kind::Boolean(it) => Value::Small(it.sample(random)),
            Kind::Selector(it) => Value::Small(it.sample(random)),
            Kind::More(it) => Value::Small(it.sample(random, size)),
            Kind::Char(it) => Value::Small(it.sample(random)),
            Kind::Reference(it) => Value::Small(it.sample(random)),
        }
    }

    #[inline]
    fn spend(&mut self) -> Result<(), Stopped> {
        if self.left == 0 {
            return Err(self.halt(Stop::Overrun));
        }
        self.left -= 1;
        Ok(())
    }

    #[cold]
    fn halt(&mut self, why: Stop) -> Stopped {
        self.left = 0;
        self.stop.get_or_insert(why);
        Stopped
    }
}

/// Spans, and taking back.
impl Source {
    /// Opens a span: what is drawn until it is closed belongs to the part of that name.
    #[inline]
    pub fn open(&mut self, label: Label) {
        if self.mode != Mode::Search {
            self.open_recorded(label);
        }
    }

    /// Closes the innermost open span.
    #[inline]
    pub fn close(&mut self) {
        if self.mode != Mode::Search {
            self.close_recorded(Ending::Kept);
        }
    }

    /// Closes the innermost open span as an attempt that came to nothing.
    #[inline]
    pub fn discard(&mut self) {
        if self.mode != Mode::Search {
            self.close_recorded(Ending::Discarded);
        }
    }

    /// A place to return to.
    pub fn mark(&self) -> Mark {
        Mark {
            n_choices: self.trail.choices.len() as u32,
            n_spans: self.trail.spans.len() as u32,
            n_open: self.open.len() as u32,
            n_bindings: self.trail.bindings.len() as u32,
        }
    }

    /// Takes back what was drawn since a mark; the random numbers are used up all the same. A
    /// replay does not search: it takes back once, and then it stops.
    pub fn rewind(&mut self, mark: Mark) -> Result<(), Stopped> {
        match self.mode {
            Mode::Search => return Ok(()),
            Mode::Record => {}
            Mode::Replay if self.n_rewinds == 0 => self.n_rewinds = 1,
            Mode::Replay | Mode::Guided => return Err(self.halt(Stop::DeadEnd)),
        }
        if self.mode == Mode::Replay && self.stop.is_none() {
            let n_back = (self.trail.choices.len() as u32).saturating_sub(mark.n_choices);
            self.left = self.left.saturating_add(n_back);
        }
        self.trail.choices.truncate(mark.n_choices as usize);
        self.trail.spans.truncate(mark.n_spans as usize);
        self.trail.bindings.truncate(mark.n_bindings as usize);
        self.open.truncate(mark.n_open as usize);
        Ok(())
    }

    fn open_recorded(&mut self, label: Label) {
        self.push_span(label, self.trail.choices.len() as u32);
        if self.mode == Mode::Guided {
            self.guide.enter(label);
        }
    }

    /// Opens a span that begins with the choice made last.
    fn open_at_last(&mut self, label: Label) {
        if self.mode != Mode::Search {
            self.push_span(label, (self.trail.choices.len() as u32).saturating_sub(1));
        }
    }

    fn push_span(&mut self, label: Label, start: u32) {
        let parent = self.open.last().copied();
        self.open.push(self.trail.spans.len() as u32);
        let ending = Ending::Kept;
        self.trail.spans.push(Span { label, start, end: start, parent, ending });
    }

    fn close_recorded(&mut self, ending: Ending) {
        let Some(span) = self.open.pop() else { return };
        let span = &mut self.trail.spans[span as usize];
        span.end = self.trail.choices.len() as u32;
        span.ending = ending;
        if self.mode == Mode::Guided {
            self.guide.leave();
        }
    }

    fn close_all(&mut self) {
        while !self.open.is_empty() {
            self.close_recorded(Ending::Kept);
        }
    }
}

/// Kinds other than integers have no members beyond 64 bits.
fn small(value: Value) -> i64 {
    match value {
        Value::Small(small) => small,
        Value::Big(_) => 0,
    }
}
