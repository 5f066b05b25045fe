//! Generator plans: a graph of the generators that a type needs, derived from types and solved
//! refinements. [`derive`](crate::derive) turns it into functions.

mod count;
mod height;
mod weights;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gainsay_core::{FunctionId, ModuleId, Program, Ty, TyId, TypeId, TypeTable};

pub(crate) use self::count::product;
use crate::domain::{CodePointSet, Domain, FloatSet, IntSet, LengthRange, TextSet};
use crate::lowered::NoGenerator;
use crate::solve::{PredicateSolution, solve};

/// The id of a node of the graph: a type with a domain.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PlanNodeId(pub(crate) u32);

impl PlanNodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How values of a node are made.
#[derive(Debug, Clone)]
pub(crate) enum PlanShape {
    /// Integers of a set.
    Int(IntSet),
    /// Floats of a set.
    Float(FloatSet),
    /// Booleans: one, or both.
    Bool(Option<bool>),
    /// Characters.
    Char(CodePointSet),
    /// Texts.
    Text(TextSet),
    /// A tuple of nodes.
    Tuple(Vec<PlanNodeId>),
    /// A list.
    List(PlanNodeId, LengthRange),
    /// A set.
    Set(PlanNodeId, LengthRange),
    /// A map.
    Map(PlanNodeId, PlanNodeId, LengthRange),
    /// A sum or record: the fields of each constructor that is not excluded.
    Sum(TypeId, Vec<Option<Vec<PlanNodeId>>>),
    /// A function: the types of its parameters, and the node of its result.
    Function(Vec<TyId>, PlanNodeId),
    /// Any of these.
    OneOf(Vec<PlanNodeId>),
    /// Values of a node that satisfy a predicate that is not solved.
    Filtered(PlanNodeId, FunctionId, Box<[TyId]>),
    /// What the default generator of the type returns.
    Declared(FunctionId),
    /// There is no generator.
    Ungeneratable(NoGenerator),
}

/// Where the generator of a type comes from.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum GeneratorSource {
    /// Default generators are used where they are declared.
    Declarations,
    /// Everything is derived from the structure of the type. Values that a solver finds are described
    /// in this way.
    Structure,
}

/// A node.
#[derive(Debug, Clone)]
pub(crate) struct PlanNode {
    pub(crate) ty: TyId,
    pub(crate) domain: Domain,
    /// The module whose constants are drawn as edges.
    pub(crate) module: ModuleId,
    pub(crate) source: GeneratorSource,
    pub(crate) shape: PlanShape,
    /// The number of constructors of the shallowest value; `None` if there is no value.
    pub(crate) height: Option<u32>,
    /// Whether values can be arbitrarily large, so that a size is passed down.
    pub(crate) is_sized: bool,
    /// How many containers are nested, where values are not sized.
    pub(crate) nesting: u32,
}

/// A type with more nodes grows without bound (polymorphic recursion).
const MAX_NODES: usize = 1_000;

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct GeneratorPlan {
    nodes: Vec<PlanNode>,
    by_key: HashMap<(TyId, Domain, ModuleId, GeneratorSource), PlanNodeId>,
    solved: HashMap<(FunctionId, Box<[TyId]>), PredicateSolution>,
    /// Nodes whose shape is not known yet.
    worklist: Vec<PlanNodeId>,
    /// Results of earlier requests.
    request_cache: HashMap<PlanNodeId, Option<NoGenerator>>,
}

impl GeneratorPlan {
    pub(crate) fn node(&self, id: PlanNodeId) -> &PlanNode {
        &self.nodes[id.index()]
    }

    /// The node for a type with a domain, and all it needs; or why there is no generator.
    pub(crate) fn request(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        ty: TyId,
        domain: &Domain,
        (module, source): (ModuleId, GeneratorSource),
    ) -> Result<PlanNodeId, NoGenerator> {
        let first = self.nodes.len();
        let id = self.node_id(ty, domain.clone(), (module, source));
        while let Some(next) = self.worklist.pop() {
            // Counted from this request on, so that many small types do not add up.
            let shape = if self.nodes.len() > first + MAX_NODES {
                PlanShape::Ungeneratable(NoGenerator::EndlessType(ty))
            } else {
                self.shape(program, types, next)
            };
            self.nodes[next.index()].shape = shape;
        }
        self.measure(first);
        if !self.request_cache.contains_key(&id) {
            let barred = self.ungeneratable_reason(id, ty);
            self.request_cache.insert(id, barred);
        }
        self.request_cache[&id].clone().map_or(Ok(id), Err)
    }

    /// The nodes of which one case can have several values: inside containers, in several places,
    /// or inside such nodes.
    pub(crate) fn recurring(
        &self,
        n_requests: &BTreeMap<PlanNodeId, usize>,
    ) -> BTreeSet<PlanNodeId> {
        let mut n_places = vec![0; self.nodes.len()];
        for (node, n) in n_requests {
            n_places[node.index()] += n;
        }
        for node in &self.nodes {
            // A container can have several values of each part.
            let n = if node.shape.lens().is_some() { 2 } else { 1 };
            node.shape.each_part(&mut |part| n_places[part.index()] += n);
        }
        let ids = (0..self.nodes.len() as u32).map(PlanNodeId);
        let mut pending: Vec<PlanNodeId> = ids.filter(|it| n_places[it.index()] > 1).collect();
        let mut recurring: BTreeSet<PlanNodeId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            self.nodes[id.index()].shape.each_part(&mut |part| {
                if recurring.insert(part) {
                    pending.push(part);
                }
            });
        }
        recurring
    }

    /// The id of a node, which is created if it is new.
    fn node_id(&mut self, ty: TyId, domain: Domain, context: PlanContext) -> PlanNodeId {
        let (module, source) = context;
        let key = (ty, domain, module, source);
        if let Some(id) = self.by_key.get(&key) {
            return *id;
        }
        let id = PlanNodeId(self.nodes.len() as u32);
        // A placeholder: `request` computes the shape from the worklist, so recursive types
        // terminate.
        let shape = PlanShape::Tuple(Vec::new());
        let domain = key.1.clone();
        let (height, is_sized, nesting) = (None, false, 0);
        let node = PlanNode { ty, domain, module, source, shape, height, is_sized, nesting };
        self.nodes.push(node);
        self.by_key.insert(key, id);
        self.worklist.push(id);
        id
    }

    fn shape(&mut self, program: &Program, types: &mut TypeTable, id: PlanNodeId) -> PlanShape {
        let PlanNode { ty, domain, module, source, .. } = self.node(id).clone();
        let context = (module, source);
        if domain == Domain::Empty {
            return PlanShape::Ungeneratable(NoGenerator::NoValue(ty));
        }
        // A domain describes the structure of values, which a declared generator does not follow.
        if domain == Domain::Any
            && source == GeneratorSource::Declarations
            && let Some(function) = program.generators.get(&ty)
        {
            return PlanShape::Declared(*function);
        }
        if let Ty::Refined { base, predicate, args } = types.get(ty).clone() {
            return self.refined(program, types, id, (base, predicate, args));
        }
        if let Domain::OneOf(alternatives) = &domain {
            let nodes = alternatives.iter().map(|it| self.node_id(ty, it.clone(), context));
            return PlanShape::OneOf(nodes.collect());
        }
        match types.get(ty).clone() {
            Ty::Int => {
                PlanShape::Int(if let Domain::Int(it) = domain { it } else { IntSet::all() })
            }
            Ty::Float => PlanShape::Float(if let Domain::Float(it) = domain {
                it
            } else {
                FloatSet::all()
            }),
            Ty::Bool => {
                PlanShape::Bool(if let Domain::Bool(it) = domain { Some(it) } else { None })
            }
            Ty::Char => PlanShape::Char(if let Domain::Char(it) = domain {
                it
            } else {
                CodePointSet::all()
            }),
            Ty::Str => {
                PlanShape::Text(if let Domain::Text(it) = domain { it } else { TextSet::any() })
            }
            Ty::Tuple(parts) => {
                let domains = if let Domain::Tuple(it) = domain { it } else { Box::default() };
                PlanShape::Tuple(self.parts(&parts, &domains, context))
            }
            Ty::List(item) => {
                let (lens, item_domain, _) = items(domain);
                PlanShape::List(self.node_id(item, item_domain, context), lens)
            }
            Ty::Set(item) => {
                let (lens, item_domain, _) = items(domain);
                PlanShape::Set(self.node_id(item, item_domain, context), lens)
            }
            Ty::Map(key, value) => {
                let (lens, key_domain, value_domain) = items(domain);
                let key = self.node_id(key, key_domain, context);
                PlanShape::Map(key, self.node_id(value, value_domain, context), lens)
            }
            Ty::Named(named, args) => {
                self.sum(program, types, (named, &args), &domain, context)
            }
            Ty::Function { params, result, row } => {
                if !types.get_row(row).is_pure() {
                    return PlanShape::Ungeneratable(NoGenerator::EffectfulFunction(ty));
                }
                if params.iter().any(|it| types.flags(*it).has_function()) {
                    return PlanShape::Ungeneratable(NoGenerator::FunctionOfFunctions(ty));
                }
                PlanShape::Function(params.to_vec(), self.node_id(result, Domain::Any, context))
            }
            Ty::Param(_) | Ty::Var(_) | Ty::Error | Ty::Refined { .. } => {
                PlanShape::Ungeneratable(NoGenerator::TypeParameter(ty))
            }
        }
    }

    fn parts(
        &mut self,
        tys: &[TyId],
        domains: &[Domain],
        context: PlanContext,
    ) -> Vec<PlanNodeId> {
        let domain = |at: usize| domains.get(at).cloned().unwrap_or(Domain::Any);
        (0..).zip(tys).map(|(at, ty)| self.node_id(*ty, domain(at), context)).collect()
    }

    /// A refined type is its base, restricted to the domain of its predicate as far as that is
    /// solved; what is not solved becomes a filter.
    fn refined(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        id: PlanNodeId,
        (base, predicate, args): (TyId, FunctionId, Box<[TyId]>),
    ) -> PlanShape {
        let PlanNode { ty, domain, module, source, .. } = self.node(id).clone();
        let context = (module, source);
        if source == GeneratorSource::Declarations
            && has_declared_generator(program, types, base)
        {
            let inner = self.node_id(base, Domain::Any, context);
            return PlanShape::Filtered(inner, predicate, args);
        }
        let key = (predicate, args.clone());
        if !self.solved.contains_key(&key) {
            let solved = solve(program, types, predicate, base);
            self.solved.insert(key.clone(), solved);
        }
        let solved = &self.solved[&key];
        let (met, is_exact) = match domain.meet(&solved.domain) {
            Some(met) => (met, solved.is_exact),
            // The intersection cannot be represented: draw from the domain alone, and filter.
            None => (domain, false),
        };
        if met == Domain::Empty {
            return PlanShape::Ungeneratable(NoGenerator::NoValue(ty));
        }
        let inner = self.node_id(base, met, context);
        if is_exact {
            // An alias of the inner node: an exact solution needs no filter.
            PlanShape::OneOf(vec![inner])
        } else {
            PlanShape::Filtered(inner, predicate, args)
        }
    }

    fn sum(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        (named, args): (TypeId, &[TyId]),
        domain: &Domain,
        context: PlanContext,
    ) -> PlanShape {
        let mut cases = Vec::new();
        for (tag, ctor) in program.nominal(named).ctors.iter().enumerate() {
            let known = if let Domain::Constructors(it) = domain { it.get(tag) } else { None };
            let domains: &[Domain] = match known {
                None => &[],
                Some(Some(fields)) => fields,
                Some(None) => {
                    cases.push(None);
                    continue;
                }
            };
            let fields = program.ctor(*ctor).fields.iter();
            let tys: Vec<TyId> = fields.map(|it| types.instantiate(it.ty, args)).collect();
            cases.push(Some(self.parts(&tys, domains, context)));
        }
        PlanShape::Sum(named, cases)
    }
}

/// What is known about the elements of a container.
fn items(domain: Domain) -> (LengthRange, Domain, Domain) {
    if let Domain::Container(lens, item, value) = domain {
        (lens, *item, *value)
    } else {
        (LengthRange::ANY, Domain::Any, Domain::Any)
    }
}

impl PlanShape {
    /// The lengths of a container.
    pub(crate) fn lens(&self) -> Option<LengthRange> {
        if let PlanShape::List(_, lens) | PlanShape::Set(_, lens) | PlanShape::Map(_, _, lens) =
            self
        {
            Some(*lens)
        } else {
            None
        }
    }

    /// The node that these values are all or some of, if it is a single one.
    pub(crate) fn inner(&self) -> Option<PlanNodeId> {
        if let PlanShape::Filtered(inner, ..) = self {
            return Some(*inner);
        }
        if let PlanShape::OneOf(nodes) = self
            && let [inner] = nodes[..]
        {
            return Some(inner);
        }
        None
    }

    /// Calls `visit` with every node whose values can be part of values of this one.
    pub(crate) fn each_part(&self, visit: &mut dyn FnMut(PlanNodeId)) {
        match self {
            PlanShape::Int(_) | PlanShape::Float(_) | PlanShape::Bool(_) => {}
            PlanShape::Char(_) | PlanShape::Text(_) | PlanShape::Ungeneratable(_) => {}
            PlanShape::Tuple(parts) | PlanShape::OneOf(parts) => {
                parts.iter().copied().for_each(visit)
            }
            PlanShape::List(item, _) | PlanShape::Set(item, _) => visit(*item),
            PlanShape::Map(key, value, _) => [*key, *value].into_iter().for_each(visit),
            PlanShape::Sum(_, cases) => {
                cases.iter().flatten().flatten().copied().for_each(visit);
            }
            PlanShape::Function(_, result) => visit(*result),
            PlanShape::Filtered(inner, ..) => visit(*inner),
            PlanShape::Declared(_) => {}
        }
    }
}

/// The module whose constants are drawn, and where generators come from.
type PlanContext = (ModuleId, GeneratorSource);

/// Whether values of a type come from a declared generator, perhaps through a filter.
pub(crate) fn has_declared_generator(program: &Program, types: &TypeTable, ty: TyId) -> bool {
    let mut ty = ty;
    loop {
        if program.generators.contains_key(&ty) {
            return true;
        }
        let Ty::Refined { base, .. } = types.get(ty) else { return false };
        ty = *base;
    }
}
