//! Kinds of choices: which values are permitted, which are simpler, and how they are drawn.
//!
//! For every kind the same laws hold, and are tested: the simplest value is permitted and has
//! rank 0; different values have different ranks; `unrank` undoes `rank`; what is permitted is
//! its own projection, and every projection is permitted.

mod boolean;
mod chars;
mod float;
mod integer;
mod more;
mod reference;
mod selector;

use std::cmp::Ordering;
use std::collections::HashMap;

use num_bigint::BigInt;

pub use self::boolean::Boolean;
pub use self::chars::Chars;
pub use self::float::Float;
pub(crate) use self::float::fraction;
pub use self::integer::{Integer, Pool};
pub use self::more::More;
pub use self::reference::Reference;
pub use self::selector::Selector;
pub(crate) use self::selector::pick;
use crate::value::{BigId, Bigs, Rank, Value};

/// The number of a kind in its [`Kinds`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KindId(pub(crate) u32);

impl KindId {
    /// The kind as a number, for code that passes it through registers.
    pub fn number(self) -> u32 {
        self.0
    }

    /// The kind with a number that [`KindId::number`] gave.
    pub fn from_number(number: u32) -> Self {
        KindId(number)
    }
}

/// A sort of choice with its constraints.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Kind {
    /// An integer of a range.
    Integer(Integer),
    /// A floating-point number.
    Float(Float),
    /// A truth value.
    Boolean(Boolean),
    /// One of several alternatives.
    Selector(Selector),
    /// Whether one more element follows.
    More(More),
    /// A character of an alphabet.
    Char(Chars),
    /// A variable that was made before.
    Reference(Reference),
}

/// A sort of choice without its constraints.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum Class {
    /// [`Kind::Integer`].
    Integer,
    /// [`Kind::Float`].
    Float,
    /// [`Kind::Boolean`].
    Boolean,
    /// [`Kind::Selector`].
    Selector,
    /// [`Kind::More`].
    More,
    /// [`Kind::Char`].
    Char,
    /// [`Kind::Reference`].
    Reference,
}

impl Class {
    /// All classes; the place of each is its number in stored cases.
    pub(crate) const ALL: [Class; 7] = [
        Class::Integer,
        Class::Float,
        Class::Boolean,
        Class::Selector,
        Class::More,
        Class::Char,
        Class::Reference,
    ];

    /// The word for the class in stored cases.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Class::Integer => "int",
            Class::Float => "float",
            Class::Boolean => "bool",
            Class::Selector => "alt",
            Class::More => "more",
            Class::Char => "char",
            Class::Reference => "ref",
        }
    }
}

/// How many values a kind permits.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Count {
    /// Exactly so many.
    Finite(u64),
    /// More than anybody would enumerate.
    Many,
}

impl Kind {
    /// The kind without its constraints.
    pub fn class(&self) -> Class {
        match self {
            Kind::Integer(_) => Class::Integer,
            Kind::Float(_) => Class::Float,
            Kind::Boolean(_) => Class::Boolean,
            Kind::Selector(_) => Class::Selector,
            Kind::More(_) => Class::More,
            Kind::Char(_) => Class::Char,
            Kind::Reference(_) => Class::Reference,
        }
    }
}

/// Kinds, each kept once, so that comparing two kinds is comparing two numbers.
#[derive(Debug, Clone, Default)]
pub struct Kinds {
    pub(crate) list: Vec<Kind>,
    ids: HashMap<Kind, KindId>,
    pub(crate) bigs: Bigs,
    pub(crate) n_pools: u32,
}

impl Kinds {
    /// No kinds yet.
    pub fn new() -> Self {
        Kinds::default()
    }

    /// The id for a kind, the same each time.
    pub fn intern(&mut self, kind: Kind) -> KindId {
        if let Some(id) = self.ids.get(&kind) {
            return *id;
        }
        let id = KindId(u32::try_from(self.list.len()).expect("fewer than 2^32 kinds"));
        if let Kind::Integer(Integer { pool: Some(pool), .. }) = &kind {
            self.n_pools = self.n_pools.max(pool.0.saturating_add(1));
        }
        self.list.push(kind.clone());
        self.ids.insert(kind, id);
        id
    }

    /// The kind of an id of this table.
    #[inline]
    pub fn get(&self, id: KindId) -> &Kind {
        &self.list[id.0 as usize]
    }

    /// The sort of choice of an id of this table.
    pub fn class(&self, id: KindId) -> Class {
        self.get(id).class()
    }

    /// The pool of a reference.
    pub(crate) fn reference_pool(&self, id: KindId) -> Option<Pool> {
        if let Kind::Reference(it) = self.get(id) { Some(it.pool) } else { None }
    }

    /// The big integer that a value refers to.
    pub fn big(&self, id: BigId) -> &BigInt {
        self.bigs.big(id)
    }

    /// The value for an integer of any size.
    pub fn value(&mut self, integer: BigInt) -> Value {
        self.bigs.value(integer)
    }

    /// The simplest value: the one of rank 0.
    pub fn simplest(&mut self, id: KindId) -> Value {
        match &self.list[id.0 as usize] {
            Kind::Integer(kind) => kind.simplest(&mut self.bigs),
            Kind::Float(kind) => kind.simplest(),
            Kind::Boolean(kind) => kind.simplest(),
            Kind::Selector(kind) => kind.simplest(),
            Kind::Char(kind) => kind.simplest(),
            Kind::More(_) | Kind::Reference(_) => Value::Small(0),
        }
    }

    /// Whether a value is one of the kind.
    pub fn permits(&self, id: KindId, value: Value) -> bool {
        match (self.get(id), value) {
            (Kind::Integer(kind), value) => kind.permits(value, &self.bigs),
            (Kind::Float(kind), Value::Small(bits)) => kind.permits(bits),
            (Kind::Boolean(kind), Value::Small(bit)) => kind.permits(bit),
            (Kind::Selector(kind), Value::Small(alternative)) => kind.permits(alternative),
            (Kind::More(_), Value::Small(bit)) => bit == 0 || bit == 1,
            (Kind::Char(kind), Value::Small(code)) => kind.permits(code),
            (Kind::Reference(kind), Value::Small(variable)) => kind.permits(variable),
            (_, Value::Big(_)) => false,
        }
    }

    /// How far a permitted value is from the simplest.
    pub fn rank(&self, id: KindId, value: Value) -> Rank {
        match (self.get(id), value) {
            (Kind::Integer(kind), value) => kind.rank(value, &self.bigs),
            (Kind::Float(kind), Value::Small(bits)) => Rank::Small(kind.rank(bits)),
            (Kind::Boolean(kind), Value::Small(bit)) => Rank::Small(kind.rank(bit)),
            (Kind::Selector(kind), Value::Small(alternative)) => {
                Rank::Small(kind.rank(alternative))
            }
            (Kind::Char(kind), Value::Small(code)) => Rank::Small(kind.rank(code)),
            (Kind::More(_) | Kind::Reference(_), Value::Small(value)) => {
                Rank::Small(u128::from(value.unsigned_abs()))
            }
            (_, Value::Big(_)) => Rank::Small(u128::MAX),
        }
    }

    /// The value of a rank, if there is one.
    pub fn unrank(&mut self, id: KindId, rank: &Rank) -> Option<Value> {
        let kind = &self.list[id.0 as usize];
        if let Kind::Integer(kind) = kind {
            return kind.unrank(rank, &mut self.bigs);
        }
        let Rank::Small(rank) = *rank else { return None };
        match kind {
            Kind::Integer(_) => None,
            Kind::Float(kind) => kind.unrank(rank),
            Kind::Boolean(kind) => kind.unrank(rank),
            Kind::Selector(kind) => kind.unrank(rank),
            Kind::More(_) => (rank < 2).then_some(Value::Small(rank as i64)),
            Kind::Char(kind) => kind.unrank(rank),
            Kind::Reference(kind) => kind.unrank(rank),
        }
    }

    /// The permitted value nearest to a value of the same class.
    pub fn project(&mut self, id: KindId, value: Value) -> Value {
        if self.permits(id, value) {
            return value;
        }
        match (&self.list[id.0 as usize], value) {
            (Kind::Integer(kind), value) => kind.project(value, &mut self.bigs),
            (Kind::Float(kind), Value::Small(bits)) => kind.project(bits),
            (Kind::Selector(kind), Value::Small(alternative)) => kind.project(alternative),
            (Kind::Reference(kind), Value::Small(variable)) => kind.project(variable),
            (Kind::Boolean(kind), _) => kind.simplest(),
            (Kind::More(_), value) => Value::Small(i64::from(value != Value::Small(0))),
            (Kind::Char(kind), _) => kind.simplest(),
            (Kind::Float(_) | Kind::Selector(_) | Kind::Reference(_), Value::Big(_)) => {
                self.simplest(id)
            }
        }
    }

    /// How many values are permitted.
    pub fn count(&self, id: KindId) -> Count {
        match self.get(id) {
            Kind::Integer(kind) => kind.count(),
            Kind::Float(_) => Count::Many,
            Kind::Boolean(kind) => kind.count(),
            Kind::Selector(kind) => kind.count(),
            Kind::More(_) => Count::Finite(2),
            Kind::Char(kind) => kind.count(),
            Kind::Reference(kind) => Count::Finite(u64::from(kind.live)),
        }
    }

    /// Compares two choices by their ranks, each under its own kind.
    pub(crate) fn compare(&self, a: (KindId, Value), b: (KindId, Value)) -> Ordering {
        if a == b {
            return Ordering::Equal;
        }
        self.rank(a.0, a.1).cmp(&self.rank(b.0, b.1))
    }
}
