//! Drawing values: the same calls in every mode. A search takes the fast paths, which neither
//! intern kinds nor record choices.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use super::{ReplayTail, RunStopReason, RunStopped, Source, SourceMode};
use crate::case::{Choice, ChoiceFreedom, VariableBinding};
use crate::kind::{
    ChoiceClass, IntegerKind, Kind, KindId, PoolId, ReferenceKind, SelectorKind, pick_weighted,
};
use crate::random::Random;
use crate::span_label::SpanLabel;
use crate::urn::Urn;
use crate::value::ChoiceValue;

/// How often an integer that is excluded is drawn again.
const MAX_EXCLUDED_DRAWS: u32 = 16;

impl Source {
    /// A value of a kind.
    #[inline]
    pub fn draw(&mut self, kind: KindId) -> Result<ChoiceValue, RunStopped> {
        if self.mode == SourceMode::Search {
            self.spend_choice()?;
            return Ok(self.choose(kind));
        }
        self.draw_recorded(kind)
    }

    /// A value of a kind, if it fits in 64 bits. `None` if it does not or the run is over:
    /// [`Source::stop_reason`] distinguishes the two. Kinds without members beyond 64 bits return
    /// `None` only for the latter.
    #[inline]
    pub fn draw_small(&mut self, kind: KindId) -> Option<i64> {
        match self.draw(kind) {
            Ok(ChoiceValue::Small(small)) => Some(small),
            Ok(ChoiceValue::Big(_)) | Err(RunStopped) => None,
        }
    }

    /// An integer of a kind, of any size.
    pub fn draw_integer(&mut self, kind: KindId) -> Result<BigInt, RunStopped> {
        self.draw(kind).map(|it| self.kinds.bigs.integer(it))
    }

    /// An integer of a kind that is also between two bounds; the run stops if there is none.
    #[inline]
    pub fn draw_small_within(
        &mut self,
        kind: KindId,
        min: i64,
        max: i64,
    ) -> Result<i64, RunStopped> {
        if self.mode == SourceMode::Search
            && let Kind::Integer(integer) = &self.kinds.list[kind.0 as usize]
        {
            let (lo, hi) = (integer.lo.max(min), integer.hi.min(max));
            // The hot path: samples directly, without building the narrowed kind.
            if lo <= hi && self.n_choices_left > 0 && !self.is_directed {
                self.n_choices_left -= 1;
                let (random, pools) = (&mut self.random, &mut self.pools);
                let how = (self.size, self.bias);
                return Ok(integer.sample_within(lo, hi, random, how, pools));
            }
        }
        let narrow = self.integer_kind(kind).and_then(|it| it.within(min, max));
        if self.mode == SourceMode::Search
            && self.n_choices_left > 0
            && let Some(integer) = &narrow
        {
            self.spend_choice()?;
            return Ok(self.choose_directed_within(integer));
        }
        self.draw_narrow(narrow.map(Kind::Integer)).map(expect_small)
    }

    /// An integer of a kind, in a directed search.
    fn choose_directed_within(&mut self, integer: &IntegerKind) -> i64 {
        let (lo, hi) = (integer.lo, integer.hi);
        let fits = |it| matches!(it, ChoiceValue::Small(small) if (lo..=hi).contains(&small));
        let value = self
            .directed_value(ChoiceClass::Integer, fits)
            .map(expect_small)
            .unwrap_or_else(|| {
                let (random, pools) = (&mut self.random, &mut self.pools);
                integer.sample_within(lo, hi, random, (self.size, self.bias), pools)
            });
        self.log(ChoiceClass::Integer, ChoiceValue::Small(value));
        value
    }

    /// Like [`Source::draw_small_within`], with optional bounds of any size.
    pub fn draw_integer_within(
        &mut self,
        kind: KindId,
        min: Option<&BigInt>,
        max: Option<&BigInt>,
    ) -> Result<BigInt, RunStopped> {
        // Building the narrowed kind takes much longer than drawing.
        if let (Some(min), Some(max)) = (
            min.map_or(Some(i64::MIN), BigInt::to_i64),
            max.map_or(Some(i64::MAX), BigInt::to_i64),
        ) && !(min == i64::MIN && max == i64::MAX)
        {
            return self.draw_small_within(kind, min, max).map(BigInt::from);
        }
        let narrow = self.integer_kind(kind).and_then(|it| it.within_wide(min, max));
        if self.mode == SourceMode::Search
            && !self.is_directed
            && let Some(integer) = &narrow
        {
            self.spend_choice()?;
            let (random, pools) = (&mut self.random, &mut self.pools);
            let value =
                integer.sample(random, self.size, self.bias, pools, &mut self.kinds.bigs);
            return Ok(self.kinds.bigs.integer(value));
        }
        let value = self.draw_narrow(narrow.map(Kind::Integer))?;
        Ok(self.kinds.bigs.integer(value))
    }

    /// Like [`Source::draw_integer_except`], within 64 bits.
    pub fn draw_small_except(
        &mut self,
        kind: KindId,
        (min, max): (i64, i64),
        excluded: &[i64],
    ) -> Result<i64, RunStopped> {
        let may_repeat = !self.is_directed && !self.is_replaying();
        if self.mode == SourceMode::Search
            && may_repeat
            && let Kind::Integer(integer) = &self.kinds.list[kind.0 as usize]
        {
            let (lo, hi) = (integer.lo.max(min), integer.hi.min(max));
            if lo <= hi && self.n_choices_left > 0 {
                self.n_choices_left -= 1;
                let (random, pools) = (&mut self.random, &mut self.pools);
                let how = (self.size, self.bias);
                let mut drawn = integer.sample_within(lo, hi, random, how, pools);
                for _ in 0..MAX_EXCLUDED_DRAWS {
                    if !excluded.contains(&drawn) {
                        return Ok(drawn);
                    }
                    drawn = integer.sample_within(lo, hi, random, how, pools);
                }
                return match nearest_small(drawn, (lo, hi), excluded) {
                    Some(allowed) => Ok(allowed),
                    None => Err(self.stop_run(RunStopReason::DeadEnd)),
                };
            }
        }
        let narrow = self.integer_kind(kind).and_then(|it| it.within(min, max));
        let Some(narrow) = narrow else { return Err(self.stop_run(RunStopReason::DeadEnd)) };
        let (lo, hi) = (narrow.lo, narrow.hi);
        let kind = self.kinds.intern(Kind::Integer(narrow));
        self.spend_choice()?;
        let class = ChoiceClass::Integer;
        let mut drawn = match self.mode {
            SourceMode::Search | SourceMode::Record => self.choose(kind),
            SourceMode::Replay => {
                let choice = self.next_of_script();
                self.fit_choice(kind, class, choice)
            }
            SourceMode::Guided => {
                let choice = self.guide.next(class);
                self.fit_choice(kind, class, choice)
            }
        };
        for _ in 0..if may_repeat { MAX_EXCLUDED_DRAWS } else { 0 } {
            if !excluded.contains(&expect_small(drawn)) {
                break;
            }
            drawn = self.sample(kind);
        }
        // Recorded is the value that was taken in the end, so that a replay takes it at once.
        let Some(allowed) = nearest_small(expect_small(drawn), (lo, hi), excluded) else {
            return Err(self.stop_run(RunStopReason::DeadEnd));
        };
        if self.mode != SourceMode::Search {
            let value = ChoiceValue::Small(allowed);
            self.sequence.choices.push(Choice::new(kind, class, value, ChoiceFreedom::Free));
        }
        Ok(allowed)
    }

    /// Like [`Source::draw_integer_within`], without some values. An excluded value is drawn again,
    /// and after some attempts the nearest other one is taken; so is that of a replay.
    pub fn draw_integer_except(
        &mut self,
        kind: KindId,
        (min, max): (Option<&BigInt>, Option<&BigInt>),
        excluded: &BTreeSet<BigInt>,
    ) -> Result<BigInt, RunStopped> {
        let narrow = self.integer_kind(kind).and_then(|it| it.within_wide(min, max));
        let Some(narrow) = narrow else { return Err(self.stop_run(RunStopReason::DeadEnd)) };
        let bounds = narrow.bounds();
        let kind = self.kinds.intern(Kind::Integer(narrow));
        self.spend_choice()?;
        let class = ChoiceClass::Integer;
        let mut drawn = match self.mode {
            SourceMode::Search | SourceMode::Record => self.choose(kind),
            SourceMode::Replay => {
                let choice = self.next_of_script();
                self.fit_choice(kind, class, choice)
            }
            SourceMode::Guided => {
                let choice = self.guide.next(class);
                self.fit_choice(kind, class, choice)
            }
        };
        let may_repeat = !self.is_directed && !self.is_replaying();
        for _ in 0..if may_repeat { MAX_EXCLUDED_DRAWS } else { 0 } {
            if !excluded.contains(&self.kinds.bigs.integer(drawn)) {
                break;
            }
            drawn = self.sample(kind);
        }
        let drawn = self.kinds.bigs.integer(drawn);
        let Some(integer) = nearest_allowed(&drawn, &bounds, excluded) else {
            return Err(self.stop_run(RunStopReason::DeadEnd));
        };
        if self.mode != SourceMode::Search {
            let value = self.kinds.bigs.intern(integer.clone());
            self.sequence.choices.push(Choice::new(kind, class, value, ChoiceFreedom::Free));
        }
        Ok(integer)
    }

    /// A value below `n`, in a search: the directed value if there is one, or else a sample.
    #[inline]
    fn choose_below(
        &mut self,
        class: ChoiceClass,
        n: usize,
        fits: impl Fn(usize) -> bool,
        sample: impl FnOnce(&mut Random) -> i64,
    ) -> i64 {
        if !self.is_directed {
            return sample(&mut self.random);
        }
        let fits = |it| match it {
            ChoiceValue::Small(small) => {
                usize::try_from(small).is_ok_and(|it| it < n && fits(it))
            }
            ChoiceValue::Big(_) => false,
        };
        let planned = self.directed_value(class, fits).map(expect_small);
        let value = planned.unwrap_or_else(|| sample(&mut self.random));
        self.log(class, ChoiceValue::Small(value));
        value
    }

    /// One of the alternatives whose weight is above 0; the run stops if there is none.
    #[inline]
    pub fn select(&mut self, weights: &[u32]) -> Result<u32, RunStopped> {
        if self.mode == SourceMode::Search {
            let total: u64 = weights.iter().copied().map(u64::from).sum();
            if total > 0 {
                self.spend_choice()?;
                let has_weight = |at: usize| weights[at] > 0;
                let n = weights.len();
                let chosen =
                    self.choose_below(ChoiceClass::Selector, n, has_weight, |random| {
                        pick_weighted(weights, random.below(total))
                    });
                return Ok(chosen as u32);
            }
        }
        let narrow = SelectorKind::weighted(weights).map(Kind::Selector);
        self.draw_narrow(narrow).map(|it| expect_small(it) as u32)
    }

    /// One of `n` alternatives. A search takes them in turn, case by case, in the given order, so
    /// that none waits for long, and no case depends on what another one found.
    pub fn select_in_turn(&mut self, n: u32, turns: &[u32]) -> Result<u32, RunStopped> {
        let kind = SelectorKind::even(n).map(Kind::Selector);
        let n_turns = turns.len().max(1) as u64;
        let chosen = turns.get((self.number % n_turns) as usize).filter(|it| **it < n);
        match chosen.filter(|_| !self.is_replaying()) {
            Some(chosen) => {
                let kind = kind.ok_or_else(|| self.stop_run(RunStopReason::DeadEnd))?;
                let kind = self.kinds.intern(kind);
                self.push_directed(kind, i64::from(*chosen))?;
                Ok(*chosen)
            }
            None => self.draw_narrow(kind).map(|it| expect_small(it) as u32),
        }
    }

    /// Whether one more element follows after `n`.
    #[inline]
    pub fn draw_more(&mut self, kind: KindId, n: u32) -> Result<bool, RunStopped> {
        if let Kind::MoreElements(more) = &self.kinds.list[kind.0 as usize]
            && let Some(answer) = more.forced_answer(n)
        {
            self.force_choice(kind, ChoiceValue::Small(answer))?;
            return Ok(answer != 0);
        }
        // Passed aside, because `draw` takes nothing but a kind.
        self.n_elements = n;
        self.draw(kind).map(|it| it != ChoiceValue::Small(0))
    }

    /// Whether one more element follows after `n`; if so, opens its span, which includes the
    /// answer. Removing an element is thus removing a span.
    #[inline]
    pub fn open_element(
        &mut self,
        label: SpanLabel,
        kind: KindId,
        n: u32,
    ) -> Result<bool, RunStopped> {
        if self.mode == SourceMode::Search {
            return self.draw_more(kind, n);
        }
        // The guide has to be inside the element before the answer is drawn, because the recorded
        // answer belongs to the element's span.
        let is_guided = self.mode == SourceMode::Guided && self.guide.enter_element(label);
        let follows = self.draw_more(kind, n)?;
        if follows {
            self.open_at_last(label);
            if self.mode == SourceMode::Guided && !is_guided {
                self.guide.enter(label);
            }
        } else if is_guided {
            self.guide.leave();
        }
        Ok(follows)
    }

    /// A Boolean.
    #[inline]
    pub fn draw_boolean(&mut self, kind: KindId) -> Result<bool, RunStopped> {
        self.draw(kind).map(|it| it != ChoiceValue::Small(0))
    }

    /// A floating-point number.
    pub fn draw_float(&mut self, kind: KindId) -> Result<f64, RunStopped> {
        self.draw(kind).map(|it| f64::from_bits(expect_small(it) as u64))
    }

    /// A character.
    pub fn draw_char(&mut self, kind: KindId) -> Result<char, RunStopped> {
        let code = self.draw(kind).map(expect_small)?;
        Ok(u32::try_from(code).ok().and_then(char::from_u32).unwrap_or('\u{fffd}'))
    }

    /// One of the alternatives in an urn, by its weight; the run stops if it is empty.
    pub fn select_from_urn(&mut self, urn: &Urn<u32>) -> Result<u32, RunStopped> {
        // Search and record must consume the same random number, so it is drawn before the modes
        // part.
        let by_chance = matches!(self.mode, SourceMode::Search | SourceMode::Record);
        let drawn = match urn.weight() {
            0 => return Err(self.stop_run(RunStopReason::DeadEnd)),
            weight if by_chance => urn.value_at(self.random.below(weight)).copied(),
            _ => None,
        };
        if self.mode == SourceMode::Search {
            self.spend_choice()?;
            return Ok(drawn.unwrap_or(0));
        }
        // The urn as a selector: its values are the alternatives, which a replay can project.
        let n = urn.iter().map(|(_, it)| *it as usize + 1).max().unwrap_or(0);
        let mut weights = vec![0; n];
        urn.iter().for_each(|(weight, it)| weights[*it as usize] = weight);
        let kind = SelectorKind::weighted(&weights).map(Kind::Selector);
        match (drawn, kind) {
            (Some(drawn), Some(kind)) => {
                let kind = self.kinds.intern(kind);
                self.push_directed(kind, i64::from(drawn))?;
                Ok(drawn)
            }
            (_, kind) => self.draw_narrow(kind).map(|it| expect_small(it) as u32),
        }
    }

    /// Takes one of the alternatives out of an urn, by its weight; the run stops if it is empty.
    /// Takes logarithmic time in a search.
    pub fn take_from_urn(&mut self, urn: &mut Urn<u32>) -> Result<u32, RunStopped> {
        let weight = urn.weight();
        if self.mode == SourceMode::Search && weight > 0 {
            self.spend_choice()?;
            let taken = urn.remove(self.random.below(weight));
            return taken
                .map(|(_, it)| it)
                .ok_or_else(|| self.stop_run(RunStopReason::DeadEnd));
        }
        let taken = self.select_from_urn(urn)?;
        // By value, since a recording knows which alternative was taken and not at which point of
        // the urn.
        if let Some(point) = urn.point_of(|it| *it == taken) {
            urn.remove(point);
        }
        Ok(taken)
    }

    /// One of the `n_live` variables of a pool, the oldest being 0; the run stops if there are
    /// none.
    pub fn draw_reference(&mut self, pool: PoolId, n_live: u32) -> Result<u32, RunStopped> {
        if self.mode == SourceMode::Search && n_live > 0 {
            self.spend_choice()?;
            let kind = ReferenceKind { pool, n_live };
            let n = n_live as usize;
            let chosen = self.choose_below(
                ChoiceClass::Reference,
                n,
                |_| true,
                |random| kind.sample(random),
            );
            return Ok(chosen as u32);
        }
        let kind = (n_live > 0).then_some(Kind::Reference(ReferenceKind { pool, n_live }));
        self.draw_narrow(kind).map(|it| expect_small(it) as u32)
    }

    /// Records that the innermost open span binds the next variable of a pool.
    pub fn bind_variable(&mut self, pool: PoolId) {
        if self.mode != SourceMode::Search {
            let at = self.sequence.choices.len() as u32;
            self.sequence.bindings.push(VariableBinding {
                pool,
                at,
                span: self.open.last().copied(),
            });
        }
    }

    /// Records a choice without alternatives, so that every case has it at this position.
    #[inline]
    pub fn force_choice(&mut self, kind: KindId, value: ChoiceValue) -> Result<(), RunStopped> {
        self.spend_choice()?;
        if self.mode != SourceMode::Search {
            if self.mode == SourceMode::Guided {
                // Consume the recorded counterpart, so that later choices stay aligned.
                let _ = self.guide.next(self.kinds.class(kind));
            }
            let class = self.kinds.class(kind);
            self.sequence.choices.push(Choice::new(kind, class, value, ChoiceFreedom::Forced));
        }
        Ok(())
    }

    /// Records a free choice whose value the source itself decided.
    pub(super) fn push_directed(&mut self, kind: KindId, value: i64) -> Result<(), RunStopped> {
        self.spend_choice()?;
        if self.mode != SourceMode::Search {
            let class = self.kinds.class(kind);
            let choice =
                Choice::new(kind, class, ChoiceValue::Small(value), ChoiceFreedom::Free);
            self.sequence.choices.push(choice);
        }
        Ok(())
    }

    fn draw_narrow(&mut self, kind: Option<Kind>) -> Result<ChoiceValue, RunStopped> {
        let Some(kind) = kind else { return Err(self.stop_run(RunStopReason::DeadEnd)) };
        let kind = self.kinds.intern(kind);
        self.draw_recorded(kind)
    }

    fn integer_kind(&self, kind: KindId) -> Option<&IntegerKind> {
        if let Kind::Integer(integer) = self.kinds.get(kind) { Some(integer) } else { None }
    }

    fn draw_recorded(&mut self, kind: KindId) -> Result<ChoiceValue, RunStopped> {
        self.spend_choice()?;
        let class = self.kinds.class(kind);
        let value = match self.mode {
            SourceMode::Search | SourceMode::Record => self.choose(kind),
            SourceMode::Replay => {
                let choice = self.next_of_script();
                self.fit_choice(kind, class, choice)
            }
            SourceMode::Guided => {
                let choice = self.guide.next(class);
                self.fit_choice(kind, class, choice)
            }
        };
        self.sequence.choices.push(Choice::new(kind, class, value, ChoiceFreedom::Free));
        Ok(value)
    }

    /// The value of a recorded choice, fitted to a kind.
    fn fit_choice(
        &mut self,
        kind: KindId,
        class: ChoiceClass,
        choice: Option<Choice>,
    ) -> ChoiceValue {
        match (choice, self.tail) {
            (Some(choice), _) if choice.class() == class => {
                self.kinds.project(kind, choice.value())
            }
            // Only a missing choice is sampled: one of the wrong class means the shape differs.
            (None, ReplayTail::Random(_)) => self.sample(kind),
            (Some(_), _) | (None, ReplayTail::Simplest) => self.kinds.simplest(kind),
        }
    }

    /// A value of a kind, sampled or directed.
    #[inline]
    fn choose(&mut self, kind: KindId) -> ChoiceValue {
        if self.is_directed { self.choose_directed(kind) } else { self.sample(kind) }
    }

    #[inline]
    pub(super) fn sample(&mut self, kind: KindId) -> ChoiceValue {
        let (random, size, bias) = (&mut self.random, self.size, self.bias);
        let pools = &mut self.pools;
        match &self.kinds.list[kind.0 as usize] {
            Kind::Integer(it) => it.sample(random, size, bias, pools, &mut self.kinds.bigs),
            Kind::Float(it) => ChoiceValue::Small(it.sample(random, size, pools)),
            Kind::Boolean(it) => ChoiceValue::Small(it.sample(random, bias)),
            Kind::Selector(it) => ChoiceValue::Small(it.sample(random, bias)),
            Kind::MoreElements(it) => {
                ChoiceValue::Small(it.sample(random, (size, self.n_elements), bias))
            }
            Kind::Char(it) => ChoiceValue::Small(it.sample(random, bias)),
            Kind::Reference(it) => ChoiceValue::Small(it.sample(random)),
        }
    }

    #[inline]
    fn spend_choice(&mut self) -> Result<(), RunStopped> {
        if self.n_choices_left == 0 {
            return Err(self.stop_run(RunStopReason::Overrun));
        }
        self.n_choices_left -= 1;
        Ok(())
    }

    #[cold]
    pub(super) fn stop_run(&mut self, why: RunStopReason) -> RunStopped {
        // No further draws, so that a generator that ignores the error terminates.
        self.n_choices_left = 0;
        // The first reason is the cause; later ones are consequences.
        self.stop_reason.get_or_insert(why);
        RunStopped
    }
}

/// The same within 64 bits.
fn nearest_small(integer: i64, (lo, hi): (i64, i64), excluded: &[i64]) -> Option<i64> {
    let is_allowed = |it: &i64| (lo..=hi).contains(it) && !excluded.contains(it);
    // By pigeonhole: among so many distances, one leads to a value that is not excluded, unless
    // both bounds are passed.
    (0..=excluded.len() as i64 + 1).find_map(|distance| {
        let both = [integer.checked_add(distance), integer.checked_sub(distance)];
        both.into_iter().flatten().find(is_allowed)
    })
}

/// The integer nearest to a given one that is between bounds and not excluded; of two, the larger.
fn nearest_allowed(
    integer: &BigInt,
    (min, max): &(Option<BigInt>, Option<BigInt>),
    excluded: &BTreeSet<BigInt>,
) -> Option<BigInt> {
    let is_allowed = |it: &BigInt| {
        min.as_ref().is_none_or(|min| min <= it)
            && max.as_ref().is_none_or(|max| it <= max)
            && !excluded.contains(it)
    };
    // Among so many neighbors one is not excluded, if there is one within the bounds.
    (0..=excluded.len() + 1).find_map(|distance| {
        [integer + distance, integer - distance].into_iter().find(is_allowed)
    })
}

/// The value of a kind without members beyond 64 bits, that is, any but integers.
pub(super) fn expect_small(value: ChoiceValue) -> i64 {
    match value {
        ChoiceValue::Small(small) => small,
        ChoiceValue::Big(_) => 0,
    }
}
