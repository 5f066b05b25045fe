//! Claims, relations and worlds: what is said of a program.
//!
//! Each part that is evaluated on its own is a function of kind `Claim`, so that engines need
//! to know only functions.

use gainsay_source::Span;

use crate::body::Body;
use crate::id::{FunctionId, LocalId, ModuleId, OpId, TermId, TyId, WorldId};
use crate::program::Param;
use crate::term::TryKind;

/// Something that must hold.
#[derive(Debug, Clone)]
pub struct Claim {
    /// What it is called.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// Where its name stands.
    pub span: Span,
    /// What kind of claim it is.
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

/// What `@property(..)` says.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub struct PropertySettings {
    /// How many cases; the run decides when absent.
    pub cases: Option<u64>,
    /// Exactly this one case.
    pub seed: Option<u64>,
    /// How many steps a case may take; the run decides when absent.
    pub steps: Option<u64>,
}

/// A `verify` block. Its functions take the given values, then the values of the `let`s
/// before them.
#[derive(Debug, Clone)]
pub struct VerifyBlock {
    /// The function the block is about.
    pub function: FunctionId,
    /// Cases or law.
    pub form: VerifyForm,
    /// Whether calls of the function give `.result` and `.trace`.
    pub traced: bool,
    /// The inputs and worlds, the last varying fastest.
    pub givens: Box<[Given]>,
    /// Which combinations count.
    pub when: Option<FunctionId>,
    /// Evaluated once per case.
    pub lets: Box<[(Param, FunctionId)]>,
    /// What must hold; exactly one in a law.
    pub assertions: Box<[Assertion]>,
}

/// Examples or a universal claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerifyForm {
    /// Exactly the cases written.
    Cases,
    /// A law with a name; given values are hints.
    Law(Box<str>),
}

/// One `given` line.
#[derive(Debug, Clone)]
pub struct Given {
    /// The name it binds; empty for a world.
    pub name: Box<str>,
    /// The type of what is bound, with refinements; the stub's function type for an effect.
    pub ty: TyId,
    /// What it ranges over.
    pub source: GivenSource,
    /// Where it stands.
    pub span: Span,
}

/// What a `given` ranges over.
#[derive(Debug, Clone)]
pub enum GivenSource {
    /// A list: a function without parameters that computes it.
    Values(FunctionId),
    /// An Int range: functions without parameters for its ends.
    Range {
        /// The first.
        from: FunctionId,
        /// The last, or one past it.
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
    /// Whether there is a `?` on the left side, which then gives an `Option` or `Result` whose
    /// content is compared.
    pub lhs_try: Option<TryKind>,
    /// The right side.
    pub rhs: FunctionId,
    /// Where it stands.
    pub span: Span,
}

/// A declared world: operations and the closed functions that compute their stubs.
#[derive(Debug, Clone)]
pub struct World {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// Where its name stands.
    pub span: Span,
    /// Who answers what.
    pub stubs: Box<[(OpId, FunctionId)]>,
}

/// A stub that hostility uses: `@profile(Mailer.send) fn ..`.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Its name.
    pub name: Box<str>,
    /// What it answers.
    pub op: OpId,
    /// The function.
    pub function: FunctionId,
    /// Where the annotation stands.
    pub span: Span,
}

/// A relation given by inference rules.
#[derive(Debug, Clone)]
pub struct Rel {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// Where its name stands.
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
    /// Where its label stands.
    pub span: Span,
    /// The terms below; `root` is unused.
    pub body: Body,
    /// How often a generator takes it.
    pub weight: Option<TermId>,
    /// One term per argument of the relation, in the shape of a pattern; `None` is `_`.
    pub conclusion: Box<[Option<TermId>]>,
    /// What must hold above the line: relation checks or truth values.
    pub premises: Box<[TermId]>,
    /// Locals that stand for a `_` inside a term.
    pub anonymous: Box<[LocalId]>,
}
