//! Lowering: from a checked program to two programs whose claims can be run case by case.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use gainsay_core::{
    ClaimId, ClaimKind, FunctionId, FunctionKind, ModuleId, Program, TyId, TypeTable,
};

use crate::core_builder::{CoreBuilder, FunctionHeader};
use crate::derive::{Deriver, GeneratorMode};
use crate::domain::Domain;
use crate::draw_effect;
use crate::generator_plan::PlanShape;
use crate::law_exploration::ExploredWorlds;
use crate::lowered::{FilterReason, LoweredProgram, NoGenerator, SampleTarget};
use crate::rewrite::Rewriter;

/// Lowers a checked program so that its claims can be run case by case.
pub fn lower(program: &Program) -> LoweredProgram {
    lower_with_options(program, &LoweringOptions::default())
}

/// What to lower besides the claims themselves.
#[derive(Debug, Copy, Clone, Default)]
pub struct LoweringOptions<'a> {
    /// The types and generators to derive sample functions for, with types of the program's table.
    pub samples: &'a [SampleTarget],
    /// Whether to prepare hostile plans for laws.
    pub is_hostile: bool,
    /// Whether conditions are only filtered: for hosts without a solver.
    pub filters_only: bool,
    /// How inputs are found that satisfy the condition of an `across`.
    pub search_mode: SearchMode,
    /// The worlds in which to explore laws.
    pub explored_worlds: &'a [ExploredWorlds],
}

/// How inputs are found that satisfy the condition of an `across`.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
pub enum SearchMode {
    /// The first way that is possible; few inputs are enumerated.
    #[default]
    Usual,
    /// The first way that is possible; nothing is enumerated, as where single solutions are wanted.
    Solutions,
    /// Always by a solver, where that is possible.
    Narrowed,
    /// Always by drawing and rejecting.
    Filtered,
}

/// Lowers a program with options.
pub fn lower_with_options(program: &Program, purpose: &LoweringOptions<'_>) -> LoweredProgram {
    let mut base = program.clone();
    let n_ops = base.ops.len();
    let ops = draw_effect::declare_draw_effect(&mut base);
    let types = draw_effect::with_draw_in_rows(&base, n_ops);
    let mut it = Rewriter::new(Deriver::new(&base, types, ops));
    it.deriver.filters_only =
        purpose.filters_only || purpose.search_mode == SearchMode::Filtered;
    let finds_recipes =
        matches!(purpose.search_mode, SearchMode::Usual | SearchMode::Solutions);
    it.deriver.uses_recipes = finds_recipes;
    it.search_mode = purpose.search_mode;
    it.rewrite_all();
    let entries: Vec<Option<FunctionId>> =
        base.claim_ids().map(|claim| it.entry_function(claim)).collect();
    let hostilities = if purpose.is_hostile { it.hostile_plans() } else { Vec::new() };
    let mut explored = |worlds| {
        let is_wanted = purpose.explored_worlds.contains(&worlds);
        if is_wanted { it.explored_laws(worlds) } else { vec![None; entries.len()] }
    };
    let (explored, generated) =
        (explored(ExploredWorlds::Declared), explored(ExploredWorlds::Generated));
    let samples = purpose.samples.iter().map(|sample| it.sample_function(*sample)).collect();
    // The order of these passes matters: entry, law and sample functions request further instances
    // and generators, spans wrap finished bodies, and sites are assigned once all calls exist.
    it.rewrite_instances();
    it.deriver.finish_functions();
    it.open_spans();
    it.remove_input_checks();
    for entries in [&entries, &explored, &generated] {
        it.assign_claims_to_sites(entries);
    }
    it.remove_unneeded_leaves();
    it.assign_filters_to_sites();
    let Rewriter { deriver, sites, .. } = it;
    let Deriver { types, ops, kinds, labels, texts, containers, filters, functions, .. } =
        deriver;
    let Deriver { queries, value_shapes, .. } = deriver;
    let with = |functions| {
        Arc::new(Program { types: types.clone(), functions, ..base_without_tables(&base) })
    };
    let (search, record) = (with(deriver.search), with(deriver.record));
    let sites = sites.into_iter().map(|it| it.site).collect();
    LoweredProgram {
        search,
        record,
        kinds,
        labels,
        ops,
        entries,
        sites,
        filters,
        texts,
        containers,
        functions,
        queries,
        trace_tests: base.trace_tests.iter().map(|_| Arc::default()).collect(),
        value_shapes,
        samples,
        hostile_plans: hostilities,
        explored_laws: explored,
        generated_world_laws: generated,
    }
}

/// A copy of a program without the tables that are replaced.
fn base_without_tables(base: &Program) -> Program {
    Program {
        types: TypeTable::new(),
        functions: Vec::new(),
        modules: base.modules.clone(),
        nominals: base.nominals.clone(),
        ctors: base.ctors.clone(),
        effects: base.effects.clone(),
        ops: base.ops.clone(),
        constants: base.constants.clone(),
        rels: base.rels.clone(),
        worlds: base.worlds.clone(),
        profiles: base.profiles.clone(),
        generators: base.generators.clone(),
        claims: base.claims.clone(),
        trace_tests: base.trace_tests.clone(),
        lang: base.lang,
    }
}

impl Rewriter<'_> {
    /// The function that runs one case of a claim.
    fn entry_function(&mut self, claim: ClaimId) -> Option<FunctionId> {
        let program = self.deriver.program;
        match &program.claim(claim).kind {
            ClaimKind::Test(function) => Some(*function),
            ClaimKind::Property(function, _) if program.function(*function).is_across() => {
                Some(*function)
            }
            ClaimKind::Property(function, settings) => {
                Some(self.property_site(*function, *settings))
            }
            ClaimKind::Verify(_) => None,
        }
    }

    /// A function that draws one sample.
    fn sample_function(&mut self, sample: SampleTarget) -> Result<FunctionId, NoGenerator> {
        match sample {
            SampleTarget::Type(ty) => {
                let own = self.deriver.program.modules.iter().rposition(|it| !it.is_std);
                self.any_value_function(ty, ModuleId(own.unwrap_or(0) as u32))
            }
            SampleTarget::Generator(function) => {
                let definition = self.deriver.program.function(function);
                if !definition.params.is_empty() || !definition.type_params.is_empty() {
                    return Err(NoGenerator::HasParameters(function));
                }
                Ok(function)
            }
        }
    }

    /// The function without parameters that draws any value of a type.
    pub(crate) fn any_value_function(
        &mut self,
        ty: TyId,
        module: ModuleId,
    ) -> Result<FunctionId, NoGenerator> {
        if let Some(cached) = self.any.get(&(ty, module)) {
            return cached.clone();
        }
        let made = self.deriver.request_node(ty, &Domain::Any, module).map(|node| {
            let function = self.deriver.reserve();
            for mode in [GeneratorMode::Search, GeneratorMode::Record] {
                let deriver = &mut self.deriver;
                let mut it = CoreBuilder::new(deriver.span);
                let size = it.perform_with_ints(deriver.ops.size, &[]);
                let (size, bind) = it.bind("size", size);
                let value = deriver.emit_value(&mut it, node, size, mode);
                let root = it.block(vec![bind], value);
                let result = deriver.value_type(node);
                let header = FunctionHeader { module, ..deriver.header("any", result) };
                deriver.define(mode, function, it.finish(header, root));
            }
            function
        });
        self.any.insert((ty, module), made.clone());
        made
    }

    /// Removes refinement checks of inputs from the search program: inputs are drawn to satisfy
    /// them.
    fn remove_input_checks(&mut self) {
        for function in std::mem::take(&mut self.input_closures) {
            let deriver = &mut self.deriver;
            let n_captures = deriver.search[function.index()].n_captures as usize;
            for at in n_captures..deriver.search[function.index()].params.len() {
                let ty = deriver.search[function.index()].params[at].ty;
                let erased = deriver.types.erase_refinements(ty);
                deriver.search[function.index()].params[at].ty = erased;
            }
        }
    }

    /// Determines which claims reach which sites, and which of them need values that have no
    /// generator.
    fn assign_claims_to_sites(&mut self, entries: &[Option<FunctionId>]) {
        let at_function: HashMap<FunctionId, usize> =
            self.sites.iter().enumerate().map(|(at, it)| (it.function, at)).collect();
        let nesting = self.nesting();
        for it in &mut self.sites {
            it.site.may_nest = it.leave.is_none() || nesting.may_nest_in(it);
        }
        for (claim, entry) in (0..).map(ClaimId).zip(entries) {
            let Some(entry) = entry else { continue };
            let reached = self.reachable(*entry);
            let barred = reached.iter().find_map(|it| self.ungeneratable.get(it)).cloned();
            let mut sites: Vec<usize> =
                reached.iter().filter_map(|it| at_function.get(it)).copied().collect();
            sites.sort_unstable();
            // A function value that reaches an `across` may be called in any body of the claim.
            let is_passed_on = reached.iter().any(|it| nesting.may_escape_from(*it));
            for at in sites {
                let site = &mut self.sites[at].site;
                site.claims.push(claim);
                site.may_nest |= is_passed_on;
                site.no_generator = site.no_generator.take().or(barred.clone());
            }
        }
    }

    /// The functions that are reachable from one, in breadth-first order.
    fn reachable(&self, entry: FunctionId) -> Vec<FunctionId> {
        let mut found = vec![entry];
        let mut seen: HashSet<FunctionId> = [entry].into();
        let mut next = 0;
        while let Some(function) = found.get(next) {
            next += 1;
            let terms = &self.deriver.search[function.index()].body.terms;
            let called =
                terms.iter().filter_map(|it| self.deriver.program.referenced_function(it));
            found.extend(called.filter(|it| seen.insert(*it)));
        }
        found
    }

    /// Determines which filters can reject values at each site.
    fn assign_filters_to_sites(&mut self) {
        for it in &mut self.sites {
            let mut is_seen = HashSet::new();
            let mut pending = it.nodes.clone();
            let mut found = Vec::new();
            while let Some(id) = pending.pop() {
                if !is_seen.insert(id) {
                    continue;
                }
                let node = self.deriver.plan.node(id);
                let why = if let PlanShape::Filtered(_, predicate, _) = &node.shape {
                    Some(FilterReason::Refinement(*predicate))
                } else {
                    let is_table =
                        matches!(node.shape, PlanShape::Set(..) | PlanShape::Map(..));
                    is_table.then_some(FilterReason::Duplicate(node.ty))
                };
                let filters = &self.deriver.filters;
                found.extend(why.and_then(|why| filters.iter().position(|it| it.why == why)));
                node.shape.each_part(&mut |part| pending.push(part));
            }
            found.sort_unstable();
            it.site.filters = found;
        }
    }
}

/// The header of a function that is part of a claim.
pub(crate) fn claim_header(
    name: &str,
    module: ModuleId,
    row: gainsay_core::RowId,
) -> FunctionHeader {
    let kind = FunctionKind::Claim;
    FunctionHeader {
        name: name.into(),
        module,
        kind,
        n_captures: 0,
        result: TypeTable::UNIT,
        row,
    }
}
