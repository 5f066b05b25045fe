//! The nodes that terms become.

use std::mem::Discriminant;
use std::sync::Arc;

use gainsay_core::{
    BuiltinId, ConstId, CtorId, FailureKind, FunctionId, LocalId, OpId, PatternId, RelId, Term,
    TyId, WorldId,
};
use num_bigint::BigInt;

use super::ValueNumber;

/// A term: what it is, and what its parts mean.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ValueNode {
    pub(super) head: NodeHead,
    pub(super) parts: Box<[ValueNumber]>,
}

/// What may happen when a term is evaluated; more than what comes before.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermEffects {
    /// It has a value, and nobody can tell whether it was asked for.
    Pure,
    /// It may fail or go on forever, but it does so each time.
    MayFail,
    /// It may do something, or leave the function.
    Effectful,
}

/// What a term is apart from its parts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum NodeHead {
    Int(BigInt),
    /// Its bits.
    Float(u64),
    Bool(bool),
    Char(char),
    Str(Arc<str>),
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
    /// Its elements, then the list they are put before.
    ListBefore,
    Construct(CtorId),
    Field(u32),
    Update(Box<[u32]>),
    If,
    And,
    Or,
    /// The first is evaluated, and the second is the value.
    Then,
    /// The pattern of each arm, and whether it has a guard.
    Match(Box<[(PatternId, bool)]>),
    /// The pattern of each statement that has one.
    Block(Box<[Option<PatternId>]>),
    /// Whether it looks into an `Option`.
    Try(bool),
    Refine(TyId),
    Throws(Box<[FailureKind]>),
    Under(Box<[(Option<OpId>, Option<WorldId>)]>),
    Par(bool),
    Sample(LocalId),
    Other(Discriminant<Term>),
}
