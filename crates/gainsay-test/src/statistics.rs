//! The distribution of sampled values, as counts only. Wording and bars are up to the caller.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use gainsay_core::{CtorId, Program, Shape};
use gainsay_vm::Value;
use num_bigint::Sign;

/// Counts over values of one type.
#[derive(Debug, Default)]
pub struct Statistics {
    n_values: u64,
    /// Digests of the texts of the values so far.
    distinct_values: BTreeSet<u64>,
    /// In the order of first occurrence.
    histograms: Vec<Histogram>,
    places: Vec<String>,
    steps: BTreeMap<(usize, ValuePathStep), usize>,
}

/// Counts of one metric at one place in the values.
#[derive(Debug, Clone)]
pub struct Histogram {
    /// What is measured.
    pub measure: HistogramMetric,
    /// Where in the values: empty for whole values, else `Account.cents`, `[..]`, `Node.1[..]`.
    pub place: String,
    /// How often each bucket came up, in a natural order. Includes constructors that never did.
    pub rows: BTreeMap<HistogramBucket, u64>,
}

/// What a histogram measures.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistogramMetric {
    /// Number of parts of a value, itself included.
    Sizes,
    /// Nesting depth.
    Depths,
    /// Constructors of this sum type, wherever it occurs.
    Constructors(String),
    /// Magnitudes of integers.
    Integers,
    /// Classes of floats.
    Floats,
    /// Truth values.
    Truth,
    /// Classes of characters.
    Characters,
    /// Classes of texts.
    Texts,
    /// Number of characters of texts.
    TextLengths,
    /// Number of elements of lists, maps and sets.
    Lengths,
}

/// A bucket of a histogram.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum HistogramBucket {
    /// A constructor: its position and name.
    Constructor(u32, String),
    /// Numbers with this many binary digits; negated for negative ones.
    Bits(i64),
    /// A truth value.
    Bool(bool),
    /// A class of floats.
    Float(FloatClass),
    /// A class of characters.
    Char(CharClass),
    /// A class of texts.
    Text(TextClass),
}

/// Classes of floats. The first that fits counts.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum FloatClass {
    /// Not a number.
    Nan,
    /// Infinite, of either sign.
    Infinite,
    /// Zero, of either sign.
    Zero,
    /// Closer to zero than normal ones.
    Subnormal,
    /// Beyond `2^53`, where not every integer is a float.
    Huge,
    /// An integer.
    Whole,
    /// Any other.
    Fraction,
}

/// Classes of characters. The first that fits counts.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum CharClass {
    /// A control character.
    Control,
    /// An ASCII digit.
    Digit,
    /// An ASCII letter.
    Letter,
    /// Any other ASCII character.
    AsciiSymbol,
    /// In Unicode's basic multilingual plane.
    BasicPlane,
    /// Beyond it.
    BeyondBasicPlane,
}

/// Classes of texts. The first that fits counts.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextClass {
    /// The empty text.
    Empty,
    /// ASCII letters and digits only.
    Words,
    /// Printable ASCII only.
    Printable,
    /// ASCII only.
    Ascii,
    /// Unicode's basic multilingual plane only.
    BasicPlane,
    /// All of Unicode.
    BeyondBasicPlane,
}

/// A step into a value.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ValuePathStep {
    /// A field of a constructor. Its fields are counted together wherever the constructor occurs:
    /// values of recursive types would have unboundedly many places.
    Field(CtorId, u32),
    /// A part of a tuple.
    Part(u32),
    Element,
    Key,
    Entry,
}

/// The place of whole values.
const WHOLE: usize = 0;

impl Statistics {
    /// No values yet.
    pub fn new() -> Self {
        Self { places: vec![String::new()], ..Self::default() }
    }

    /// Counts a value; its text decides whether it is distinct from others.
    pub fn add(&mut self, program: &Program, value: &Value, text: &str) {
        self.n_values += 1;
        // A digest instead of the text: long values would fill the memory, and a collision only
        // makes the count too small by one.
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        self.distinct_values.insert(hasher.finish());
        let (mut n_parts, mut depth) = (0_u64, 0_u64);
        let sizes = self.histogram_index(HistogramMetric::Sizes, WHOLE);
        let depths = self.histogram_index(HistogramMetric::Depths, WHOLE);
        // A list instead of recursion: a long chain of constructors nests too deeply for the native
        // stack.
        let mut waiting = vec![(value, WHOLE, 1_u64)];
        while let Some((part, place, level)) = waiting.pop() {
            n_parts += 1;
            depth = depth.max(level);
            self.count(program, part, place);
            let before = waiting.len();
            self.each_part(program, part, place, &mut |part, place| {
                waiting.push((part, place, level + 1));
            });
            // Keep the parts in source order on the stack, so that histograms appear in that order.
            waiting[before..].reverse();
        }
        self.increment(sizes, bits(n_parts));
        self.increment(depths, bits(depth));
    }

    /// The number of values.
    pub fn n_values(&self) -> u64 {
        self.n_values
    }

    /// The number of distinct values.
    pub fn n_distinct(&self) -> u64 {
        self.distinct_values.len() as u64
    }

    /// The histograms. Those of sizes and depths are left out if they have only one bucket.
    pub fn histograms(&self) -> impl Iterator<Item = &Histogram> {
        self.histograms.iter().filter(|it| match it.measure {
            HistogramMetric::Sizes | HistogramMetric::Depths => it.rows.len() > 1,
            HistogramMetric::Constructors(_)
            | HistogramMetric::Integers
            | HistogramMetric::Floats => true,
            HistogramMetric::Truth | HistogramMetric::Characters | HistogramMetric::Texts => {
                true
            }
            HistogramMetric::TextLengths | HistogramMetric::Lengths => true,
        })
    }

    fn count(&mut self, program: &Program, value: &Value, place: usize) {
        let (measure, bucket) = match value {
            Value::Int(int) => {
                // Unsigned, because the least integer has no positive counterpart.
                let size = i64::from(64 - int.unsigned_abs().leading_zeros());
                (
                    HistogramMetric::Integers,
                    HistogramBucket::Bits(if *int < 0 { -size } else { size }),
                )
            }
            Value::Big(big) => {
                let size = big.get().bits() as i64;
                let is_negative = big.get().sign() == Sign::Minus;
                (
                    HistogramMetric::Integers,
                    HistogramBucket::Bits(if is_negative { -size } else { size }),
                )
            }
            Value::Float(float) => {
                (HistogramMetric::Floats, HistogramBucket::Float(float_class(*float)))
            }
            Value::Bool(it) => (HistogramMetric::Truth, HistogramBucket::Bool(*it)),
            Value::Char(char) => {
                (HistogramMetric::Characters, HistogramBucket::Char(char_class(*char)))
            }
            Value::Str(text) => {
                let lengths = self.histogram_index(HistogramMetric::TextLengths, place);
                self.increment(lengths, bits(text.n_chars()));
                (HistogramMetric::Texts, HistogramBucket::Text(text_class(text.as_str())))
            }
            Value::List(list) => (HistogramMetric::Lengths, bits(list.len())),
            Value::Map(table) | Value::Set(table) => {
                (HistogramMetric::Lengths, bits(table.len()))
            }
            Value::Data(ctor, _) => return self.count_ctor(program, *ctor),
            // The parts of a tuple are counted by themselves, and a function has nothing to count.
            Value::Tuple(_) | Value::Closure(..) => return,
        };
        let table = self.histogram_index(measure, place);
        self.increment(table, bucket);
    }

    fn count_ctor(&mut self, program: &Program, ctor: CtorId) {
        let definition = program.nominal(program.ctor(ctor).ty);
        if definition.shape == Shape::Record {
            // A record has one constructor: nothing to compare.
            return;
        }
        let bucket = |ctor: CtorId| {
            let ctor = program.ctor(ctor);
            HistogramBucket::Constructor(ctor.tag, ctor.name.to_string())
        };
        let table = self
            .histogram_index(HistogramMetric::Constructors(definition.name.to_string()), WHOLE);
        // Constructors that never occur must show up with a count of 0.
        for it in &definition.ctors {
            self.histograms[table].rows.entry(bucket(*it)).or_default();
        }
        self.increment(table, bucket(ctor));
    }

    fn each_part<'v>(
        &mut self,
        program: &Program,
        value: &'v Value,
        place: usize,
        visit: &mut dyn FnMut(&'v Value, usize),
    ) {
        match value {
            Value::Tuple(parts) => {
                for (at, part) in (0..).zip(parts.as_slice()) {
                    visit(part, self.step(program, place, ValuePathStep::Part(at)));
                }
            }
            Value::Data(ctor, fields) => {
                for (at, field) in (0..).zip(fields.as_slice()) {
                    visit(field, self.step(program, WHOLE, ValuePathStep::Field(*ctor, at)));
                }
            }
            Value::List(list) => {
                let place = self.step(program, place, ValuePathStep::Element);
                list.iter().for_each(|item| visit(item, place));
            }
            Value::Set(table) => {
                let place = self.step(program, place, ValuePathStep::Element);
                table.iter().for_each(|(item, _)| visit(item, place));
            }
            Value::Map(table) => {
                let keys = self.step(program, place, ValuePathStep::Key);
                let entries = self.step(program, place, ValuePathStep::Entry);
                for (key, entry) in table.iter() {
                    visit(key, keys);
                    visit(entry, entries);
                }
            }
            Value::Int(_) | Value::Big(_) | Value::Float(_) | Value::Bool(_) => {}
            Value::Char(_) | Value::Str(_) | Value::Closure(..) => {}
        }
    }

    /// The place that a step leads to.
    fn step(&mut self, program: &Program, from: usize, step: ValuePathStep) -> usize {
        if let Some(existing) = self.steps.get(&(from, step)) {
            return *existing;
        }
        let before = &self.places[from];
        let name = match step {
            ValuePathStep::Field(ctor, at) => {
                let ctor = program.ctor(ctor);
                let field = ctor.fields.get(at as usize).and_then(|it| it.name.as_deref());
                let field = field.map_or_else(|| at.to_string(), str::to_owned);
                format!("{}.{field}", ctor.name)
            }
            ValuePathStep::Part(at) => format!("{before}.{at}"),
            ValuePathStep::Element => format!("{before}[..]"),
            ValuePathStep::Key => format!("{before}[key]"),
            ValuePathStep::Entry => format!("{before}[value]"),
        };
        self.places.push(name);
        let place = self.places.len() - 1;
        self.steps.insert((from, step), place);
        place
    }

    /// The index of a histogram, which is created if needed. The list is short enough to scan.
    fn histogram_index(&mut self, measure: HistogramMetric, place: usize) -> usize {
        let place = &self.places[place];
        let is_it = |it: &Histogram| it.measure == measure && it.place == *place;
        if let Some(existing) = self.histograms.iter().position(is_it) {
            return existing;
        }
        let place = place.clone();
        self.histograms.push(Histogram { measure, place, rows: BTreeMap::new() });
        self.histograms.len() - 1
    }

    fn increment(&mut self, table: usize, bucket: HistogramBucket) {
        *self.histograms[table].rows.entry(bucket).or_default() += 1;
    }
}

fn bits(count: u64) -> HistogramBucket {
    HistogramBucket::Bits(i64::from(64 - count.leading_zeros()))
}

fn float_class(float: f64) -> FloatClass {
    if float.is_nan() {
        FloatClass::Nan
    } else if float.is_infinite() {
        FloatClass::Infinite
    } else if float == 0.0 {
        FloatClass::Zero
    } else if float.is_subnormal() {
        FloatClass::Subnormal
    } else if float.abs() > 9_007_199_254_740_992.0 {
        FloatClass::Huge
    } else if float.fract() == 0.0 {
        FloatClass::Whole
    } else {
        FloatClass::Fraction
    }
}

fn char_class(char: char) -> CharClass {
    if char.is_control() {
        CharClass::Control
    } else if char.is_ascii_digit() {
        CharClass::Digit
    } else if char.is_ascii_alphabetic() {
        CharClass::Letter
    } else if char.is_ascii() {
        CharClass::AsciiSymbol
    } else if (char as u32) < 0x1_0000 {
        CharClass::BasicPlane
    } else {
        CharClass::BeyondBasicPlane
    }
}

fn text_class(text: &str) -> TextClass {
    if text.is_empty() {
        TextClass::Empty
    } else if text.bytes().all(|it| it.is_ascii_alphanumeric()) {
        TextClass::Words
    } else if text.bytes().all(|it| it.is_ascii_graphic() || it == b' ') {
        TextClass::Printable
    } else if text.is_ascii() {
        TextClass::Ascii
    } else if text.chars().all(|it| (it as u32) < 0x1_0000) {
        TextClass::BasicPlane
    } else {
        TextClass::BeyondBasicPlane
    }
}

#[cfg(test)]
mod tests {
    use gainsay_core::Program;
    use gainsay_vm::Value;

    use super::{HistogramBucket, HistogramMetric, Statistics};

    #[test]
    fn values_are_counted_at_their_places() {
        let program = Program::default();
        let mut statistics = Statistics::new();
        for n in [0, 1, -5, 7] {
            let list = Value::list(vec![Value::Int(n); n.unsigned_abs() as usize]);
            statistics.add(&program, &list, &n.to_string());
        }
        statistics.add(&program, &Value::list([]), "0");
        assert_eq!((statistics.n_values(), statistics.n_distinct()), (5, 4));
        let find = |measure, place: &str| {
            let mut tables = statistics.histograms();
            tables.find(|it| it.measure == measure && it.place == place).unwrap().rows.clone()
        };
        let lengths = find(HistogramMetric::Lengths, "");
        assert_eq!(lengths[&HistogramBucket::Bits(0)], 2);
        assert_eq!(lengths[&HistogramBucket::Bits(3)], 2);
        let integers = find(HistogramMetric::Integers, "[..]");
        assert_eq!(integers[&HistogramBucket::Bits(3)], 7);
        assert_eq!(integers[&HistogramBucket::Bits(-3)], 5);
    }
}
