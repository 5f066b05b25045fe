//! What annotations say, in the terms of those who act on them.
//!
//! The checker reads an annotation once; a text in it is the value of its literal.

use crate::claim::PropertySettings;

/// The annotations of a function.
#[derive(Debug, Clone, Default)]
pub struct FunctionAttributes {
    /// `@property(..)`.
    pub property: Option<PropertySettings>,
    /// Why it has no mutants: `@mutants(skip, reason = "..")`.
    pub skip_mutants: Option<Box<str>>,
    /// Why it is not run: `@ignore(reason = "..")`.
    pub ignore: Option<Box<str>>,
}

/// The weight of a constructor: a number, or one that depends on the size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConstructorWeight {
    /// `3`.
    Number(u32),
    /// `size`.
    Size,
    /// `a + b`.
    Sum(Box<ConstructorWeight>, Box<ConstructorWeight>),
    /// `a * b`.
    Product(Box<ConstructorWeight>, Box<ConstructorWeight>),
}

impl ConstructorWeight {
    /// The weight at a size.
    pub fn at(&self, size: u32) -> u32 {
        match self {
            Self::Number(number) => *number,
            Self::Size => size,
            Self::Sum(a, b) => a.at(size).saturating_add(b.at(size)),
            Self::Product(a, b) => a.at(size).saturating_mul(b.at(size)),
        }
    }

    /// Whether the size is part of it.
    pub fn depends_on_size(&self) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Size => true,
            Self::Sum(a, b) | Self::Product(a, b) => a.depends_on_size() || b.depends_on_size(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ConstructorWeight as Weight;

    #[test]
    fn weights_are_computed_at_a_size() {
        let sum = Weight::Sum(Box::new(Weight::Size), Box::new(Weight::Number(1)));
        let all = Weight::Product(Box::new(Weight::Number(2)), Box::new(sum));
        assert_eq!((all.at(10), all.at(0), all.at(u32::MAX)), (22, 2, u32::MAX));
        assert!(all.depends_on_size() && !Weight::Number(1).depends_on_size());
    }
}
