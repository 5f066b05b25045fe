//! The value of a choice: eight bytes, or the id of an interned big integer.

use std::collections::HashMap;

use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;

/// The value of one choice. What the 64 bits mean depends on the kind of the choice: an integer,
/// the bits of a float, a boolean (0 or 1), the index of an alternative, a code point, the index of
/// a variable.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub enum ChoiceValue {
    /// A value that fits in 64 bits.
    Small(i64),
    /// An integer that does not.
    Big(BigIntId),
}

/// The index of a big integer in its arena. As wide as a small value, so that both are passed in
/// registers.
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct BigIntId(pub(crate) u64);

/// Interned big integers: equal values have equal ids.
#[derive(Debug, Clone, Default)]
pub(crate) struct BigIntArena {
    list: Vec<BigInt>,
    ids: HashMap<BigInt, BigIntId>,
}

impl BigIntArena {
    /// The value for an integer: small if it fits.
    pub(crate) fn intern(&mut self, integer: BigInt) -> ChoiceValue {
        if let Some(small) = integer.to_i64() {
            return ChoiceValue::Small(small);
        }
        // Interned, so that equal choices have equal ids and compare as numbers.
        if let Some(id) = self.ids.get(&integer) {
            return ChoiceValue::Big(*id);
        }
        let id = BigIntId(self.list.len() as u64);
        self.list.push(integer.clone());
        self.ids.insert(integer, id);
        ChoiceValue::Big(id)
    }

    /// The integer that a value stands for.
    pub(crate) fn integer(&self, value: ChoiceValue) -> BigInt {
        match value {
            ChoiceValue::Small(small) => BigInt::from(small),
            ChoiceValue::Big(id) => self.big(id).clone(),
        }
    }

    /// The big integer with an id of this arena.
    pub(crate) fn big(&self, id: BigIntId) -> &BigInt {
        &self.list[id.0 as usize]
    }

    /// Clears the arena once it is large; ids given before become invalid.
    pub(crate) fn trim(&mut self) {
        const MANY: usize = 1024;
        // Called between the cases of a search, when no id is in use.
        if self.list.len() > MANY {
            self.list.clear();
            self.ids.clear();
        }
    }
}

/// The place of a value in the order of simplicity, 0 being the simplest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ValueRank {
    /// A rank that fits in 128 bits.
    // The derived order relies on `Small` coming first.
    Small(u128),
    /// A rank that does not, and so is above all small ones.
    Big(BigUint),
}

impl ValueRank {
    /// The rank for a natural number of any size.
    pub(crate) fn of(rank: BigUint) -> Self {
        rank.to_u128().map_or(ValueRank::Big(rank), ValueRank::Small)
    }

    /// The rank as a number.
    pub(crate) fn number(&self) -> BigUint {
        match self {
            ValueRank::Small(small) => BigUint::from(*small),
            ValueRank::Big(big) => big.clone(),
        }
    }
}
