//! The program: modules, types, effects, functions, constants and claims, each in a table indexed
//! by its id type.

use std::collections::BTreeMap;

use gainsay_source::{FileId, Span};

use crate::attributes::{ConstructorWeight, FunctionAttributes};
use crate::body::Body;
use crate::claim::{Claim, Profile, Rel, TraceTest, World};
use crate::id::{
    ClaimId, ConstId, CtorId, EffectId, FunctionId, LocalId, ModuleId, OpId, RelId, RowId,
    TermId, TyId, TypeId, WorldId,
};
use crate::term::Term;
use crate::ty::TypeTable;

/// Everything that was checked together.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// All types and rows.
    pub types: TypeTable,
    /// Modules, those of the standard library first.
    pub modules: Vec<Module>,
    /// Sums and records.
    pub nominals: Vec<TypeDef>,
    /// Constructors; those of one type are adjacent, in declared order.
    pub ctors: Vec<Ctor>,
    /// Effect namespaces.
    pub effects: Vec<Effect>,
    /// Operations; those of one effect are adjacent, in declared order.
    pub ops: Vec<Operation>,
    /// Functions.
    pub functions: Vec<Function>,
    /// Constants; none depends on itself.
    pub constants: Vec<Constant>,
    /// Relations.
    pub rels: Vec<Rel>,
    /// Declared worlds.
    pub worlds: Vec<World>,
    /// Declared profiles.
    pub profiles: Vec<Profile>,
    /// The generator that the program declares for a type: `@generator fn ..`.
    pub generators: BTreeMap<TyId, FunctionId>,
    /// Claims, in source order.
    pub claims: Vec<Claim>,
    /// What the tests against trace specifications follow, by the number that they pass to `Walk`.
    pub trace_tests: Vec<TraceTest>,
    /// The standard library items that the language refers to.
    pub lang: LangItems,
}

/// A module.
#[derive(Debug, Clone)]
pub struct Module {
    /// Its name: that of its file.
    pub name: Box<str>,
    /// Its text.
    pub file: FileId,
    /// Whether it belongs to the standard library.
    pub is_std: bool,
}

/// A sum or record.
#[derive(Debug, Clone)]
pub struct TypeDef {
    /// Its name.
    pub name: Box<str>,
    /// The module that declares it.
    pub module: ModuleId,
    /// The location of its name.
    pub span: Span,
    /// Names of its parameters.
    pub params: Box<[Box<str>]>,
    /// Sum or record.
    pub shape: Shape,
    /// Its constructors; exactly one for a record.
    pub ctors: Box<[CtorId]>,
    /// What `@weights` says, if it is there: of each constructor, or nothing of it.
    pub weights: Option<Box<[Option<ConstructorWeight>]>>,
}

/// How a nominal type is written.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum Shape {
    /// `A | B(..)`.
    Sum,
    /// `{ field: T }`.
    Record,
}

/// A constructor.
#[derive(Debug, Clone)]
pub struct Ctor {
    /// Its name; that of the type for a record.
    pub name: Box<str>,
    /// The type it makes.
    pub ty: TypeId,
    /// Its position among the constructors of its type.
    pub tag: u32,
    /// Its fields.
    pub fields: Box<[Field]>,
    /// The location of its name.
    pub span: Span,
}

/// A field of a constructor or record.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name, if it has one.
    pub name: Option<Box<str>>,
    /// Its type, over the parameters of the type it belongs to.
    pub ty: TyId,
    /// The location of its declaration.
    pub span: Span,
}

/// An effect namespace.
#[derive(Debug, Clone)]
pub struct Effect {
    /// Its name.
    pub name: Box<str>,
    /// The module that declares it.
    pub module: ModuleId,
    /// The location of its name.
    pub span: Span,
    /// Its operations.
    pub ops: Box<[OpId]>,
    /// Whether it is a system: something outside answers its operations while claims run.
    pub is_system: bool,
}

/// How an operation answers, which decides how it is stubbed.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum OperationKind {
    /// The same answer throughout a run.
    Snapshot,
    /// A new answer for each call.
    Generative,
    /// No answer: it only has an effect.
    Output,
    /// It has an effect and an answer.
    GenerativeOutput,
}

impl OperationKind {
    /// Whether stubs can answer such operations.
    pub fn is_stubbable(self) -> bool {
        match self {
            Self::Snapshot | Self::Generative | Self::GenerativeOutput => true,
            Self::Output => false,
        }
    }

    /// Whether stubs receive the path and the call count before the arguments.
    pub fn stub_takes_path_and_count(self) -> bool {
        match self {
            Self::Generative | Self::GenerativeOutput => true,
            Self::Snapshot | Self::Output => false,
        }
    }
}

/// An operation of an effect.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Its name.
    pub name: Box<str>,
    /// The effect it belongs to.
    pub effect: EffectId,
    /// How many type parameters it has.
    pub n_type_params: u32,
    /// Parameter names and types.
    pub params: Box<[(Box<str>, TyId)]>,
    /// The result type.
    pub result: TyId,
    /// How it answers.
    pub kind: OperationKind,
    /// The location of its name.
    pub span: Span,
}

/// The origin of a function.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum FunctionKind {
    /// Declared with `fn`.
    Declared,
    /// A lambda, or another part that becomes a closure (`throws`, `under`, a branch of `par`), of
    /// a function.
    Lambda(FunctionId),
    /// The predicate of a refinement type.
    Refinement,
    /// The value of a constant.
    Constant,
    /// The body of a test, or a part of a verify block, world or rule.
    Claim,
}

/// A function.
///
/// The semantics of a call: one step; a new frame; each argument is checked against the refinements
/// of its parameter type, then `requires`; the body; the result is checked against the refinements
/// of its type, then `ensures`. A call in tail position (which includes the right operand of `&&`
/// and `||`) replaces the frame if the caller checks nothing on its result.
///
/// Memory is charged for what is allocated: constructors, tuples and closures with fields, lists,
/// texts, and integers outside `-2^62 <= n < 2^62`; those inside are free.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name; lambdas and the like are named after the enclosing declaration.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// The location of its name, or of the lambda.
    pub span: Span,
    /// Its origin.
    pub kind: FunctionKind,
    /// Names of the type parameters. A lambda shares those of its parent.
    pub type_params: Box<[Box<str>]>,
    /// Names of the effect parameters. A lambda shares those of its parent.
    pub effect_params: Box<[Box<str>]>,
    /// How many of the parameters are captures.
    pub n_captures: u32,
    /// Parameters, captures first; locals `0..params.len()` of the body.
    pub params: Box<[Param]>,
    /// The type of the result, with refinements.
    pub result: TyId,
    /// The effects a call may perform.
    pub row: RowId,
    /// `in` clauses.
    pub requires: Box<[Clause]>,
    /// `out` clauses.
    pub ensures: Box<[Clause]>,
    /// The terms it evaluates.
    pub body: Body,
    /// Annotations.
    pub attributes: FunctionAttributes,
}

impl Function {
    /// Whether the body is an `across` and nothing else, as that of a property with conditions on its
    /// parameters.
    pub fn is_across(&self) -> bool {
        let root = self.body.root.map(|it| self.body.term(it));
        self.params.is_empty() && matches!(root, Some(Term::Across { .. }))
    }
}

/// A parameter.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: Box<str>,
    /// Its type, with refinements.
    pub ty: TyId,
    /// Its location.
    pub span: Span,
}

/// A clause of a contract: a term of the function's body.
#[derive(Debug, Clone)]
pub struct Clause {
    /// The condition.
    pub term: TermId,
    /// The local bound to the result, in an `out` clause that names it.
    pub result: Option<LocalId>,
    /// Its location.
    pub span: Span,
}

/// A constant.
#[derive(Debug, Clone)]
pub struct Constant {
    /// Its name.
    pub name: Box<str>,
    /// The module it is in.
    pub module: ModuleId,
    /// Its type, with refinements.
    pub ty: TyId,
    /// The function without parameters that computes it.
    pub function: FunctionId,
    /// The location of its name.
    pub span: Span,
}

/// The standard library items that the language refers to.
#[derive(Debug, Copy, Clone, Default)]
pub struct LangItems {
    /// `Option`.
    pub option: Option<TypeId>,
    /// `Result`.
    pub result: Option<TypeId>,
    /// `Some`.
    pub some: Option<CtorId>,
    /// `None`.
    pub none: Option<CtorId>,
    /// `Ok`.
    pub ok: Option<CtorId>,
    /// `Err`.
    pub err: Option<CtorId>,
}

macro_rules! lookup {
    ($($(#[$doc:meta])* $name:ident: $id:ty => $table:ident -> $item:ty;)+) => {
        impl Program {
            $($(#[$doc])*
            pub fn $name(&self, id: $id) -> &$item {
                &self.$table[id.index()]
            })+
        }
    };
}

lookup! {
    /// A module.
    module: ModuleId => modules -> Module;
    /// A sum or record.
    nominal: TypeId => nominals -> TypeDef;
    /// A constructor.
    ctor: CtorId => ctors -> Ctor;
    /// An effect namespace.
    effect: EffectId => effects -> Effect;
    /// An operation.
    op: OpId => ops -> Operation;
    /// A function.
    function: FunctionId => functions -> Function;
    /// A constant.
    constant: ConstId => constants -> Constant;
    /// A claim.
    claim: ClaimId => claims -> Claim;
    /// A relation.
    rel: RelId => rels -> Rel;
    /// A declared world.
    world: WorldId => worlds -> World;
}

impl Program {
    /// The ids of all claims, in order.
    pub fn claim_ids(&self) -> impl Iterator<Item = ClaimId> + use<> {
        (0..self.claims.len() as u32).map(ClaimId)
    }

    /// The full name of an operation, as in `Random.int`.
    pub fn op_name(&self, id: OpId) -> String {
        let op = self.op(id);
        format!("{}.{}", self.effect(op.effect).name, op.name)
    }

    /// The function that a term calls, references as a value, or evaluates as a constant.
    pub fn referenced_function(&self, term: &Term) -> Option<FunctionId> {
        if let Term::Constant(constant) = term {
            return Some(self.constant(*constant).function);
        }
        term.function()
    }

    /// The declared function with a name in a module.
    pub fn find_function(&self, module: ModuleId, name: &str) -> Option<FunctionId> {
        let found = self.functions.iter().position(|it| {
            it.module == module && it.kind == FunctionKind::Declared && &*it.name == name
        });
        found.map(|at| FunctionId(at as u32))
    }
}
