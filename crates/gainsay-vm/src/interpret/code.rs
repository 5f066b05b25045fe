//! Programs made ready for the interpreter: one node per term, under the same number.
//!
//! A node holds what evaluation needs at hand; whatever is rare stays a term of core. Each
//! value has a slot of the frame that is known beforehand: locals first, then the parts of
//! terms that are not complete yet.

use std::sync::Arc;

use gainsay_core::{
    BuiltinId, ConstId, CtorId, FunctionId, Literal, OpId, PatternId, Program, TyId,
};
use gainsay_source::Span;

use super::compile::Compiler;

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

/// What traces are made of.
#[derive(Copy, Clone)]
pub(crate) struct TraceTypes {
    pub(crate) event: CtorId,
    pub(crate) trace: CtorId,
    pub(crate) traced: CtorId,
}

/// A function made ready.
pub(crate) struct FunctionCode {
    pub(crate) id: FunctionId,
    pub(crate) nodes: Box<[Node]>,
    /// For each node, the slot its value may go to, with free ones after it: the value of
    /// its first part goes to the next one, and so on.
    pub(crate) homes: Box<[u32]>,
    pub(crate) operands: Box<[u32]>,
    pub(crate) matches: Box<[MatchCode]>,
    pub(crate) subjects: Box<[Subject]>,
    pub(crate) arms: Box<[ArmCode]>,
    pub(crate) rows: Box<[Row]>,
    pub(crate) tests: Box<[Test]>,
    pub(crate) binds: Box<[Bind]>,
    pub(crate) steps: Box<[Step]>,
    pub(crate) statements: Box<[StatementCode]>,
    pub(crate) root: u32,
    pub(crate) n_captures: u32,
    /// How many parameters there are, captures included.
    pub(crate) n_params: u32,
    pub(crate) n_locals: u32,
    /// Slots of a frame.
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
    /// The type of the result, if there are refinements in it.
    pub(crate) result: Option<TyId>,
}

/// Places in a list of the function.
#[derive(Copy, Clone)]
pub(crate) struct Range {
    pub(super) start: u32,
    pub(super) len: u32,
}

impl Range {
    #[inline(always)]
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..][..self.len as usize]
    }

    pub(crate) fn len(self) -> usize {
        self.len as usize
    }
}

/// A term made ready. Numbers without a type are nodes of the same function.
#[derive(Copy, Clone)]
pub(crate) enum Node {
    Int(i64),
    Float(f64),
    Bool(bool),
    Char(char),
    /// A literal of [`Code::literals`].
    Shared(u32),
    /// What is in a slot.
    Local(u32),
    Constant(ConstId),
    Function(FunctionId),
    Closure(FunctionId, Range),
    Call(FunctionId, Range),
    CallValue(u32, Range),
    /// `+`, `-`, `*`, `/` and `%` of integers.
    Arithmetic(BuiltinId, u32, u32),
    /// `==`, `<` and their like.
    Comparison(BuiltinId, u32, u32),
    Builtin(BuiltinId, Range),
    Perform(OpId, Range),
    Tuple(Range),
    /// A constructor without fields.
    Plain(CtorId),
    Construct(CtorId, Range),
    List(Range),
    /// One element before a list.
    Cons(u32, u32),
    ListBefore(Range, u32),
    Field(u32, u32),
    If(u32, u32, u32),
    And(u32, u32),
    Or(u32, u32),
    /// One of [`FunctionCode::matches`].
    Match(u32),
    Block(Range, u32),
    /// The value of another node.
    Same(u32),
    /// `par?` whose value is a `Result`, rather than one that leaves the function.
    ParResult,
    /// Whatever is rare: evaluation looks at the term itself.
    Rare,
}

/// A match: what is evaluated first, and the arms.
#[derive(Copy, Clone)]
pub(crate) struct MatchCode {
    pub(crate) subjects: Range,
    pub(crate) arms: Range,
}

/// A value that is looked at and is not in a slot already.
#[derive(Copy, Clone)]
pub(crate) struct Subject {
    pub(crate) node: u32,
    pub(crate) slot: u32,
}

/// An arm of a match.
#[derive(Copy, Clone)]
pub(crate) struct ArmCode {
    pub(crate) row: Row,
    pub(crate) guard: Option<u32>,
    pub(crate) body: u32,
}

/// A pattern, flat: when all tests are passed, all is bound.
#[derive(Copy, Clone)]
pub(crate) struct Row {
    pub(crate) tests: Range,
    pub(crate) binds: Range,
}

/// Something that must hold for a pattern to match.
#[derive(Copy, Clone)]
pub(crate) enum Test {
    /// A part of a value is like this.
    Is(Path, Check),
    /// One of the [`FunctionCode::rows`] matches; the first one that does binds.
    AnyOf(Range),
}

/// What a value may be asked.
#[derive(Copy, Clone)]
pub(crate) enum Check {
    Ctor(CtorId),
    /// A list as long as this.
    Length(u32),
    /// A list at least as long as this.
    AtLeast(u32),
    Int(i64),
    /// The literal of this pattern.
    Literal(PatternId),
}

/// A local that takes a part of a value.
#[derive(Copy, Clone)]
pub(crate) struct Bind {
    pub(crate) path: Path,
    pub(crate) slot: u32,
}

/// The way from the value in a slot to one of its parts.
#[derive(Copy, Clone)]
pub(crate) enum Path {
    /// The value itself.
    Here(u32),
    /// A part of it.
    Step(u32, Step),
    /// A part of parts, by some of [`FunctionCode::steps`].
    Steps(u32, Range),
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
#[derive(Copy, Clone)]
pub(crate) struct StatementCode {
    pub(crate) target: Target,
    pub(crate) value: u32,
}

/// Where the value of a statement goes.
#[derive(Copy, Clone)]
pub(crate) enum Target {
    Nowhere,
    /// Into a slot.
    Local(u32),
    /// To the one arm of one of [`FunctionCode::matches`].
    Pattern(u32),
}

impl Code {
    pub(crate) fn new(program: Arc<Program>) -> Self {
        let mut literals = Vec::new();
        let functions = (0..program.functions.len() as u32)
            .map(|id| Compiler::function(&program, FunctionId(id), &mut literals))
            .collect();
        let branch_path = find_std(&program, "branch_path", "BranchPath");
        let trace = find_trace_types(&program);
        Self { program, functions, literals: literals.into(), branch_path, trace }
    }

    pub(crate) fn function(&self, id: FunctionId) -> &FunctionCode {
        &self.functions[id.index()]
    }

    /// The place of a node.
    pub(crate) fn span(&self, code: &FunctionCode, node: u32) -> Span {
        let function = self.program.function(code.id);
        function.body.spans.get(node as usize).copied().unwrap_or(function.span)
    }
}

impl FunctionCode {
    /// The slot of a local. Arguments come before captures, so that a caller can put them
    /// in their places before it knows how many captures there are.
    pub(crate) fn slot(&self, local: u32) -> usize {
        slot(local, self.n_captures, self.n_params) as usize
    }
}

pub(super) fn slot(local: u32, n_captures: u32, n_params: u32) -> u32 {
    if local < n_captures {
        n_params - n_captures + local
    } else if local < n_params {
        local - n_captures
    } else {
        local
    }
}

/// The first constructor of a type of the standard library.
fn find_std(program: &Program, module: &str, name: &str) -> Option<CtorId> {
    let def = program.nominals.iter().find(|it| {
        let declared_in = program.module(it.module);
        &*it.name == name && &*declared_in.name == module && declared_in.is_std
    })?;
    def.ctors.first().copied()
}

fn find_trace_types(program: &Program) -> Option<TraceTypes> {
    Some(TraceTypes {
        event: find_std(program, "trace", "EffectEvent")?,
        trace: find_std(program, "trace", "Trace")?,
        traced: find_std(program, "trace", "Traced")?,
    })
}
