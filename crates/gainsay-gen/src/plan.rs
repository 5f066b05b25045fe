//! Plans: what generators there must be for a type, as a graph. Derived from types and solved
//! refinements; [`derive`](crate::derive) makes functions of it.

mod count;
mod height;
mod weights;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gainsay_core::{FunctionId, ModuleId, Program, Ty, TyId, TypeId, TypeTable};

pub(crate) use self::count::product;
pub(crate) use self::weights::{Weight, is_weighed};
use crate::domain::{Codes, Domain, Floats, Ints, Lens, Texts};
use crate::lowered::NoGenerator;
use crate::solve::{Solved, solve};

/// A node of the graph: a type with a domain.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub(crate) u32);

impl NodeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// How values of a node are made.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// Integers of a set.
    Int(Ints),
    /// Floats of a set.
    Float(Floats),
    /// Truth values: one, or both.
    Bool(Option<bool>),
    /// Characters.
    Char(Codes),
    /// Texts.
    Text(Texts),
    /// A tuple of nodes.
    Tuple(Vec<NodeId>),
    /// A list.
    List(NodeId, Lens),
    /// A set.
    Set(NodeId, Lens),
    /// A map.
    Map(NodeId, NodeId, Lens),
    /// A sum or record: the fields of each constructor that may be.
    Sum(TypeId, Vec<Option<Vec<NodeId>>>),
    /// A function: the types of its parameters, and what it gives.
    Function(Vec<TyId>, NodeId),
    /// Any of these.
    OneOf(Vec<NodeId>),
    /// Values of a node of which a predicate holds that is not solved.
    Filtered(NodeId, FunctionId, Box<[TyId]>),
    /// There is no generator.
    Barred(NoGenerator),
}

/// A node.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    pub(crate) ty: TyId,
    pub(crate) domain: Domain,
    /// The module whose constants are of interest.
    pub(crate) module: ModuleId,
    pub(crate) shape: Shape,
    /// How many constructors deep the least value is; nothing if there is no value.
    pub(crate) height: Option<u32>,
    /// Whether values can be of any size, so that one is handed down.
    pub(crate) is_sized: bool,
    /// How many containers are inside each other, where values are not sized.
    pub(crate) nesting: u32,
}

/// Types that are larger are those that grow inside themselves.
const MOST_NODES: usize = 1_000;

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    nodes: Vec<Node>,
    by_key: HashMap<(TyId, Domain, ModuleId), NodeId>,
    solved: HashMap<(FunctionId, Box<[TyId]>), Solved>,
    /// Nodes whose shape is not known yet.
    todo: Vec<NodeId>,
    /// What was answered before.
    answers: HashMap<NodeId, Option<NoGenerator>>,
}

impl Plan {
    pub(crate) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The node for a type with a domain, and all it needs; or why there is no generator.
    pub(crate) fn request(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        ty: TyId,
        domain: &Domain,
        module: ModuleId,
    ) -> Result<NodeId, NoGenerator> {
        let first = self.nodes.len();
        let id = self.id(ty, domain.clone(), module);
        while let Some(next) = self.todo.pop() {
            let shape = if self.nodes.len() > first + MOST_NODES {
                Shape::Barred(NoGenerator::EndlessType(ty))
            } else {
                self.shape(program, types, next)
            };
            self.nodes[next.index()].shape = shape;
        }
        self.measure(first);
        if !self.answers.contains_key(&id) {
            let barred = self.barred(id, ty);
            self.answers.insert(id, barred);
        }
        self.answers[&id].clone().map_or(Ok(id), Err)
    }

    /// The nodes of which one case can have several values: inside of containers, in several
    /// places, or inside of such nodes.
    pub(crate) fn recurring(&self, n_requests: &BTreeMap<NodeId, usize>) -> BTreeSet<NodeId> {
        let mut n_places = vec![0; self.nodes.len()];
        for (node, n) in n_requests {
            n_places[node.index()] += n;
        }
        for node in &self.nodes {
            let n = if node.shape.lens().is_some() { 2 } else { 1 };
            node.shape.each_part(&mut |part| n_places[part.index()] += n);
        }
        let ids = (0..self.nodes.len() as u32).map(NodeId);
        let mut pending: Vec<NodeId> = ids.filter(|it| n_places[it.index()] > 1).collect();
        let mut recurring: BTreeSet<NodeId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop() {
            self.nodes[id.index()].shape.each_part(&mut |part| {
                if recurring.insert(part) {
                    pending.push(part);
                }
            });
        }
        recurring
    }

    /// The number of a node, which may still have to be made.
    fn id(&mut self, ty: TyId, domain: Domain, module: ModuleId) -> NodeId {
        let key = (ty, domain, module);
        if let Some(id) = self.by_key.get(&key) {
            return *id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let shape = Shape::Tuple(Vec::new());
        let domain = key.1.clone();
        let (height, is_sized, nesting) = (None, false, 0);
        self.nodes.push(Node { ty, domain, module, shape, height, is_sized, nesting });
        self.by_key.insert(key, id);
        self.todo.push(id);
        id
    }

    fn shape(&mut self, program: &Program, types: &mut TypeTable, id: NodeId) -> Shape {
        let Node { ty, domain, module, .. } = self.node(id).clone();
        if domain == Domain::Never {
            return Shape::Barred(NoGenerator::NoValue(ty));
        }
        if let Ty::Refined { base, predicate, args } = types.get(ty).clone() {
            return self.refined(program, types, id, (base, predicate, args));
        }
        if let Domain::OneOf(alternatives) = &domain {
            let nodes = alternatives.iter().map(|it| self.id(ty, it.clone(), module));
            return Shape::OneOf(nodes.collect());
        }
        match types.get(ty).clone() {
            Ty::Int => Shape::Int(if let Domain::Int(it) = domain { it } else { Ints::all() }),
            Ty::Float => {
                Shape::Float(if let Domain::Float(it) = domain { it } else { Floats::all() })
            }
            Ty::Bool => {
                Shape::Bool(if let Domain::Bool(it) = domain { Some(it) } else { None })
            }
            Ty::Char => {
                Shape::Char(if let Domain::Char(it) = domain { it } else { Codes::all() })
            }
            Ty::Str => {
                Shape::Text(if let Domain::Text(it) = domain { it } else { Texts::any() })
            }
            Ty::Tuple(parts) => {
                let domains = if let Domain::Parts(it) = domain { it } else { Box::default() };
                Shape::Tuple(self.parts(&parts, &domains, module))
            }
            Ty::List(item) => {
                let (lens, item_domain, _) = items(domain);
                Shape::List(self.id(item, item_domain, module), lens)
            }
            Ty::Set(item) => {
                let (lens, item_domain, _) = items(domain);
                Shape::Set(self.id(item, item_domain, module), lens)
            }
            Ty::Map(key, value) => {
                let (lens, key_domain, value_domain) = items(domain);
                let key = self.id(key, key_domain, module);
                Shape::Map(key, self.id(value, value_domain, module), lens)
            }
            Ty::Named(named, args) => self.sum(program, types, (named, &args), &domain, module),
            Ty::Function { params, result, row } => {
                if !types.get_row(row).is_pure() {
                    return Shape::Barred(NoGenerator::EffectfulFunction(ty));
                }
                if params.iter().any(|it| types.flags(*it).has_function()) {
                    return Shape::Barred(NoGenerator::FunctionOfFunctions(ty));
                }
                Shape::Function(params.to_vec(), self.id(result, Domain::Any, module))
            }
            Ty::Param(_) | Ty::Var(_) | Ty::Error | Ty::Refined { .. } => {
                Shape::Barred(NoGenerator::TypeParameter(ty))
            }
        }
    }

    fn parts(&mut self, tys: &[TyId], domains: &[Domain], module: ModuleId) -> Vec<NodeId> {
        let domain = |at: usize| domains.get(at).cloned().unwrap_or(Domain::Any);
        (0..).zip(tys).map(|(at, ty)| self.id(*ty, domain(at), module)).collect()
    }

    /// A refined type is its base, in the domain of its predicate as far as that is solved; what
    /// is not solved is a filter.
    fn refined(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        id: NodeId,
        (base, predicate, args): (TyId, FunctionId, Box<[TyId]>),
    ) -> Shape {
        let Node { ty, domain, module, .. } = self.node(id).clone();
        let key = (predicate, args.clone());
        if !self.solved.contains_key(&key) {
            let solved = solve(program, types, predicate, base);
            self.solved.insert(key.clone(), solved);
        }
        let solved = &self.solved[&key];
        let (met, is_exact) = match domain.meet(&solved.domain) {
            Some(met) => (met, solved.is_exact),
            None => (domain, false),
        };
        if met == Domain::Never {
            return Shape::Barred(NoGenerator::NoValue(ty));
        }
        let inner = self.id(base, met, module);
        if is_exact {
            Shape::OneOf(vec![inner])
        } else {
            Shape::Filtered(inner, predicate, args)
        }
    }

    fn sum(
        &mut self,
        program: &Program,
        types: &mut TypeTable,
        (named, args): (TypeId, &[TyId]),
        domain: &Domain,
        module: ModuleId,
    ) -> Shape {
        let mut cases = Vec::new();
        for (tag, ctor) in program.nominal(named).ctors.iter().enumerate() {
            let known = if let Domain::Cases(it) = domain { it.get(tag) } else { None };
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
            cases.push(Some(self.parts(&tys, domains, module)));
        }
        Shape::Sum(named, cases)
    }
}

/// What is known of the elements of a container.
fn items(domain: Domain) -> (Lens, Domain, Domain) {
    if let Domain::Items(lens, item, value) = domain {
        (lens, *item, *value)
    } else {
        (Lens::ANY, Domain::Any, Domain::Any)
    }
}

impl Shape {
    /// How many elements a container may have.
    pub(crate) fn lens(&self) -> Option<Lens> {
        if let Shape::List(_, lens) | Shape::Set(_, lens) | Shape::Map(_, _, lens) = self {
            Some(*lens)
        } else {
            None
        }
    }

    /// The node whose values these are, all or some of them, if there is one such node.
    pub(crate) fn inner(&self) -> Option<NodeId> {
        if let Shape::Filtered(inner, ..) = self {
            return Some(*inner);
        }
        if let Shape::OneOf(nodes) = self
            && let [inner] = nodes[..]
        {
            return Some(inner);
        }
        None
    }

    /// Calls `visit` with every node that values of this one can have inside.
    pub(crate) fn each_part(&self, visit: &mut dyn FnMut(NodeId)) {
        match self {
            Shape::Int(_) | Shape::Float(_) | Shape::Bool(_) => {}
            Shape::Char(_) | Shape::Text(_) | Shape::Barred(_) => {}
            Shape::Tuple(parts) | Shape::OneOf(parts) => parts.iter().copied().for_each(visit),
            Shape::List(item, _) | Shape::Set(item, _) => visit(*item),
            Shape::Map(key, value, _) => [*key, *value].into_iter().for_each(visit),
            Shape::Sum(_, cases) => {
                cases.iter().flatten().flatten().copied().for_each(visit);
            }
            Shape::Function(_, result) => visit(*result),
            Shape::Filtered(inner, ..) => visit(*inner),
        }
    }
}
