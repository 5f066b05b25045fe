//! Linear sums with integer coefficients, in a normal form.

use crate::terms::TermId;

/// `constant + Σ coefficient · term`: the terms are ordered and different, no coefficient is zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct LinearSum {
    /// The constant summand.
    pub constant: i128,
    /// The other summands.
    pub parts: Vec<(TermId, i128)>,
}

impl LinearSum {
    /// A constant.
    pub fn constant(value: i128) -> LinearSum {
        LinearSum { constant: value, parts: Vec::new() }
    }

    /// One term.
    pub fn term(term: TermId) -> LinearSum {
        LinearSum { constant: 0, parts: vec![(term, 1)] }
    }

    /// `self + factor * other`, unless a number leaves the range of 128 bits.
    pub fn add_scaled(&self, other: &LinearSum, factor: i128) -> Option<LinearSum> {
        let constant = self.constant.checked_add(other.constant.checked_mul(factor)?)?;
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut i, mut j) = (0, 0);
        while i < self.parts.len() || j < other.parts.len() {
            let left = self.parts.get(i);
            let right = other.parts.get(j);
            let (term, coefficient) = match (left, right) {
                (Some(l), Some(r)) if l.0 == r.0 => {
                    (i, j) = (i + 1, j + 1);
                    (l.0, l.1.checked_add(r.1.checked_mul(factor)?)?)
                }
                (Some(l), r) if r.is_none_or(|r| l.0 < r.0) => {
                    i += 1;
                    *l
                }
                (_, Some(r)) => {
                    j += 1;
                    (r.0, r.1.checked_mul(factor)?)
                }
                (_, None) => break,
            };
            if coefficient != 0 {
                parts.push((term, coefficient));
            }
        }
        Some(LinearSum { constant, parts })
    }

    /// `self * factor`, unless a number leaves the range of 128 bits.
    pub fn scaled(&self, factor: i128) -> Option<LinearSum> {
        LinearSum::default().add_scaled(self, factor)
    }

    /// The greatest common divisor of the coefficients; zero for a constant.
    pub fn divisor(&self) -> i128 {
        self.parts.iter().fold(0, |divisor, part| gcd(divisor, part.1))
    }
}

/// The greatest common divisor. Of numbers that have no positive counterpart it is 1, which is a
/// divisor as well.
pub(crate) fn gcd(a: i128, b: i128) -> i128 {
    let (Some(mut a), Some(mut b)) = (a.checked_abs(), b.checked_abs()) else { return 1 };
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The quotient of a division by a positive number, rounded up.
pub(crate) fn div_ceil(a: i128, b: i128) -> i128 {
    a.div_euclid(b) + i128::from(a.rem_euclid(b) != 0)
}
