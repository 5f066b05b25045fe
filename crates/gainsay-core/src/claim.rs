//! Claims, relations and worlds.
//!
//! Each part of a claim that is evaluated on its own is a function of kind `Claim`, so that engines
//! only deal with functions.

use gainsay_source::Span;

use crate::body::Body;
use crate::id::{FunctionId, LocalId, ModuleId, OpId, TermId, TyId, TypeId, WorldId};
use crate::program::Param;
use crate::term::TryKind;

/// A claim about a program.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// The location of its name.
    pub span: Span,
    /// Its kind.
    pub kind: ClaimKind,
    /// Why it is not run: `@ignore(reason = "..")`.
    pub ignore: Option<Box<str>>,
}

/// The kinds of claim.
#[derive(Debug, Clone)]
pub enum ClaimKind {
    /// `test "name" { .. }`: a function without parameters.
    Test(FunctionId),
    /// `@property fn`.
    Property(FunctionId, PropertySettings),
    /// `verify`.
    Verify(VerifyBlock),
}

/// What a test against a trace specification follows. It is kept as text: core knows nothing of
/// rules and goals.
#[derive(Debug, Clone)]
pub struct TraceTest {
    /// The function of the test.
    pub function: FunctionId,
    /// The specifications of the module that declares the one of the test, and its types.
    pub source: std::sync::Arc<str>,
    /// The name of the specification.
    pub spec: Box<str>,
    /// The goal; without one, anything that the specification allows happens.
    pub goal: Option<Box<str>>,
    /// The type of events.
    pub event: TypeId,
    /// The location of the goal.
    pub span: Span,
}

/// The arguments of `@property(..)`.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct PropertySettings {
    /// The number of cases; the run decides if absent.
    pub cases: Option<u64>,
    /// Run only the case with this seed.
    pub seed: Option<u64>,
    /// The maximum number of steps per case; the run decides if absent.
    pub steps: Option<u64>,
}

/// A `verify` block. Its functions take the given values, then the values of the preceding `let`s.
#[derive(Debug, Clone)]
pub struct VerifyBlock {
    /// The function the block is about.
    pub function: FunctionId,
    /// Cases or law.
    pub form: VerifyForm,
    /// Whether calls of the function return `.result` and `.trace`.
    pub traced: bool,
    /// The inputs and worlds; the last one varies fastest.
    pub givens: Box<[Given]>,
    /// The precondition on combinations of given values.
    pub when: Option<FunctionId>,
    /// Evaluated once per case.
    pub lets: Box<[(Param, FunctionId)]>,
    /// The assertions; exactly one in a law.
    pub assertions: Box<[Assertion]>,
}

/// Examples, or a universal claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyForm {
    /// Exactly the cases written.
    Cases,
    /// A law with a name; the given values are examples, not the whole domain.
    Law(Box<str>),
}

/// One `given` line.
#[derive(Debug, Clone)]
pub struct Given {
    /// The name it binds; empty for a world.
    pub name: Box<str>,
    /// The type of the binding, with refinements; for an effect, the function type of the stub.
    pub ty: TyId,
    /// The values it ranges over.
    pub source: GivenSource,
    /// Its location.
    pub span: Span,
}

/// The values that a `given` ranges over.
#[derive(Debug, Clone)]
pub enum GivenSource {
    /// A list: a function without parameters that computes it.
    Values(FunctionId),
    /// An Int range: functions without parameters for its ends.
    Range {
        /// The first value.
        from: FunctionId,
        /// The last value, or one past it.
        to: FunctionId,
        /// `..=`.
        inclusive: bool,
    },
    /// Stubs of an operation: a function without parameters that computes the list of them.
    Stubs(OpId, FunctionId),
    /// A declared world.
    World(WorldId),
}

/// `lhs => rhs`.
#[derive(Debug, Clone)]
pub struct Assertion {
    /// The left side.
    pub lhs: FunctionId,
    /// Set if the left side contains a `?`; it then returns an `Option` or `Result` whose payload
    /// is compared.
    pub lhs_try: Option<TryKind>,
    /// The right side.
    pub rhs: FunctionId,
    /// Its location.
    pub span: Span,
}

/// A declared world: operations and the closed functions that compute their stubs.
#[derive(Debug, Clone)]
pub struct World {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// The location of its name.
    pub span: Span,
    /// The stubbed operations, with the functions that compute the stubs.
    pub stubs: Box<[(OpId, FunctionId)]>,
}

/// A hostile stub: `@profile(Mailer.send) fn ..`.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Its name.
    pub name: Box<str>,
    /// The operation it answers.
    pub op: OpId,
    /// The function.
    pub function: FunctionId,
    /// The location of the annotation.
    pub span: Span,
}

/// A relation given by inference rules.
#[derive(Debug, Clone)]
pub struct Rel {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// The location of its name.
    pub span: Span,
    /// Names of its type parameters.
    pub type_params: Box<[Box<str>]>,
    /// Its arguments.
    pub params: Box<[Param]>,
    /// Its rules.
    pub rules: Box<[Rule]>,
}

/// One inference rule. Its variables are the locals of its body.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its label.
    pub name: Box<str>,
    /// The location of its label.
    pub span: Span,
    /// The terms of weight, conclusion and premises; `root` is unused.
    pub body: Body,
    /// How often a generator picks the rule.
    pub weight: Option<TermId>,
    /// One term per argument of the relation, in the form of a pattern; `None` is `_`.
    pub conclusion: Box<[Option<TermId>]>,
    /// The premises: relation checks or conditions.
    pub premises: Box<[TermId]>,
    /// Locals that represent a `_` inside a term.
    pub anonymous: Box<[LocalId]>,
}
