//! The edge cases of a site: one input at a time is at an edge of its type, and the others are
//! random. They run before all other cases, so that a claim always sees the ends of a range, the
//! empty list, or each constructor of a small sum.
//!
//! An edge is the list of draws that lead to it, in the order in which [`derive`](crate::derive)
//! emits them. Draws before it that belong to other values are skipped if their number is known;
//! otherwise the edge case waits for the input itself.

use std::cell::Cell;

use gainsay_choice::{ChoiceClass, EdgeCase, EdgeStep};
use num_bigint::BigInt;
use num_traits::One as _;

use crate::domain::{
    CodePointSet, FloatSet, IntSet, LengthRange, PeriodicInterval, TextSet, by_simplicity,
};
use crate::generator_plan::{GeneratorPlan, PlanNodeId, PlanShape};

/// The maximum number of edge cases of a site.
const MAX_CASES: usize = 48;

/// The maximum number of edges of one part, and of each element of a container.
const MAX_OF_PART: usize = 32;
const MAX_OF_ELEMENT: usize = 8;

/// Parts nested deeper than this have no edges of their own.
const MAX_DEPTH: u32 = 4;

/// The maximum number of plan nodes that are visited for one site: types can be wide, and their
/// parts wide again.
const MAX_VISITS: u32 = 10_000;

/// A container or text with at most this maximum length is also filled once.
const MAX_FULL: u32 = 16;

/// The draws that lead to an edge.
type EdgeSteps = Vec<EdgeStep>;

/// An input, as far as its edges are concerned.
#[derive(Debug, Copy, Clone)]
pub(crate) enum EdgeInput {
    /// It is drawn by its type.
    Node(PlanNodeId),
    /// It is drawn in some other way.
    Other,
}

/// The edge cases of some inputs, and for each input whether its beginning has to be reported.
pub(crate) fn edge_cases(
    plan: &GeneratorPlan,
    inputs: &[EdgeInput],
) -> (Vec<EdgeCase>, Vec<bool>) {
    let finder = EdgeFinder { plan, visits: Cell::new(0) };
    let mut before: Option<EdgeSteps> = Some(Vec::new());
    let mut by_input = Vec::new();
    let mut is_first = Vec::new();
    for (number, input) in (0..).zip(inputs) {
        // Each case is about one input, and `round_robin` takes the first edge of each input
        // first, so inputs beyond this many get no case.
        if by_input.len() == MAX_CASES {
            before = None;
        }
        is_first.push(before.is_none());
        let start = before.clone().unwrap_or_else(|| vec![EdgeStep::AwaitInput(number)]);
        let (edges, pass) = match input {
            EdgeInput::Node(node) => (finder.edges(*node, 0), finder.skip_draws(*node, 0)),
            EdgeInput::Other => (Vec::new(), None),
        };
        if by_input.len() < MAX_CASES {
            by_input.push(edges.into_iter().map(|it| concatenated(&start, &it)).collect());
        }
        before = before.zip(pass).map(|(before, pass)| concatenated(&before, &pass));
    }
    let cases = round_robin(by_input, MAX_CASES).into_iter().map(|steps| EdgeCase { steps });
    (cases.collect(), is_first)
}

struct EdgeFinder<'p> {
    plan: &'p GeneratorPlan,
    /// How many nodes were visited.
    visits: Cell<u32>,
}

impl EdgeFinder<'_> {
    /// The edges of a node, the most important first.
    fn edges(&self, id: PlanNodeId, depth: u32) -> Vec<EdgeSteps> {
        if depth > MAX_DEPTH || !self.may_visit() {
            return Vec::new();
        }
        let mut edges = match &self.plan.node(id).shape {
            PlanShape::Int(ints) => int_edges(ints),
            PlanShape::Float(floats) => float_edges(floats),
            PlanShape::Bool(None) => {
                [0, 1].map(|it| vec![take(ChoiceClass::Boolean, it)]).into()
            }
            PlanShape::Char(codes) => char_edges(codes),
            PlanShape::Text(texts) => text_edges(texts),
            PlanShape::Tuple(parts) => self.of_parts(parts, depth),
            PlanShape::List(item, lens) | PlanShape::Set(item, lens) => {
                self.of_items(*item, *lens, depth)
            }
            PlanShape::Map(key, _, lens) => self.of_items(*key, *lens, depth),
            PlanShape::Sum(_, cases) => self.of_sum(cases, depth),
            PlanShape::OneOf(nodes) => self.of_alternatives(nodes, depth),
            PlanShape::Filtered(inner, ..) => self.edges(*inner, depth),
            PlanShape::Bool(Some(_))
            | PlanShape::Function(..)
            | PlanShape::Declared(_)
            | PlanShape::Ungeneratable(_) => Vec::new(),
        };
        edges.truncate(MAX_OF_PART);
        edges
    }

    /// Counts a visit, unless the limit is reached.
    fn may_visit(&self) -> bool {
        let visits = self.visits.get();
        self.visits.set(visits + u32::from(visits < MAX_VISITS));
        visits < MAX_VISITS
    }

    /// One part at a time at an edge.
    fn of_parts(&self, parts: &[PlanNodeId], depth: u32) -> Vec<EdgeSteps> {
        let mut before = Vec::new();
        let mut by_part = Vec::new();
        // `round_robin` takes the first edge of each part first, so more parts would not
        // contribute.
        for part in parts.iter().take(MAX_OF_PART) {
            let edges = self.edges(*part, depth + 1);
            by_part.push(edges.iter().map(|it| concatenated(&before, it)).collect());
            // Where the draws of a part cannot be counted, its first edge stands in for it.
            let pass = self.skip_draws(*part, depth + 1);
            before.extend(pass.or_else(|| edges.into_iter().next()).unwrap_or_default());
        }
        round_robin(by_part, MAX_OF_PART)
    }

    /// No element, one at each of its edges, and the maximum number.
    fn of_items(&self, item: PlanNodeId, lens: LengthRange, depth: u32) -> Vec<EdgeSteps> {
        let more = |it| take(ChoiceClass::MoreElements, it);
        let mut edges = Vec::new();
        if lens.min == 0 {
            edges.push(vec![more(0)]);
        }
        if lens.max == Some(0) {
            return edges;
        }
        let mut of_item = self.edges(item, depth + 1);
        of_item.truncate(MAX_OF_ELEMENT);
        // Without edges of its own, an element is drawn at random.
        if of_item.is_empty() {
            of_item.push(Vec::new());
        }
        // Required elements are forced and not drawn.
        let first = if lens.min == 0 { vec![more(1)] } else { Vec::new() };
        edges.extend(of_item.iter().map(|it| {
            let mut steps = concatenated(&first, it);
            steps.push(more(0));
            steps
        }));
        if let Some(max) = lens.max.filter(|it| *it <= MAX_FULL) {
            edges.push((lens.min..max).map(|_| more(1)).collect());
        }
        edges
    }

    /// Each constructor, and then each with its fields at their edges.
    fn of_sum(&self, cases: &[Option<Vec<PlanNodeId>>], depth: u32) -> Vec<EdgeSteps> {
        let plan = self.plan;
        let possible = (0i64..).zip(cases).filter_map(|(tag, fields)| {
            let fields = fields.as_ref()?;
            plan.case_height(fields).map(|_| (tag, fields))
        });
        if let [Some(fields)] = cases {
            return self.of_parts(fields, depth);
        }
        let (mut plain, mut by_case) = (Vec::new(), Vec::new());
        // Every plain constructor comes before any with a field at an edge.
        for (tag, fields) in possible.take(MAX_OF_PART) {
            let start = vec![take(ChoiceClass::Selector, tag)];
            let edges = self.of_parts(fields, depth);
            by_case.push(edges.iter().map(|it| concatenated(&start, it)).collect());
            plain.push(start);
        }
        plain.extend(round_robin(by_case, MAX_OF_PART));
        plain
    }

    fn of_alternatives(&self, nodes: &[PlanNodeId], depth: u32) -> Vec<EdgeSteps> {
        if let [only] = nodes {
            return self.edges(*only, depth);
        }
        let by_node = (0i64..).zip(nodes).map(|(at, node)| {
            let start = [take(ChoiceClass::Selector, at)];
            self.edges(*node, depth + 1).iter().map(|it| concatenated(&start, it)).collect()
        });
        round_robin(by_node.collect(), MAX_OF_PART)
    }

    /// Steps that skip the draws of a value of a node; `None` if their number is not known.
    fn skip_draws(&self, id: PlanNodeId, depth: u32) -> Option<EdgeSteps> {
        if depth > MAX_DEPTH || !self.may_visit() {
            return None;
        }
        let one = |class| Some(vec![EdgeStep::Skip(class)]);
        let all = |parts: &[PlanNodeId]| -> Option<EdgeSteps> {
            let passes: Option<Vec<EdgeSteps>> =
                parts.iter().map(|it| self.skip_draws(*it, depth + 1)).collect();
            Some(passes?.concat())
        };
        match &self.plan.node(id).shape {
            PlanShape::Int(ints) => skip_int_draws(ints),
            PlanShape::Float(floats)
                if floats.order_keys.list().len() == 1 || is_all(floats) =>
            {
                one(ChoiceClass::Float)
            }
            PlanShape::Bool(_) => one(ChoiceClass::Boolean),
            PlanShape::Char(_) => one(ChoiceClass::Char),
            PlanShape::Text(texts) if texts.listed.is_some() => one(ChoiceClass::Selector),
            PlanShape::Text(_) => Some(vec![EdgeStep::SkipText]),
            PlanShape::Tuple(parts) => all(parts),
            PlanShape::Sum(_, cases) => match &cases[..] {
                [Some(fields)] => all(fields),
                _ if cases.iter().flatten().all(Vec::is_empty) => one(ChoiceClass::Selector),
                _ => None,
            },
            PlanShape::OneOf(nodes) => match nodes[..] {
                [only] => self.skip_draws(only, depth),
                _ => None,
            },
            PlanShape::Float(_)
            | PlanShape::List(..)
            | PlanShape::Set(..)
            | PlanShape::Map(..) => None,
            PlanShape::Function(..)
            | PlanShape::Filtered(..)
            | PlanShape::Declared(_)
            | PlanShape::Ungeneratable(_) => None,
        }
    }
}

fn take(class: ChoiceClass, value: i64) -> EdgeStep {
    EdgeStep::Take(class, value.into())
}

fn concatenated(before: &[EdgeStep], after: &[EdgeStep]) -> EdgeSteps {
    [before, after].concat()
}

/// The first of each list, then the second of each, and so on.
fn round_robin(lists: Vec<Vec<EdgeSteps>>, most: usize) -> Vec<EdgeSteps> {
    let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
    let rounds = (0..longest).flat_map(|at| lists.iter().filter_map(move |it| it.get(at)));
    rounds.take(most).cloned().collect()
}

// ---- Numbers -------------------------------------------------------------------------------

fn int_edges(ints: &IntSet) -> Vec<EdgeSteps> {
    let pieces = by_simplicity(ints);
    let of_piece = |piece: &PeriodicInterval| -> Vec<EdgeSteps> {
        let (first, last) = (piece.first(), piece.last());
        let block = |it: Option<BigInt>| {
            it.map(|it| if piece.step.is_one() { it } else { piece.block_index(&it) })
        };
        let edges = range_edges(block(first), block(last));
        edges.into_iter().map(|it| vec![EdgeStep::Take(ChoiceClass::Integer, it)]).collect()
    };
    if let [piece] = &pieces[..] {
        return of_piece(piece);
    }
    let by_piece = (0i64..).zip(&pieces).map(|(at, piece)| {
        let start = [take(ChoiceClass::Selector, at)];
        of_piece(piece).iter().map(|it| concatenated(&start, it)).collect()
    });
    round_robin(by_piece.collect(), MAX_OF_PART)
}

/// The ends of a range, the numbers around 0, the ends of 64 bits, and the neighbors of ends.
fn range_edges(min: Option<BigInt>, max: Option<BigInt>) -> Vec<BigInt> {
    let (least, most) = (BigInt::from(i64::MIN), BigInt::from(i64::MAX));
    let mut candidates: Vec<BigInt> = min.iter().chain(&max).cloned().collect();
    candidates.extend([0, 1, -1].map(BigInt::from));
    candidates.extend([most.clone(), least.clone(), &most + 1, &least - 1]);
    candidates.extend(min.iter().map(|it| it + 1).chain(max.iter().map(|it| it - 1)));
    candidates.extend([&most - 1, &least + 1]);
    let mut edges = Vec::new();
    for candidate in candidates {
        let is_member = min.as_ref().is_none_or(|it| *it <= candidate)
            && max.as_ref().is_none_or(|it| candidate <= *it);
        if is_member && !edges.contains(&candidate) {
            edges.push(candidate);
        }
    }
    edges
}

fn skip_int_draws(ints: &IntSet) -> Option<EdgeSteps> {
    let pieces = by_simplicity(ints);
    let n_draws =
        |it: &PeriodicInterval| if it.step.is_one() || it.width.is_one() { 1 } else { 2 };
    let first = n_draws(pieces.first()?);
    if pieces.iter().any(|it| n_draws(it) != first) {
        return None;
    }
    let which = (pieces.len() > 1).then_some(EdgeStep::Skip(ChoiceClass::Selector));
    let draws = std::iter::repeat_n(EdgeStep::Skip(ChoiceClass::Integer), first);
    Some(which.into_iter().chain(draws).collect())
}

fn is_all(floats: &FloatSet) -> bool {
    *floats == FloatSet::all()
}

fn float_edges(floats: &FloatSet) -> Vec<EdgeSteps> {
    const EDGES: [f64; 12] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        f64::EPSILON,
        f64::from_bits(1),
    ];
    let of = |float: f64| take(ChoiceClass::Float, float.to_bits() as i64);
    if is_all(floats) {
        return EDGES.map(|it| vec![of(it)]).into();
    }
    let places = floats.order_keys.list();
    let by_place = (0i64..).zip(places).map(|(at, (min, max))| {
        let (min, max) =
            (crate::domain::from_order_key(*min), crate::domain::from_order_key(*max));
        // NaN is one more alternative.
        let has_choice = places.len() + usize::from(floats.nan) > 1;
        let start: EdgeSteps =
            has_choice.then(|| take(ChoiceClass::Selector, at)).into_iter().collect();
        let is_member = |it: &f64| min.total_cmp(it).is_le() && it.total_cmp(&max).is_le();
        let inside = EDGES.into_iter().filter(is_member);
        [min, max].into_iter().chain(inside).map(|it| concatenated(&start, &[of(it)])).collect()
    });
    round_robin(by_place.collect(), MAX_OF_PART)
}

// ---- Characters and texts ------------------------------------------------------------------

fn char_edges(codes: &CodePointSet) -> Vec<EdgeSteps> {
    const EDGES: [char; 8] = ['a', '0', 'A', ' ', '\n', '\0', 'é', char::MAX];
    let ranges = codes.chars();
    let is_member = |it: &char| ranges.iter().any(|(a, b)| a <= it && it <= b);
    let edges = EDGES.into_iter().filter(is_member);
    edges.map(|it| vec![take(ChoiceClass::Char, i64::from(u32::from(it)))]).collect()
}

fn text_edges(texts: &TextSet) -> Vec<EdgeSteps> {
    const EDGES: [&str; 7] = ["", "a", " ", "\n", "\"", "é", "\u{1f600}"];
    if let Some(words) = &texts.listed {
        let numbers = (0i64..).take(words.len().min(MAX_OF_PART));
        return numbers.map(|it| vec![take(ChoiceClass::Selector, it)]).collect();
    }
    let ranges = texts.chars.chars();
    let is_member = |it: &char| ranges.iter().any(|(a, b)| a <= it && it <= b);
    let text = |it: &str| vec![EdgeStep::Text(it.into())];
    // Not filtered by length or alphabet: `EdgeStep::Text` applies as far as the kind permits.
    let mut edges: Vec<EdgeSteps> = EDGES[..2].iter().map(|it| text(it)).collect();
    if let Some(max) = texts.lens.max.filter(|it| *it <= MAX_FULL) {
        edges.push(text(&"a".repeat(max as usize)));
    }
    let others = EDGES[2..].iter().filter(|it| it.chars().all(|it| is_member(&it)));
    edges.extend(others.map(|it| text(it)));
    edges
}
