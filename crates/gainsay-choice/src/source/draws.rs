//! Drawing: the same calls in every mode.

use num_bigint::BigInt;

use super::{Mode, Source, Stop, Stopped, Tail};
use crate::case::{Binding, Choice, Freedom};
use crate::kind::{Class, Integer, Kind, KindId, Pool, Reference, Selector, pick};
use crate::label::Label;
use crate::random::Random;
use crate::urn::Urn;
use crate::value::Value;

impl Source {
    /// A value of a kind.
    #[inline]
    pub fn draw(&mut self, kind: KindId) -> Result<Value, Stopped> {
        if self.mode == Mode::Search {
            self.spend()?;
            return Ok(self.choose(kind));
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
            if lo <= hi && self.left > 0 && !self.is_planned {
                self.left -= 1;
                let (random, pools) = (&mut self.random, &mut self.pools);
                let how = (self.size, self.bias);
                return Ok(integer.sample_within(lo, hi, random, how, pools));
            }
        }
        let narrow = self.integer_kind(kind).and_then(|it| it.within(min, max));
        if self.mode == Mode::Search
            && self.left > 0
            && let Some(integer) = &narrow
        {
            self.spend()?;
            return Ok(self.choose_within(integer));
        }
        self.draw_narrow(narrow.map(Kind::Integer)).map(small)
    }

    /// A value of a kind that is not kept, in a search in which not all goes by chance.
    fn choose_within(&mut self, integer: &Integer) -> i64 {
        let (lo, hi) = (integer.lo, integer.hi);
        let fits = |it| matches!(it, Value::Small(small) if (lo..=hi).contains(&small));
        let value = self.planned(Class::Integer, fits).map(small).unwrap_or_else(|| {
            let (random, pools) = (&mut self.random, &mut self.pools);
            integer.sample_within(lo, hi, random, (self.size, self.bias), pools)
        });
        self.log(Class::Integer, Value::Small(value));
        value
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
            && !self.is_planned
            && let Some(integer) = &narrow
        {
            self.spend()?;
            let (random, pools) = (&mut self.random, &mut self.pools);
            let value =
                integer.sample(random, self.size, self.bias, pools, &mut self.kinds.bigs);
            return Ok(self.kinds.bigs.integer(value));
        }
        let value = self.draw_narrow(narrow.map(Kind::Integer))?;
        Ok(self.kinds.bigs.integer(value))
    }

    /// A value below a number of them, in a search: as it is planned, or what `sample` gives.
    #[inline]
    fn choose_below(
        &mut self,
        class: Class,
        n: usize,
        fits: impl Fn(usize) -> bool,
        sample: impl FnOnce(&mut Random) -> i64,
    ) -> i64 {
        if !self.is_planned {
            return sample(&mut self.random);
        }
        let fits = |it| match it {
            Value::Small(small) => usize::try_from(small).is_ok_and(|it| it < n && fits(it)),
            Value::Big(_) => false,
        };
        let planned = self.planned(class, fits).map(small);
        let value = planned.unwrap_or_else(|| sample(&mut self.random));
        self.log(class, Value::Small(value));
        value
    }

    /// One of the alternatives whose weight is above 0; if there is none, the run stops.
    #[inline]
    pub fn select(&mut self, weights: &[u32]) -> Result<u32, Stopped> {
        if self.mode == Mode::Search {
            let total: u64 = weights.iter().copied().map(u64::from).sum();
            if total > 0 {
                self.spend()?;
                let has_weight = |at: usize| weights[at] > 0;
                let n = weights.len();
                let chosen = self.choose_below(Class::Selector, n, has_weight, |random| {
                    pick(weights, random.below(total))
                });
                return Ok(chosen as u32);
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
        self.n_elements = n;
        self.draw(kind).map(|it| it != Value::Small(0))
    }

    /// Whether one more element follows, when `n` are there already; if so, its span is open,
    /// and the answer is a part of it. So removing an element is removing a span.
    #[inline]
    pub fn element(&mut self, label: Label, kind: KindId, n: u32) -> Result<bool, Stopped> {
        if self.mode == Mode::Search {
            return self.more(kind, n);
        }
        let is_guided = self.mode == Mode::Guided && self.guide.enter_element(label);
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

    /// One of the alternatives in an urn, by its weight; from an empty one, the run stops.
    pub fn select_from(&mut self, urn: &Urn<u32>) -> Result<u32, Stopped> {
        let by_chance = matches!(self.mode, Mode::Search | Mode::Record);
        let drawn = match urn.weight() {
            0 => return Err(self.halt(Stop::DeadEnd)),
            weight if by_chance => urn.at(self.random.below(weight)).copied(),
            _ => None,
        };
        if self.mode == Mode::Search {
            self.spend()?;
            return Ok(drawn.unwrap_or(0));
        }
        let n = urn.iter().map(|(_, it)| *it as usize + 1).max().unwrap_or(0);
        let mut weights = vec![0; n];
        urn.iter().for_each(|(weight, it)| weights[*it as usize] = weight);
        let kind = Selector::weighted(&weights).map(Kind::Selector);
        match (drawn, kind) {
            (Some(drawn), Some(kind)) => {
                let kind = self.kinds.intern(kind);
                self.put(kind, i64::from(drawn))?;
                Ok(drawn)
            }
            (_, kind) => self.draw_narrow(kind).map(|it| small(it) as u32),
        }
    }

    /// Takes one of the alternatives out of an urn, by its weight; from an empty one, the run
    /// stops. A search takes logarithmic time.
    pub fn take_from(&mut self, urn: &mut Urn<u32>) -> Result<u32, Stopped> {
        let weight = urn.weight();
        if self.mode == Mode::Search && weight > 0 {
            self.spend()?;
            let taken = urn.remove(self.random.below(weight));
            return taken.map(|(_, it)| it).ok_or_else(|| self.halt(Stop::DeadEnd));
        }
        let taken = self.select_from(urn)?;
        if let Some(point) = urn.point_of(|it| *it == taken) {
            urn.remove(point);
        }
        Ok(taken)
    }

    /// One of the `live` variables of a pool, the oldest being 0; without any, the run stops.
    pub fn reference(&mut self, pool: Pool, live: u32) -> Result<u32, Stopped> {
        if self.mode == Mode::Search && live > 0 {
            self.spend()?;
            let kind = Reference { pool, live };
            let n = live as usize;
            let chosen =
                self.choose_below(Class::Reference, n, |_| true, |random| kind.sample(random));
            return Ok(chosen as u32);
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
    pub(super) fn put(&mut self, kind: KindId, value: i64) -> Result<(), Stopped> {
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
            Mode::Search | Mode::Record => self.choose(kind),
            Mode::Replay => {
                let choice = self.script.get(self.trail.choices.len()).copied();
                self.fit(kind, class, choice)
            }
            Mode::Guided => {
                let choice = self.guide.next(class);
                self.fit(kind, class, choice)
            }
        };
        self.trail.choices.push(Choice::new(kind, class, value, Freedom::Free));
        Ok(value)
    }

    /// The value of a recorded choice, as far as it fits.
    fn fit(&mut self, kind: KindId, class: Class, choice: Option<Choice>) -> Value {
        match (choice, self.tail) {
            (Some(choice), _) if choice.class() == class => {
                self.kinds.project(kind, choice.value())
            }
            (None, Tail::Random(_)) => self.sample(kind),
            (Some(_), _) | (None, Tail::Simplest) => self.kinds.simplest(kind),
        }
    }

    /// A value of a kind, by chance or as it is planned.
    #[inline]
    fn choose(&mut self, kind: KindId) -> Value {
        if self.is_planned { self.choose_planned(kind) } else { self.sample(kind) }
    }

    #[inline]
    pub(super) fn sample(&mut self, kind: KindId) -> Value {
        let (random, size, bias) = (&mut self.random, self.size, self.bias);
        let pools = &mut self.pools;
        match &self.kinds.list[kind.0 as usize] {
            Kind::Integer(it) => it.sample(random, size, bias, pools, &mut self.kinds.bigs),
            Kind::Float(it) => Value::Small(it.sample(random, size, pools)),
            Kind::Boolean(it) => Value::Small(it.sample(random, bias)),
            Kind::Selector(it) => Value::Small(it.sample(random, bias)),
            Kind::More(it) => Value::Small(it.sample(random, (size, self.n_elements), bias)),
            Kind::Char(it) => Value::Small(it.sample(random, bias)),
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
    pub(super) fn halt(&mut self, why: Stop) -> Stopped {
        self.left = 0;
        self.stop.get_or_insert(why);
        Stopped
    }
}

/// Kinds other than integers have no members beyond 64 bits.
pub(super) fn small(value: Value) -> i64 {
    match value {
        Value::Small(small) => small,
        Value::Big(_) => 0,
    }
}
