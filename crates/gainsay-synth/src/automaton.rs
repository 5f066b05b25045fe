//! Patterns as automata: the states are partial derivatives (Antimirov, "Partial derivatives of
//! regular expressions and finite automaton constructions", 1996), with symbolic classes of events
//! on the edges.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use gainsay_smt::{TermId, Terms};

use crate::spec::{EventAtom, OpKind, Spec, TracePattern};

/// For each operation, the condition under which its events belong to the class.
pub(crate) type EventClass = Rc<[TermId]>;

/// What an edge means besides the event that it reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct AtomTag {
    /// It stands for an event that the pattern names, not for any number of others.
    pub(crate) is_event: bool,
    /// The event is caused by whoever has the pattern: the number of the emission in its rule.
    pub(crate) emission: Option<u16>,
    /// The event is paired with whoever has the pattern.
    pub(crate) owed: bool,
    /// The answer is asserted.
    pub(crate) expected: bool,
}

impl AtomTag {
    fn joined(self, other: AtomTag) -> AtomTag {
        AtomTag {
            is_event: self.is_event || other.is_event,
            emission: self.emission.or(other.emission),
            owed: self.owed || other.owed,
            expected: self.expected || other.expected,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Expression {
    Nothing,
    Empty,
    Class(EventClass, AtomTag),
    Then(Rc<Expression>, Rc<Expression>),
    Either(Rc<Expression>, Rc<Expression>),
    Both(Rc<Expression>, Rc<Expression>),
    Repeat(Rc<Expression>),
}

use Expression::{Both, Class, Either, Empty, Nothing, Repeat, Then};

/// An edge of an automaton.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) class: EventClass,
    pub(crate) tag: AtomTag,
    pub(crate) target: usize,
}

/// A state of an automaton.
#[derive(Clone, Debug)]
pub(crate) struct State {
    /// Whether a trace may end here.
    pub(crate) is_final: bool,
    /// All edges.
    pub(crate) edges: Vec<Edge>,
    /// The events that leave the automaton here and that the pattern does not name.
    pub(crate) stay: Option<EventClass>,
    /// Where the automaton may go without an event, because a repetition ends, and from where it
    /// does not come back in this way.
    pub(crate) silent: Vec<usize>,
}

/// An automaton with the initial state 0.
#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    pub(crate) states: Vec<State>,
    /// Emissions that occur in it.
    pub(crate) emissions: Vec<u16>,
}

/// The most states of one automaton.
const MAX_STATES: usize = 1000;

/// A pattern has too many states.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PatternTooLarge;

impl std::fmt::Display for PatternTooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a pattern has more than {MAX_STATES} states")
    }
}

impl std::error::Error for PatternTooLarge {}

/// Counts the emissions of a rule.
#[derive(Default)]
pub(crate) struct EmissionCounter(u16);

/// The role of a pattern, which decides what its events mean.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PatternRole {
    /// A goal or the past: events are only looked for.
    Observed,
    /// The future of an event: events of the system in it are caused.
    Future,
    /// An event that is owed.
    Owed,
}

/// Builds the automaton of a pattern.
pub(crate) fn automaton(
    spec: &Spec,
    terms: &mut Terms,
    pattern: &TracePattern,
    role: PatternRole,
    counter: &mut EmissionCounter,
) -> Result<Automaton, PatternTooLarge> {
    let mut builder = Builder { spec, terms, role, counter, emissions: Vec::new() };
    let start = builder.expression(pattern, Naming::Named);
    let emissions = std::mem::take(&mut builder.emissions);
    let mut numbers: HashMap<Rc<Expression>, usize> = HashMap::new();
    let mut expressions = vec![Rc::clone(&start)];
    numbers.insert(start, 0);
    let mut states = Vec::new();
    // The list of expressions is the worklist as well: there are finitely many partial
    // derivatives, up to the normal form that `then` keeps.
    while states.len() < expressions.len() {
        let expression = Rc::clone(&expressions[states.len()]);
        let mut edges = Vec::new();
        let mut silent = Vec::new();
        for (class, tag, rest) in builder.linear_form(&expression) {
            let target = *numbers.entry(Rc::clone(&rest)).or_insert_with(|| {
                expressions.push(rest);
                expressions.len() - 1
            });
            if expressions.len() > MAX_STATES {
                return Err(PatternTooLarge);
            }
            if !tag.is_event && !silent.contains(&target) {
                silent.push(target);
            }
            edges.push(Edge { class, tag, target });
        }
        states.push(State { is_final: is_nullable(&expression), edges, stay: None, silent });
    }
    builder.join_equivalent_states(&mut states);
    Ok(Automaton { states, emissions })
}

/// Whether a pattern names single events.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    Named,
    /// Below a repetition: any number of events of a class.
    Repeated,
}

struct Builder<'a> {
    spec: &'a Spec,
    terms: &'a mut Terms,
    role: PatternRole,
    counter: &'a mut EmissionCounter,
    emissions: Vec<u16>,
}

impl Builder<'_> {
    fn expression(&mut self, pattern: &TracePattern, naming: Naming) -> Rc<Expression> {
        match pattern {
            TracePattern::Anything => Rc::new(Repeat(Rc::new(self.any(AtomTag::default())))),
            TracePattern::AnyEvent => Rc::new(self.any(self.event_tag(naming))),
            TracePattern::Event(atom) => {
                let tag = self.tag_of(atom, naming);
                Rc::new(Class(self.class_of(atom), tag))
            }
            TracePattern::Expect(atom) => {
                let tag = AtomTag { expected: true, ..self.tag_of(atom, Naming::Named) };
                Rc::new(Class(self.class_of(atom), tag))
            }
            TracePattern::Except(atoms) => {
                let tag = self.event_tag(naming);
                Rc::new(Class(self.complement(atoms), tag))
            }
            TracePattern::Last(atom) => {
                let tag = self.tag_of(atom, Naming::Named);
                let event = Rc::new(Class(self.class_of(atom), tag));
                let any = EventAtom { op: atom.op, condition: TermId::TRUE };
                // Anything, the event, and then no other event of its operation.
                let others = Class(self.complement(&[any]), AtomTag::default());
                let before = Rc::new(Repeat(Rc::new(self.any(AtomTag::default()))));
                then(before, then(event, Rc::new(Repeat(Rc::new(others)))))
            }
            TracePattern::Sequence(parts) => {
                let parts: Vec<Rc<Expression>> =
                    parts.iter().map(|it| self.expression(it, Naming::Named)).collect();
                parts.into_iter().rev().fold(Rc::new(Empty), |rest, it| then(it, rest))
            }
            TracePattern::Choice(parts) => {
                let parts: Vec<Rc<Expression>> =
                    parts.iter().map(|it| self.expression(it, Naming::Named)).collect();
                let join = |a, b| Rc::new(Either(a, b));
                parts.into_iter().reduce(join).unwrap_or_else(|| Rc::new(Nothing))
            }
            TracePattern::Both(parts) => {
                let parts: Vec<Rc<Expression>> =
                    parts.iter().map(|it| self.expression(it, Naming::Named)).collect();
                let join = |a, b| Rc::new(Both(a, b));
                parts.into_iter().reduce(join).unwrap_or_else(|| Rc::new(Empty))
            }
            // Below a repetition, edges read any number of events of a class. Naming each of
            // them would let a search insert them one by one without end.
            TracePattern::Repeat(inner) => repeat(self.expression(inner, Naming::Repeated)),
        }
    }

    fn event_tag(&self, naming: Naming) -> AtomTag {
        AtomTag { is_event: naming == Naming::Named, ..AtomTag::default() }
    }

    fn tag_of(&mut self, atom: &EventAtom, naming: Naming) -> AtomTag {
        let mut tag = self.event_tag(naming);
        if naming == Naming::Named {
            match self.role {
                PatternRole::Observed => {}
                PatternRole::Future => {
                    if self.spec.operation(atom.op).kind != OpKind::Gen {
                        tag.emission = Some(self.counter.0);
                        self.emissions.push(self.counter.0);
                        self.counter.0 = self.counter.0.saturating_add(1);
                    }
                }
                PatternRole::Owed => tag.owed = true,
            }
        }
        tag
    }

    fn any(&self, tag: AtomTag) -> Expression {
        Class(vec![TermId::TRUE; self.spec.operations.len()].into(), tag)
    }

    fn class_of(&self, atom: &EventAtom) -> EventClass {
        let mut class = vec![TermId::FALSE; self.spec.operations.len()];
        class[atom.op.index()] = atom.condition;
        class.into()
    }

    fn complement(&mut self, atoms: &[EventAtom]) -> EventClass {
        let mut class = vec![TermId::TRUE; self.spec.operations.len()];
        for atom in atoms {
            let negated = self.terms.not(atom.condition);
            let entry = &mut class[atom.op.index()];
            *entry = self.terms.and(vec![*entry, negated]);
        }
        class.into()
    }

    fn union(&mut self, a: &EventClass, b: &EventClass) -> EventClass {
        a.iter().zip(b.iter()).map(|(x, y)| self.terms.or(vec![*x, *y])).collect()
    }

    /// Completes `stay` and `silent`. An edge that names no event comes from a repetition, which
    /// may as well end or begin without one: the target matches no more than its source. So states
    /// that reach each other over such edges match the same, and whatever they read on the way,
    /// in any order, is read without leaving them.
    fn join_equivalent_states(&mut self, states: &mut [State]) {
        let reachable: Vec<BTreeSet<usize>> =
            (0..states.len()).map(|it| silently_reachable(states, it)).collect();
        let groups: Vec<Vec<usize>> = reachable
            .iter()
            .enumerate()
            .map(|(from, it)| {
                let is_equivalent = |to: &usize| *to == from || reachable[*to].contains(&from);
                let mut group: Vec<usize> = it.iter().copied().filter(is_equivalent).collect();
                if !group.contains(&from) {
                    group.push(from);
                }
                group
            })
            .collect();
        for (number, group) in groups.iter().enumerate() {
            let mut stay: Option<EventClass> = None;
            let mut silent: Vec<usize> = Vec::new();
            for member in group {
                for edge in states[*member].edges.iter().filter(|it| !it.tag.is_event) {
                    if !group.contains(&edge.target) {
                        if !silent.contains(&edge.target) {
                            silent.push(edge.target);
                        }
                        continue;
                    }
                    let class = Rc::clone(&edge.class);
                    stay = Some(match stay {
                        None => class,
                        Some(other) => self.union(&other, &class),
                    });
                }
            }
            states[number].stay = stay;
            states[number].silent = silent;
        }
    }

    fn linear_form(
        &mut self,
        expression: &Expression,
    ) -> Vec<(EventClass, AtomTag, Rc<Expression>)> {
        match expression {
            Nothing | Empty => Vec::new(),
            Class(class, tag) => vec![(Rc::clone(class), *tag, Rc::new(Empty))],
            Either(a, b) => {
                let mut all = self.linear_form(a);
                all.extend(self.linear_form(b));
                all
            }
            Then(a, b) => {
                let mut all: Vec<_> = self
                    .linear_form(a)
                    .into_iter()
                    .map(|(class, tag, rest)| (class, tag, then(rest, Rc::clone(b))))
                    .collect();
                if is_nullable(a) {
                    all.extend(self.linear_form(b));
                }
                all
            }
            Repeat(inner) => self
                .linear_form(inner)
                .into_iter()
                .map(|(class, tag, rest)| (class, tag, then(rest, repeat(Rc::clone(inner)))))
                .collect(),
            Both(a, b) => {
                // Both sides read the same event, which belongs to the classes of both.
                let (left, right) = (self.linear_form(a), self.linear_form(b));
                let mut all = Vec::new();
                for (class, tag, rest) in &left {
                    for (other_class, other_tag, other_rest) in &right {
                        let class: EventClass = class
                            .iter()
                            .zip(other_class.iter())
                            .map(|(x, y)| self.terms.and(vec![*x, *y]))
                            .collect();
                        // Pairs of edges that exclude each other syntactically are most of the
                        // product.
                        if class.iter().any(|it| *it != TermId::FALSE) {
                            let rest = Rc::new(Both(Rc::clone(rest), Rc::clone(other_rest)));
                            all.push((class, tag.joined(*other_tag), rest));
                        }
                    }
                }
                all
            }
        }
    }
}

/// The states that can be reached over one or more edges that name no event.
fn silently_reachable(states: &[State], from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = states[from].silent.clone();
    while let Some(state) = open.pop() {
        if reached.insert(state) {
            open.extend_from_slice(&states[state].silent);
        }
    }
    reached
}

fn is_nullable(expression: &Expression) -> bool {
    match expression {
        Nothing | Class(..) => false,
        Empty | Repeat(_) => true,
        Then(a, b) | Both(a, b) => is_nullable(a) && is_nullable(b),
        Either(a, b) => is_nullable(a) || is_nullable(b),
    }
}

fn repeat(inner: Rc<Expression>) -> Rc<Expression> {
    match &*inner {
        Repeat(_) => inner,
        Empty | Nothing => Rc::new(Empty),
        Class(..) | Then(..) | Either(..) | Both(..) => Rc::new(Repeat(inner)),
    }
}

/// `a` and then `b`: nested to the right, and one repetition instead of two that are the same.
fn then(a: Rc<Expression>, b: Rc<Expression>) -> Rc<Expression> {
    match (&*a, &*b) {
        (Nothing, _) | (_, Nothing) => Rc::new(Nothing),
        (Empty, _) => b,
        (_, Empty) => a,
        (Then(x, y), _) => then(Rc::clone(x), then(Rc::clone(y), b)),
        // Without this, derivatives of nested repetitions would not repeat, and the states not
        // end.
        (Repeat(_), Then(x, _)) if a == *x => b,
        (Repeat(_), Repeat(_)) if a == b => a,
        _ => Rc::new(Then(a, b)),
    }
}
