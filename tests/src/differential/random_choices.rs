//! Random choices for the generator: weighted choices, and literals at representation boundaries.

use std::sync::Arc;

use gainsay_core::{Literal, TyId, TypeTable};
use num_bigint::BigInt;

use crate::TestRandom;

/// A stream of random choices.
pub(super) struct RandomChoices(TestRandom);

/// Powers of two at which representations of integers change.
const BOUNDARIES: [u32; 7] = [31, 53, 61, 62, 63, 64, 128];

const FLOATS: [f64; 16] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    1e-300,
    -1e-300,
    5e-324,
    1e300,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    9_007_199_254_740_993.0,
    1e19,
];

const CHARS: [char; 12] =
    ['a', 'Z', '0', ' ', '\n', '\0', '"', 'ß', 'é', '\u{3c9}', '\u{1F600}', '\u{10ffff}'];

const TEXTS: [&str; 18] = [
    "",
    "a",
    "ab",
    "aba",
    ",",
    "a,b,,c",
    "  x ",
    "12",
    "-7",
    "9223372036854775808",
    "1e3",
    "nan",
    "é",
    "ß\u{1F600}ω",
    "\0\n\t\"\\'",
    "\u{feff}\u{200b}",
    "İstanbul",
    "The quick brown fox jumps over the lazy dog, twice.",
];

impl RandomChoices {
    pub(super) fn new(seed: u64) -> Self {
        Self(TestRandom::new(seed))
    }

    /// A number below `bound`.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.below(bound)
    }

    /// A number from `low` to `high`, inclusive.
    pub(super) fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.0.below((high - low + 1) as u64) as i64
    }

    /// True with this probability in percent.
    pub(super) fn percent(&mut self, percent: u64) -> bool {
        self.0.below(100) < percent
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.0.next_bits()
    }

    /// One of the items, uniformly.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        self.0.pick(items).copied()
    }

    /// One of the items, by weight.
    pub(super) fn weighted<T: Copy>(&mut self, items: &[(u32, T)]) -> Option<T> {
        let total = items.iter().map(|(weight, _)| u64::from(*weight)).sum();
        let mut at = self.0.below(total);
        for (weight, item) in items {
            let weight = u64::from(*weight);
            if at < weight {
                return Some(*item);
            }
            at -= weight;
        }
        None
    }

    /// A literal, if the type has literals.
    pub(super) fn literal(&mut self, ty: TyId) -> Option<Literal> {
        Some(match ty {
            TypeTable::INT => int_literal(self.int()),
            TypeTable::FLOAT => Literal::Float(self.float()),
            TypeTable::BOOL => Literal::Bool(self.percent(50)),
            TypeTable::CHAR => Literal::Char(self.char()),
            TypeTable::STR => Literal::Str(self.text().into()),
            _ => return None,
        })
    }

    /// Mostly small, often at a boundary, sometimes long.
    fn int(&mut self) -> BigInt {
        match self.below(20) {
            0..=10 => BigInt::from(self.between(-3, 12)),
            11..=16 => {
                let boundary = self.pick(&BOUNDARIES).unwrap_or(62);
                let near = (BigInt::from(1) << boundary) + self.between(-2, 2);
                if self.percent(50) { -near } else { near }
            }
            17 => BigInt::from(self.bits() as i64),
            18 => BigInt::from(self.between(-1000, 1000)),
            _ => {
                let words: Vec<u32> =
                    (0..1 + self.below(8)).map(|_| self.bits() as u32).collect();
                let sign = if self.percent(50) {
                    num_bigint::Sign::Minus
                } else {
                    num_bigint::Sign::Plus
                };
                BigInt::from_slice(sign, &words)
            }
        }
    }

    pub(super) fn float(&mut self) -> f64 {
        match self.below(10) {
            0..=3 => self.pick(&FLOATS).unwrap_or(0.0),
            4..=7 => self.between(-40, 40) as f64 / 4.0,
            8 => self.between(-1_000_000, 1_000_000) as f64 * 1e-3,
            _ => {
                // Core has a single NaN.
                let float = f64::from_bits(self.bits());
                if float.is_nan() { f64::NAN } else { float }
            }
        }
    }

    fn char(&mut self) -> char {
        match self.below(4) {
            0 => char::from_u32(self.below(0x11_0000) as u32).unwrap_or('x'),
            1 => char::from(b'a' + self.below(4) as u8),
            _ => self.pick(&CHARS).unwrap_or('a'),
        }
    }

    fn text(&mut self) -> String {
        if self.percent(70) {
            return self.pick(&TEXTS).unwrap_or("").to_owned();
        }
        (0..self.below(6)).map(|_| self.char()).collect()
    }
}

/// An integer as a core literal: big only if necessary.
pub(super) fn int_literal(int: BigInt) -> Literal {
    match i64::try_from(&int) {
        Ok(small) => Literal::Int(small),
        Err(_) => Literal::Big(Arc::new(int)),
    }
}
