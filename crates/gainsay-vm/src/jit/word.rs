//! Values in compiled code: one machine word that says what it is.
//!
//! | low bits | what |
//! |---|---|
//! | `1` | a small integer `n`, as `2n + 1` |
//! | `10` | a float whose exponent is in the middle range, packed |
//! | `100` | an immediate: a truth value, a character, or something empty |
//! | `000` | the address of a cell |
//!
//! A cell is a row of words, the first of which is a header with its kind and size. The word
//! 0 is no value: compiled code returns it to say that a fault is on its way out.
//!
//! Words are plain copies and know nothing of lifetimes: one that is an address is valid
//! until the arena it points into is reset, which happens between two calls and never during
//! one. Only this file turns words into references.

use std::slice;

use gainsay_core::{CtorId, FunctionId};

/// A value in compiled code.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Word(pub(crate) u64);

/// What a cell is: the low byte of its header.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum CellKind {
    /// `{header(n), fields..}`
    Tuple,
    /// `{header(n, ctor), fields..}`
    Data,
    /// `{header(len), head, tail}`
    Cons,
    /// `{header(n_bytes), n_chars, bytes..}`
    Str,
    /// `{header(n_limbs, sign), limbs..}`, the least significant first
    Big,
    /// `{header, bits}`
    Float,
    /// `{header(n, function), code, captures..}`
    Closure,
    /// `{header(size, height), key, value, left, right}`
    Map,
    /// Like a map, with `()` for values.
    Set,
}

impl CellKind {
    const ALL: [Self; 9] = [
        Self::Tuple,
        Self::Data,
        Self::Cons,
        Self::Str,
        Self::Big,
        Self::Float,
        Self::Closure,
        Self::Map,
        Self::Set,
    ];
}

const IMMEDIATE: u64 = 0b100;

const fn immediate(sort: u64) -> u64 {
    sort << 3 | IMMEDIATE
}

/// The low byte of a truth value.
const BOOL: u64 = immediate(0);
/// The low byte of a character.
pub(crate) const CHAR: u64 = immediate(1);
/// The low byte of a constructor without fields.
pub(crate) const NULLARY: u64 = immediate(3);
const NIL: u64 = immediate(4);
const EMPTY_MAP: u64 = immediate(5);
const EMPTY_SET: u64 = immediate(6);
/// Where the number in a character or constructor without fields begins.
const IMMEDIATE_SHIFT: u32 = 8;
/// Where the number in a header begins: of a constructor or function.
pub(crate) const NUMBER_SHIFT: u32 = 32;
/// Where the number of fields, or a length, begins in a header.
pub(crate) const LEN_SHIFT: u32 = 8;
/// The bit of a truth value that tells.
pub(crate) const TRUTH_SHIFT: u32 = 8;
/// `0.0`, which has no exponent of the middle range.
pub(crate) const ZERO_FLOAT: u64 = 0x8000_0000_0000_0002;
const FIELD_COUNT: u64 = 0xff_ffff;

/// A word taken apart.
#[derive(Debug, Copy, Clone)]
pub(crate) enum WordView<'a> {
    Int(i64),
    /// Whether it is negative, and its magnitude.
    Big(bool, &'a [u64]),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A text and how many characters it has.
    Str(&'a str, u64),
    Tuple(&'a [Word]),
    Data(CtorId, &'a [Word]),
    /// The empty list.
    Nil,
    Cons,
    /// A map: empty, or the node at the root of a tree.
    Map(Option<WordTableNode>),
    Set(Option<WordTableNode>),
    Closure(FunctionId, &'a [Word]),
}

/// A node of a map or set.
#[derive(Debug, Copy, Clone)]
pub(crate) struct WordTableNode {
    pub(crate) size: u64,
    pub(crate) height: u32,
    pub(crate) key: Word,
    pub(crate) value: Word,
    pub(crate) left: Word,
    pub(crate) right: Word,
}

impl Word {
    /// No value: a fault is on its way out.
    pub(crate) const FAULT: Self = Self(0);
    pub(crate) const FALSE: Self = Self(BOOL);
    pub(crate) const TRUE: Self = Self(BOOL | 1 << TRUTH_SHIFT);
    /// `()`.
    pub(crate) const UNIT: Self = Self(immediate(2));
    /// The empty list.
    pub(crate) const NIL: Self = Self(NIL);
    pub(crate) const EMPTY_MAP: Self = Self(EMPTY_MAP);
    pub(crate) const EMPTY_SET: Self = Self(EMPTY_SET);

    #[inline(always)]
    pub(crate) const fn from_small_int(int: i64) -> Option<Self> {
        // Twice what is not small is beyond a word.
        match int.checked_add(int) {
            Some(doubled) => Some(Self(doubled as u64 | 1)),
            None => None,
        }
    }

    pub(crate) const fn char(char: char) -> Self {
        Self((char as u64) << IMMEDIATE_SHIFT | CHAR)
    }

    /// A constructor without fields.
    pub(crate) const fn nullary(ctor: CtorId) -> Self {
        Self((ctor.0 as u64) << IMMEDIATE_SHIFT | NULLARY)
    }

    /// A float in place, if its exponent allows that.
    pub(crate) fn packed_float(float: f64) -> Option<Self> {
        let bits = float.to_bits();
        if bits == 0 {
            return Some(Self(ZERO_FLOAT));
        }
        // The exponent begins with 011 or 100: one of these bits tells the other two, whose
        // place is taken by the tag once all are rotated to the end.
        let is_middle = matches!(bits >> 60 & 7, 3 | 4);
        let word = bits.rotate_left(3) & !0b11 | 0b10;
        (is_middle && word != ZERO_FLOAT).then_some(Self(word))
    }

    fn unpacked_float(self) -> f64 {
        if self.0 == ZERO_FLOAT {
            return 0.0;
        }
        let dropped = 2 - (self.0 >> 63);
        f64::from_bits((self.0 & !0b11 | dropped).rotate_right(3))
    }

    /// The integer, if it is a small one.
    pub(crate) fn as_small_int(self) -> Option<i64> {
        (self.0 & 1 == 1).then_some(self.0 as i64 >> 1)
    }

    /// Whether the word is the address of a cell.
    pub(crate) fn is_cell(self) -> bool {
        self.0 & 0b111 == 0 && self.0 != 0
    }

    /// The cell at an address.
    fn cell<'a>(self, n_words: usize) -> &'a [Self] {
        debug_assert!(self.is_cell());
        // SAFETY: an address is made by a heap or by compiled code together with a whole cell
        // behind it, of the size that its header says; cells are never changed once they can
        // be reached, and none goes away during a call.
        unsafe { slice::from_raw_parts(self.0 as *const Self, n_words) }
    }

    fn header(self) -> u64 {
        self.cell(1)[0].0
    }

    /// What the cell is.
    pub(crate) fn kind(self) -> CellKind {
        let kind = (self.header() & 0xff) as usize;
        CellKind::ALL.get(kind).copied().unwrap_or(CellKind::Tuple)
    }

    /// The fields of a tuple or constructor; none for other words.
    pub(crate) fn fields<'a>(self) -> &'a [Self] {
        match self.view() {
            WordView::Tuple(fields) | WordView::Data(_, fields) => fields,
            WordView::Int(_) | WordView::Big(..) | WordView::Float(_) | WordView::Bool(_) => {
                &[]
            }
            WordView::Char(_) | WordView::Str(..) | WordView::Nil | WordView::Cons => &[],
            WordView::Map(_) | WordView::Set(_) | WordView::Closure(..) => &[],
        }
    }

    /// The values that the cell contains, in the order of its words; none for other words.
    pub(crate) fn parts<'a>(self) -> &'a [Self] {
        if !self.is_cell() {
            return &[];
        }
        let n_fields = (self.header() >> LEN_SHIFT & FIELD_COUNT) as usize;
        match self.kind() {
            CellKind::Tuple | CellKind::Data => &self.cell(n_fields + 1)[1..],
            CellKind::Closure => &self.cell(n_fields + 2)[2..],
            CellKind::Cons => &self.cell(3)[1..],
            CellKind::Map | CellKind::Set => &self.cell(5)[1..],
            CellKind::Str | CellKind::Big | CellKind::Float => &[],
        }
    }

    /// The code of a closure.
    pub(crate) fn closure_code(self) -> u64 {
        self.cell(2)[1].0
    }

    /// Fills in the code of a function value that nobody has seen yet.
    pub(crate) fn fill_code(self, code: u64) {
        // SAFETY: the cell is one of the statics of a library that is being extended, made
        // with room for the code, and no compiled code that refers to it has run.
        unsafe { (self.0 as *mut u64).add(1).write(code) };
    }

    /// How long a list is.
    pub(crate) fn list_len(self) -> u64 {
        if self.is_cell() { self.header() >> LEN_SHIFT } else { 0 }
    }

    /// The first element and the rest of a list that is not empty.
    pub(crate) fn split_first(self) -> Option<(Self, Self)> {
        if !self.is_cell() {
            return None;
        }
        let cell = self.cell(3);
        Some((cell[1], cell[2]))
    }

    /// The node at the root of a map or set, unless it is empty.
    pub(crate) fn table(self) -> Option<WordTableNode> {
        if !self.is_cell() {
            return None;
        }
        let cell = self.cell(5);
        let header = cell[0].0;
        Some(WordTableNode {
            size: header >> 16,
            height: (header >> 8 & 0xff) as u32,
            key: cell[1],
            value: cell[2],
            left: cell[3],
            right: cell[4],
        })
    }

    /// How many entries and levels a map or set has, and the words of the node at its root,
    /// unless it is empty.
    pub(crate) fn table_words<'a>(self) -> Option<(u64, u8, &'a [Self; 4])> {
        if !self.is_cell() {
            return None;
        }
        let (header, parts) = self.cell(5).split_first()?;
        Some((header.0 >> 16, (header.0 >> 8) as u8, parts.try_into().ok()?))
    }

    /// The text, and how many characters it has.
    pub(crate) fn text<'a>(self) -> (&'a str, u64) {
        if !self.is_cell() {
            return ("", 0);
        }
        let n_bytes = (self.header() >> LEN_SHIFT) as usize;
        let n_chars = self.cell(2)[1].0;
        // SAFETY: behind header and count of a text there are that many bytes, which were
        // copied from a `str`.
        let text = unsafe {
            let bytes = slice::from_raw_parts((self.0 as *const u8).add(16), n_bytes);
            std::str::from_utf8_unchecked(bytes)
        };
        (text, n_chars)
    }

    /// Takes the word apart.
    #[inline]
    pub(crate) fn view<'a>(self) -> WordView<'a> {
        if let Some(int) = self.as_small_int() {
            return WordView::Int(int);
        }
        if self.0 & 0b11 == 0b10 {
            return WordView::Float(self.unpacked_float());
        }
        if self.0 & 0b111 == IMMEDIATE {
            return self.view_immediate();
        }
        if self == Self::FAULT {
            return WordView::Tuple(&[]);
        }
        self.view_cell()
    }

    #[inline(always)]
    fn view_immediate<'a>(self) -> WordView<'a> {
        let number = (self.0 >> IMMEDIATE_SHIFT) as u32;
        match self.0 & 0xff {
            BOOL => WordView::Bool(self == Self::TRUE),
            CHAR => WordView::Char(char::from_u32(number).unwrap_or('\0')),
            NULLARY => WordView::Data(CtorId(number), &[]),
            NIL => WordView::Nil,
            EMPTY_MAP => WordView::Map(None),
            EMPTY_SET => WordView::Set(None),
            _ => WordView::Tuple(&[]),
        }
    }

    fn view_cell<'a>(self) -> WordView<'a> {
        let header = self.header();
        let n_fields = (header >> LEN_SHIFT & FIELD_COUNT) as usize;
        let number = (header >> NUMBER_SHIFT) as u32;
        match self.kind() {
            CellKind::Tuple => WordView::Tuple(&self.cell(n_fields + 1)[1..]),
            CellKind::Data => WordView::Data(CtorId(number), &self.cell(n_fields + 1)[1..]),
            CellKind::Cons => WordView::Cons,
            CellKind::Str => {
                let (text, n_chars) = self.text();
                WordView::Str(text, n_chars)
            }
            CellKind::Big => WordView::Big(number == 1, self.limbs(n_fields)),
            CellKind::Float => WordView::Float(f64::from_bits(self.cell(2)[1].0)),
            CellKind::Closure => {
                WordView::Closure(FunctionId(number), &self.cell(n_fields + 2)[2..])
            }
            CellKind::Map => WordView::Map(self.table()),
            CellKind::Set => WordView::Set(self.table()),
        }
    }

    fn limbs<'a>(self, n_limbs: usize) -> &'a [u64] {
        let cell = &self.cell(n_limbs + 1)[1..];
        // SAFETY: a word is a `u64` and nothing else (`repr(transparent)`).
        unsafe { slice::from_raw_parts(cell.as_ptr().cast(), cell.len()) }
    }
}

impl From<bool> for Word {
    fn from(truth: bool) -> Self {
        if truth { Self::TRUE } else { Self::FALSE }
    }
}

/// The header of a tuple, constructor, closure or big integer.
pub(crate) const fn header(kind: CellKind, n_fields: u64, number: u32) -> u64 {
    (number as u64) << NUMBER_SHIFT | (n_fields & FIELD_COUNT) << LEN_SHIFT | kind as u64
}

/// The header of a list or text.
pub(crate) const fn header_of_len(kind: CellKind, len: u64) -> u64 {
    len << LEN_SHIFT | kind as u64
}

/// The header of a node of a map or set.
pub(crate) const fn header_of_node(kind: CellKind, size: u64, height: u32) -> u64 {
    size << 16 | (height as u64) << 8 | kind as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_floats_come_back() {
        let floats = [0.0, 1.0, -1.0, 0.1, 1e10, -1e-10, 1e70, -1e-70, 123_456.789];
        for float in floats {
            let word = Word::packed_float(float).expect("an ordinary float");
            assert!(
                matches!(word.view(), WordView::Float(it) if it.to_bits() == float.to_bits())
            );
        }
        let odd = f64::from_bits(0x3000_0000_0000_0000);
        for float in [-0.0, f64::NAN, f64::INFINITY, f64::MIN_POSITIVE, f64::MAX, 1e300, odd] {
            assert!(Word::packed_float(float).is_none(), "{float}");
        }
    }

    #[test]
    fn small_integers_come_back() {
        for int in [0, 1, -1, (1 << 62) - 1, -(1 << 62)] {
            let word = Word::from_small_int(int).expect("a small integer");
            assert_eq!(word.as_small_int(), Some(int));
        }
        for int in [1 << 62, -(1 << 62) - 1, i64::MIN, i64::MAX] {
            assert!(Word::from_small_int(int).is_none());
        }
    }
}
