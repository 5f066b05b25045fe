//! The execution order of `par` branches. Paths and results follow the source order, whatever the
//! execution order.

use std::fmt;
use std::sync::Arc;

/// An order for the branches of every group: a permutation of the first few positions. A group with
/// fewer branches uses the positions it has; in one with more, the others run last, in source
/// order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ParOrder(Arc<[u32]>);

impl ParOrder {
    /// The order in which positions are listed; `None` unless it is a permutation of
    /// `0..positions.len()`.
    pub fn new(positions: &[u32]) -> Option<Self> {
        let mut is_there = vec![false; positions.len()];
        for position in positions {
            let seen = is_there.get_mut(*position as usize)?;
            if std::mem::replace(seen, true) {
                return None;
            }
        }
        Some(Self(positions.into()))
    }

    /// The first `n_branches` branches from right to left.
    pub fn reversed(n_branches: u32) -> Self {
        Self((0..n_branches).rev().collect())
    }

    /// Its positions.
    pub fn positions(&self) -> &[u32] {
        &self.0
    }

    /// The order in which the branches of a group run; source order by default.
    pub(crate) fn branch_order(order: Option<&Self>, n_branches: usize) -> Vec<usize> {
        let asked = order.map_or(&[][..], |it| &it.0);
        // Positions beyond the group are skipped; branches beyond the order run last.
        let first = asked.iter().map(|at| *at as usize).filter(|at| *at < n_branches);
        first.chain(asked.len()..n_branches).collect()
    }
}

impl fmt::Display for ParOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, position) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { "," };
            write!(f, "{separator}{position}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::ParOrder;

    #[test]
    fn an_order_is_a_permutation() {
        assert!(ParOrder::new(&[]).is_some());
        assert!(ParOrder::new(&[1, 2, 0]).is_some());
        assert_eq!(ParOrder::new(&[1, 1]), None);
        assert_eq!(ParOrder::new(&[1, 2]), None);
        assert_eq!(ParOrder::new(&[u32::MAX]), None);
    }

    #[test]
    fn groups_of_other_sizes_keep_to_what_they_have() {
        let order = ParOrder::new(&[2, 0, 1]);
        assert_eq!(ParOrder::branch_order(order.as_ref(), 3), [2, 0, 1]);
        assert_eq!(ParOrder::branch_order(order.as_ref(), 2), [0, 1]);
        assert_eq!(ParOrder::branch_order(order.as_ref(), 1), [0]);
        assert_eq!(ParOrder::branch_order(order.as_ref(), 5), [2, 0, 1, 3, 4]);
        assert!(ParOrder::branch_order(order.as_ref(), 0).is_empty());
        assert_eq!(ParOrder::branch_order(None, 3), [0, 1, 2]);
    }

    #[test]
    fn it_prints_its_positions() {
        assert_eq!(ParOrder::reversed(3).to_string(), "2,1,0");
    }
}
