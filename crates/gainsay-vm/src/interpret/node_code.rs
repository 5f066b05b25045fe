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

use crate::effect_trace::{TraceCtors, branch_path};

use super::compile::Compiler;
use super::slot_layout::param_slot;

/// A program made ready.
pub(crate) struct InterpreterCode {
    pub(crate) program: Arc<Program>,
    pub(crate) functions: Box<[FunctionCode]>,
    /// Literals that each worker turns into values of its own once.
    pub(crate) literals: Box<[Literal]>,
    /// The constructor of `BranchPath`, if the program knows the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors that traces are made of, if the program knows them.
    pub(crate) trace: Option<TraceCtors>,
}

/// A function made ready.
pub(crate) struct FunctionCode {
    pub(crate) id: FunctionId,
    pub(crate) body: CodeNode,
    pub(crate) n_captures: u32,
    /// How many parameters there are, captures included.
    pub(crate) n_params: u32,
    /// Slots of locals and of what is matched.
    pub(crate) n_locals: u32,
    /// All slots of a frame.
    pub(crate) n_slots: u32,
    /// What is checked around the body; nothing for most functions.
    pub(crate) checks: Option<Box<FunctionChecks>>,
    /// Something is checked after the body, so that no call in it may replace the frame.
    pub(crate) checks_result: bool,
}

/// What is checked around a body.
pub(crate) struct FunctionChecks {
    /// Parameters with refinements in their types.
    pub(crate) params: Box<[(u32, TyId)]>,
    /// `in` clauses.
    pub(crate) requires: Box<[CodeNode]>,
    /// The type of the result, if there are refinements in it.
    pub(crate) result: Option<TyId>,
    /// `out` clauses, each with the slot of the result if it has a name.
    pub(crate) ensures: Box<[(Option<u32>, CodeNode)]>,
}

/// A term made ready.
pub(crate) struct CodeNode {
    pub(crate) kind: CodeNodeKind,
    /// The term.
    pub(crate) term: u32,
    /// The slot its value may go to. The value of its first part goes to the next one, and
    /// so on.
    pub(crate) home: u32,
}

/// What to do for a term.
pub(crate) enum CodeNodeKind {
    Ready(ReadyOperand),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A literal of [`InterpreterCode::literals`].
    Shared(u32),
    Constant(ConstId),
    Function(FunctionId),
    Closure(FunctionId, Box<[CodeNode]>),
    Call(FunctionId, Box<[CodeNode]>),
    /// The function value, then the arguments.
    CallValue(Box<[CodeNode]>),
    /// `+`, `-`, `*`, `/` and `%` of integers.
    Arithmetic(BuiltinId, Box<[CodeNode; 2]>),
    /// `==`, `<` and their like.
    Comparison(BuiltinId, Box<[CodeNode; 2]>),
    Builtin(BuiltinId, Box<[CodeNode]>),
    Perform(OpId, Box<[CodeNode]>),
    Tuple(Box<[CodeNode]>),
    /// A constructor without fields.
    NullaryCtor(CtorId),
    Construct(CtorId, Box<[CodeNode]>),
    List(Box<[CodeNode]>),
    /// One element before a list.
    Cons(Box<[CodeNode; 2]>),
    /// Elements before a list, which comes last.
    PrependList(Box<[CodeNode]>),
    Field(Box<CodeNode>, u32),
    If(Box<[CodeNode; 3]>),
    And(Box<[CodeNode; 2]>),
    Or(Box<[CodeNode; 2]>),
    Match(Box<MatchCode>),
    Block(Box<[StatementCode]>, Box<CodeNode>),
    /// `par?` whose value is a `Result`, rather than one that leaves the function.
    ParResult(Box<[CodeNode]>),
    /// Whatever is rare: evaluation looks at the term itself. The parts are those of the term.
    Rare(Box<[CodeNode]>),
}

/// What is there already. Names that a pattern gives to parts of a local stand for these parts.
#[derive(Copy, Clone)]
pub(crate) enum ReadyOperand {
    Int(i64),
    /// What is in the slot of a local.
    Local(u32),
    /// The same, and it is not needed there any more.
    LastUseOfLocal(u32),
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
    pub(crate) subjects: Box<[(u32, CodeNode)]>,
    pub(crate) arms: Box<[ArmCode]>,
}

/// An arm of a match.
pub(crate) struct ArmCode {
    pub(crate) row: FlatPattern,
    pub(crate) guard: Option<CodeNode>,
    pub(crate) body: CodeNode,
}

/// A pattern, flat: when all tests are passed, all is bound.
pub(crate) struct FlatPattern {
    /// What is asked first; for most patterns it is all there is.
    pub(crate) shallow_test: ShallowTest,
    pub(crate) rest: Option<Box<FlatPatternRest>>,
}

/// What a pattern still tests after a glance, and what it binds.
pub(crate) struct FlatPatternRest {
    pub(crate) tests: Box<[PatternTest]>,
    pub(crate) binds: Box<[SlotBinding]>,
}

/// What is seen of a value in a slot without going into it.
#[derive(Copy, Clone)]
pub(crate) enum ShallowTest {
    /// Nothing is asked.
    Always,
    /// An empty list.
    Empty(u32),
    /// A list with elements.
    NotEmpty(u32),
    /// This constructor.
    Ctor(u32, CtorId),
}

/// Something that must hold for a pattern to match.
pub(crate) enum PatternTest {
    Shallow(ShallowTest),
    /// Anything else that may be asked of a value or a part of one.
    PathCheck(PartPath, PatternCheck),
    /// One row matches; the first one that does binds.
    AnyOf(Box<[FlatPattern]>),
}

/// What a value may be asked.
#[derive(Copy, Clone)]
pub(crate) enum PatternCheck {
    Ctor(CtorId),
    /// A list as long as this.
    Length(u32),
    /// A list at least as long as this.
    MinLength(u32),
    /// The literal of this pattern.
    Literal(PatternId),
}

/// A local that takes a part of a value.
pub(crate) struct SlotBinding {
    pub(crate) path: PartPath,
    /// The slot of the local.
    pub(crate) slot: u32,
}

/// The way from the value in a slot to one of its parts.
pub(crate) struct PartPath {
    pub(crate) slot: u32,
    pub(crate) steps: Box<[PartStep]>,
}

/// From a value to one of its parts.
#[derive(Copy, Clone)]
pub(crate) enum PartStep {
    /// A field of a constructor, an element of a tuple.
    Field(u32),
    /// An element of a list.
    Item(u32),
    /// A list without its first elements.
    ListTail(u32),
}

/// A statement of a block.
pub(crate) enum StatementCode {
    /// Nobody wants the value.
    Drop(CodeNode),
    /// The value goes into a slot.
    Let(u32, CodeNode),
    /// A pattern takes values apart.
    Match {
        subjects: Box<[(u32, CodeNode)]>,
        row: FlatPattern,
        /// The term that gives the value.
        term: u32,
    },
}

impl InterpreterCode {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut literals = Vec::new();
        let functions = (0..program.functions.len() as u32)
            .map(|id| Compiler::function(&program, FunctionId(id), &mut literals))
            .collect();
        let branch_path = branch_path(&program);
        let trace = TraceCtors::of(&program);
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
        param_slot(param, self.n_captures, self.n_params) as usize
    }
}
