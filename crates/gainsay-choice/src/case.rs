//! A recorded case: the choices that were made, and the spans they were made in.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::kind::{Class, KindId, Kinds, Pool};
use crate::label::Label;
use crate::value::{BigId, Value};

/// One choice: its kind and its value, in sixteen bytes.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    kind: KindId,
    class: Class,
    is_big: bool,
    is_forced: bool,
    bits: i64,
}

/// Whether the generator left any choice.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Freedom {
    Free,
    Forced,
}

impl Choice {
    pub(crate) fn new(kind: KindId, class: Class, value: Value, freedom: Freedom) -> Self {
        let (is_big, bits) = match value {
            Value::Small(bits) => (false, bits),
            Value::Big(id) => (true, id.0 as i64),
        };
        Choice { kind, class, is_big, is_forced: freedom == Freedom::Forced, bits }
    }

    /// A choice of which only class and value are known, as read from a file.
    pub(crate) fn loose(class: Class, value: Value) -> Self {
        Choice::new(KindId(u32::MAX), class, value, Freedom::Free)
    }

    /// Its kind, in the table of the source that recorded it.
    pub fn kind(&self) -> KindId {
        self.kind
    }

    /// Its kind without constraints.
    pub fn class(&self) -> Class {
        self.class
    }

    /// Whether the generator left no choice.
    pub fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// What was chosen.
    #[inline]
    pub fn value(&self) -> Value {
        if self.is_big { Value::Big(BigId(self.bits as u64)) } else { Value::Small(self.bits) }
    }

    /// The same choice with another value.
    pub(crate) fn with(self, value: Value) -> Self {
        let freedom = if self.is_forced { Freedom::Forced } else { Freedom::Free };
        Choice::new(self.kind, self.class, value, freedom)
    }

    /// What the choice adds to a digest.
    #[inline]
    fn word(&self) -> u64 {
        (self.bits as u64) ^ (u64::from(self.is_big) << 63) ^ ((self.class as u64) << 56)
    }
}

/// How a span ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It is a part of the case.
    Kept,
    /// It was an attempt that came to nothing.
    Discarded,
}

/// A stretch of choices that one part of a generator made.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Span {
    /// The name of the part.
    pub label: Label,
    /// The number of its first choice.
    pub start: u32,
    /// One more than the number of its last choice.
    pub end: u32,
    /// The number of the span around it.
    pub parent: Option<u32>,
    /// Whether it is a part of the case.
    pub ending: Ending,
}

impl Span {
    /// Its choices.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A variable that references can name, and where it was made.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct Binding {
    /// Which sort of variable.
    pub pool: Pool,
    /// How many choices had been made before.
    pub at: u32,
    /// The innermost span that was open, if any.
    pub span: Option<u32>,
}

/// A step of a recorded run, with the number of its span or choice.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum Event {
    Open(usize),
    Close(usize),
    Choice(usize),
}

/// Choices and spans, with values of the source that recorded them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Trail {
    pub(crate) choices: Vec<Choice>,
    pub(crate) spans: Vec<Span>,
    pub(crate) bindings: Vec<Binding>,
}

impl Trail {
    pub(crate) fn clear(&mut self) {
        self.choices.clear();
        self.spans.clear();
        self.bindings.clear();
    }

    /// Spans and choices in the order in which they were opened, closed and made.
    pub(crate) fn walk(&self, mut visit: impl FnMut(Event)) {
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        let last = (self.spans.len(), self.choices.len(), None);
        let spans = self.spans.iter().enumerate();
        let stops = spans.map(|(span, it)| (span, it.start as usize, it.parent));
        for (span, start, parent) in stops.chain([last]) {
            while at < start {
                while let Some(done) = open.pop_if(|it| self.spans[*it].end as usize <= at) {
                    visit(Event::Close(done));
                }
                visit(Event::Choice(at));
                at += 1;
            }
            while let Some(done) = open.pop_if(|it| Some(*it as u32) != parent) {
                visit(Event::Close(done));
            }
            if span < self.spans.len() {
                visit(Event::Open(span));
                open.push(span);
            }
        }
    }

    /// Shortlex: fewer choices first, then by rank, early choices counting more.
    pub(crate) fn compare(&self, other: &Trail, kinds: &Kinds) -> Ordering {
        let by_length = self.choices.len().cmp(&other.choices.len());
        by_length.then_with(|| compare_choices(&self.choices, &other.choices, kinds))
    }

    /// Whether spans and choices lie in the same way, whatever the values.
    pub(crate) fn has_shape_of(&self, other: &Trail) -> bool {
        self.choices.len() == other.choices.len() && self.spans == other.spans
    }
}

/// Compares by rank, position by position.
pub(crate) fn compare_choices(a: &[Choice], b: &[Choice], kinds: &Kinds) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        if a == b {
            continue;
        }
        let order = kinds.compare((a.kind, a.value()), (b.kind, b.value()));
        if order != Ordering::Equal {
            return order;
        }
    }
    Ordering::Equal
}

/// A recorded case that stands for itself: it can be kept, sent and run again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Case {
    pub(crate) trail: Trail,
    pub(crate) bigs: Vec<BigInt>,
}

impl Case {
    /// What a source has recorded, taking the big integers along.
    pub(crate) fn of(trail: &Trail, kinds: &Kinds) -> Self {
        let mut case = Case { trail: trail.clone(), bigs: Vec::new() };
        for choice in &mut case.trail.choices {
            if let Value::Big(id) = choice.value() {
                let own = BigId(case.bigs.len() as u64);
                case.bigs.push(kinds.big(id).clone());
                *choice = choice.with(Value::Big(own));
            }
        }
        case
    }

    /// The choices with values of another arena.
    pub(crate) fn choices_in(&self, kinds: &mut Kinds) -> Vec<Choice> {
        let own = |choice: &Choice| match choice.value() {
            Value::Small(_) => *choice,
            Value::Big(id) => choice.with(kinds.value(self.bigs[id.0 as usize].clone())),
        };
        self.trail.choices.iter().map(own).collect()
    }

    /// The choices in the order in which they were made.
    pub fn choices(&self) -> &[Choice] {
        &self.trail.choices
    }

    /// The spans in the order in which they were opened.
    pub fn spans(&self) -> &[Span] {
        &self.trail.spans
    }

    /// The variables in the order in which they were made.
    pub fn bindings(&self) -> &[Binding] {
        &self.trail.bindings
    }

    /// The integer that a value of this case stands for.
    pub fn integer(&self, value: Value) -> BigInt {
        match value {
            Value::Small(small) => small.into(),
            Value::Big(id) => self.bigs.get(id.0 as usize).cloned().unwrap_or_default(),
        }
    }

    /// The spans that no other is around: the arguments of a claim.
    pub fn top_spans(&self) -> impl Iterator<Item = &Span> {
        self.trail.spans.iter().filter(|it| it.parent.is_none())
    }

    /// 128 bits that tell this case from all others.
    pub fn digest(&self) -> u128 {
        let mut digest = Digest::default();
        for choice in &self.trail.choices {
            digest.add(choice);
            if let Value::Big(id) = choice.value() {
                let integer = &self.bigs[id.0 as usize];
                integer.iter_u64_digits().for_each(|it| digest.add_word(it));
            }
        }
        digest.finish()
    }
}

/// A running digest of choices: two lanes, each multiplied and folded (after wyhash by Wang Yi).
#[derive(Debug, Copy, Clone)]
pub(crate) struct Digest {
    a: u64,
    b: u64,
}

impl Default for Digest {
    fn default() -> Self {
        Digest { a: 0x9e37_79b9_7f4a_7c15, b: 0xd1b5_4a32_d192_ed03 }
    }
}

impl Digest {
    #[inline]
    pub(crate) fn add(&mut self, choice: &Choice) {
        self.add_word(choice.word());
    }

    #[inline]
    pub(crate) fn add_word(&mut self, word: u64) {
        self.a = fold(self.a ^ word, 0xa076_1d64_78bd_642f);
        self.b = fold(self.b ^ word.rotate_left(32), 0xe703_7ed1_a0b4_28db);
        // Folding may lose what was before; adding keeps both lanes apart.
        self.b = self.b.wrapping_add(self.a.rotate_left(17));
    }

    #[inline]
    pub(crate) fn finish(&self) -> u128 {
        u128::from(self.a) << 64 | u128::from(self.b)
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::Choice;

    #[test]
    fn a_choice_is_sixteen_bytes() {
        assert_eq!(size_of::<Choice>(), 16);
    }
}
