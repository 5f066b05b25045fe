//! How many values a node has, where they are few.

use num_traits::ToPrimitive as _;

use super::{GeneratorPlan, PlanNodeId, PlanShape};
use crate::domain::LengthRange;

/// More values are not counted.
pub(crate) const MAX_VALUES: u64 = 1 << 20;

/// The maximum number of nodes that are visited.
const MAX_LOOKS: u32 = 10_000;

impl GeneratorPlan {
    /// An upper bound of the number of values of a node, if they are few.
    pub(crate) fn count(&self, id: PlanNodeId) -> Option<u64> {
        self.count_in(id, &mut { MAX_LOOKS }, 0)
    }

    fn count_in(&self, id: PlanNodeId, left: &mut u32, depth: u32) -> Option<u64> {
        *left = left.checked_sub(1)?;
        if depth > 100 {
            return None;
        }
        let mut count = |it: &PlanNodeId| self.count_in(*it, left, depth + 1);
        let node = self.node(id);
        node.height?;
        let n = match &node.shape {
            PlanShape::Int(ints) => ints.count()?.to_u64(),
            PlanShape::Bool(known) => Some(if known.is_some() { 1 } else { 2 }),
            PlanShape::Char(codes) => Some(codes.0.count()),
            PlanShape::Text(texts) => texts.listed.as_ref().map(|it| it.len() as u64),
            PlanShape::Tuple(parts) => product(parts.iter().map(count)),
            PlanShape::List(item, lens) => count_lists(*lens, || count(item)),
            PlanShape::Sum(_, cases) => {
                let fields = cases.iter().flatten().filter(|it| self.case_height(it).is_some());
                let mut total = 0_u64;
                for fields in fields {
                    total = total.checked_add(product(fields.iter().map(&mut count))?)?;
                }
                Some(total)
            }
            PlanShape::OneOf(nodes) => {
                let some = nodes.iter().filter(|it| self.node(**it).height.is_some());
                some.map(count).try_fold(0_u64, |sum, n| sum.checked_add(n?))
            }
            PlanShape::Filtered(inner, ..) => count(inner),
            PlanShape::Set(_, LengthRange { max: Some(0), .. }) => Some(1),
            PlanShape::Map(_, _, LengthRange { max: Some(0), .. }) => Some(1),
            PlanShape::Float(_) | PlanShape::Set(..) | PlanShape::Map(..) => None,
            PlanShape::Function(..) | PlanShape::Declared(_) | PlanShape::Ungeneratable(_) => {
                None
            }
        };
        n.filter(|it| *it <= MAX_VALUES)
    }
}

/// The product of counts; `None` if one is unknown or the product is too large.
pub(crate) fn product(counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut all = 1_u64;
    for count in counts {
        all = all.checked_mul(count?).filter(|it| *it <= MAX_VALUES)?;
    }
    Some(all)
}

/// The number of lists with these lengths.
fn count_lists(lens: LengthRange, mut n_items: impl FnMut() -> Option<u64>) -> Option<u64> {
    let max = lens.max.filter(|it| u64::from(*it) <= MAX_VALUES)?;
    if max == 0 {
        return Some(1);
    }
    let n_items = n_items()?;
    let mut total = 0_u64;
    let mut of_len = 1_u64;
    for len in 0..=max {
        if len >= lens.min {
            total = total.checked_add(of_len).filter(|it| *it <= MAX_VALUES)?;
        }
        if len < max {
            of_len = of_len.checked_mul(n_items).filter(|it| *it <= MAX_VALUES)?;
        }
    }
    Some(total)
}
