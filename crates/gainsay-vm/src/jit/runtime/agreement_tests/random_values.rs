//! Random types and values, with an emphasis on edge cases.

use gainsay_core::{CtorId, FunctionId};
use num_bigint::BigInt;

use super::SampleType;
use crate::value::{Fields, Value, ValueTable};

/// The nullary constructor of the test sum; those with more fields follow it.
const FIRST_OF_SUM: u32 = 2;

/// Number of values after which further ones have few parts.
const MANY: usize = 100;

/// A random generator. It sometimes repeats a value of a type, so that equal values occur.
pub(super) struct RandomValues {
    state: u64,
    params: Vec<(char, SampleType)>,
    made: Vec<(SampleType, Value)>,
}

impl RandomValues {
    pub(super) fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x2545_f491_4f6c_dd1d);
        Self { state, params: Vec::new(), made: Vec::new() }
    }

    /// SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators",
    /// 2014).
    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number less than `end`.
    pub(super) fn below(&mut self, end: u64) -> u64 {
        self.bits() % end.max(1)
    }

    fn one_of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }

    /// A random type, possibly a function type.
    pub(super) fn ty(&mut self, depth: u32) -> SampleType {
        if self.below(12) == 0 {
            SampleType::Function(Box::new(self.data(depth)))
        } else {
            self.data(depth)
        }
    }

    /// A first-order type.
    fn data(&mut self, depth: u32) -> SampleType {
        let n_kinds = if depth == 0 { 5 } else { 10 };
        let inner = |random: &mut Self| random.data(depth.saturating_sub(1));
        match self.below(n_kinds) {
            0 => SampleType::Int,
            1 => SampleType::Float,
            2 => SampleType::Bool,
            3 => SampleType::Char,
            4 => SampleType::Str,
            5 => SampleType::Tuple((0..self.below(6)).map(|_| inner(self)).collect()),
            6 => SampleType::Sum((0..5).map(|_| inner(self)).collect()),
            7 => SampleType::List(Box::new(inner(self))),
            8 => SampleType::Map(Box::new(inner(self)), Box::new(inner(self))),
            _ => SampleType::Set(Box::new(inner(self))),
        }
    }

    /// A random value of a type; a parameter always stands for the same type.
    pub(super) fn value(&mut self, ty: &SampleType) -> Value {
        let n_made = self.made.iter().filter(|(made, _)| made == ty).count() as u64;
        if n_made > 0 && self.below(3) == 0 {
            let nth = self.below(n_made) as usize;
            let mut again = self.made.iter().filter(|(made, _)| made == ty);
            return again.nth(nth).expect("one of those counted").1.clone();
        }
        let value = self.fresh(ty);
        if self.made.len() < MANY {
            self.made.push((ty.clone(), value.clone()));
        }
        value
    }

    fn fresh(&mut self, ty: &SampleType) -> Value {
        match ty {
            SampleType::Int => self.int(),
            SampleType::Float => Value::Float(self.float()),
            SampleType::Bool => Value::Bool(self.below(2) == 0),
            SampleType::Char => Value::Char(self.char()),
            SampleType::Str => Value::str(self.text()),
            SampleType::Tuple(items) => {
                Value::tuple(items.iter().map(|ty| self.value(ty)).collect())
            }
            SampleType::Sum(fields) => {
                let n_fields = self.below(fields.len() as u64 + 1) as usize;
                let ctor = CtorId(FIRST_OF_SUM + n_fields as u32);
                let fields = fields[..n_fields].iter().map(|ty| self.value(ty)).collect();
                Value::data(ctor, fields)
            }
            SampleType::List(item) => Value::list(self.values(item)),
            SampleType::Map(key, value) => Value::Map(self.table(key, value)),
            SampleType::Set(item) => {
                Value::Set(self.table(item, &SampleType::Tuple(Vec::new())))
            }
            SampleType::Function(captured) => {
                let captures = self.values(captured);
                Value::Closure(FunctionId(self.below(4) as u32), Fields::new(captures))
            }
            SampleType::Param(letter) => {
                let ty = self.param(*letter);
                self.value(&ty)
            }
        }
    }

    fn param(&mut self, letter: char) -> SampleType {
        if let Some((_, ty)) = self.params.iter().find(|(name, _)| *name == letter) {
            return ty.clone();
        }
        let ty = self.data(2);
        self.params.push((letter, ty.clone()));
        ty
    }

    fn len(&mut self) -> u64 {
        match self.below(12) {
            _ if self.made.len() >= MANY => self.below(2),
            0 => self.below(60),
            1..=4 => self.below(12),
            _ => self.below(4),
        }
    }

    fn values(&mut self, item: &SampleType) -> Vec<Value> {
        (0..self.len()).map(|_| self.value(item)).collect()
    }

    /// A table that has been modified a few times, so that equal tables may be balanced
    /// differently.
    fn table(&mut self, key: &SampleType, value: &SampleType) -> ValueTable {
        let entries: Vec<_> =
            (0..self.len()).map(|_| (self.value(key), self.value(value))).collect();
        let mut table = ValueTable::from_entries(entries);
        for _ in 0..self.len() {
            let key = self.value(key);
            table = match self.below(3) {
                0 => table.remove(&key),
                _ => table.put(key, self.value(value)),
            };
        }
        table
    }

    fn int(&mut self) -> Value {
        let near = self.below(5) as i64 - 2;
        let int = match self.below(8) {
            0..=3 => BigInt::from(self.below(12) as i64 - 3),
            4 => BigInt::from(self.bits() as i64),
            5 => BigInt::from(1) << self.below(300),
            _ => BigInt::from(1) << self.one_of(&[8_u32, 16, 31, 32, 53, 61, 62, 63, 64, 128]),
        };
        Value::int(if self.below(3) == 0 { near - int } else { near + int })
    }

    fn float(&mut self) -> f64 {
        const EDGES: [f64; 14] = [
            0.0,
            -0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::MIN_POSITIVE,
            f64::MAX,
            1e-320,
            4_611_686_018_427_387_904.0,
            9_223_372_036_854_775_808.0,
            -4_611_686_018_427_387_904.0,
            1e300,
            0.5,
            -2.5,
        ];
        match self.below(3) {
            0 => self.one_of(&EDGES),
            1 => self.below(2000) as f64 / 8.0 - 100.0,
            _ => {
                let float = f64::from_bits(self.bits());
                if float.is_nan() { f64::NAN } else { float }
            }
        }
    }

    fn char(&mut self) -> char {
        const CHARS: [char; 16] = [
            'a',
            'b',
            'a',
            'b',
            'Z',
            '0',
            '7',
            ' ',
            '\n',
            '-',
            'é',
            'ß',
            'İ',
            'ǅ',
            '木',
            '\u{10ffff}',
        ];
        self.one_of(&CHARS)
    }

    fn text(&mut self) -> String {
        let n_chars = match self.below(10) {
            0 => self.below(400),
            1..=3 => self.below(20),
            _ => self.below(4),
        };
        match self.below(6) {
            0 => (0..n_chars).map(|_| self.one_of(&['a', 'b'])).collect(),
            1 => {
                let sign = self.one_of(&["", "-", "+", "0."]);
                let digits =
                    (0..n_chars).map(|_| self.one_of(&['0', '1', '9'])).collect::<String>();
                format!("{sign}{digits}")
            }
            _ => (0..n_chars).map(|_| self.char()).collect(),
        }
    }
}
