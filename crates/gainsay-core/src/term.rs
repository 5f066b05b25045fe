//! Terms and patterns: the contents of a body.

use std::sync::Arc;

use gainsay_source::Span;
use num_bigint::BigInt;

use crate::id::{
    BuiltinId, ConstId, CtorId, FunctionId, LocalId, OpId, PatternId, RelId, TermId, TyId,
    WorldId,
};

/// A constant written in the source.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// An integer that fits a machine word.
    Int(i64),
    /// An integer that does not.
    Big(Arc<BigInt>),
    /// A float.
    Float(f64),
    /// A truth value.
    Bool(bool),
    /// A character.
    Char(char),
    /// Text.
    Str(Arc<str>),
}

/// An expression of core. Evaluation is strict and left to right.
#[derive(Debug, Clone)]
pub enum Term {
    /// A constant written in the source.
    Literal(Literal),
    /// A local variable.
    Local(LocalId),
    /// A declared constant: evaluated at most once per run of a program.
    Constant(ConstId),
    /// A closed function as a value.
    Function {
        /// The function.
        function: FunctionId,
        /// Its type arguments.
        type_args: Box<[TyId]>,
    },
    /// A closure: a function and the values of its first parameters, its captures.
    Closure {
        /// The function; its `n_captures` is the length of `captures`.
        function: FunctionId,
        /// The captured values.
        captures: Box<[TermId]>,
    },
    /// A call of a known function.
    Call {
        /// The function.
        function: FunctionId,
        /// Its type arguments.
        type_args: Box<[TyId]>,
        /// Its arguments.
        args: Box<[TermId]>,
    },
    /// A call of a function value.
    CallValue {
        /// The function value.
        callee: TermId,
        /// Its arguments.
        args: Box<[TermId]>,
    },
    /// A primitive of the table of builtins.
    Builtin {
        /// The row of the table.
        builtin: BuiltinId,
        /// Type arguments: the types at which `==`, `show` and the like are used.
        type_args: Box<[TyId]>,
        /// Its arguments.
        args: Box<[TermId]>,
    },
    /// Performs an effect: answered by an enclosing `under`, or else by the host.
    Perform {
        /// The operation.
        op: OpId,
        /// Type arguments, for generic operations (`Gen.any<T>()`).
        type_args: Box<[TyId]>,
        /// Its arguments.
        args: Box<[TermId]>,
    },
    /// A relation used as a checker.
    CheckRel {
        /// The relation.
        rel: RelId,
        /// Its arguments.
        args: Box<[TermId]>,
    },
    /// A tuple; the empty one is `()`.
    Tuple(Box<[TermId]>),
    /// `[a, b, ..rest]`.
    List {
        /// The leading elements.
        items: Box<[TermId]>,
        /// The list they are put before.
        rest: Option<TermId>,
    },
    /// A constructor with its fields in declared order. Fields whose types are refined are
    /// checked by [`Term::Refine`] terms around the arguments.
    Construct {
        /// The constructor.
        ctor: CtorId,
        /// The fields.
        args: Box<[TermId]>,
    },
    /// A field of a record or an element of a tuple.
    Field {
        /// The record or tuple.
        base: TermId,
        /// The index, from 0.
        index: u32,
    },
    /// `{ ..base, field: value }`.
    Update {
        /// The record that is copied.
        base: TermId,
        /// The fields that change.
        fields: Box<[(u32, TermId)]>,
    },
    /// `if`.
    If {
        /// The condition.
        condition: TermId,
        /// Taken when it holds.
        then: TermId,
        /// Taken when it does not.
        otherwise: TermId,
    },
    /// `a && b`, the right side only when needed.
    And(TermId, TermId),
    /// `a || b`, the right side only when needed.
    Or(TermId, TermId),
    /// `match`. Exhaustive: some arm without a failing guard always matches.
    ///
    /// A scrutinee that is a [`Term::Tuple`] is matched component by component if no arm binds the
    /// tuple itself: if each pattern is a tuple, a wildcard, or an or-pattern of these. Then no
    /// tuple is allocated; all components are evaluated first, from left to right.
    Match {
        /// The scrutinee.
        scrutinee: TermId,
        /// The arms, tried in order.
        arms: Box<[Arm]>,
    },
    /// Statements, then a value.
    Block {
        /// The statements in order.
        statements: Box<[Statement]>,
        /// The value.
        result: TermId,
    },
    /// `e?`: the payload, or an early return with the failure.
    Try {
        /// The `Option` or `Result`.
        value: TermId,
        /// Which of the two.
        kind: TryKind,
    },
    /// The value, which must have a refined type; otherwise a `Refinement` failure.
    Refine {
        /// The value.
        value: TermId,
        /// The type with its refinements, which may be nested inside.
        ty: TyId,
    },
    /// `observe e`: the only assertion.
    Observe {
        /// The asserted condition.
        condition: TermId,
        /// How precisely it determines the observed value.
        strength: ObserveStrength,
    },
    /// `assume e`: discards the case if the condition is false.
    Assume(TermId),
    /// `throws { .. }`: whether the body fails (in the given way). The body is a closure
    /// without parameters.
    Throws {
        /// Which failures count; every kind when empty.
        kinds: Box<[FailureKind]>,
        /// The closure.
        body: TermId,
    },
    /// `under (..) { .. }`: the body, a closure without parameters, with its effects answered.
    Under {
        /// Which operations are answered, and by whom; later entries win.
        handlers: Box<[EffectHandler]>,
        /// The closure.
        body: TermId,
    },
    /// `across (..) { .. }`: the body for many inputs.
    Across {
        /// The inputs, each seeing those before it.
        binders: Box<[AcrossBinder]>,
        /// A closure over all inputs that returns whether the case is valid.
        condition: Option<TermId>,
        /// A closure over all inputs.
        body: TermId,
    },
    /// `par (a, b)`: independent branches, each a closure without parameters.
    Par {
        /// The branches in source order.
        branches: Box<[TermId]>,
        /// `par?`: once all branches have run, the payloads of the `Ok`s, or else the leftmost
        /// `Err`.
        cancelling: bool,
    },
    /// `e !x`: samples `x` once `e` has narrowed it; merely `e` when checking.
    Sample {
        /// The constraint.
        condition: TermId,
        /// What is sampled.
        local: LocalId,
    },
    /// A call whose effects are recorded: a `Traced` with its result and trace.
    Traced {
        /// The call.
        call: TermId,
    },
    /// A placeholder where an error was reported. Never in a program without errors.
    Hole,
}

/// One arm of a match.
#[derive(Debug, Clone)]
pub struct Arm {
    /// The pattern.
    pub pattern: PatternId,
    /// `w % pattern`: how often a generator takes the arm; ignored when checking.
    pub weight: Option<TermId>,
    /// The guard.
    pub guard: Option<TermId>,
    /// The value of the match.
    pub body: TermId,
}

/// A statement of a block.
#[derive(Debug, Clone)]
pub enum Statement {
    /// `let pattern = value`; the pattern always matches. Equivalent to a [`Term::Match`] with one
    /// arm, including tuples that are not allocated.
    Let(PatternId, TermId),
    /// A term whose value is dropped.
    Drop(TermId),
}

/// A pattern.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// Anything.
    Wildcard,
    /// Anything, under a name.
    Bind(LocalId),
    /// A constant.
    Literal(Literal),
    /// A tuple, each element in turn.
    Tuple(Box<[PatternId]>),
    /// A constructor of a sum or record with all its fields, in declared order.
    Ctor(CtorId, Box<[PatternId]>),
    /// A list with this prefix.
    List(Box<[PatternId]>, RestPattern),
    /// Any of several alternatives; all bind the same locals.
    Or(Box<[PatternId]>),
}

/// What may follow the prefix of a list pattern.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum RestPattern {
    /// Nothing: the list ends.
    Nothing,
    /// The rest of the list must match the pattern.
    Some(PatternId),
}

/// The type that `?` unwraps.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum TryKind {
    /// `None` returns from the function.
    Option,
    /// `Err(e)` returns from the function.
    Result,
}

/// How precisely an observe determines a value; mutation testing uses it.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ObserveStrength {
    /// `==`: an exact value.
    Exact,
    /// Another comparison.
    Relation,
    /// Any other condition.
    Truth,
}

/// The kinds of failure that `throws(Kind)` names.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailureKind {
    /// A contract clause was violated.
    Contract,
    /// A value was outside its refinement type.
    Refinement,
    /// A division by zero.
    DivByZero,
    /// An index or conversion out of range.
    OutOfRange,
    /// `fail("why")`.
    Fail,
    /// A system under test failed to perform an operation.
    System,
}

impl FailureKind {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::Contract,
        Self::Refinement,
        Self::DivByZero,
        Self::OutOfRange,
        Self::Fail,
        Self::System,
    ];

    /// The name used in `throws(Kind)`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contract => "Contract",
            Self::Refinement => "Refinement",
            Self::DivByZero => "DivByZero",
            Self::OutOfRange => "OutOfRange",
            Self::Fail => "Fail",
            Self::System => "System",
        }
    }
}

/// One handler of `under (..)`.
#[derive(Debug, Clone)]
pub enum EffectHandler {
    /// A function value answers an operation.
    Stub(OpId, TermId),
    /// A declared world answers.
    World(WorldId),
}

/// One input of an `across`.
#[derive(Debug, Clone)]
pub struct AcrossBinder {
    /// Its name.
    pub name: Box<str>,
    /// Its type, with refinements.
    pub ty: TyId,
    /// Where values come from.
    pub source: BinderSource,
    /// The location of its binding.
    pub span: Span,
}

/// Where the values of an input come from.
#[derive(Debug, Clone)]
pub enum BinderSource {
    /// From its type.
    Type,
    /// From a generator: a closure over the inputs before it.
    Generator(TermId),
}
