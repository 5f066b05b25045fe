//! Programs made ready for the interpreter: trees of nodes.
//!
//! A node holds what evaluation needs at hand; whatever is rare stays a term of core. Each
//! value has a slot of the frame that is known beforehand: locals first, then the parts of
//! terms that are not complete yet.

use std::sync::Arc;

use gainsay_core::{
    BuiltinId, ConstId, CtorId, FunctionId, Literal, OpId, PatternId, Program, TyId,
};
use gainsay_source::Span;

use crate::traces::{TraceTypes, branch_path};

use super::compile::Compiler;
use super::places::slot;

/// A program made ready.
pub(crate) struct Code {
    pub(crate) program: Arc<Program>,
    pub(crate) functions: Box<[FunctionCode]>,
    /// Literals that each worker turns into values of its own once.
    pub(crate) literals: Box<[Literal]>,
    /// The constructor of `BranchPath`, if the program knows the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors that traces are made of, if the program knows them.
    pub(crate) trace: Option<TraceTypes>,
}

/// A function made ready.
pub(crate) struct FunctionCode {
    pub(crate) id: FunctionId,
    pub(crate) body: Node,
    pub(crate) n_captures: u32,
    /// How many parameters there are, captures included.
    pub(crate) n_params: u32,
    /// Slots of locals and of what is matched.
    pub(crate) n_locals: u32,
    /// All slots of a frame.
    pub(crate) n_slots: u32,
    /// What is checked around the body; nothing for most functions.
    pub(crate) checks: Option<Box<Checks>>,
    /// Something is checked after the body, so that no call in it may replace the frame.
    pub(crate) checks_result: bool,
}

/// What is checked around a body.
pub(crate) struct Checks {
    /// Parameters with refinements in their types.
    pub(crate) params: Box<[(u32, TyId)]>,
    /// `in` clauses.
    pub(crate) requires: Box<[Node]>,
    /// The type of the result, if there are refinements in it.
    pub(crate) result: Option<TyId>,
    /// `out` clauses, each with the slot of the result if it has a name.
    pub(crate) ensures: Box<[(Option<u32>, Node)]>,
}

/// A term made ready.
pub(crate) struct Node {
    pub(crate) kind: Kind,
    /// The term.
    pub(crate) term: u32,
    /// The slot its value may go to. The value of its first part goes to the next one, and
    /// so on.
    pub(crate) home: u32,
}

/// What to do for a term.
pub(crate) enum Kind {
    Ready(Ready),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A literal of [`Code::literals`].
    Shared(u32),
    Constant(ConstId),
    Function(FunctionId),
    Closure(FunctionId, Box<[Node]>),
    Call(FunctionId, Box<[Node]>),
    /// The function value, then the arguments.
    CallValue(Box<[Node]>),
    /// `+`, `-`, `*`, `/` and `%` of integers.
    Arithmetic(BuiltinId, Box<[Node; 2]>),
    /// `==`, `<` and their like.
    Comparison(BuiltinId, Box<[Node; 2]>),
    Builtin(BuiltinId, Box<[Node]>),
    Perform(OpId, Box<[Node]>),
    Tuple(Box<[Node]>),
    /// A constructor without fields.
    Plain(CtorId),
    Construct(CtorId, Box<[Node]>),
    List(Box<[Node]>),
    /// One element before a list.
    Cons(Box<[Node; 2]>),
    /// Elements before a list, which comes last.
    ListBefore(Box<[Node]>),
    Field(Box<Node>, u32),
    If(Box<[Node; 3]>),
    And(Box<[Node; 2]>),
    Or(Box<[Node; 2]>),
    Match(Box<MatchCode>),
    Block(Box<[StatementCode]>, Box<Node>),
    /// `par?` whose value is a `Result`, rather than one that leaves the function.
    ParResult(Box<[Node]>),
    /// Whatever is rare: evaluation looks at the term itself. The parts are those of the term.
    Rare(Box<[Node]>),
}

/// What is there already. Names that a pattern gives to parts of a local stand for these parts.
#[derive(Copy, Clone)]
pub(crate) enum Ready {
    Int(i64),
    /// What is in the slot of a local.
    Local(u32),
    /// The same, and it is not needed there any more.
    LastOfLocal(u32),
    /// The first element of the list in the slot of a local.
    Head(u32),
    /// The rest of the list in the slot of a local.
    Tail(u32),
    /// A field of what is in the slot of a local.
    Field(u32, u32),
}

/// A match: what is evaluated first, and the arms.
pub(crate) struct MatchCode {
    /// Values that are looked at and are not in a slot already, and the slots for them.
    pub(crate) subjects: Box<[(u32, Node)]>,
    pub(crate) arms: Box<[ArmCode]>,
}

/// An arm of a match.
pub(crate) struct ArmCode {
    pub(crate) row: Row,
    pub(crate) guard: Option<Node>,
    pub(crate) body: Node,
}

/// A pattern, flat: when all tests are passed, all is bound.
pub(crate) struct Row {
    /// What is asked first; for most patterns it is all there is.
    pub(crate) first: Glance,
    pub(crate) more: Option<Box<More>>,
}

/// What a pattern still tests after a glance, and what it binds.
pub(crate) struct More {
    pub(crate) tests: Box<[Test]>,
    pub(crate) binds: Box<[Bind]>,
}

/// What is seen of a value in a slot without going into it.
#[derive(Copy, Clone)]
pub(crate) enum Glance {
    /// Nothing is asked.
    Anything,
    /// An empty list.
    Empty(u32),
    /// A list with elements.
    NotEmpty(u32),
    /// This constructor.
    Ctor(u32, CtorId),
}

/// Something that must hold for a pattern to match.
pub(crate) enum Test {
    Glance(Glance),
    /// Anything else that may be asked of a value or a part of one.
    Is(Path, Check),
    /// One row matches; the first one that does binds.
    AnyOf(Box<[Row]>),
}

/// What a value may be asked.
#[derive(Copy, Clone)]
pub(crate) enum Check {
    Ctor(CtorId),
    /// A list as long as this.
    Length(u32),
    /// A list at least as long as this.
    AtLeast(u32),
    /// The literal of this pattern.
    Literal(PatternId),
}

/// A local that takes a part of a value.
pub(crate) struct Bind {
    pub(crate) path: Path,
    /// The slot of the local.
    pub(crate) slot: u32,
}

/// The way from the value in a slot to one of its parts.
pub(crate) struct Path {
    pub(crate) slot: u32,
    pub(crate) steps: Box<[Step]>,
}

/// From a value to one of its parts.
#[derive(Copy, Clone)]
pub(crate) enum Step {
    /// A field of a constructor, an element of a tuple.
    Field(u32),
    /// An element of a list.
    Item(u32),
    /// A list without its first elements.
    After(u32),
}

/// A statement of a block.
pub(crate) enum StatementCode {
    /// Nobody wants the value.
    Drop(Node),
    /// The value goes into a slot.
    Let(u32, Node),
    /// A pattern takes values apart.
    Match {
        subjects: Box<[(u32, Node)]>,
        row: Row,
        /// The term that gives the value.
        term: u32,
    },
}

impl Code {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut literals = Vec::new();
        let functions = (0..program.functions.len() as u32)
            .map(|id| Compiler::function(&program, FunctionId(id), &mut literals))
            .collect();
        let branch_path = branch_path(&program);
        let trace = TraceTypes::of(&program);
        Self { program, functions, literals: literals.into(), branch_path, trace }
    }

    pub(crate) fn function(&self, id: FunctionId) -> &FunctionCode {
        &self.functions[id.index()]
    }

    /// The place of a term.
    pub(crate) fn span(&self, code: &FunctionCode, term: u32) -> Span {
        let function = self.program.function(code.id);
        function.body.spans.get(term as usize).copied().unwrap_or(function.span)
    }
}

impl FunctionCode {
    /// The slot of a parameter.
    pub(crate) fn slot(&self, param: u32) -> usize {
        slot(param, self.n_captures, self.n_params) as usize
    }
}
