//! What lowering gives: two programs, and what a runner must know of them. Facts only.

use std::sync::Arc;

use gainsay_choice::{EdgeCase, KindId, KindTable, SpanLabel, SpanLabels, TextKind};
use gainsay_core::{ClaimId, FunctionId, Program, TyId};
use gainsay_source::Span;

use crate::draw_effect::DrawOps;
use crate::hostile::HostilePlan;

/// A program whose claims can be run case by case.
#[derive(Debug, Clone)]
pub struct LoweredProgram {
    /// For looking for counterexamples: draws, and tells nothing.
    pub search: Arc<Program>,
    /// For everything else: the same draws in the same order, in spans, and what came of them.
    pub record: Arc<Program>,
    /// The kinds of all draws.
    pub kinds: KindTable,
    /// The names of all spans.
    pub labels: SpanLabels,
    /// The operations that a runner answers.
    pub ops: DrawOps,
    /// For each claim the function without parameters that runs one case of it; none for
    /// `verify`.
    pub entries: Vec<Option<FunctionId>>,
    /// Each `across`, and each property; the argument of `Draw.across` is a position here.
    pub sites: Vec<InputSite>,
    /// Each place that throws values away; the argument of `Draw.reject` is a position here.
    pub filters: Vec<RejectionFilter>,
    /// Kinds of texts; the argument of `Draw.text` is a position here.
    pub texts: Vec<TextKind>,
    /// Containers; the first argument of `Draw.element` is a position here.
    pub containers: Vec<ContainerKind>,
    /// Types of generated functions; the argument of `Draw.function` is a position here.
    pub functions: Vec<TyId>,
    /// For each wanted sample a function without parameters that draws one, or why there is none.
    pub samples: Vec<Result<FunctionId, NoGenerator>>,
    /// For each claim that is a law what hostility can do to it; empty if that was not wanted.
    pub hostile_plans: Vec<Option<HostilePlan>>,
    /// For each claim that is a law the function without parameters that runs one explored case
    /// of it; none if that was not wanted.
    pub explored_laws: Vec<Option<FunctionId>>,
    /// The same, in worlds that are made up.
    pub generated_world_laws: Vec<Option<FunctionId>>,
}

/// A place where inputs are drawn: an `across`, or a property.
#[derive(Debug, Clone)]
pub struct InputSite {
    /// The claims that come to it, in order. More than one for an `across` in a
    /// function that several claims call.
    pub claims: Vec<ClaimId>,
    /// Where it stands.
    pub span: Span,
    /// How many cases the source asks for.
    pub cases: Option<u64>,
    /// The one case the source asks for.
    pub seed: Option<u64>,
    /// What is drawn.
    pub binders: Vec<InputBinder>,
    /// What throws values away while the inputs are drawn, as positions in
    /// [`LoweredProgram::filters`]. Those of generators by hand are not among them.
    pub filters: Vec<usize>,
    /// How many inputs there are at most, if they are few.
    pub n_inputs: Option<u64>,
    /// Whether its body may come to another `across`, whose inputs are then further inputs of the
    /// same case.
    pub may_nest: bool,
    /// Whether the search program tells the values of its inputs (`Draw.value`): different draws
    /// may give the same value, because a generator by hand or a filter stands between them.
    pub reports_values: bool,
    /// Cases in which one input is at an edge of its type. They are run first.
    pub edge_cases: Arc<[Arc<EdgeCase>]>,
    /// Why nothing can be drawn here.
    pub no_generator: Option<NoGenerator>,
}

/// An input.
#[derive(Debug, Clone)]
pub struct InputBinder {
    /// Its number, over all sites: the first argument of `Draw.given` and `Draw.bound`.
    pub id: u32,
    /// Its name.
    pub name: Box<str>,
    /// Its type, with refinements; in the table of the lowered programs.
    pub ty: TyId,
    /// Where it is bound.
    pub span: Span,
}

/// A place that throws values away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectionFilter {
    /// Where it stands.
    pub span: Span,
    /// Why it throws values away.
    pub why: FilterReason,
}

/// Why values are thrown away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilterReason {
    /// A refinement that could not be solved: its predicate.
    Refinement(FunctionId),
    /// A set or map needs more elements that differ.
    Duplicate(TyId),
}

/// A container whose elements are drawn one after another.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub struct ContainerKind {
    /// The kind of the question whether there is one more.
    pub more: KindId,
    /// The name of the span around an element.
    pub element: SpanLabel,
}

/// Why there is no generator for a type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoGenerator {
    /// No value is of this type.
    NoValue(TyId),
    /// Calls of the function perform effects, which nobody can make up.
    EffectfulFunction(TyId),
    /// The function takes functions, which cannot be told apart.
    FunctionOfFunctions(TyId),
    /// It is not known which type this is.
    TypeParameter(TyId),
    /// The type contains ever larger types.
    EndlessType(TyId),
    /// The function has parameters.
    HasParameters(FunctionId),
}

/// What samples are wanted of.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub enum SampleTarget {
    /// Values of a type.
    Type(TyId),
    /// What a function without parameters gives.
    Generator(FunctionId),
}
