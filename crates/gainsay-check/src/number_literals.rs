//! Parsing of number literals.

use std::sync::Arc;

use gainsay_core::Literal;
use num_bigint::BigInt;

/// Numbers with more digits are rejected, because converting them would take too long.
pub(crate) const MAX_DIGITS: usize = 20_000;

/// The digits as a literal.
pub(crate) fn parse_integer(digits: &str, radix: u32) -> Option<Literal> {
    if let Ok(small) = i64::from_str_radix(digits, radix) {
        return Some(Literal::Int(small));
    }
    BigInt::parse_bytes(digits.as_bytes(), radix).map(|big| Literal::Big(Arc::new(big)))
}

/// The negated literal.
pub(crate) fn negate(literal: Literal) -> Option<Literal> {
    match literal {
        Literal::Int(value) => match value.checked_neg() {
            Some(value) => Some(Literal::Int(value)),
            None => Some(Literal::Big(Arc::new(-BigInt::from(value)))),
        },
        Literal::Big(value) => {
            let value = -&*value;
            Some(match i64::try_from(&value) {
                Ok(small) => Literal::Int(small),
                Err(_) => Literal::Big(Arc::new(value)),
            })
        }
        Literal::Float(value) => Some(Literal::Float(-value)),
        Literal::Bool(_) | Literal::Char(_) | Literal::Str(_) => None,
    }
}
