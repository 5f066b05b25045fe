//! Recipes: how values that satisfy a predicate are drawn, part by part.
//!
//! A recipe has one bundle for each set of goals about one structure. `gainsay-gen` writes each
//! bundle as a function that draws.

use gainsay_core::{Comparison, CtorId, TyId};

use super::term::SymVar;

/// How the unknowns of a query are drawn. The first bundle draws the inputs.
#[derive(Debug, Clone)]
pub struct GeneratorRecipe {
    /// A function for each.
    pub bundles: Vec<RecipeBundle>,
}

/// A bundle, by its position in [`GeneratorRecipe::bundles`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct BundleId(pub u32);

impl BundleId {
    /// The bundle of the inputs.
    pub const INPUTS: BundleId = BundleId(0);

    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a bundle makes.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum BundleKind {
    /// The unknowns of the query.
    Inputs,
    /// Values of a sum type.
    Sum(TyId),
    /// Lists.
    List(TyId),
    /// Solutions of goals that look into known values only: they are counted, and one is picked.
    Solutions,
}

/// All goals about one structure.
#[derive(Debug, Clone)]
pub struct RecipeBundle {
    /// What it makes.
    pub kind: BundleKind,
    /// The types of what it is given.
    pub params: Vec<TyId>,
    /// The types of the results that it returns with the structure.
    pub results: Vec<TyId>,
    /// Its alternatives.
    pub rules: Vec<RecipeRule>,
    /// Whether it may end without a value.
    pub may_die: bool,
}

/// An alternative: a constructor, and what is drawn for it.
#[derive(Debug, Clone)]
pub struct RecipeRule {
    /// The position of the constructor; of lists, 0 is the empty one.
    pub constructor: usize,
    /// How soon it ends, compared with other alternatives: by the height of its shallowest value.
    pub end_rank: u32,
    /// Whether it draws structures of any size.
    pub is_recursive: bool,
    /// The types of its variables; the parameters come first.
    pub vars: Vec<TyId>,
    /// The known values that must have a constructor, in an order in which each is known.
    pub matches: Vec<RecipeMatch>,
    /// What must hold of what is known for it to be possible.
    pub admission: Vec<RecipeTest>,
    /// What it draws, in order.
    pub steps: Vec<RecipeStep>,
    /// The structure, or the inputs.
    pub values: Vec<RecipeExpr>,
    /// The results that are returned with it.
    pub results: Vec<RecipeExpr>,
    /// Whether it may turn out to be impossible after it was chosen.
    pub may_die: bool,
}

/// A known value that must have a constructor.
#[derive(Debug, Clone, PartialEq)]
pub struct RecipeMatch {
    /// The value.
    pub var: SymVar,
    /// What it must be.
    pub pattern: RecipePattern,
    /// The number of constructors of its type.
    pub n_constructors: usize,
}

/// A constructor, and the variables of its fields.
#[derive(Debug, Clone, PartialEq)]
pub enum RecipePattern {
    /// A constructor.
    Data(CtorId, Vec<SymVar>),
    /// A tuple.
    Tuple(Vec<SymVar>),
    /// The empty list.
    Nil,
    /// A first element, and a rest.
    Cons(SymVar, SymVar),
}

impl RecipePattern {
    /// The variables.
    pub fn vars(&self) -> Vec<SymVar> {
        match self {
            RecipePattern::Data(_, fields) | RecipePattern::Tuple(fields) => fields.clone(),
            RecipePattern::Nil => Vec::new(),
            RecipePattern::Cons(first, rest) => vec![*first, *rest],
        }
    }

    /// Whether two patterns are for the same constructor.
    pub fn is_alike(&self, other: &RecipePattern) -> bool {
        match (self, other) {
            (RecipePattern::Data(a, _), RecipePattern::Data(b, _)) => a == b,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }

    /// Whether a variable is one of a field.
    pub fn binds(&self, var: SymVar) -> bool {
        self.vars().contains(&var)
    }
}

/// What is done in an alternative.
#[derive(Debug, Clone)]
pub enum RecipeStep {
    /// Goes on only if a test holds.
    Test(RecipeTest),
    /// Draws an integer.
    Int(SymVar, IntBounds),
    /// Draws a structure with a bundle.
    Part(PartStep),
    /// Draws any value of the type of the variable.
    Any(SymVar, SizePath),
    /// Picks one of the solutions of a bundle.
    Pick(PickStep),
}

/// One of the solutions of goals that look into known values.
#[derive(Debug, Clone)]
pub struct PickStep {
    /// The bundle.
    pub bundle: BundleId,
    /// What the bundle is given.
    pub args: Vec<RecipeExpr>,
    /// The variables for the solution.
    pub results: Vec<SymVar>,
}

/// A structure that a bundle draws.
#[derive(Debug, Clone)]
pub struct PartStep {
    /// The variable.
    pub var: SymVar,
    /// The bundle.
    pub bundle: BundleId,
    /// What the bundle is given.
    pub args: Vec<RecipeExpr>,
    /// The variables for its results.
    pub results: Vec<SymVar>,
    /// Its share of the size.
    pub size: SizePath,
}

/// How a part gets its share of the size: from the outermost constructor inwards.
pub type SizePath = Vec<SizeShare>;

/// The share of one part.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SizeShare {
    /// A field of a constructor with so many parts that need a size.
    Field(u32),
    /// An element of a tuple with so many parts that need a size.
    Element(u32),
    /// An element of a list whose elements need a size.
    Item,
    /// The rest of a list; whether the elements need a size.
    Rest(bool),
    /// A value that is no part of the structure, such as the type of an argument: a small one.
    Witness,
}

/// The bounds of an integer: it satisfies all of them.
#[derive(Debug, Clone, Default)]
pub struct IntBounds {
    /// Lower bounds, inclusive.
    pub lo: Vec<RecipeExpr>,
    /// Upper bounds, inclusive.
    pub hi: Vec<RecipeExpr>,
    /// Values that it does not have.
    pub excluded: Vec<RecipeExpr>,
    /// Lists of such values.
    pub excluded_lists: Vec<RecipeExpr>,
}

/// A test of what is known.
#[derive(Debug, Clone, PartialEq)]
pub enum RecipeTest {
    /// A comparison of integers.
    Compare(Comparison, RecipeExpr, RecipeExpr),
    /// A boolean has a value.
    Is(RecipeExpr, bool),
    /// An integer is not in a list.
    NotIn(RecipeExpr, RecipeExpr),
    /// No lower bound is above an upper one.
    Room(Vec<RecipeExpr>, Vec<RecipeExpr>),
    /// Two values of a type are equal.
    Equal(RecipeExpr, RecipeExpr, TyId),
    /// A bundle that picks has a solution.
    Solvable(BundleId, Vec<RecipeExpr>),
}

/// A term of what is known.
#[derive(Debug, Clone, PartialEq)]
pub enum RecipeExpr {
    /// A parameter, or what was drawn.
    Var(SymVar),
    /// An integer.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A sum of multiples of integers, and a constant.
    Linear(Vec<(i64, RecipeExpr)>, i64),
    /// The largest.
    Max(Vec<RecipeExpr>),
    /// The smallest.
    Min(Vec<RecipeExpr>),
    /// A constructor.
    Data(CtorId, Vec<RecipeExpr>),
    /// A tuple.
    Tuple(Vec<RecipeExpr>),
    /// A list, and what it is put before.
    List(Vec<RecipeExpr>, Option<Box<RecipeExpr>>),
}

impl RecipeExpr {
    /// Calls `visit` with each variable.
    pub fn each_var(&self, visit: &mut dyn FnMut(SymVar)) {
        match self {
            RecipeExpr::Var(var) => visit(*var),
            RecipeExpr::Int(_) | RecipeExpr::Bool(_) => {}
            RecipeExpr::Linear(parts, _) => parts.iter().for_each(|it| it.1.each_var(visit)),
            RecipeExpr::Max(parts) | RecipeExpr::Min(parts) => {
                parts.iter().for_each(|it| it.each_var(visit));
            }
            RecipeExpr::Data(_, parts) | RecipeExpr::Tuple(parts) => {
                parts.iter().for_each(|it| it.each_var(visit));
            }
            RecipeExpr::List(parts, rest) => {
                parts.iter().chain(rest.as_deref()).for_each(|it| it.each_var(visit));
            }
        }
    }
}

impl RecipeTest {
    /// Calls `visit` with each variable.
    pub fn each_var(&self, visit: &mut dyn FnMut(SymVar)) {
        match self {
            RecipeTest::Solvable(_, args) => args.iter().for_each(|it| it.each_var(visit)),
            RecipeTest::Compare(_, a, b)
            | RecipeTest::NotIn(a, b)
            | RecipeTest::Equal(a, b, _) => {
                a.each_var(visit);
                b.each_var(visit);
            }
            RecipeTest::Is(it, _) => it.each_var(visit),
            RecipeTest::Room(lo, hi) => lo.iter().chain(hi).for_each(|it| it.each_var(visit)),
        }
    }
}
