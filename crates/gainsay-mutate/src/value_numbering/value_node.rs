//! The nodes of the value graph.

use std::mem::Discriminant;
use std::sync::Arc;

use gainsay_core::{
    BuiltinId, ConstId, CtorId, FailureKind, FunctionId, LocalId, OpId, PatternId, RelId, Term,
    TermId, TyId, WorldId,
};
use num_bigint::BigInt;

use super::ValueNumber;

/// A term: its head, and the value numbers of its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ValueNode {
    pub(super) head: NodeHead,
    pub(super) parts: Box<[ValueNumber]>,
}

/// What evaluating a term may do, from least to most; the derived order takes the maximum.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermEffects {
    /// It has a value, and whether it is evaluated is unobservable.
    Pure,
    /// It may fail or diverge, but does so every time.
    MayFail,
    /// It may perform an effect or leave the function.
    Effectful,
}

/// A term apart from its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeHead {
    Int(BigInt),
    /// Its bits, so that `0.0` and `-0.0` differ and NaNs are comparable.
    Float(u64),
    Bool(bool),
    Char(char),
    Str(Arc<str>),
    /// Numbers are compared only within one function, so locals of different functions may share
    /// one.
    Local(LocalId),
    Constant(ConstId),
    Function(FunctionId, Box<[TyId]>),
    Closure(FunctionId),
    Call(FunctionId, Box<[TyId]>),
    CallValue,
    Builtin(BuiltinId, Box<[TyId]>),
    Perform(OpId, Box<[TyId]>),
    Rel(RelId),
    Tuple,
    /// Its elements.
    List,
    /// Its elements, then the list they are prepended to.
    ListBefore,
    Construct(CtorId),
    Field(u32),
    Update(Box<[u32]>),
    If,
    And,
    Or,
    /// Evaluates the first part, and yields the second.
    Then,
    /// The pattern of each arm, and whether it has a guard.
    Match(Box<[(PatternId, bool)]>),
    /// The pattern of each statement that has one.
    Block(Box<[Option<PatternId>]>),
    /// Whether it unwraps an `Option`.
    Try(bool),
    Refine(TyId),
    Throws(Box<[FailureKind]>),
    Under(Box<[(Option<OpId>, Option<WorldId>)]>),
    Par(bool),
    Sample(LocalId),
    Other(Discriminant<Term>),
    /// A term of a form that is not known here.
    Unknown(TermId),
}
