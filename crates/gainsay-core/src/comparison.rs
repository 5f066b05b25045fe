//! The comparison operators `==`, `!=`, `<`, `<=`, `>` and `>=`.

/// A comparison operator.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Comparison {
    /// `==`.
    Eq,
    /// `!=`.
    Ne,
    /// `<`.
    Lt,
    /// `<=`.
    Le,
    /// `>`.
    Gt,
    /// `>=`.
    Ge,
}

impl Comparison {
    /// The operator as written in source.
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }

    /// The comparison that holds for `(b, a)` exactly if this one holds for `(a, b)`.
    pub fn swapped(self) -> Self {
        match self {
            Self::Eq | Self::Ne => self,
            Self::Lt => Self::Gt,
            Self::Le => Self::Ge,
            Self::Gt => Self::Lt,
            Self::Ge => Self::Le,
        }
    }

    /// The comparison that holds exactly if this one does not. Only valid in a total order: with
    /// NaN, neither `a < b` nor `a >= b` holds.
    pub fn negated(self) -> Self {
        match self {
            Self::Eq => Self::Ne,
            Self::Ne => Self::Eq,
            Self::Lt => Self::Ge,
            Self::Le => Self::Gt,
            Self::Gt => Self::Le,
            Self::Ge => Self::Lt,
        }
    }

    /// Evaluates the comparison.
    pub fn holds<T: PartialOrd>(self, a: &T, b: &T) -> bool {
        match self {
            Self::Eq => a == b,
            Self::Ne => a != b,
            Self::Lt => a < b,
            Self::Le => a <= b,
            Self::Gt => a > b,
            Self::Ge => a >= b,
        }
    }

    /// Whether every value of a total order compares true with itself.
    pub fn is_reflexive(self) -> bool {
        // `()` equals itself and is not less than itself, like any value of a total order.
        self.holds(&(), &())
    }
}

#[cfg(test)]
mod tests {
    use super::Comparison;
    use crate::builtin;

    #[test]
    fn a_comparison_and_its_negation_never_agree() {
        let all = builtin::ALL.iter().filter_map(|it| it.comparison);
        for it in all.clone() {
            for (a, b) in [(0, 0), (0, 1), (1, 0)] {
                assert_ne!(it.holds(&a, &b), it.negated().holds(&a, &b), "{a} {it:?} {b}");
                assert_eq!(it.holds(&a, &b), it.swapped().holds(&b, &a), "{a} {it:?} {b}");
            }
        }
        let reflexive: Vec<_> = all.filter(|it| it.is_reflexive()).collect();
        assert_eq!(reflexive, [Comparison::Eq, Comparison::Le, Comparison::Ge]);
    }
}
