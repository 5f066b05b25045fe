//! How far a line is from being finished: an estimate that ignores what events share.

use crate::line::{EventCause, Line};
use crate::spec::OpKind;
use crate::workshop::Workshop;

/// Costs are counted in halves of an event.
pub(crate) type Cost = u32;

/// More than any line costs.
const UNREACHABLE: Cost = 1 << 20;

/// What is counted of an event that is not finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CostMeasure {
    /// The event.
    Count,
    /// An estimate of the events that it still needs.
    Estimate,
}

/// For each operation, an estimate of the events that are still needed.
#[derive(Clone, Debug)]
pub(crate) struct CostTable {
    /// For an event without a cause.
    cause: Vec<Cost>,
    /// For an event without a rule.
    rule: Vec<Cost>,
    has_rule: Vec<bool>,
}

impl CostTable {
    /// The least costs that satisfy the equations: the cheapest rule decides, and what it looks for
    /// in the past counts half, because it is often there.
    pub(crate) fn new(workshop: &Workshop) -> CostTable {
        let n_ops = workshop.kinds.len();
        let is_gen = |op: usize| workshop.kinds[op] == OpKind::Gen;
        let mut cause: Vec<Cost> =
            (0..n_ops).map(|it| if is_gen(it) { 0 } else { UNREACHABLE }).collect();
        let past = |cause: &[Cost], rule: usize| {
            let rule = &workshop.rules[rule];
            let halves = rule.past.iter().map(|it| (2 + cause[it.index()]) / 2);
            let sum: Cost = halves.sum();
            sum.min(UNREACHABLE)
        };
        let emitted = |rule: usize| {
            2 * Cost::try_from(workshop.rules[rule].emissions.len()).unwrap_or(UNREACHABLE)
        };
        // Shortest paths after Bellman and Ford: costs fall until each operation has its
        // cheapest cause.
        for _ in 0..n_ops + 1 {
            let mut changed = false;
            for (number, rule) in workshop.rules.iter().enumerate() {
                for (_, effect) in &rule.emissions {
                    let cost =
                        (2 + cause[rule.op.index()] + past(&cause, number) + emitted(number))
                            .saturating_sub(2)
                            .min(UNREACHABLE);
                    let entry = &mut cause[effect.index()];
                    changed |= cost < *entry;
                    *entry = cost.min(*entry);
                }
            }
            if !changed {
                break;
            }
        }
        let rule = (0..n_ops)
            .map(|op| {
                let rules = workshop.rules_of[op].iter();
                rules.map(|it| past(&cause, *it) + emitted(*it)).min().unwrap_or(0)
            })
            .collect();
        let has_rule = workshop.rules_of.iter().map(|it| !it.is_empty()).collect();
        CostTable { cause, rule, has_rule }
    }

    /// The cost of a line.
    pub(crate) fn of(&self, workshop: &Workshop, line: &Line, measure: CostMeasure) -> Cost {
        let with_estimate = measure == CostMeasure::Estimate;
        let mut total: Cost = 0;
        for (_, event) in line.events() {
            total += 2;
            let op = event.op.index();
            if event.cause == EventCause::Open && workshop.kinds[op] != OpKind::Gen {
                total += if with_estimate { self.cause[op] } else { 2 };
            }
            if !event.is_checked && self.has_rule[op] {
                total += if with_estimate { self.rule[op] / 2 } else { 1 };
            }
            total = total.min(UNREACHABLE);
        }
        total
    }
}
