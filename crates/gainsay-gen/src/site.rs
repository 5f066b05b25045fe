//! Sites: the function of each `across` and of each property, which draws inputs and runs the body
//! once.

mod condition;

use std::collections::HashSet;
use std::sync::Arc;

use gainsay_core::{
    AcrossBinder, BinderSource, Function, FunctionId, FunctionKind, LocalId, ModuleId, OpId,
    PropertySettings, Row, Statement, Term, TermId, TyId, TypeTable,
};
use gainsay_solve::{NotSolvable, SolverQuery, compile_preconditions, compile_predicate};
use gainsay_source::Span;

use crate::core_builder::CoreBuilder;
use crate::derive::{FoundBy, GeneratorMode, NoRecipe};
use crate::domain::Domain;
use crate::edge_cases::{EdgeInput, edge_cases};
use crate::generator_plan::{PlanNodeId, PlanShape, has_declared_generator};
use crate::lower::{SearchMode, claim_header};
use crate::lowered::{ConditionWay, InputBinder, InputSite};
use crate::rewrite::Rewriter;
use crate::solve::solve_condition;

/// The weights of a value drawn from its type, and of one of the hints.
const HINTS: [u32; 2] = [4, 1];

/// Inputs up to this number are enumerated and filtered.
pub(crate) const MAX_ENUMERATED: u64 = 10_000;

/// A site, and what it was rewritten to.
pub(crate) struct RewrittenSite {
    pub(crate) site: InputSite,
    pub(crate) function: FunctionId,
    /// The nodes of inputs that are drawn by type.
    pub(crate) nodes: Vec<PlanNodeId>,
    /// The closures it is called with: its body, its condition and its generators.
    pub(crate) closures: Vec<FunctionId>,
    /// The terms that report the end of the body, in the search program and in the record program;
    /// none in the site of a property, which ends only with the case.
    pub(crate) leave: Option<[TermId; 2]>,
}

/// An `across` in a body.
#[derive(Debug, Copy, Clone)]
pub(crate) struct AcrossTerm<'a> {
    pub(crate) binders: &'a [AcrossBinder],
    pub(crate) condition: Option<TermId>,
    pub(crate) inner: TermId,
    /// Whether its condition can be solved: the solver does not see those of instances.
    pub(crate) is_solved: bool,
}

/// Where an input comes from.
#[derive(Debug, Copy, Clone)]
enum SiteInputOrigin {
    Node(PlanNodeId),
    /// The generator with this index among those that are passed.
    Generator(usize),
    /// One of a list that a function without parameters returns.
    Listed(FunctionId),
    /// A value of a node, or one of such a list.
    Hinted(PlanNodeId, FunctionId),
    /// A random stub of an operation, for a law of a module.
    RandomStub(OpId, ModuleId),
    /// One of the unknowns of a query.
    Found {
        by: FoundBy,
        number: usize,
        n_unknown: usize,
    },
}

impl SiteInputOrigin {
    /// How a value is found that satisfies the condition.
    fn found_by(&self) -> Option<FoundBy> {
        if let SiteInputOrigin::Found { by, .. } = self { Some(*by) } else { None }
    }

    fn as_input(&self) -> EdgeInput {
        match self {
            SiteInputOrigin::Node(node) => EdgeInput::Node(*node),
            SiteInputOrigin::Generator(_)
            | SiteInputOrigin::Listed(_)
            | SiteInputOrigin::Hinted(..)
            | SiteInputOrigin::RandomStub(..)
            | SiteInputOrigin::Found { .. } => EdgeInput::Other,
        }
    }
}

/// The name of a site, its source span, and the number of cases it requests.
pub(crate) struct SiteHeader {
    pub(crate) name: Box<str>,
    pub(crate) module: ModuleId,
    pub(crate) span: Span,
    pub(crate) n_cases: Option<u64>,
}

/// Where an input of an explored law comes from.
pub(crate) enum LawInputSource {
    /// From its type, within a domain; some of the values are hints that a function without
    /// parameters lists.
    Type(TyId, Domain, Option<FunctionId>),
    /// One of a list that a function without parameters returns.
    Listed(FunctionId),
    /// A random stub of an operation.
    RandomStub(OpId),
}

/// What a site function is made of.
struct SiteOutline {
    site: usize,
    name: Box<str>,
    module: ModuleId,
    span: Span,
    binders: Vec<(InputBinder, SiteInputOrigin)>,
    /// The types of the generators that are passed.
    generators: Vec<TyId>,
    condition: Option<(TyId, Span)>,
    inner: SiteBody,
}

/// What runs with the inputs.
#[derive(Debug, Copy, Clone)]
enum SiteBody {
    /// A closure of this type that is passed.
    Closure(TyId),
    /// A property.
    Function(FunctionId),
}

/// How inputs are found that satisfy a condition that does not describe a set.
fn search_way(binders: &[(InputBinder, SiteInputOrigin)]) -> ConditionWay {
    match binders.iter().find_map(|it| it.1.found_by()) {
        Some(FoundBy::Recipe(_)) => ConditionWay::Solved,
        Some(FoundBy::Query(_)) => ConditionWay::Narrowed,
        Some(FoundBy::Filter) | None => ConditionWay::Filtered,
    }
}

impl Rewriter<'_> {
    /// The call that replaces an `across`.
    pub(crate) fn across_call(
        &mut self,
        function: &Function,
        span: Span,
        across: &AcrossTerm<'_>,
    ) -> Term {
        let body = &function.body;
        let AcrossTerm { binders, condition, inner, is_solved } = *across;
        let tys: Vec<TyId> = binders.iter().map(|it| it.ty).collect();
        let solution = match condition {
            Some(condition) if is_solved && self.may_solve() => {
                self.solve_condition(function, condition, &tys)
            }
            Some(_) | None => None,
        };
        let (mut domains, mut is_exact) = solution.unwrap_or((Vec::new(), false));
        for (ty, domain) in tys.iter().zip(&mut domains) {
            let (program, types) = (self.deriver.program, &self.deriver.types);
            if *domain != Domain::Any && has_declared_generator(program, types, *ty) {
                (*domain, is_exact) = (Domain::Any, false);
            }
        }
        // A condition that no value satisfies has no domains. A solver says that there are none.
        let is_exact =
            is_exact && (!domains.is_empty() || self.search_mode == SearchMode::Usual);
        let mut args = Vec::new();
        let mut origins = Vec::new();
        for (at, binder) in binders.iter().enumerate() {
            // `Err` is the index among the generators that are passed.
            origins.push(match binder.source {
                BinderSource::Generator(generator) => {
                    args.push(generator);
                    Err(args.len() - 1)
                }
                BinderSource::Type => {
                    Ok((binder.ty, domains.get(at).cloned().unwrap_or(Domain::Any)))
                }
            });
        }
        // The order of the parameters in `write_site`: generators, condition, body.
        let generators = args.iter().map(|it| body.ty(*it)).collect();
        args.extend(condition);
        args.push(inner);
        let closures: Vec<FunctionId> =
            args.iter().filter_map(|it| body.term(*it).function()).collect();
        self.input_closures.extend(&closures);
        let named = binders.iter().map(|it| (it.name.clone(), it.ty, it.span)).collect();
        let (site, mut binders) = self.new_site(span, named, origins, function.module);
        self.sites[site].closures = closures;
        if let Some(settings) = function.attributes.property.filter(|_| function.is_across()) {
            self.sites[site].site.cases = settings.cases;
            self.sites[site].site.seed = settings.seed;
        }
        if let Some(condition) = condition
            && is_solved
            && !is_exact
            && let Some(predicate) = body.term(condition).function()
        {
            let deriver = &mut self.deriver;
            let definition = deriver.program.function(predicate);
            let at = (definition.span, definition.module);
            let types = &mut deriver.types;
            let compiled = compile_predicate(deriver.program, types, predicate, Box::default());
            self.narrow_inputs(site, &mut binders, at, compiled);
        }
        let condition = condition.map(|it| (body.ty(it), self.condition_span(function, it)));
        let way = if is_exact { ConditionWay::Solved } else { search_way(&binders) };
        self.sites[site].site.condition = condition.map(|(_, span)| (span, way));
        let made = self.site_function(SiteOutline {
            site,
            name: function.name.clone(),
            module: function.module,
            span,
            binders,
            generators,
            condition,
            inner: SiteBody::Closure(body.ty(inner)),
        });
        Term::Call { function: made, type_args: Box::default(), args: args.into() }
    }

    /// Whether conditions may be described by the sets of values that satisfy them.
    fn may_solve(&self) -> bool {
        match self.search_mode {
            SearchMode::Usual | SearchMode::Solutions => true,
            SearchMode::Narrowed | SearchMode::Filtered => false,
        }
    }

    /// The source span of the condition of an `across`.
    fn condition_span(&self, function: &Function, condition: TermId) -> Span {
        let closure = function.body.term(condition).function();
        closure.map_or(function.body.span(condition), |it| self.deriver.search[it.index()].span)
    }

    /// The domain that the condition of an `across` implies for each input, and whether the
    /// condition says nothing else.
    fn solve_condition(
        &mut self,
        function: &Function,
        condition: TermId,
        tys: &[TyId],
    ) -> Option<(Vec<Domain>, bool)> {
        let closure = function.body.term(condition).function()?;
        let deriver = &mut self.deriver;
        let solved = solve_condition(deriver.program, &mut deriver.types, closure, tys);
        if let Domain::Tuple(parts) = solved.domain {
            return Some((parts.into(), solved.is_exact));
        }
        // A union, such as of `a || b` about different inputs, is not a domain for each of them:
        // inputs are drawn one by one.
        let is_all_or_nothing = matches!(solved.domain, Domain::Any | Domain::Empty);
        is_all_or_nothing.then_some((Vec::new(), solved.is_exact))
    }

    /// Lets a solver find the inputs that satisfy a condition: those by type, after the last one
    /// that a generator draws. Few inputs are enumerated instead.
    fn narrow_inputs(
        &mut self,
        site: usize,
        binders: &mut [(InputBinder, SiteInputOrigin)],
        at: (Span, ModuleId),
        condition: Result<SolverQuery, NotSolvable>,
    ) {
        let Ok(condition) = condition else { return };
        let is_enumerated = self.search_mode == SearchMode::Usual
            && self.sites[site].site.n_inputs.is_some_and(|n| n <= MAX_ENUMERATED);
        if is_enumerated {
            return;
        }
        let (program, types) = (self.deriver.program, &self.deriver.types);
        let is_node = |it: &(InputBinder, SiteInputOrigin)| {
            matches!(it.1, SiteInputOrigin::Node(_))
                && !has_declared_generator(program, types, it.0.ty)
        };
        let n_known = binders.iter().rposition(|it| !is_node(it)).map_or(0, |at| at + 1);
        let unknowns: Vec<(TyId, Option<(u32, &str)>)> = binders[n_known..]
            .iter()
            .map(|(it, _)| (it.ty, Some((it.id, &*it.name))))
            .collect();
        if unknowns.is_empty() {
            return;
        }
        let n_unknown = unknowns.len();
        // What a condition captures is known to the solver alone.
        let has_captures = condition.n_arguments() > binders.len();
        let inputs = unknowns.iter().map(|it| it.1.map(|(id, name)| (id, name.into())));
        let inputs = inputs.collect();
        let recipe = match has_captures {
            true => Err(NoRecipe::NotDerived),
            false => self.deriver.recipe_of(&condition, n_known, at.1, inputs),
        };
        let by = match recipe {
            Ok(recipe) => FoundBy::Recipe(recipe),
            Err(why) => match self.deriver.add_query(condition, at, &unknowns, why) {
                Some(query) => FoundBy::Query(query),
                None => return,
            },
        };
        self.sites[site].site.n_inputs = None;
        for (number, (_, origin)) in binders[n_known..].iter_mut().enumerate() {
            *origin = SiteInputOrigin::Found { by, number, n_unknown };
        }
    }

    /// The function that runs one case of a property.
    pub(crate) fn property_site(
        &mut self,
        function: FunctionId,
        settings: PropertySettings,
    ) -> FunctionId {
        let program = self.deriver.program;
        let definition = program.function(function);
        let params = definition.params.iter();
        let named = params.clone().map(|it| (it.name.clone(), it.ty, it.span)).collect();
        let origins = params.map(|it| Ok((it.ty, Domain::Any))).collect();
        let span = definition.span;
        let (site, mut binders) = self.new_site(span, named, origins, definition.module);
        self.sites[site].site.cases = settings.cases;
        self.sites[site].site.seed = settings.seed;
        if let Some(first) = definition.requires.first() {
            let types = &mut self.deriver.types;
            let compiled = compile_preconditions(program, types, function);
            self.narrow_inputs(site, &mut binders, (first.span, definition.module), compiled);
            self.sites[site].site.condition = Some((first.span, search_way(&binders)));
        }
        let inner = SiteBody::Function(self.discarding_copy(function));
        self.site_function(SiteOutline {
            site,
            name: definition.name.clone(),
            module: definition.module,
            span,
            binders,
            generators: Vec::new(),
            condition: None,
            inner,
        })
    }

    /// The site of an explored law.
    pub(crate) fn law_site(
        &mut self,
        named: SiteHeader,
        inputs: Vec<(Box<str>, TyId, Span)>,
        sources: Vec<LawInputSource>,
        law: FunctionId,
    ) -> FunctionId {
        let SiteHeader { name, module, span, n_cases } = named;
        let origins = sources.iter().map(|it| match it {
            LawInputSource::Type(ty, domain, _) => Ok((*ty, domain.clone())),
            // A placeholder: the loop below sets the origin.
            LawInputSource::Listed(_) | LawInputSource::RandomStub(_) => Err(usize::MAX),
        });
        let origins = origins.collect();
        let (site, mut binders) = self.new_site(span, inputs, origins, module);
        self.sites[site].site.cases = n_cases;
        for ((_, origin), source) in binders.iter_mut().zip(sources) {
            match source {
                LawInputSource::Type(_, _, hints) => {
                    if let (SiteInputOrigin::Node(node), Some(hints)) = (*origin, hints)
                        // A domain with a known count is small and needs no hints.
                        && self.deriver.plan.count(node).is_none()
                    {
                        *origin = SiteInputOrigin::Hinted(node, hints);
                    }
                }
                LawInputSource::Listed(list) => *origin = SiteInputOrigin::Listed(list),
                LawInputSource::RandomStub(op) => {
                    *origin = SiteInputOrigin::RandomStub(op, module)
                }
            }
        }
        // Its parameters are inputs, so `remove_input_checks` applies to it.
        self.input_closures.insert(law);
        let (generators, condition) = (Vec::new(), None);
        let inner = SiteBody::Function(law);
        self.site_function(SiteOutline {
            site,
            name,
            module,
            span,
            binders,
            generators,
            condition,
            inner,
        })
    }

    /// A copy of a property that discards the case where its `requires` does not hold, instead of
    /// blaming the caller. The search program does not check its inputs.
    fn discarding_copy(&mut self, function: FunctionId) -> FunctionId {
        let definition = &self.deriver.search[function.index()];
        let types = &self.deriver.types;
        let is_refined = definition.params.iter().any(|it| types.flags(it.ty).has_refinement());
        // Nothing to assume and nothing to check: no copy is needed.
        if definition.requires.is_empty() && !is_refined {
            return function;
        }
        let twin = self.deriver.reserve();
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            let mut copy = match mode {
                GeneratorMode::Search => self.deriver.search[function.index()].clone(),
                GeneratorMode::Record => self.deriver.record[function.index()].clone(),
            };
            copy.kind = FunctionKind::Claim;
            let requires = std::mem::take(&mut copy.requires);
            if let Some(root) = copy.body.root {
                let mut statements = Vec::new();
                for clause in requires {
                    let assume = Term::Assume(clause.term);
                    let assume = copy.body.add(assume, TypeTable::UNIT, clause.span);
                    statements.push(Statement::Drop(assume));
                }
                let (ty, span) = (copy.body.ty(root), copy.body.span(root));
                let block = Term::Block { statements: statements.into(), result: root };
                copy.body.root = Some(copy.body.add(block, ty, span));
            }
            self.deriver.define(mode, twin, copy);
        }
        // Its parameters are inputs, so `remove_input_checks` applies to it.
        self.input_closures.insert(twin);
        twin
    }

    /// A new site with its inputs.
    fn new_site(
        &mut self,
        span: Span,
        named: Vec<(Box<str>, TyId, Span)>,
        origins: Vec<Result<(TyId, Domain), usize>>,
        module: ModuleId,
    ) -> (usize, Vec<(InputBinder, SiteInputOrigin)>) {
        let mut binders = Vec::new();
        let mut nodes = Vec::new();
        let mut no_generator = None;
        for ((name, ty, span), origin) in named.into_iter().zip(origins) {
            let binder = InputBinder { id: self.n_binders, name, ty, span };
            self.n_binders += 1;
            let origin = match origin {
                Err(generator) => SiteInputOrigin::Generator(generator),
                Ok((ty, domain)) => match self.input_node(ty, &domain, module) {
                    Ok(node) => {
                        nodes.push(node);
                        SiteInputOrigin::Node(node)
                    }
                    Err(why) => {
                        no_generator = no_generator.or(Some(why));
                        // No generator has this index, so `emit_input` discards the case.
                        SiteInputOrigin::Generator(usize::MAX)
                    }
                },
            };
            binders.push((binder, origin));
        }
        let is_by_type = binders.iter().all(|it| matches!(it.1, SiteInputOrigin::Node(_)));
        let counts = nodes.iter().map(|it| self.deriver.plan.count(*it));
        // Inputs of other origins have no known count.
        let n_inputs = if is_by_type { crate::generator_plan::product(counts) } else { None };
        let site = InputSite {
            claims: Vec::new(),
            span,
            cases: None,
            seed: None,
            binders: binders.iter().map(|it| it.0.clone()).collect(),
            filters: Vec::new(),
            n_inputs,
            // Until `assign_claims_to_sites` knows better.
            may_nest: true,
            reports_values: false,
            edge_cases: Arc::default(),
            condition: None,
            no_generator,
        };
        let function = self.deriver.reserve();
        self.sites.push(RewrittenSite {
            site,
            function,
            nodes,
            closures: Vec::new(),
            leave: None,
        });
        (self.sites.len() - 1, binders)
    }

    /// The node for an input. The domain of a condition may be empty where the type has values:
    /// then all values are drawn, and the condition discards every case.
    fn input_node(
        &mut self,
        ty: TyId,
        domain: &Domain,
        module: ModuleId,
    ) -> Result<PlanNodeId, crate::lowered::NoGenerator> {
        let narrow = self.deriver.request_node(ty, domain, module);
        // A caller that wants solutions must learn that there are none.
        let is_told = self.search_mode == SearchMode::Solutions;
        if narrow.is_err() && *domain != Domain::Any && !is_told {
            return self.deriver.request_node(ty, &Domain::Any, module);
        }
        narrow
    }

    /// Writes the function of a site in both programs.
    fn site_function(&mut self, outline: SiteOutline) -> FunctionId {
        let function = self.sites[outline.site].function;
        self.sites[outline.site].site.reports_values = self.reports_values(&outline);
        let inputs: Vec<EdgeInput> = outline.binders.iter().map(|it| it.1.as_input()).collect();
        let (edges, is_reported) = edge_cases(&self.deriver.plan, &inputs);
        self.sites[outline.site].site.edge_cases = edges.into_iter().map(Arc::new).collect();
        let leave = [GeneratorMode::Search, GeneratorMode::Record].map(|mode| {
            let (written, leave) = self.write_site(&outline, &is_reported, mode);
            self.deriver.define(mode, function, written);
            leave
        });
        if let [Some(search), Some(record)] = leave {
            self.sites[outline.site].leave = Some([search, record]);
        }
        function
    }

    /// Whether different draws may give the same inputs. Random stubs draw their answers when they
    /// are called, so with one of them there is no value to report.
    fn reports_values(&self, outline: &SiteOutline) -> bool {
        let origins = || outline.binders.iter().map(|it| it.1);
        let is_oracle = origins().any(|it| matches!(it, SiteInputOrigin::RandomStub(..)));
        // Different draws of a recipe give different values.
        let is_exact = |it: &SiteInputOrigin| {
            matches!(it, SiteInputOrigin::Node(_))
                || matches!(it.found_by(), Some(FoundBy::Recipe(_)))
        };
        let mut is_ambiguous = origins().any(|it| !is_exact(&it));
        let mut pending = self.sites[outline.site].nodes.clone();
        let mut seen = HashSet::new();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            let shape = &self.deriver.plan.node(id).shape;
            is_ambiguous |= match shape {
                PlanShape::Filtered(..)
                | PlanShape::Declared(_)
                | PlanShape::Set(..)
                | PlanShape::Map(..) => true,
                PlanShape::OneOf(nodes) => nodes.len() > 1,
                PlanShape::Int(_)
                | PlanShape::Float(_)
                | PlanShape::Bool(_)
                | PlanShape::Char(_) => false,
                PlanShape::Text(_)
                | PlanShape::Tuple(_)
                | PlanShape::List(..)
                | PlanShape::Sum(..) => false,
                PlanShape::Function(..) | PlanShape::Ungeneratable(_) => false,
            };
            shape.each_part(&mut |part| pending.push(part));
        }
        is_ambiguous && !is_oracle
    }

    /// `if across(site) == 1 { let x = ..; assume condition(x); body(x); leave() } else { () }`,
    /// and the term of `leave`.
    fn write_site(
        &mut self,
        outline: &SiteOutline,
        is_reported: &[bool],
        mode: GeneratorMode,
    ) -> (Function, Option<TermId>) {
        let mut it = CoreBuilder::new(outline.span);
        let generators: Vec<LocalId> =
            outline.generators.iter().map(|ty| it.param("generator", *ty)).collect();
        let condition = outline.condition.map(|(ty, span)| (it.param("condition", ty), span));
        let inner = match outline.inner {
            SiteBody::Closure(ty) => Ok(it.param("body", ty)),
            SiteBody::Function(function) => Err(function),
        };
        let reports_values = self.sites[outline.site].site.reports_values;
        let answer = it.perform_with_ints(self.deriver.ops.across, &[outline.site as i64]);
        let is_wanted = it.equals_int(answer, 1);
        let size = it.perform_with_ints(self.deriver.ops.size, &[]);
        let (size, bind_size) = it.bind("size", size);
        let mut statements = vec![bind_size];
        let mut inputs: Vec<LocalId> = Vec::new();
        let mut found = None;
        for (number, (binder, origin)) in outline.binders.iter().enumerate() {
            it.set_span(binder.span);
            if is_reported[number] {
                let begins = it.perform_with_ints(self.deriver.ops.input, &[number as i64]);
                statements.push(Statement::Drop(begins));
            }
            if let SiteInputOrigin::Found { by, number: 0, .. } = origin {
                let condition = condition.map(|it| it.0);
                let known = (condition, &inputs[..]);
                let value = self.emit_found(&mut it, outline, *by, size, known);
                let (local, bind) = it.bind("found", value);
                statements.push(bind);
                found = Some(local);
            }
            let input = match (*origin, found) {
                (SiteInputOrigin::Found { number, n_unknown, .. }, Some(found)) => {
                    let ty = self.deriver.types.erase_refinements(binder.ty);
                    let base = it.local(found);
                    match n_unknown {
                        1 => base,
                        _ => it.add(Term::Field { base, index: number as u32 }, ty),
                    }
                }
                (origin, _) => self.emit_input(
                    &mut it,
                    (binder, origin),
                    size,
                    (&generators, &inputs),
                    mode,
                ),
            };
            let (local, bind) = it.bind(&binder.name, input);
            statements.push(bind);
            inputs.push(local);
            let (value, bound) = (self.deriver.ops.value, self.deriver.ops.bound);
            match mode {
                GeneratorMode::Record => {
                    statements.push(report_input(
                        &mut it,
                        bound,
                        binder,
                        local,
                        TypeTable::UNIT,
                    ));
                }
                GeneratorMode::Search if reports_values => {
                    let ty = it.body.local(local).ty;
                    statements.push(report_input(&mut it, value, binder, local, ty));
                }
                GeneratorMode::Search => {}
            }
        }
        if let Some((condition, span)) = condition {
            it.set_span(span);
            let holds = self.emit_check(&mut it, outline, (condition, &inputs), mode);
            statements.push(Statement::Drop(holds));
        }
        it.set_span(outline.span);
        let args = it.locals(&inputs);
        let (run, leave) = match inner {
            Ok(closure) => {
                let callee = it.local(closure);
                let run = it.call_value(callee, args, TypeTable::UNIT);
                (run, Some(it.perform_with_ints(self.deriver.ops.leave, &[])))
            }
            Err(function) => {
                let result = self.deriver.search[function.index()].result;
                (it.call(function, args, result), None)
            }
        };
        statements.push(Statement::Drop(run));
        statements.extend(leave.map(Statement::Drop));
        let unit = it.unit();
        let then = it.block(statements, unit);
        let otherwise = it.unit();
        let root = it.if_(is_wanted, then, otherwise);
        let row = self.site_row();
        (it.finish(claim_header(&outline.name, outline.module, row), root), leave)
    }

    /// The effect row of a site besides those of its closures.
    pub(crate) fn site_row(&mut self) -> gainsay_core::RowId {
        let deriver = &mut self.deriver;
        let mut ops = deriver.types.get_row(deriver.row).ops.to_vec();
        ops.extend(deriver.ops.claim.observe);
        deriver.types.intern_row(Row::new(ops, Vec::new(), Vec::new()))
    }

    /// The value of an input; in the record program inside a span, and only drawn if it is not
    /// given.
    fn emit_input(
        &mut self,
        it: &mut CoreBuilder,
        (binder, origin): (&InputBinder, SiteInputOrigin),
        size: LocalId,
        (generators, inputs): (&[LocalId], &[LocalId]),
        mode: GeneratorMode,
    ) -> TermId {
        let ty = self.deriver.types.erase_refinements(binder.ty);
        let drawn = match origin {
            SiteInputOrigin::Node(node) => self.deriver.emit_value(it, node, size, mode),
            SiteInputOrigin::Listed(list) => self.draw_listed(it, list, ty),
            SiteInputOrigin::Hinted(node, list) => {
                let number = self.deriver.emit_alternative(it, &HINTS);
                let drawn = self.deriver.emit_value(it, node, size, mode);
                let hint = self.draw_listed(it, list, ty);
                it.choose_by_index(number, vec![drawn, hint])
            }
            SiteInputOrigin::RandomStub(op, module) => {
                self.random_stub(it, (op, module), size, mode)
            }
            // Bound by the caller.
            SiteInputOrigin::Found { .. } => self.emit_no_input(it, ty),
            SiteInputOrigin::Generator(at) => match generators.get(at) {
                Some(generator) => {
                    let callee = it.local(*generator);
                    // A generator may depend on the inputs before it.
                    let args = it.locals(inputs);
                    it.call_value(callee, args, ty)
                }
                None => self.emit_no_input(it, ty),
            },
        };
        if mode == GeneratorMode::Search {
            return drawn;
        }
        let drawn = self.deriver.wrap_in_span(it, &binder.name, drawn);
        let Some(some) = self.deriver.program.lang.some else { return drawn };
        let number = it.int(i64::from(binder.id));
        let option = self.deriver.option_of(ty);
        let op = self.deriver.ops.given;
        let given = it.generic_perform(op, [ty].into(), vec![number], option);
        let value = it.new_local("given", ty);
        let then = it.local(value);
        it.match_option(given, (some, value, then), drawn)
    }

    /// Discards the case: there is no input.
    fn emit_no_input(&mut self, it: &mut CoreBuilder, ty: TyId) -> TermId {
        let op = self.deriver.ops.discard;
        it.generic_perform(op, [ty].into(), Vec::new(), ty)
    }

    /// Whether the binders of an `across` have no type parameters.
    pub(crate) fn is_closed_across(&self, binders: &[AcrossBinder]) -> bool {
        !binders.iter().any(|it| self.deriver.types.flags(it.ty).has_param())
    }
}

/// Reports the value of an input to the runner.
fn report_input(
    it: &mut CoreBuilder,
    op: OpId,
    binder: &InputBinder,
    input: LocalId,
    result: TyId,
) -> Statement {
    let ty = it.body.local(input).ty;
    let args = vec![it.int(i64::from(binder.id)), it.local(input)];
    Statement::Drop(it.generic_perform(op, [ty].into(), args, result))
}
