//! The result of lowering: two programs, and the facts about them that a runner needs.

use std::sync::{Arc, OnceLock};

use gainsay_choice::{EdgeCase, KindId, KindTable, SpanLabel, SpanLabels, TextKind};
use gainsay_core::{ClaimId, CtorId, FunctionId, Program, TyId};
use gainsay_solve::SolverQuery;
use gainsay_source::Span;
use gainsay_synth::TracePlan;

use crate::draw_effect::DrawOps;
use crate::hostile::HostilePlan;

/// A program whose claims can be run case by case.
#[derive(Debug, Clone)]
pub struct LoweredProgram {
    /// For searching: draws, and reports nothing.
    pub search: Arc<Program>,
    /// For everything else: the same draws in the same order, with spans and the values of inputs.
    pub record: Arc<Program>,
    /// The kinds of all draws.
    pub kinds: KindTable,
    /// The labels of all spans.
    pub labels: SpanLabels,
    /// The operations that a runner handles.
    pub ops: DrawOps,
    /// For each claim the function without parameters that runs one case of it; none for `verify`.
    pub entries: Vec<Option<FunctionId>>,
    /// Each `across`, and each property; the argument of `Draw.across` is an index into this.
    pub sites: Vec<InputSite>,
    /// Each place that rejects values; the argument of `Draw.reject` is an index into this.
    pub filters: Vec<RejectionFilter>,
    /// Kinds of texts; the argument of `Draw.text` is an index into this.
    pub texts: Vec<TextKind>,
    /// Containers; the first argument of `Draw.element` is an index into this.
    pub containers: Vec<ContainerKind>,
    /// Types of generated functions; the argument of `Draw.function` is an index into this.
    pub functions: Vec<TyId>,
    /// Predicates whose unknowns a solver finds; the first argument of `Draw.narrow` is an index
    /// into this.
    pub queries: Vec<NarrowedQuery>,
    /// What the tests against specifications follow, found when the first case needs it.
    pub trace_tests: Vec<Arc<OnceLock<Option<TracePlan>>>>,
    /// The shapes of the values that solvers find.
    pub value_shapes: Vec<ValueShape>,
    /// For each requested sample a function without parameters that draws one, or why there is
    /// none.
    pub samples: Vec<Result<FunctionId, NoGenerator>>,
    /// For each claim that is a law its hostile plan; empty if not requested.
    pub hostile_plans: Vec<Option<HostilePlan>>,
    /// For each claim that is a law the function without parameters that runs one explored case of
    /// it; none if not requested.
    pub explored_laws: Vec<Option<FunctionId>>,
    /// The same, in generated worlds.
    pub generated_world_laws: Vec<Option<FunctionId>>,
}

/// A predicate whose unknowns a solver finds.
#[derive(Debug, Clone)]
pub struct NarrowedQuery {
    /// The predicate, compiled for the solver.
    pub solver: Arc<SolverQuery>,
    /// The source span of the predicate.
    pub span: Span,
    /// Its arguments that are to be found, in order; those before them are known.
    pub unknowns: Vec<QueryUnknown>,
    /// The kind of integers.
    pub integers: KindId,
    /// The kind of characters.
    pub characters: KindId,
    /// The kind for "one more?" of lists.
    pub more: KindId,
    /// The shapes of types that the solver does not look into.
    pub opaque: Vec<(TyId, ValueShapeId)>,
    /// Whether it was proved, when a generator was derived, that no value satisfies it.
    pub is_empty: bool,
}

/// An argument that is to be found.
#[derive(Debug, Clone)]
pub struct QueryUnknown {
    /// The input that it is, with the label of its span; `None` for the value of a refinement.
    pub input: Option<(u32, SpanLabel)>,
    /// How it is read and stated.
    pub shape: ValueShapeId,
}

/// A shape: an index into [`LoweredProgram::value_shapes`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, Hash)]
pub struct ValueShapeId(pub u32);

impl ValueShapeId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// An input site, by its position in [`LoweredProgram::sites`].
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

impl SiteId {
    /// The position.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// How values of a type are read from choices and stated as choices.
#[derive(Debug, Clone)]
pub enum ValueShape {
    /// An integer.
    Int(KindId),
    /// A float.
    Float(KindId),
    /// A boolean.
    Bool(KindId),
    /// A character.
    Char(KindId),
    /// A text: an index into [`LoweredProgram::texts`].
    Text(usize),
    /// A tuple.
    Tuple(Box<[ValueShapeId]>),
    /// A list.
    List(ContainerShape, ValueShapeId),
    /// A set.
    Set(ContainerShape, ValueShapeId),
    /// A map.
    Map(ContainerShape, ValueShapeId, ValueShapeId),
    /// A sum: the choice of a constructor if there are several, and the constructors, those that
    /// end soonest first.
    Sum(Option<KindId>, Box<[(CtorId, Box<[FieldShape]>)]>),
}

/// The choices of a container.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct ContainerShape {
    /// The kind of "one more?".
    pub more: KindId,
    /// The label of the span around an element.
    pub element: SpanLabel,
}

/// A field of a constructor.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct FieldShape {
    /// The label of its span, if it has a name.
    pub label: Option<SpanLabel>,
    /// The shape of its values.
    pub shape: ValueShapeId,
}

impl LoweredProgram {
    /// An input site.
    pub fn site(&self, id: SiteId) -> &InputSite {
        &self.sites[id.index()]
    }

    /// All input sites with their ids.
    pub fn numbered_sites(&self) -> impl Iterator<Item = (SiteId, &InputSite)> {
        (0..).map(SiteId).zip(&self.sites)
    }
}

/// A place where inputs are drawn: an `across`, or a property.
#[derive(Debug, Clone)]
pub struct InputSite {
    /// The claims that come to it, in order. More than one for an `across` in a
    /// function that several claims call.
    pub claims: Vec<ClaimId>,
    /// Its location.
    pub span: Span,
    /// The number of cases that the source requests.
    pub cases: Option<u64>,
    /// The seed of the only case that the source requests.
    pub seed: Option<u64>,
    /// Its inputs.
    pub binders: Vec<InputBinder>,
    /// The filters that can reject values while the inputs are drawn, as indices into
    /// [`LoweredProgram::filters`]. Those of handwritten generators are not included.
    pub filters: Vec<usize>,
    /// An upper bound of the number of inputs, if they are few.
    pub n_inputs: Option<u64>,
    /// Whether its body may reach another `across`, whose inputs are then further inputs of the
    /// same case.
    pub may_nest: bool,
    /// Whether the search program reports the values of its inputs (`Draw.value`): different draws
    /// may give the same value, because of a handwritten generator or a filter.
    pub reports_values: bool,
    /// Cases in which one input is at an edge of its type. They run first.
    pub edge_cases: Arc<[Arc<EdgeCase>]>,
    /// The condition of its inputs, and how inputs are found that satisfy it.
    pub condition: Option<(Span, ConditionWay)>,
    /// Why nothing can be drawn here.
    pub no_generator: Option<NoGenerator>,
}

/// How inputs are found that satisfy a condition.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum ConditionWay {
    /// They are drawn from the set that the condition describes.
    Solved,
    /// A solver finds them.
    Narrowed,
    /// They are drawn and rejected.
    Filtered,
}

/// An input.
#[derive(Debug, Clone)]
pub struct InputBinder {
    /// Its number across all sites: the first argument of `Draw.given` and `Draw.bound`.
    pub id: u32,
    /// Its name.
    pub name: Box<str>,
    /// Its type, with refinements; in the table of the lowered programs.
    pub ty: TyId,
    /// Where it is bound.
    pub span: Span,
}

/// A place that rejects values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectionFilter {
    /// Its source span.
    pub span: Span,
    /// Why it rejects values.
    pub why: FilterReason,
}

/// Why values are rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterReason {
    /// A refinement that could not be solved: its predicate.
    Refinement(FunctionId),
    /// A set or map needs more distinct elements.
    Duplicate(TyId),
}

/// A container whose elements are drawn one after another.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct ContainerKind {
    /// The kind of the draw for "one more?".
    pub more: KindId,
    /// The label of the span around an element.
    pub element: SpanLabel,
}

/// Why there is no generator for a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGenerator {
    /// The type has no values.
    NoValue(TyId),
    /// Calls of the function perform effects, which cannot be generated.
    EffectfulFunction(TyId),
    /// The function takes functions, which cannot be compared to memoize its results.
    FunctionOfFunctions(TyId),
    /// The type is not known.
    TypeParameter(TyId),
    /// The type contains ever larger types.
    EndlessType(TyId),
    /// The function has parameters.
    HasParameters(FunctionId),
}

/// What to draw samples of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SampleTarget {
    /// Values of a type.
    Type(TyId),
    /// The results of a function without parameters.
    Generator(FunctionId),
}
