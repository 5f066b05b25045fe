//! Trace specifications: which operations a system has, when each may happen, and what follows.
//!
//! A front end builds a [`Spec`]: it declares sorts and functions in the arena, then operations,
//! then rules and goals whose conditions are terms over the fields of operations
//! ([`SpecOperation::fields`]), the parameters and ghosts of the rule, or the variables of the goal.
//! Definitions are inlined, and specifications weakened, before a `Spec` is built.

use gainsay_smt::{Axiom, Sort, TermId, Terms, VarId};

/// An operation of a specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OpId(pub(crate) u32);

impl OpId {
    /// The operation at a position of its specification.
    pub fn from_index(at: usize) -> OpId {
        OpId(u32::try_from(at).unwrap_or(u32::MAX))
    }

    /// The position of the operation in its specification.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Who performs an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OpKind {
    /// The generator does.
    Gen,
    /// The system does: it happens only if something causes it.
    Obs,
    /// Nobody does: it records what cannot be observed, needs a cause, and is erased from tests.
    Ghost,
}

/// What is known of an operation.
#[derive(Clone, Debug)]
pub struct SpecOperation {
    /// The name.
    pub name: String,
    /// Who performs it.
    pub kind: OpKind,
    /// The names of the fields.
    pub field_names: Vec<String>,
    /// The variables that stand for the fields in conditions about one event.
    pub fields: Vec<VarId>,
}

/// An event of an operation that satisfies a condition.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EventAtom {
    /// The operation.
    pub op: OpId,
    /// A condition on the fields of the operation.
    pub condition: TermId,
}

/// A set of traces.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TracePattern {
    /// Any events, none included: `..`.
    Anything,
    /// One event of any operation: `any`.
    AnyEvent,
    /// One event: `e`.
    Event(EventAtom),
    /// One event whose answer is asserted: `expect e`.
    Expect(EventAtom),
    /// One event that is none of these: `!{e, f}`.
    Except(Vec<EventAtom>),
    /// Ends with an event of an operation that has no later one: `last(e)`.
    Last(EventAtom),
    /// One pattern after the other: `[p, q]`.
    Sequence(Vec<TracePattern>),
    /// One of the patterns: `p | q`.
    Choice(Vec<TracePattern>),
    /// All of the patterns: `p & q`.
    Both(Vec<TracePattern>),
    /// A pattern any number of times: `p*`.
    Repeat(Box<TracePattern>),
}

/// One way in which an operation may happen. Several rules of an operation are alternatives;
/// without a rule it may happen at any time.
#[derive(Clone, Debug)]
pub struct TraceRule {
    /// The operation.
    pub op: OpId,
    /// The variables that stand for its fields in this rule.
    pub params: Vec<VarId>,
    /// Variables that the rule may choose anew each time.
    pub ghosts: Vec<VarId>,
    /// What holds of the parameters and ghosts.
    pub when: TermId,
    /// What the whole trace before the event matches.
    pub history: Option<TracePattern>,
    /// What the whole trace after the event matches. Events of the system in it are caused by
    /// this one.
    pub futures: Vec<TracePattern>,
    /// Events that happen later, in any order, each caused by this one only.
    pub emits: Vec<EventAtom>,
    /// Events that happen later, each paired with this one only.
    pub owes: Vec<EventAtom>,
}

/// What a goal asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GoalKind {
    /// A trace that must not occur.
    Violation,
    /// A trace that may occur, and whose expected answers must hold.
    Scenario,
}

/// A set of traces that tests are to reach.
#[derive(Clone, Debug)]
pub struct Goal {
    /// The name.
    pub name: String,
    /// Whether reaching it is the fault.
    pub kind: GoalKind,
    /// Variables with one value per trace.
    pub vars: Vec<VarId>,
    /// The traces.
    pub pattern: TracePattern,
}

/// A trace specification.
#[derive(Clone, Debug, Default)]
pub struct Spec {
    /// The name.
    pub name: String,
    /// Sorts, functions, variables and conditions.
    pub terms: Terms,
    /// What holds of the functions.
    pub axioms: Vec<Axiom>,
    /// The operations.
    pub operations: Vec<SpecOperation>,
    /// The rules.
    pub rules: Vec<TraceRule>,
    /// Events that have happened before anything else, with their arguments.
    pub init: Vec<(OpId, Vec<TermId>)>,
    /// The goals.
    pub goals: Vec<Goal>,
}

impl Spec {
    /// Declares an operation. Its fields become variables of the arena.
    pub fn add_operation(&mut self, name: &str, kind: OpKind, fields: &[(&str, Sort)]) -> OpId {
        let id = OpId(u32::try_from(self.operations.len()).expect("few operations"));
        let vars = fields
            .iter()
            .map(|(name, sort)| self.terms.signature.add_var(name, *sort))
            .collect();
        self.operations.push(SpecOperation {
            name: name.to_owned(),
            kind,
            field_names: fields.iter().map(|it| it.0.to_owned()).collect(),
            fields: vars,
        });
        id
    }

    /// An operation.
    pub fn operation(&self, op: OpId) -> &SpecOperation {
        &self.operations[op.index()]
    }

    /// The operation of a name.
    pub fn find_operation(&self, name: &str) -> Option<OpId> {
        let at = self.operations.iter().position(|it| it.name == name)?;
        u32::try_from(at).ok().map(OpId)
    }

    /// The goal of a name.
    pub fn find_goal(&self, name: &str) -> Option<&Goal> {
        self.goals.iter().find(|it| it.name == name)
    }

    /// All operations.
    pub fn ops(&self) -> impl Iterator<Item = OpId> + use<> {
        (0..u32::try_from(self.operations.len()).unwrap_or(u32::MAX)).map(OpId)
    }
}

impl TracePattern {
    /// The events that occur in the pattern positively: those that a trace may need.
    pub fn events(&self) -> Vec<&EventAtom> {
        match self {
            TracePattern::Anything | TracePattern::AnyEvent | TracePattern::Except(_) => {
                Vec::new()
            }
            TracePattern::Event(atom)
            | TracePattern::Expect(atom)
            | TracePattern::Last(atom) => vec![atom],
            TracePattern::Sequence(parts)
            | TracePattern::Choice(parts)
            | TracePattern::Both(parts) => {
                parts.iter().flat_map(TracePattern::events).collect()
            }
            // `e*` asks for nothing.
            TracePattern::Repeat(inner) if matches!(**inner, TracePattern::Event(_)) => {
                Vec::new()
            }
            TracePattern::Repeat(inner) => inner.events(),
        }
    }
}
