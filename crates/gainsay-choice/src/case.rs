//! A recorded case: the choices that were made, and the spans they were made in.

use std::cmp::Ordering;

use num_bigint::BigInt;

use crate::kind::{ChoiceClass, KindId, KindTable, PoolId};
use crate::span_label::SpanLabel;
use crate::value::{BigIntId, ChoiceValue};

/// One choice: its kind and its value, in sixteen bytes.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct Choice {
    kind: KindId,
    class: ChoiceClass,
    is_big: bool,
    // Kept with the choice, because shrinking and enumeration must not vary what is forced.
    is_forced: bool,
    bits: i64,
}

/// Whether the generator left anything to choose.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum ChoiceFreedom {
    Free,
    Forced,
}

impl Choice {
    pub(crate) fn new(
        kind: KindId,
        class: ChoiceClass,
        value: ChoiceValue,
        freedom: ChoiceFreedom,
    ) -> Self {
        let (is_big, bits) = match value {
            ChoiceValue::Small(bits) => (false, bits),
            ChoiceValue::Big(id) => (true, id.0 as i64),
        };
        Choice { kind, class, is_big, is_forced: freedom == ChoiceFreedom::Forced, bits }
    }

    /// A choice of which only class and value are known, as read from a file.
    pub(crate) fn without_kind(class: ChoiceClass, value: ChoiceValue) -> Self {
        // No table has this id: replaying looks at class and value only.
        Choice::new(KindId(u32::MAX), class, value, ChoiceFreedom::Free)
    }

    /// Its kind, in the table of the source that recorded it.
    pub fn kind(&self) -> KindId {
        self.kind
    }

    /// Its kind without constraints.
    pub fn class(&self) -> ChoiceClass {
        self.class
    }

    /// Whether the generator left nothing to choose.
    pub fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// The chosen value.
    #[inline]
    pub fn value(&self) -> ChoiceValue {
        if self.is_big {
            ChoiceValue::Big(BigIntId(self.bits as u64))
        } else {
            ChoiceValue::Small(self.bits)
        }
    }

    /// The same choice with another value.
    pub(crate) fn with_value(self, value: ChoiceValue) -> Self {
        let freedom = if self.is_forced { ChoiceFreedom::Forced } else { ChoiceFreedom::Free };
        Choice::new(self.kind, self.class, value, freedom)
    }

    /// The word that represents the choice in a digest; leaves out the kind.
    #[inline]
    fn digest_word(&self) -> u64 {
        // Class and size go into the high bits, so that equal bits of other classes differ.
        (self.bits as u64) ^ (u64::from(self.is_big) << 63) ^ ((self.class as u64) << 56)
    }
}

/// How a span ended.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SpanEnding {
    /// It is part of the case.
    Accepted,
    /// It was an attempt that the generator discarded.
    Discarded,
}

/// The range of choices that one part of a generator made.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct ChoiceSpan {
    /// The name of the part.
    pub label: SpanLabel,
    /// The index of its first choice.
    pub start: u32,
    /// One more than the index of its last choice.
    pub end: u32,
    /// The index of the enclosing span.
    pub parent: Option<u32>,
    /// Whether it is part of the case.
    pub ending: SpanEnding,
}

impl ChoiceSpan {
    /// The indices of its choices.
    pub fn range(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A variable that references can name, and where it was bound.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct VariableBinding {
    /// The pool of the variable.
    pub pool: PoolId,
    /// How many choices had been made before.
    pub at: u32,
    /// The innermost span that was open, if any.
    pub span: Option<u32>,
}

/// A step of a recorded run, with the index of its span or choice.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(crate) enum SequenceEvent {
    Open(usize),
    Close(usize),
    Choice(usize),
}

/// Choices and spans, with big integers in the arena of the source that recorded them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ChoiceSequence {
    pub(crate) choices: Vec<Choice>,
    pub(crate) spans: Vec<ChoiceSpan>,
    pub(crate) bindings: Vec<VariableBinding>,
}

impl ChoiceSequence {
    pub(crate) fn clear(&mut self) {
        self.choices.clear();
        self.spans.clear();
        self.bindings.clear();
    }

    /// Visits spans and choices in the order in which they were opened, closed and made.
    pub(crate) fn walk(&self, mut visit: impl FnMut(SequenceEvent)) {
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        let last = (self.spans.len(), self.choices.len(), None);
        let spans = self.spans.iter().enumerate();
        let stops = spans.map(|(span, it)| (span, it.start as usize, it.parent));
        for (span, start, parent) in stops.chain([last]) {
            // Close spans before a choice by position, but before a span by parent: an empty span
            // and its successor share their start, and only the parent tells whether one is inside
            // the other.
            while at < start {
                while let Some(done) = open.pop_if(|it| self.spans[*it].end as usize <= at) {
                    visit(SequenceEvent::Close(done));
                }
                visit(SequenceEvent::Choice(at));
                at += 1;
            }
            while let Some(done) = open.pop_if(|it| Some(*it as u32) != parent) {
                visit(SequenceEvent::Close(done));
            }
            if span < self.spans.len() {
                visit(SequenceEvent::Open(span));
                open.push(span);
            }
        }
    }

    /// Shortlex: fewer choices first, then by rank, earlier choices weighing more.
    pub(crate) fn compare(&self, other: &ChoiceSequence, kinds: &KindTable) -> Ordering {
        let by_length = self.choices.len().cmp(&other.choices.len());
        by_length.then_with(|| compare_choices(&self.choices, &other.choices, kinds))
    }

    /// Whether spans and choices are laid out in the same way, whatever the values.
    pub(crate) fn has_same_structure(&self, other: &ChoiceSequence) -> bool {
        self.choices.len() == other.choices.len() && self.spans == other.spans
    }
}

/// Compares by rank, position by position.
pub(crate) fn compare_choices(a: &[Choice], b: &[Choice], kinds: &KindTable) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        // Equal choices need no ranks, and most choices of a candidate equal those of its base.
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

/// A self-contained recorded case: it can be saved, sent and replayed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Case {
    pub(crate) sequence: ChoiceSequence,
    pub(crate) bigs: Vec<BigInt>,
}

impl Case {
    /// A copy of what a source has recorded, with its own big integers.
    pub(crate) fn from_sequence(trail: &ChoiceSequence, kinds: &KindTable) -> Self {
        let mut case = Case { sequence: trail.clone(), bigs: Vec::new() };
        for choice in &mut case.sequence.choices {
            if let ChoiceValue::Big(id) = choice.value() {
                // Numbered by position: a case must not depend on what else its source has
                // interned.
                let own = BigIntId(case.bigs.len() as u64);
                case.bigs.push(kinds.big(id).clone());
                *choice = choice.with_value(ChoiceValue::Big(own));
            }
        }
        case
    }

    /// The choices with big integers interned in another table.
    pub(crate) fn import_choices(&self, kinds: &mut KindTable) -> Vec<Choice> {
        let own = |choice: &Choice| match choice.value() {
            ChoiceValue::Small(_) => *choice,
            ChoiceValue::Big(id) => {
                choice.with_value(kinds.intern_integer(self.bigs[id.0 as usize].clone()))
            }
        };
        self.sequence.choices.iter().map(own).collect()
    }

    /// The choices in the order in which they were made.
    pub fn choices(&self) -> &[Choice] {
        &self.sequence.choices
    }

    /// The spans in the order in which they were opened.
    pub fn spans(&self) -> &[ChoiceSpan] {
        &self.sequence.spans
    }

    /// The variables in the order in which they were bound.
    pub fn bindings(&self) -> &[VariableBinding] {
        &self.sequence.bindings
    }

    /// The integer that a value of this case stands for.
    pub fn integer(&self, value: ChoiceValue) -> BigInt {
        match value {
            ChoiceValue::Small(small) => small.into(),
            ChoiceValue::Big(id) => self.bigs.get(id.0 as usize).cloned().unwrap_or_default(),
        }
    }

    /// The spans without a parent: the arguments of a claim.
    pub fn top_spans(&self) -> impl Iterator<Item = &ChoiceSpan> {
        self.sequence.spans.iter().filter(|it| it.parent.is_none())
    }

    /// A 128-bit digest that identifies this case.
    pub fn digest(&self) -> u128 {
        let mut digest = Digest::default();
        for choice in &self.sequence.choices {
            digest.add(choice);
            // Ids of big integers depend on the arena; their digits do not.
            if let ChoiceValue::Big(id) = choice.value() {
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
        self.add_word(choice.digest_word());
    }

    #[inline]
    pub(crate) fn add_word(&mut self, word: u64) {
        self.a = multiply_fold(self.a ^ word, 0xa076_1d64_78bd_642f);
        self.b = multiply_fold(self.b ^ word.rotate_left(32), 0xe703_7ed1_a0b4_28db);
        // Folding may lose earlier state; mixing the lanes keeps a collision in one from deciding.
        self.b = self.b.wrapping_add(self.a.rotate_left(17));
    }

    #[inline]
    pub(crate) fn finish(&self) -> u128 {
        u128::from(self.a) << 64 | u128::from(self.b)
    }
}

#[inline]
fn multiply_fold(a: u64, b: u64) -> u64 {
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
