//! Characters of an alphabet. In order of simplicity: lower-case letters, digits, capitals, other
//! printable ASCII, control characters, and everything else by code point.

use std::sync::Arc;

use super::Cardinality;
use crate::bias::{AlphabetBias, CaseBias};
use crate::random::{Random, scale};
use crate::value::ChoiceValue;

/// A character of a non-empty alphabet.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CharKind {
    /// The alphabet in order of simplicity: inclusive ranges of code points.
    segments: Box<[(u32, u32)]>,
    count: u32,
    /// The code points of members that are drawn often.
    edges: Arc<[u32]>,
}

/// All characters in order of simplicity.
const ORDER: [(u32, u32); 11] = [
    ('a' as u32, 'z' as u32),
    ('0' as u32, '9' as u32),
    ('A' as u32, 'Z' as u32),
    (' ' as u32, ' ' as u32),
    ('!' as u32, '/' as u32),
    (':' as u32, '@' as u32),
    ('[' as u32, '`' as u32),
    ('{' as u32, '~' as u32),
    (0, 0x1f),
    (0x7f, 0xd7ff),
    (0xe000, 0x10_ffff),
];

/// Blocks with surprising encodings, case mappings or widths; each is a class to draw from.
const EXOTIC: [(u32, u32); 14] = [
    (0x00, 0x1f),
    (0x80, 0xff),
    (0x100, 0x17f),
    (0x300, 0x36f),
    (0x391, 0x3c9),
    (0x410, 0x44f),
    (0x5d0, 0x5ea),
    (0x600, 0x6ff),
    (0x2000, 0x206f),
    (0x3041, 0x30ff),
    (0x4e00, 0x4fff),
    (0xff00, 0xffff),
    (0x1_f300, 0x1_f64f),
    (0x10_ff00, 0x10_ffff),
];

impl CharKind {
    /// The alphabet of these inclusive ranges; `None` if they contain no character.
    pub fn from_ranges(ranges: &[(char, char)]) -> Option<Self> {
        let mut segments: Vec<(u32, u32)> = Vec::new();
        for (low, high) in ORDER {
            let mut parts: Vec<_> = ranges
                .iter()
                .map(|(a, b)| ((*a as u32).max(low), (*b as u32).min(high)))
                .filter(|(a, b)| a <= b)
                .collect();
            // Sorted within a segment of `ORDER`, so that overlaps are neighbors below.
            parts.sort_unstable();
            for (a, b) in parts {
                // Merge overlapping ranges, but never across the segments of `ORDER`.
                match segments.last_mut() {
                    Some(last) if last.0 >= low && a <= last.1 && last.1 <= high => {
                        last.1 = last.1.max(b);
                    }
                    Some(_) | None => segments.push((a, b)),
                }
            }
        }
        let count = segments.iter().map(|(a, b)| b - a + 1).sum();
        (count > 0).then(|| CharKind { segments: segments.into(), count, edges: Arc::new([]) })
    }

    /// Sets characters that are drawn often, such as constants of the code under test.
    #[must_use]
    pub fn with_edges(mut self, edges: impl IntoIterator<Item = char>) -> Self {
        let own = edges.into_iter().map(u32::from).filter(|it| self.permits(i64::from(*it)));
        let mut own: Vec<u32> = own.collect();
        own.sort_unstable();
        own.dedup();
        self.edges = own.into();
        self
    }

    /// All characters.
    pub fn any() -> Self {
        CharKind::from_ranges(&[('\0', char::MAX)]).expect("there are characters")
    }

    pub(super) fn simplest(&self) -> ChoiceValue {
        ChoiceValue::Small(self.code_point_at(0))
    }

    pub(crate) fn permits(&self, code: i64) -> bool {
        self.segments.iter().any(|(a, b)| (i64::from(*a)..=i64::from(*b)).contains(&code))
    }

    pub(super) fn rank(&self, code: i64) -> u128 {
        let mut before = 0;
        for (a, b) in &self.segments {
            if (i64::from(*a)..=i64::from(*b)).contains(&code) {
                return before + (code - i64::from(*a)) as u128;
            }
            before += u128::from(b - a + 1);
        }
        u128::MAX
    }

    pub(super) fn unrank(&self, rank: u128) -> Option<ChoiceValue> {
        (rank < u128::from(self.count))
            .then(|| ChoiceValue::Small(self.code_point_at(rank as u32)))
    }

    pub(super) fn cardinality(&self) -> Cardinality {
        Cardinality::Finite(u64::from(self.count))
    }

    /// Mostly simple characters, occasionally one of an exotic class, or any.
    pub(crate) fn sample(&self, random: &mut Random, bias: CaseBias) -> i64 {
        /// The size of the alphabet under [`AlphabetBias::Few`].
        const FEW: u32 = 3;
        let bits = random.next();
        match (bias.alphabet(), bits >> 4 & 7) {
            (AlphabetBias::Few, 1..) => {
                return self.code_point_at(scale(bits, u64::from(self.count.min(FEW))) as u32);
            }
            (AlphabetBias::FromConstants, 3..) if !self.edges.is_empty() => {
                return i64::from(self.edges[scale(bits, self.edges.len() as u64) as usize]);
            }
            // A few other characters in between, or the case would consist of constants alone.
            (AlphabetBias::FromConstants, 1 | 2) => {
                return self.code_point_at(scale(bits, u64::from(self.count.min(FEW))) as u32);
            }
            (AlphabetBias::Mixed | AlphabetBias::Few | AlphabetBias::FromConstants, _) => {}
        }
        // The first 26 ranks of the full alphabet are lower-case letters, the first 95 printable
        // ASCII.
        match bits & 15 {
            0 => self.code_point_at(scale(bits, u64::from(self.count)) as u32),
            1 => self.sample_of_class(bits >> 4, random),
            2 | 3 if !self.edges.is_empty() => {
                i64::from(self.edges[scale(bits, self.edges.len() as u64) as usize])
            }
            2..8 => self.code_point_at(scale(bits, u64::from(self.count.min(26))) as u32),
            _ => self.code_point_at(scale(bits, u64::from(self.count.min(95))) as u32),
        }
    }

    /// A character of the class selected by some bits, if the alphabet has it, or else any.
    pub(crate) fn sample_of_class(&self, bits: u64, random: &mut Random) -> i64 {
        let (low, high) = EXOTIC[(bits % EXOTIC.len() as u64) as usize];
        let code = i64::from(low) + random.below(u64::from(high - low) + 1) as i64;
        if self.permits(code) {
            code
        } else {
            self.code_point_at(random.below(u64::from(self.count)) as u32)
        }
    }

    /// The code point with a rank below the count.
    fn code_point_at(&self, mut rank: u32) -> i64 {
        for (a, b) in &self.segments {
            let width = b - a + 1;
            if rank < width {
                return i64::from(a + rank);
            }
            rank -= width;
        }
        i64::from(self.segments[0].0)
    }
}
