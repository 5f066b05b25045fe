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

/// Of constructors without recursion together, and of those with it: where one value inside another
/// goes on, and where several do.
const ENDING: u32 = 1;
const ALONG: u32 = 8;
const BRANCHING: u32 = 3;

/// The weights of constructors without declared weights, from the number of recursive positions in
/// each; `None` for a constructor that is excluded. They let recursion go on for a while.
pub fn usual_weights(widths: &[Option<usize>]) -> Vec<u32> {
    let n_ending = widths.iter().flatten().filter(|it| **it == 0).count() as u32;
    let n_going_on = widths.iter().flatten().filter(|it| **it > 0).count() as u32;
    if n_ending == 0 || n_going_on == 0 {
        return vec![1; widths.len()];
    }
    let branches = widths.iter().flatten().any(|it| *it > 1);
    let going_on = if branches { BRANCHING } else { ALONG };
    let weight = |width: &Option<usize>| match width {
        None => 0,
        // Cross-multiplied: the groups get their total weights however many constructors each has.
        Some(0) => ENDING * n_going_on,
        Some(_) => going_on * n_ending,
    };
    widths.iter().map(weight).collect()
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
