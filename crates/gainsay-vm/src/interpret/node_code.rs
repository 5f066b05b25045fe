//! The interpreter's representation of programs: trees of nodes.
//!
//! A node holds the data that evaluation needs at hand; rare constructs stay core terms. The frame
//! slot of each value is fixed at compile time: first the locals, then the operands of terms under
//! evaluation.

use std::sync::Arc;

use gainsay_core::{
    BuiltinId, ConstId, CtorId, FunctionId, Literal, OpId, PatternId, Program, TyId,
};
use gainsay_source::Span;

use crate::effect_trace::{TraceCtors, branch_path};

use super::compile::Compiler;
use super::slot_layout::param_slot;

/// A program compiled for the interpreter.
pub(crate) struct InterpreterCode {
    pub(crate) program: Arc<Program>,
    pub(crate) functions: Box<[FunctionCode]>,
    /// Literals that each worker converts once to values of its own.
    pub(crate) literals: Box<[Literal]>,
    /// The constructor of `BranchPath`, if the program contains the type.
    pub(crate) branch_path: Option<CtorId>,
    /// The constructors of trace values, if the program contains them.
    pub(crate) trace: Option<TraceCtors>,
}

/// A compiled function.
pub(crate) struct FunctionCode {
    pub(crate) id: FunctionId,
    pub(crate) body: CodeNode,
    pub(crate) n_captures: u32,
    /// Number of parameters, including captures.
    pub(crate) n_params: u32,
    /// Slots of locals and match subjects.
    pub(crate) n_locals: u32,
    /// All slots of a frame.
    pub(crate) n_slots: u32,
    /// Checks around the body; most functions have none.
    pub(crate) checks: Option<Box<FunctionChecks>>,
    /// Whether something is checked after the body, so that no call in it may replace the frame.
    pub(crate) checks_result: bool,
}

/// The checks around a body.
pub(crate) struct FunctionChecks {
    /// Parameters with refinements in their types.
    pub(crate) params: Box<[(u32, TyId)]>,
    /// `in` clauses.
    pub(crate) requires: Box<[CodeNode]>,
    /// The result type, if it contains refinements.
    pub(crate) result: Option<TyId>,
    /// `out` clauses, each with the slot of the result if it is named.
    pub(crate) ensures: Box<[(Option<u32>, CodeNode)]>,
}

/// A compiled term.
pub(crate) struct CodeNode {
    pub(crate) kind: CodeNodeKind,
    /// The index of the core term.
    pub(crate) term: u32,
    /// The slot its value may go to. The value of its first part goes to the next slot, and so on.
    pub(crate) home: u32,
}

/// How to evaluate a node.
pub(crate) enum CodeNodeKind {
    Ready(ReadyOperand),
    Float(f64),
    Bool(bool),
    Char(char),
    /// An index into [`InterpreterCode::literals`].
    Shared(u32),
    Constant(ConstId),
    Function(FunctionId),
    Closure(FunctionId, Box<[CodeNode]>),
    Call(FunctionId, Box<[CodeNode]>),
    /// The callee, then the arguments.
    CallValue(Box<[CodeNode]>),
    /// `+`, `-`, `*`, `/` and `%` of integers.
    Arithmetic(BuiltinId, Box<[CodeNode; 2]>),
    /// `==`, `<` and so on.
    Comparison(BuiltinId, Box<[CodeNode; 2]>),
    Builtin(BuiltinId, Box<[CodeNode]>),
    Perform(OpId, Box<[CodeNode]>),
    Tuple(Box<[CodeNode]>),
    /// A constructor without fields.
    NullaryCtor(CtorId),
    Construct(CtorId, Box<[CodeNode]>),
    List(Box<[CodeNode]>),
    /// One element prepended to a list.
    Cons(Box<[CodeNode; 2]>),
    /// Elements prepended to a list, which comes last.
    PrependList(Box<[CodeNode]>),
    Field(Box<CodeNode>, u32),
    If(Box<[CodeNode; 3]>),
    And(Box<[CodeNode; 2]>),
    Or(Box<[CodeNode; 2]>),
    Match(Box<MatchCode>),
    Block(Box<[StatementCode]>, Box<CodeNode>),
    /// `par?` whose value is a `Result`, as opposed to one that returns from the function.
    ParResult(Box<[CodeNode]>),
    /// A rare term, which is evaluated from core. The parts are its subterms.
    Rare(Box<[CodeNode]>),
}

/// An operand that needs no evaluation. Names that a pattern gives to parts of a local are aliases
/// of those parts.
#[derive(Copy, Clone)]
pub(crate) enum ReadyOperand {
    Int(i64),
    /// The value in the slot of a local.
    Local(u32),
    /// The same, at its last use: the value can be moved.
    LastUseOfLocal(u32),
    /// The head of the list in the slot of a local.
    Head(u32),
    /// The tail of the list in the slot of a local.
    Tail(u32),
    /// A field of the value in the slot of a local.
    Field(u32, u32),
}

/// A match: subjects and arms.
pub(crate) struct MatchCode {
    /// Subjects that are not in a slot already, with the slots they go to.
    pub(crate) subjects: Box<[(u32, CodeNode)]>,
    pub(crate) arms: Box<[ArmCode]>,
}

/// An arm of a match.
pub(crate) struct ArmCode {
    pub(crate) row: FlatPattern,
    pub(crate) guard: Option<CodeNode>,
    pub(crate) body: CodeNode,
}

/// A flattened pattern: if all tests pass, all bindings are made.
pub(crate) struct FlatPattern {
    /// The first test; for most patterns the only one.
    pub(crate) shallow_test: ShallowTest,
    pub(crate) rest: Option<Box<FlatPatternRest>>,
}

/// The remaining tests of a pattern, and its bindings.
pub(crate) struct FlatPatternRest {
    pub(crate) tests: Box<[PatternTest]>,
    pub(crate) binds: Box<[SlotBinding]>,
}

/// A test of a value in a slot that does not follow any pointer path.
#[derive(Copy, Clone)]
pub(crate) enum ShallowTest {
    /// Always passes.
    Always,
    /// An empty list.
    Empty(u32),
    /// A non-empty list.
    NotEmpty(u32),
    /// This constructor.
    Ctor(u32, CtorId),
}

/// A test that must pass for a pattern to match.
pub(crate) enum PatternTest {
    Shallow(ShallowTest),
    /// A test of a value or of a part of one.
    PathCheck(PartPath, PatternCheck),
    /// Passes if one alternative matches; the first match makes its bindings.
    AnyOf(Box<[FlatPattern]>),
}

/// A property of a value that a pattern tests.
#[derive(Copy, Clone)]
pub(crate) enum PatternCheck {
    Ctor(CtorId),
    /// A list of exactly this length.
    Length(u32),
    /// A list of at least this length.
    MinLength(u32),
    /// The literal of this pattern.
    Literal(PatternId),
}

/// Binds a part of a value to a local.
pub(crate) struct SlotBinding {
    pub(crate) path: PartPath,
    /// The slot of the local.
    pub(crate) slot: u32,
}

/// The path from the value in a slot to one of its parts.
pub(crate) struct PartPath {
    pub(crate) slot: u32,
    pub(crate) steps: Box<[PartStep]>,
}

/// One step from a value to one of its parts.
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
    /// Evaluates and discards a value.
    Drop(CodeNode),
    /// Binds a value to a slot.
    Let(u32, CodeNode),
    /// Destructures values with a pattern.
    Match {
        subjects: Box<[(u32, CodeNode)]>,
        row: FlatPattern,
        /// The term of the value.
        term: u32,
    },
}

impl InterpreterCode {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut literals = Vec::new();
        // All at once: compiling takes one walk over each body, and running could start with any of
        // them.
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

    /// The source location of a term.
    pub(crate) fn span(&self, code: &FunctionCode, term: u32) -> Span {
        let function = self.program.function(code.id);
        // A function without a body is compiled with a term index past the end.
        function.body.spans.get(term as usize).copied().unwrap_or(function.span)
    }
}

impl FunctionCode {
    /// The slot of a parameter.
    pub(crate) fn slot(&self, param: u32) -> usize {
        param_slot(param, self.n_captures, self.n_params) as usize
    }
}
