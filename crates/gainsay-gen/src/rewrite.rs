//! Rewrites all functions of a program: `across`, `Gen.any` and similar become calls of derived
//! functions.
//!
//! A term is replaced by one term, so bodies keep their structure. Generic functions that draw
//! values of their type parameters are instantiated for each type they are called at.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use gainsay_choice::{Kind, MoreElementsKind};
use gainsay_core::{
    EffectHandler, Function, FunctionId, FunctionKind, ModuleId, OpId, Term, TermId, Ty, TyId,
    TypeTable, builtin,
};
use gainsay_source::Span;

use crate::core_builder::CoreBuilder;
use crate::derive::{Deriver, GeneratorMode};
use crate::lower::SearchMode;
use crate::lowered::{ContainerKind, NoGenerator};
use crate::site::{AcrossTerm, RewrittenSite};

/// The maximum number of instances: polymorphic recursion would otherwise not end.
const MAX_INSTANCES: usize = 2_000;

/// How many elements `Gen.list` usually makes in large cases.
const AVERAGE_LEN: u32 = 10;

pub(crate) struct Rewriter<'p> {
    pub(crate) deriver: Deriver<'p>,
    pub(crate) sites: Vec<RewrittenSite>,
    pub(crate) n_binders: u32,
    pub(crate) any: HashMap<(TyId, ModuleId), Result<FunctionId, NoGenerator>>,
    /// Functions in place of values that have no generator, and why.
    pub(crate) ungeneratable: BTreeMap<FunctionId, NoGenerator>,
    /// Closures that are only called with inputs.
    pub(crate) input_closures: BTreeSet<FunctionId>,
    pub(crate) search_mode: SearchMode,
    /// Each function that was rewritten, with its source.
    pub(crate) rewritten: Vec<(FunctionId, FunctionId)>,
    /// Whether a function must be instantiated for each type it is called at.
    is_specialised: Vec<bool>,
    /// Whether a function of the standard library may discard a case.
    may_discard: Vec<bool>,
    instances: HashMap<FunctionInstance, FunctionId>,
    worklist: Vec<(FunctionId, FunctionInstance)>,
    /// Operations that some world answers, which are not rewritten.
    stubbed: BTreeSet<OpId>,
    /// How spans in the function that is being rewritten are attributed.
    span_attribution: SpanAttribution,
    /// Functions that replace operations of `Gen`.
    gen_functions: HashMap<(OpId, Option<Span>), FunctionId>,
    /// The function that hostile stubs are lambdas of.
    placeholder: Option<FunctionId>,
    /// The functions of random stubs, for laws of each module.
    pub(crate) random_stubs: HashMap<(OpId, ModuleId), FunctionId>,
}

/// How the spans of calls are attributed.
#[derive(Debug, Copy, Clone)]
enum SpanAttribution {
    /// To the standard library itself, which is of no interest to users.
    Own,
    /// To user code, or to the place in user code that calls this instance.
    CallSite,
}

/// An instance of a function.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FunctionInstance {
    source: FunctionId,
    /// Its type arguments, unless it is as generic as before.
    args: Box<[TyId]>,
    /// The call site, if the whole instance is attributed to it: when a generator of the standard
    /// library discards a case, the report should point at its caller.
    site: Option<Span>,
}

impl<'p> Rewriter<'p> {
    pub(crate) fn new(deriver: Deriver<'p>) -> Self {
        let mut it = Rewriter {
            deriver,
            sites: Vec::new(),
            n_binders: 0,
            any: HashMap::new(),
            ungeneratable: BTreeMap::new(),
            input_closures: BTreeSet::new(),
            search_mode: SearchMode::Usual,
            rewritten: Vec::new(),
            is_specialised: Vec::new(),
            may_discard: Vec::new(),
            instances: HashMap::new(),
            worklist: Vec::new(),
            stubbed: BTreeSet::new(),
            span_attribution: SpanAttribution::Own,
            gen_functions: HashMap::new(),
            placeholder: None,
            random_stubs: HashMap::new(),
        };
        it.find_stubbed();
        it.find_specialised();
        it.find_discarding();
        it
    }

    /// A function that is neither written by a user nor called.
    pub(crate) fn placeholder_function(&mut self) -> FunctionId {
        *self.placeholder.get_or_insert_with(|| self.deriver.reserve())
    }

    fn find_stubbed(&mut self) {
        let program = self.deriver.program;
        let worlds = program.worlds.iter().flat_map(|it| it.stubs.iter().map(|it| it.0));
        self.stubbed.extend(worlds);
        for term in program.functions.iter().flat_map(|it| &it.body.terms) {
            if let Term::Under { handlers: answers, .. } = term {
                self.stubbed.extend(answers.iter().filter_map(|it| match it {
                    EffectHandler::Stub(op, _) => Some(*op),
                    EffectHandler::World(_) => None,
                }));
            }
        }
    }

    //   f draws a T, or calls g<T> which is specialised, or has a part that is
    //   ──────────────────────────────────────────────────────────────────────── T has parameters
    //                             f is specialised
    fn find_specialised(&mut self) {
        let program = self.deriver.program;
        self.is_specialised = vec![false; program.functions.len()];
        let mut users: HashMap<FunctionId, Vec<FunctionId>> = HashMap::new();
        let mut pending = Vec::new();
        for (at, function) in program.functions.iter().enumerate() {
            let id = FunctionId(at as u32);
            // Only generic functions need instances.
            for term in function.body.terms.iter().filter(|_| !function.type_params.is_empty())
            {
                match self.use_of_parameters(term) {
                    Some(None) => pending.push(id),
                    Some(Some(used)) => users.entry(used).or_default().push(id),
                    None => {}
                }
            }
        }
        while let Some(next) = pending.pop() {
            if !std::mem::replace(&mut self.is_specialised[next.index()], true) {
                pending.extend(users.remove(&next).unwrap_or_default());
            }
        }
    }

    //   f discards, or draws from what may be empty, or calls g which may discard
    //   ───────────────────────────────────────────────────────────────────────── f is in std
    //                                 f may discard
    fn find_discarding(&mut self) {
        let program = self.deriver.program;
        let gen_ = &self.deriver.ops.gen_;
        let ops = [gen_.discard, gen_.elements, gen_.weighted, gen_.lot];
        self.may_discard = vec![false; program.functions.len()];
        loop {
            let mut has_more = false;
            for (at, function) in program.functions.iter().enumerate() {
                let is_standard = program.module(function.module).is_std;
                if !is_standard || self.may_discard[at] {
                    continue;
                }
                let gives_up = function.body.terms.iter().any(|term| {
                    if let Term::Perform { op, .. } = term {
                        ops.contains(&Some(*op))
                    } else if let Term::Call { function, .. } = term {
                        self.may_discard[function.index()]
                    } else {
                        false
                    }
                });
                self.may_discard[at] = gives_up;
                has_more |= gives_up;
            }
            if !has_more {
                return;
            }
        }
    }

    /// Whether a term is at a type with parameters: it draws (`Some(None)`), or uses a function.
    #[expect(clippy::option_option, reason = "drawing is using nobody")]
    fn use_of_parameters(&self, term: &Term) -> Option<Option<FunctionId>> {
        let has_param =
            |tys: &[TyId]| tys.iter().any(|it| self.deriver.types.flags(*it).has_param());
        if let Term::Perform { op, type_args, .. } = term {
            let draws = Some(*op) == self.deriver.ops.gen_.any && has_param(type_args);
            draws.then_some(None)
        } else if let Term::Across { binders, .. } = term {
            binders.iter().any(|it| has_param(&[it.ty])).then_some(None)
        } else if let Term::Call { function, type_args, .. }
        | Term::Function { function, type_args } = term
        {
            has_param(type_args).then_some(Some(*function))
        } else if let Term::Closure { function, .. } = term {
            Some(Some(*function))
        } else {
            None
        }
    }

    /// Rewrites every function in place.
    pub(crate) fn rewrite_all(&mut self) {
        for at in 0..self.deriver.program.functions.len() {
            let function = FunctionId(at as u32);
            let own = FunctionInstance { source: function, args: Box::default(), site: None };
            self.rewrite(function, &own);
        }
        self.rewrite_instances();
    }

    /// Writes the requested instances of generic functions.
    pub(crate) fn rewrite_instances(&mut self) {
        while let Some((target, instance)) = self.worklist.pop() {
            self.rewrite(target, &instance);
        }
    }

    /// The instance of a function for some types and a call site; `None` if types are not known
    /// yet or there are too many instances.
    fn instance(
        &mut self,
        source: FunctionId,
        args: &[TyId],
        site: Option<Span>,
    ) -> Option<FunctionId> {
        let types = &self.deriver.types;
        // Still generic here: an instance of the caller requests it with known types.
        if args.iter().any(|it| types.flags(*it).has_param()) {
            return None;
        }
        let key = FunctionInstance { source, args: args.into(), site };
        if let Some(cached) = self.instances.get(&key) {
            return Some(*cached);
        }
        if self.instances.len() >= MAX_INSTANCES {
            return None;
        }
        let target = self.deriver.reserve();
        self.worklist.push((target, key.clone()));
        self.instances.insert(key, target);
        Some(target)
    }

    fn instantiated(&mut self, ty: TyId, args: &[TyId]) -> TyId {
        if args.is_empty() { ty } else { self.deriver.types.instantiate(ty, args) }
    }

    fn all_instantiated(&mut self, tys: &[TyId], args: &[TyId]) -> Box<[TyId]> {
        tys.iter().map(|it| self.instantiated(*it, args)).collect()
    }

    fn rewrite(
        &mut self,
        target: FunctionId,
        FunctionInstance { source, args, site }: &FunctionInstance,
    ) {
        let (source, args) = (*source, &**args);
        let mut function = self.deriver.program.function(source).clone();
        if !args.is_empty() {
            self.instantiate(&mut function, args);
        }
        if let Some(site) = site {
            // See `FunctionInstance::site`.
            function.body.spans.iter_mut().for_each(|it| *it = *site);
        }
        let is_standard = self.deriver.program.module(function.module).is_std;
        self.span_attribution = if is_standard && site.is_none() {
            SpanAttribution::Own
        } else {
            SpanAttribution::CallSite
        };
        for at in 0..function.body.terms.len() {
            let id = TermId(at as u32);
            if let Some(term) = self.replacement_term(&function, id, args) {
                function.body.terms[at] = term;
            }
        }
        self.deriver.define(GeneratorMode::Record, target, function.clone());
        self.deriver.define(GeneratorMode::Search, target, function);
        self.rewritten.push((target, source));
    }

    fn instantiate(&mut self, function: &mut Function, args: &[TyId]) {
        function.type_params = Box::default();
        function.result = self.instantiated(function.result, args);
        for param in &mut function.params {
            param.ty = self.instantiated(param.ty, args);
        }
        for local in &mut function.body.locals {
            local.ty = self.instantiated(local.ty, args);
        }
        for ty in &mut function.body.tys {
            *ty = self.instantiated(*ty, args);
        }
        if let FunctionKind::Lambda(parent) = function.kind
            && let Some(parent) = self.instance(parent, args, None)
        {
            function.kind = FunctionKind::Lambda(parent);
        }
    }

    /// The replacement of a term, if it changes.
    #[expect(clippy::wildcard_enum_match_arm, reason = "most terms stay as they are")]
    fn replacement_term(
        &mut self,
        function: &Function,
        id: TermId,
        args: &[TyId],
    ) -> Option<Term> {
        match function.body.term(id).clone() {
            Term::Perform { op, type_args, args: parts } => {
                let type_args = self.all_instantiated(&type_args, args);
                let place = function.body.span(id);
                let called =
                    self.replace_gen_operation(function, op, &type_args, parts.clone(), place);
                Some(called.unwrap_or(Term::Perform { op, type_args, args: parts }))
            }
            Term::Call { function: callee, type_args, args: parts } => {
                let type_args = self.all_instantiated(&type_args, args);
                let gives_up = self.may_discard[callee.index()];
                let site = self.attributed_span(function.body.span(id)).filter(|_| gives_up);
                let (function, type_args) = self.callee(callee, type_args, site);
                Some(Term::Call { function, type_args, args: parts })
            }
            Term::Function { function: callee, type_args } => {
                let type_args = self.all_instantiated(&type_args, args);
                let (function, type_args) = self.callee(callee, type_args, None);
                Some(Term::Function { function, type_args })
            }
            Term::Closure { function: callee, captures } if !args.is_empty() => {
                let function = self.instance(callee, args, None).unwrap_or(callee);
                Some(Term::Closure { function, captures })
            }
            Term::Builtin { builtin, type_args, args: parts } if !args.is_empty() => {
                let type_args = self.all_instantiated(&type_args, args);
                Some(Term::Builtin { builtin, type_args, args: parts })
            }
            Term::Refine { value, ty } if !args.is_empty() => {
                let ty = self.instantiated(ty, args);
                Some(Term::Refine { value, ty })
            }
            Term::Across { mut binders, condition, body } => {
                for binder in &mut binders {
                    binder.ty = self.instantiated(binder.ty, args);
                }
                if !self.is_closed_across(&binders) {
                    return Some(Term::Across { binders, condition, body });
                }
                let is_solved = args.is_empty();
                let across =
                    AcrossTerm { binders: &binders, condition, inner: body, is_solved };
                Some(self.across_call(function, function.body.span(id), &across))
            }
            _ => None,
        }
    }

    fn callee(
        &mut self,
        callee: FunctionId,
        type_args: Box<[TyId]>,
        site: Option<Span>,
    ) -> (FunctionId, Box<[TyId]>) {
        if self.is_specialised[callee.index()]
            && let Some(copy) = self.instance(callee, &type_args, site)
        {
            return (copy, Box::default());
        }
        // Without specialisation there is still an instance for the call site, to attribute its
        // spans.
        let copy = site.and_then(|_| self.instance(callee, &[], site));
        (copy.unwrap_or(callee), type_args)
    }

    /// The span to attribute a discard to that happens at a place; `None` inside the standard
    /// library.
    fn attributed_span(&self, span: Span) -> Option<Span> {
        match self.span_attribution {
            SpanAttribution::CallSite => Some(span),
            SpanAttribution::Own => None,
        }
    }

    /// The call that replaces an operation of `Gen`, if any.
    fn replace_gen_operation(
        &mut self,
        function: &Function,
        op: OpId,
        type_args: &[TyId],
        args: Box<[TermId]>,
        place: Span,
    ) -> Option<Term> {
        // A stub may have to answer it, so it must stay an operation.
        if self.stubbed.contains(&op) {
            return None;
        }
        let ops = self.deriver.ops.gen_.clone();
        let op = Some(op);
        let call = |function, type_args: &[TyId]| {
            Some(Term::Call { function, type_args: type_args.into(), args })
        };
        let drawn = if op == ops.any {
            type_args.first().copied()
        } else if op == ops.bool {
            Some(TypeTable::BOOL)
        } else if op == ops.float {
            Some(TypeTable::FLOAT)
        } else if op == ops.char {
            Some(TypeTable::CHAR)
        } else if op == ops.str {
            Some(TypeTable::STR)
        } else {
            None
        };
        if let Some(ty) = drawn {
            if self.deriver.types.flags(ty).has_param() {
                return None;
            }
            return call(self.any_or_discard(ty, function.module), &[]);
        }
        if let Some(elements) = ops.elements.filter(|it| op == Some(*it)) {
            return call(
                self.elements_function(elements, self.attributed_span(place)),
                type_args,
            );
        }
        if let Some(more) = ops.more.filter(|it| op == Some(*it)) {
            return call(self.more_function(more), &[]);
        }
        None
    }

    /// The function that draws any value of a type, or discards the case if there is no generator.
    fn any_or_discard(&mut self, ty: TyId, module: ModuleId) -> FunctionId {
        let why = match self.any_value_function(ty, module) {
            Ok(function) => return function,
            Err(why) => why,
        };
        let function = self.deriver.reserve();
        let result = self.deriver.types.erase_refinements(ty);
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            let mut it = CoreBuilder::new(self.deriver.span);
            let op = self.deriver.ops.discard;
            let root = it.generic_perform(op, [result].into(), Vec::new(), result);
            let written = it.finish(self.deriver.header("any", result), root);
            self.deriver.define(mode, function, written);
        }
        self.ungeneratable.insert(function, why);
        function
    }

    /// `fn elements<A>(items) { if items.is_empty() { discard } else { items.at(index(len)) } }`.
    fn elements_function(&mut self, op: OpId, place: Option<Span>) -> FunctionId {
        if let Some(cached) = self.gen_functions.get(&(op, place)) {
            return *cached;
        }
        let function = self.deriver.reserve();
        self.gen_functions.insert((op, place), function);
        let a = self.deriver.types.intern(Ty::Param(0));
        let list = self.deriver.types.intern(Ty::List(a));
        let ops = self.deriver.ops.clone();
        let mut it = CoreBuilder::new(place.unwrap_or(self.deriver.span));
        let items = it.param("items", list);
        let all = it.local(items);
        let len = it.builtin(builtin::LIST_LEN, &[a], &[all], TypeTable::INT);
        let (n, bind) = it.bind("n", len);
        let count = it.local(n);
        let is_empty = it.equals_int(count, 0);
        let given_up = it.generic_perform(ops.discard, [a].into(), Vec::new(), a);
        let all = it.local(items);
        let count = it.local(n);
        let at = it.perform(ops.index, vec![count], TypeTable::INT);
        let item = it.builtin(builtin::LIST_AT, &[a], &[all, at], a);
        let root = it.if_(is_empty, given_up, item);
        let root = it.block(vec![bind], root);
        let mut written = it.finish(self.deriver.header("elements", a), root);
        written.type_params = ["A".into()].into();
        self.deriver.define(GeneratorMode::Search, function, written.clone());
        self.deriver.define(GeneratorMode::Record, function, written);
        function
    }

    /// `fn more(n) -> Bool`. The record program first closes the previous element, if there is one.
    fn more_function(&mut self, op: OpId) -> FunctionId {
        if let Some(cached) = self.gen_functions.get(&(op, None)) {
            return *cached;
        }
        let function = self.deriver.reserve();
        self.gen_functions.insert((op, None), function);
        let more =
            Kind::MoreElements(MoreElementsKind { min: 0, max: None, average: AVERAGE_LEN });
        let more = self.deriver.intern_kind(more);
        let element = self.deriver.labels.intern("element");
        self.deriver.containers.push(ContainerKind { more, element });
        let container = self.deriver.containers.len() as i64 - 1;
        for mode in [GeneratorMode::Search, GeneratorMode::Record] {
            let ops = self.deriver.ops.clone();
            let mut it = CoreBuilder::new(self.deriver.span);
            let n = it.param("n", TypeTable::INT);
            let (op, first) = match mode {
                GeneratorMode::Search => (ops.more, i64::from(more.number())),
                GeneratorMode::Record => (ops.element, container),
            };
            let args = vec![it.int(first), it.local(n)];
            let answer = it.perform(op, args, TypeTable::INT);
            let mut root = it.equals_int(answer, 1);
            if mode == GeneratorMode::Record {
                let count = it.local(n);
                let has_before = it.compare(builtin::GT, count, 0);
                let close = it.perform_with_ints(ops.close, &[]);
                let nothing = it.int(0);
                let closed = it.if_(has_before, close, nothing);
                root = it.block(vec![gainsay_core::Statement::Drop(closed)], root);
            }
            let written = it.finish(self.deriver.header("more", TypeTable::BOOL), root);
            self.deriver.define(mode, function, written);
        }
        function
    }
}
