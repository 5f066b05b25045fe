//! Values in compiled code: tagged machine words.
//!
//! | low bits | what |
//! |---|---|
//! | `1` | a small integer `n`, as `2n + 1` |
//! | `10` | a float whose exponent is in the middle range, packed |
//! | `100` | an immediate: a boolean, a character, or an empty value |
//! | `000` | the address of a cell |
//!
//! A cell is an array of words, the first of which is a header with its kind and size. The word 0
//! is not a value: compiled code returns it while a fault is being propagated.
//!
//! Words are plain copies without lifetimes: an address is valid until the arena it points into is
//! reset, which happens between calls and never during one. Only this file turns words into
//! references. It can do so because every word is valid: making one of an address and resetting an
//! arena are `unsafe`, and compiled code stores complete cells.

use std::slice;

use gainsay_core::{CtorId, FunctionId};

/// A value in compiled code.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Word(u64);

/// The kind of a cell: the low byte of its header.
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

/// The low byte of a boolean.
const BOOL: u64 = immediate(0);
/// The low byte of a character.
pub(crate) const CHAR: u64 = immediate(1);
/// The low byte of a constructor without fields.
pub(crate) const NULLARY: u64 = immediate(3);
const NIL: u64 = immediate(4);
const EMPTY_MAP: u64 = immediate(5);
const EMPTY_SET: u64 = immediate(6);
/// Bit position of the payload of a character or nullary constructor.
const IMMEDIATE_SHIFT: u32 = 8;
/// Bit position of the constructor or function id in a header.
pub(crate) const NUMBER_SHIFT: u32 = 32;
/// Bit position of the number of fields, or of a length, in a header.
pub(crate) const LEN_SHIFT: u32 = 8;
/// The bit in which booleans differ.
pub(crate) const TRUTH_SHIFT: u32 = 8;
/// `0.0`, whose exponent is outside the packed range.
pub(crate) const ZERO_FLOAT: u64 = 0x8000_0000_0000_0002;
const FIELD_COUNT: u64 = 0xff_ffff;

/// A decoded word.
#[derive(Debug, Copy, Clone)]
pub(crate) enum WordView<'a> {
    Int(i64),
    /// Sign (true if negative) and magnitude.
    Big(bool, &'a [u64]),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A text and its number of characters.
    Str(&'a str, u64),
    Tuple(&'a [Word]),
    Data(CtorId, &'a [Word]),
    /// The empty list.
    Nil,
    Cons,
    /// A map: empty, or the root node of a tree.
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
    /// Not a value: a fault is being propagated.
    pub(crate) const FAULT: Self = Self(0);
    /// Not a value: an answer to a question of compiled code.
    pub(crate) const NO: Self = Self(0);
    /// Not a value: an answer to a question of compiled code.
    pub(crate) const YES: Self = Self(1);
    pub(crate) const FALSE: Self = Self(BOOL);
    pub(crate) const TRUE: Self = Self(BOOL | 1 << TRUTH_SHIFT);
    /// `()`.
    pub(crate) const UNIT: Self = Self(immediate(2));
    /// The empty list.
    pub(crate) const NIL: Self = Self(NIL);
    pub(crate) const EMPTY_MAP: Self = Self(EMPTY_MAP);
    pub(crate) const EMPTY_SET: Self = Self(EMPTY_SET);

    /// The cell at an address.
    ///
    /// # Safety
    ///
    /// There must be a complete cell, of the kind and size in its header, with the code pointer of
    /// a closure filled in before it is called. The cell must not change any more, and must live as
    /// long as the word is used.
    #[inline(always)]
    pub(crate) unsafe fn from_address(address: u64) -> Self {
        Self(address)
    }

    /// The bits, for compiled code and for cells.
    #[inline(always)]
    pub(crate) const fn bits(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) const fn from_small_int(int: i64) -> Option<Self> {
        // Doubling an integer that is not small overflows.
        // `checked_add` instead of a range test: the doubled value is needed anyway.
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

    /// A packed float, if its exponent is in the packed range.
    pub(crate) fn packed_float(float: f64) -> Option<Self> {
        let bits = float.to_bits();
        if bits == 0 {
            return Some(Self(ZERO_FLOAT));
        }
        // The exponent starts with 011 or 100: its third bit determines the other two, so after the
        // rotation the tag can replace them.
        let is_middle = matches!(bits >> 60 & 7, 3 | 4);
        let word = bits.rotate_left(3) & !0b11 | 0b10;
        (is_middle && word != ZERO_FLOAT).then_some(Self(word))
    }

    fn unpacked_float(self) -> f64 {
        if self.0 == ZERO_FLOAT {
            return 0.0;
        }
        // The inverse of `packed_float`: the third exponent bit, now on top, determines the other
        // two.
        let dropped = 2 - (self.0 >> 63);
        f64::from_bits((self.0 & !0b11 | dropped).rotate_right(3))
    }

    /// The integer, if it is small.
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
        // SAFETY: `from_address` requires a complete cell of the size in its header, which does
        // not change and lives as long as the word is used; compiled code keeps to the same.
        unsafe { slice::from_raw_parts(self.0 as *const Self, n_words) }
    }

    fn header(self) -> u64 {
        self.cell(1)[0].0
    }

    /// The kind of the cell.
    pub(crate) fn kind(self) -> CellKind {
        let kind = (self.header() & 0xff) as usize;
        // Every header has a known kind; the fallback avoids a panic in code that runs under
        // compiled frames.
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

    /// The values in the cell, in order; empty for other words.
    pub(crate) fn parts<'a>(self) -> &'a [Self] {
        if !self.is_cell() {
            return &[];
        }
        let n_fields = (self.header() >> LEN_SHIFT & FIELD_COUNT) as usize;
        match self.kind() {
            CellKind::Tuple | CellKind::Data => &self.cell(n_fields + 1)[1..],
            // The code pointer is not a word.
            CellKind::Closure => &self.cell(n_fields + 2)[2..],
            CellKind::Cons => &self.cell(3)[1..],
            CellKind::Map | CellKind::Set => &self.cell(5)[1..],
            CellKind::Str | CellKind::Big | CellKind::Float => &[],
        }
    }

    /// The code pointer of a closure.
    ///
    /// # Safety
    ///
    /// The word must be a closure.
    pub(crate) unsafe fn closure_code(self) -> u64 {
        self.cell(2)[1].0
    }

    /// Fills in the code pointer of a function value that has not been published yet.
    ///
    /// # Safety
    ///
    /// The word must be a closure, and nobody else may refer to its cell yet.
    pub(crate) unsafe fn fill_code(self, code: u64) {
        // SAFETY: promised by the caller; the second word of a closure is its code pointer.
        unsafe { (self.0 as *mut u64).add(1).write(code) };
    }

    /// The length of a list.
    pub(crate) fn list_len(self) -> u64 {
        // The whole header above the kind is the length.
        if self.is_cell() { self.header() >> LEN_SHIFT } else { 0 }
    }

    /// The head and tail of a non-empty list.
    pub(crate) fn split_first(self) -> Option<(Self, Self)> {
        if !self.is_cell() {
            return None;
        }
        let cell = self.cell(3);
        Some((cell[1], cell[2]))
    }

    /// The root node of a map or set, unless it is empty.
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

    /// Number of entries, height, and the words of the root node of a map or set, unless it is
    /// empty.
    pub(crate) fn table_words<'a>(self) -> Option<(u64, u8, &'a [Self; 4])> {
        if !self.is_cell() {
            return None;
        }
        let (header, parts) = self.cell(5).split_first()?;
        Some((header.0 >> 16, (header.0 >> 8) as u8, parts.try_into().ok()?))
    }

    /// The text and its number of characters.
    pub(crate) fn text<'a>(self) -> (&'a str, u64) {
        if !self.is_cell() {
            return ("", 0);
        }
        let n_bytes = (self.header() >> LEN_SHIFT) as usize;
        let n_chars = self.cell(2)[1].0;
        // SAFETY: header and count of a text are followed by that many bytes, which were copied
        // from a `str`.
        let text = unsafe {
            let bytes = slice::from_raw_parts((self.0 as *const u8).add(16), n_bytes);
            std::str::from_utf8_unchecked(bytes)
        };
        (text, n_chars)
    }

    /// Decodes the word.
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
        // Not a value, but decoding it must not dereference address 0.
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
        // SAFETY: `Word` is a `repr(transparent)` `u64`.
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

/// The header of a map or set node.
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
