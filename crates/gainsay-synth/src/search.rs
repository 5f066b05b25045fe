//! Searches for finished lines: four searchers with different orders take turns.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use gainsay_smt::TermId;

use crate::cost::{Cost, CostMeasure, CostTable};
use crate::line::{EventCause, Line, LineEvent, LineKey, Segment};
use crate::refine::{Refinement, RefinementOrder, refine};
use crate::spec::OpId;
use crate::workshop::Workshop;

/// How a searcher works.
#[derive(Clone, Copy, Debug)]
struct Strategy {
    name: &'static str,
    order: RefinementOrder,
    measure: CostMeasure,
    /// Whether lines beyond a bound on costs wait until the bound is raised.
    is_bounded: bool,
}

/// No order is good for everything: each of these is the best for some specifications.
const STRATEGIES: [Strategy; 4] = [
    Strategy {
        name: "causes from the end, by estimate",
        order: RefinementOrder::CausesFromTheEnd,
        measure: CostMeasure::Estimate,
        is_bounded: true,
    },
    Strategy {
        name: "forward, by estimate",
        order: RefinementOrder::Forward,
        measure: CostMeasure::Estimate,
        is_bounded: true,
    },
    Strategy {
        name: "forward",
        order: RefinementOrder::Forward,
        measure: CostMeasure::Count,
        is_bounded: true,
    },
    Strategy {
        name: "oldest causes first, in depth",
        order: RefinementOrder::CausesOldestFirst,
        measure: CostMeasure::Estimate,
        is_bounded: false,
    },
];

/// The most expansions of the searcher without a bound.
const MAX_DEEP_EXPANSIONS: u64 = 3000;

/// The steps after which the next searcher takes its turn, in the first round.
const TURN: u64 = 4000;

/// One searcher.
struct Searcher {
    strategy: Strategy,
    start: Line,
    /// The siblings that have not been tried, the next one at the end.
    stack: Vec<Line>,
    seen: HashSet<LineKey>,
    bound: Cost,
    round: u32,
    expansions: u64,
    expansions_of_round: u64,
    max_expansions_of_round: u64,
    steps: u64,
    /// Whether a line waits for a larger bound.
    is_waiting: bool,
    cut: bool,
    is_done: bool,
}

/// What a search found.
pub(crate) struct SearchResult {
    pub(crate) lines: Vec<(Line, &'static str)>,
    /// Whether a searcher has seen everything, and nothing was left out.
    pub(crate) is_exhausted: bool,
}

/// When a search ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchLimits<'a> {
    /// The most lines.
    pub(crate) lines: usize,
    /// The most steps.
    pub(crate) steps: u64,
    /// Ends the search once it is set.
    pub(crate) interrupt: Option<&'a AtomicBool>,
}

impl SearchLimits<'_> {
    fn is_interrupted(&self) -> bool {
        self.interrupt.is_some_and(|it| it.load(Ordering::Relaxed))
    }
}

/// Searches the traces of some lines.
pub(crate) fn search(
    workshop: &mut Workshop,
    starts: &[Line],
    limits: SearchLimits<'_>,
    accept: &mut dyn FnMut(&mut Workshop, &Line) -> bool,
) -> SearchResult {
    let table = CostTable::new(workshop);
    let starts_were_cut = workshop.cut;
    let mut searchers: Vec<Searcher> = Vec::new();
    for start in starts {
        for strategy in STRATEGIES {
            searchers.push(Searcher::new(workshop, &table, strategy, start));
        }
    }
    let mut lines: Vec<(Line, &'static str)> = Vec::new();
    let mut shapes: HashSet<Vec<OpId>> = HashSet::new();
    let begin = workshop.effort.steps;
    let mut max_steps = limits.steps;
    workshop.last_step = begin.saturating_add(limits.steps);
    let mut rejected = false;
    let mut turn = TURN;
    while lines.len() < limits.lines
        && workshop.effort.steps - begin < max_steps
        && searchers.iter().any(|it| !it.is_done)
    {
        for searcher in searchers.iter_mut().filter(|it| !it.is_done) {
            let end = searcher.steps + turn;
            while searcher.steps < end
                && !searcher.is_done
                && workshop.effort.steps - begin < max_steps
                && !limits.is_interrupted()
            {
                let before = workshop.effort.steps;
                workshop.cut = false;
                let found = searcher.advance(workshop, &table);
                searcher.cut |= workshop.cut;
                searcher.steps += workshop.effort.steps - before + 1;
                workshop.effort.steps += 1;
                let Some(line) = found else { continue };
                if !accept(workshop, &line) {
                    rejected = true;
                    continue;
                }
                if shapes.insert(line.shape(workshop)) {
                    lines.push((line, searcher.strategy.name));
                    let spent = workshop.effort.steps - begin;
                    // Further lines are worth about as much effort as those found so far, not
                    // the whole limit.
                    max_steps = max_steps.min(3 * spent + 20 * TURN);
                    if lines.len() >= limits.lines {
                        break;
                    }
                }
            }
            if lines.len() >= limits.lines || workshop.effort.steps - begin >= max_steps {
                break;
            }
        }
        if limits.is_interrupted() {
            break;
        }
        // Turns grow, so that each searcher gets far, while a hopeless one costs the others
        // only a constant factor.
        turn = turn.saturating_add(turn / 4);
    }
    // One searcher that has seen everything is enough for each start. All of them count only
    // if nothing was left out on the way.
    let is_complete =
        |start: &[Searcher]| start.iter().any(|it| it.is_done && !it.cut && !it.is_waiting);
    let is_exhausted = lines.is_empty()
        && !rejected
        && !starts_were_cut
        && searchers.chunks(STRATEGIES.len()).all(is_complete);
    SearchResult { lines, is_exhausted }
}

impl Searcher {
    fn new(
        workshop: &Workshop,
        table: &CostTable,
        strategy: Strategy,
        start: &Line,
    ) -> Searcher {
        let cost = table.of(workshop, start, strategy.measure);
        Searcher {
            strategy,
            start: start.clone(),
            stack: vec![start.clone()],
            seen: HashSet::new(),
            bound: cost + 12,
            round: 0,
            expansions: 0,
            expansions_of_round: 0,
            max_expansions_of_round: 150,
            steps: 0,
            is_waiting: false,
            cut: false,
            is_done: false,
        }
    }

    /// Refines one line. A finished one is the result.
    fn advance(&mut self, workshop: &mut Workshop, table: &CostTable) -> Option<Line> {
        let Some(line) = self.stack.pop() else {
            self.end_round(workshop);
            return None;
        };
        if self.strategy.is_bounded {
            if self.expansions_of_round >= self.max_expansions_of_round {
                self.is_waiting = true;
                self.stack.clear();
                return None;
            }
        } else if self.expansions >= MAX_DEEP_EXPANSIONS {
            self.cut = true;
            self.is_done = true;
            return None;
        }
        self.expansions += 1;
        self.expansions_of_round += 1;
        let successors = match refine(workshop, &line, self.strategy.order) {
            Refinement::Finished(line) => return Some(line),
            Refinement::Successors(lines) => lines,
        };
        let mut ranked: Vec<(Cost, Line)> = Vec::new();
        for line in successors {
            let cost = table.of(workshop, &line, self.strategy.measure);
            if self.strategy.is_bounded && cost > self.bound {
                self.is_waiting = true;
            } else if self.seen.insert(line.key()) {
                ranked.push((cost, line));
            }
        }
        // The cheapest line is on top of the stack.
        ranked.sort_by_key(|it| it.0);
        self.stack.extend(ranked.into_iter().rev().map(|it| it.1));
        None
    }

    /// Begins anew with a larger bound, if that can make a difference.
    fn end_round(&mut self, workshop: &Workshop) {
        let largest = Cost::try_from(8 * workshop.limits.events).unwrap_or(Cost::MAX);
        if !self.strategy.is_bounded || !self.is_waiting || self.bound >= largest {
            self.is_done = true;
            return;
        }
        self.round += 1;
        self.bound += 8;
        self.max_expansions_of_round += self.max_expansions_of_round * 3 / 5;
        self.expansions_of_round = 0;
        self.is_waiting = false;
        self.cut = false;
        // Iterative deepening (Korf, "Depth-first iterative-deepening", 1985). Lines seen
        // under a smaller bound may have had successors that were too expensive then.
        self.seen.clear();
        self.stack.push(self.start.clone());
    }
}

/// The line that contains all traces: initial events, then anything.
pub(crate) fn everything(workshop: &Workshop, init: &[(OpId, Vec<TermId>)]) -> Line {
    let mut segments = Vec::new();
    let mut next_id = 0;
    for (op, args) in init {
        segments.push(Segment::Event(Rc::new(LineEvent {
            id: next_id,
            op: *op,
            args: args.clone(),
            cause: EventCause::Initial,
            is_checked: true,
            owner: None,
            is_expected: false,
            rule: None,
        })));
        next_id += 1;
    }
    segments.push(Segment::Stretch(vec![TermId::TRUE; workshop.kinds.len()].into()));
    Line { segments, store: crate::store::ConstraintStore::default(), next_id }
}
