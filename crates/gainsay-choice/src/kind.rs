//! Kinds of choices: which values are permitted, which are simpler, and how they are sampled.
//!
//! Every kind satisfies the same laws, which are tested: the simplest value is permitted and has
//! rank 0; different values have different ranks; `unrank` inverts `rank`; projection is the
//! identity on permitted values, and its result is always permitted.

mod boolean;
mod character;
mod float;
mod integer;
mod more_elements;
mod reference;
mod selector;

use std::cmp::Ordering;
use std::collections::HashMap;

use num_bigint::BigInt;

pub use self::boolean::BooleanKind;
pub use self::character::CharKind;
pub use self::float::FloatKind;
pub(crate) use self::float::fraction;
pub use self::integer::{IntegerKind, PoolId};
pub use self::more_elements::MoreElementsKind;
pub use self::reference::ReferenceKind;
pub use self::selector::SelectorKind;
pub(crate) use self::selector::pick_weighted;
use crate::value::{BigIntArena, BigIntId, ChoiceValue, ValueRank};

/// The index of a kind in its [`KindTable`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub(crate) u32);

impl KindId {
    /// The kind as a number, for code that passes it through registers.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The inverse of [`KindId::number`].
    pub fn from_number(number: u32) -> Self {
        KindId(number)
    }
}

/// A kind of choice with its constraints.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An integer in a range.
    Integer(IntegerKind),
    /// A floating-point number.
    Float(FloatKind),
    /// A boolean.
    Boolean(BooleanKind),
    /// One of several alternatives.
    Selector(SelectorKind),
    /// Whether one more element follows.
    MoreElements(MoreElementsKind),
    /// A character of an alphabet.
    Char(CharKind),
    /// A variable that was bound before.
    Reference(ReferenceKind),
}

/// A kind of choice without its constraints.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum ChoiceClass {
    /// [`Kind::Integer`].
    Integer,
    /// [`Kind::Float`].
    Float,
    /// [`Kind::Boolean`].
    Boolean,
    /// [`Kind::Selector`].
    Selector,
    /// [`Kind::MoreElements`].
    MoreElements,
    /// [`Kind::Char`].
    Char,
    /// [`Kind::Reference`].
    Reference,
}

impl ChoiceClass {
    /// All classes; the position of each is its number in stored cases, so new ones come last.
    pub(crate) const ALL: [ChoiceClass; 7] = [
        ChoiceClass::Integer,
        ChoiceClass::Float,
        ChoiceClass::Boolean,
        ChoiceClass::Selector,
        ChoiceClass::MoreElements,
        ChoiceClass::Char,
        ChoiceClass::Reference,
    ];

    /// The name of the class in stored cases.
    pub(crate) fn name(self) -> &'static str {
        match self {
            ChoiceClass::Integer => "int",
            ChoiceClass::Float => "float",
            ChoiceClass::Boolean => "bool",
            ChoiceClass::Selector => "alt",
            ChoiceClass::MoreElements => "more",
            ChoiceClass::Char => "char",
            ChoiceClass::Reference => "ref",
        }
    }
}

/// How many values a kind permits.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Cardinality {
    /// Exactly this many.
    Finite(u64),
    /// Too many to enumerate.
    Large,
}

impl Kind {
    /// The kind without its constraints.
    pub fn class(&self) -> ChoiceClass {
        match self {
            Kind::Integer(_) => ChoiceClass::Integer,
            Kind::Float(_) => ChoiceClass::Float,
            Kind::Boolean(_) => ChoiceClass::Boolean,
            Kind::Selector(_) => ChoiceClass::Selector,
            Kind::MoreElements(_) => ChoiceClass::MoreElements,
            Kind::Char(_) => ChoiceClass::Char,
            Kind::Reference(_) => ChoiceClass::Reference,
        }
    }
}

/// Interned kinds, so that comparing two kinds is comparing two numbers.
#[derive(Debug, Clone, Default)]
pub struct KindTable {
    pub(crate) list: Vec<Kind>,
    ids: HashMap<Kind, KindId>,
    pub(crate) bigs: BigIntArena,
    pub(crate) n_pools: u32,
}

impl KindTable {
    /// An empty table.
    pub fn new() -> Self {
        KindTable::default()
    }

    /// The id of a kind; equal kinds have equal ids.
    pub fn intern(&mut self, kind: Kind) -> KindId {
        if let Some(id) = self.ids.get(&kind) {
            return *id;
        }
        let id = KindId(u32::try_from(self.list.len()).expect("fewer than 2^32 kinds"));
        // Pools are stored in an array by number, whose length has to be known before a case.
        if let Kind::Integer(IntegerKind { pool: Some(pool), .. }) = &kind {
            self.n_pools = self.n_pools.max(pool.0.saturating_add(1));
        }
        self.list.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    /// The kind with an id of this table.
    #[inline]
    pub fn get(&self, id: KindId) -> &Kind {
        &self.list[id.0 as usize]
    }

    /// The class of a kind of this table.
    pub fn class(&self, id: KindId) -> ChoiceClass {
        self.get(id).class()
    }

    /// The pool of a reference kind.
    pub(crate) fn reference_pool(&self, id: KindId) -> Option<PoolId> {
        if let Kind::Reference(it) = self.get(id) { Some(it.pool) } else { None }
    }

    /// The big integer that an id refers to.
    pub fn big(&self, id: BigIntId) -> &BigInt {
        self.bigs.big(id)
    }

    /// The value for an integer of any size.
    pub fn intern_integer(&mut self, integer: BigInt) -> ChoiceValue {
        self.bigs.intern(integer)
    }

    /// The simplest value: the one of rank 0.
    pub fn simplest(&mut self, id: KindId) -> ChoiceValue {
        match &self.list[id.0 as usize] {
            Kind::Integer(kind) => kind.simplest(&mut self.bigs),
            Kind::Float(kind) => kind.simplest(),
            Kind::Boolean(kind) => kind.simplest(),
            Kind::Selector(kind) => kind.simplest(),
            Kind::Char(kind) => kind.simplest(),
            Kind::MoreElements(_) | Kind::Reference(_) => ChoiceValue::Small(0),
        }
    }

    /// Whether a value belongs to the kind.
    pub fn permits(&self, id: KindId, value: ChoiceValue) -> bool {
        match (self.get(id), value) {
            (Kind::Integer(kind), value) => kind.permits(value, &self.bigs),
            (Kind::Float(kind), ChoiceValue::Small(bits)) => kind.permits(bits),
            (Kind::Boolean(kind), ChoiceValue::Small(bit)) => kind.permits(bit),
            (Kind::Selector(kind), ChoiceValue::Small(alternative)) => {
                kind.permits(alternative)
            }
            (Kind::MoreElements(_), ChoiceValue::Small(bit)) => bit == 0 || bit == 1,
            (Kind::Char(kind), ChoiceValue::Small(code)) => kind.permits(code),
            (Kind::Reference(kind), ChoiceValue::Small(variable)) => kind.permits(variable),
            (_, ChoiceValue::Big(_)) => false,
        }
    }

    /// The rank of a permitted value: its place in the order of simplicity, from 0. There may be
    /// gaps: a bounded kind of floats uses the ranks of all floats.
    pub fn rank(&self, id: KindId, value: ChoiceValue) -> ValueRank {
        match (self.get(id), value) {
            (Kind::Integer(kind), value) => kind.rank(value, &self.bigs),
            (Kind::Float(kind), ChoiceValue::Small(bits)) => ValueRank::Small(kind.rank(bits)),
            (Kind::Boolean(kind), ChoiceValue::Small(bit)) => ValueRank::Small(kind.rank(bit)),
            (Kind::Selector(kind), ChoiceValue::Small(alternative)) => {
                ValueRank::Small(kind.rank(alternative))
            }
            (Kind::Char(kind), ChoiceValue::Small(code)) => ValueRank::Small(kind.rank(code)),
            (Kind::MoreElements(_) | Kind::Reference(_), ChoiceValue::Small(value)) => {
                ValueRank::Small(u128::from(value.unsigned_abs()))
            }
            // Not a value of these kinds at all: rank it last.
            (_, ChoiceValue::Big(_)) => ValueRank::Small(u128::MAX),
        }
    }

    /// The value of a rank, if there is one.
    pub fn unrank(&mut self, id: KindId, rank: &ValueRank) -> Option<ChoiceValue> {
        let kind = &self.list[id.0 as usize];
        // Apart from the others, because only integers need the arena for the result.
        if let Kind::Integer(kind) = kind {
            return kind.unrank(rank, &mut self.bigs);
        }
        let ValueRank::Small(rank) = *rank else { return None };
        match kind {
            Kind::Integer(_) => None,
            Kind::Float(kind) => kind.unrank(rank),
            Kind::Boolean(kind) => kind.unrank(rank),
            Kind::Selector(kind) => kind.unrank(rank),
            Kind::MoreElements(_) => (rank < 2).then_some(ChoiceValue::Small(rank as i64)),
            Kind::Char(kind) => kind.unrank(rank),
            Kind::Reference(kind) => kind.unrank(rank),
        }
    }

    /// The permitted value nearest to a value of the same class; for characters, the simplest one.
    pub fn project(&mut self, id: KindId, value: ChoiceValue) -> ChoiceValue {
        // The fast path: most replayed values fit.
        if self.permits(id, value) {
            return value;
        }
        match (&self.list[id.0 as usize], value) {
            (Kind::Integer(kind), value) => kind.project(value, &mut self.bigs),
            (Kind::Float(kind), ChoiceValue::Small(bits)) => kind.project(bits),
            (Kind::Selector(kind), ChoiceValue::Small(alternative)) => {
                kind.project(alternative)
            }
            (Kind::Reference(kind), ChoiceValue::Small(variable)) => kind.project(variable),
            (Kind::Boolean(kind), _) => kind.simplest(),
            (Kind::MoreElements(_), value) => {
                ChoiceValue::Small(i64::from(value != ChoiceValue::Small(0)))
            }
            (Kind::Char(kind), _) => kind.simplest(),
            (Kind::Float(_) | Kind::Selector(_) | Kind::Reference(_), ChoiceValue::Big(_)) => {
                self.simplest(id)
            }
        }
    }

    /// How many values are permitted.
    pub fn cardinality(&self, id: KindId) -> Cardinality {
        match self.get(id) {
            Kind::Integer(kind) => kind.cardinality(),
            // Even a narrow range has more members than anyone enumerates, save for degenerate
            // ones.
            Kind::Float(_) => Cardinality::Large,
            Kind::Boolean(kind) => kind.cardinality(),
            Kind::Selector(kind) => kind.cardinality(),
            Kind::MoreElements(_) => Cardinality::Finite(2),
            Kind::Char(kind) => kind.cardinality(),
            Kind::Reference(kind) => Cardinality::Finite(u64::from(kind.n_live)),
        }
    }

    /// Compares two choices by rank, each under its own kind.
    pub(crate) fn compare(
        &self,
        a: (KindId, ChoiceValue),
        b: (KindId, ChoiceValue),
    ) -> Ordering {
        // Saves computing two ranks.
        if a == b {
            return Ordering::Equal;
        }
        self.rank(a.0, a.1).cmp(&self.rank(b.0, b.1))
    }
}
