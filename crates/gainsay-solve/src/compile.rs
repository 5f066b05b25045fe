//! From core to the form that the machine runs.

mod alternatives;
mod early_return;
mod shapes;
mod terms;

use std::collections::HashMap;

use gainsay_core::{
    Body, Function, FunctionId, LocalId, Pattern, PatternId, Program, RelId, RestPattern, Rule,
    TermId, TyId, TypeTable,
};
use gainsay_source::Span;

use crate::code::{
    Code, CodeArm, CodeFnId, CodeFunction, CodeRel, CodeRelId, CodeRule, Expr, ExprId, Matcher,
    MatcherId, ResultRange, ShapeId, SlotId,
};

/// The module of the standard library with functions that mean the same as builtins.
const MODELS: &str = "models";

/// Code with more functions, expressions or types takes too long to compile and to run.
const MAX_FUNCTIONS: usize = 2_000;
const MAX_EXPRS: usize = 200_000;

/// Why a predicate cannot be run with unknowns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotSolvable {
    /// It performs an effect, or claims something.
    Effect(Span),
    /// An unknown is a function or has a type parameter, or its values cannot be constructed.
    UnknownType(TyId),
    /// It is too large.
    TooLarge(Span),
}

/// Compiles functions and relations, each once per instance.
pub(crate) struct Compiler<'a> {
    pub(crate) program: &'a Program,
    pub(crate) types: &'a mut TypeTable,
    pub(crate) code: Code,
    functions: HashMap<(FunctionId, Box<[TyId]>), CodeFnId>,
    rels: HashMap<RelId, CodeRelId>,
    shapes: HashMap<TyId, ShapeId>,
    pending: Vec<PendingCode>,
}

/// What is called, but not compiled yet.
enum PendingCode {
    Function(CodeFnId, FunctionId, Box<[TyId]>),
    Rel(CodeRelId, RelId),
}

/// The body that is being compiled.
pub(crate) struct BodyCompiler<'c, 'a, 'b> {
    pub(crate) compiler: &'c mut Compiler<'a>,
    pub(crate) body: &'b Body,
    pub(crate) type_args: &'b [TyId],
    /// Which terms contain a `?` of this function.
    returns_early: Vec<bool>,
    pub(crate) n_slots: u32,
}

impl<'a> Compiler<'a> {
    pub(crate) fn new(program: &'a Program, types: &'a mut TypeTable) -> Self {
        let mut it = Self {
            program,
            types,
            code: Code::default(),
            functions: HashMap::new(),
            rels: HashMap::new(),
            shapes: HashMap::new(),
            pending: Vec::new(),
        };
        it.code.bool_shape = it.shape(TypeTable::BOOL);
        it
    }

    /// The instance of a function; [`Compiler::finish`] compiles it.
    pub(crate) fn function(
        &mut self,
        function: FunctionId,
        type_args: Box<[TyId]>,
    ) -> CodeFnId {
        let key = (function, type_args);
        if let Some(id) = self.functions.get(&key) {
            return *id;
        }
        let id = CodeFnId(self.code.functions.len() as u32);
        let body = self.code.add(Expr::Fail);
        let definition = self.program.function(function);
        let result = self.types.instantiate(definition.result, &key.1);
        // Its shape may need other functions, so it comes after this one has its place.
        self.code.functions.push(CodeFunction {
            n_slots: definition.body.locals.len() as u32,
            requires: Box::default(),
            body,
            ensures: Box::default(),
            result: self.code.bool_shape,
            result_range: ResultRange::Any,
        });
        self.pending.push(PendingCode::Function(id, function, key.1.clone()));
        self.functions.insert(key, id);
        self.code.functions[id.index()].result = self.shape(result);
        id
    }

    /// Adds a function that is compiled already.
    pub(crate) fn add_function(&mut self, function: CodeFunction) -> CodeFnId {
        self.code.functions.push(function);
        CodeFnId(self.code.functions.len() as u32 - 1)
    }

    /// A relation; [`Compiler::finish`] compiles it.
    pub(crate) fn rel(&mut self, rel: RelId) -> CodeRelId {
        if let Some(id) = self.rels.get(&rel) {
            return *id;
        }
        let id = CodeRelId(self.code.rels.len() as u32);
        let params: Vec<TyId> = self.program.rel(rel).params.iter().map(|it| it.ty).collect();
        let params = params.into_iter().map(|it| self.shape(it)).collect();
        self.code.rels.push(CodeRel { rules: Box::default(), params });
        self.pending.push(PendingCode::Rel(id, rel));
        self.rels.insert(rel, id);
        id
    }

    /// Compiles everything that is reachable, and analyses it.
    pub(crate) fn finish(mut self) -> Result<Code, NotSolvable> {
        while let Some(next) = self.pending.pop() {
            match next {
                PendingCode::Function(id, function, type_args) => {
                    self.compile_function(id, function, &type_args)?;
                }
                PendingCode::Rel(id, rel) => self.compile_rel(id, rel)?,
            }
        }
        self.measure_shapes();
        crate::ranges::infer(&mut self.code);
        Ok(self.code)
    }

    fn compile_function(
        &mut self,
        id: CodeFnId,
        function: FunctionId,
        type_args: &[TyId],
    ) -> Result<(), NotSolvable> {
        let program = self.program;
        let definition = program.function(function);
        let too_large = self.code.functions.len() > MAX_FUNCTIONS
            || self.code.exprs.len() + definition.body.terms.len() > MAX_EXPRS;
        if too_large {
            return Err(NotSolvable::TooLarge(definition.span));
        }
        let Some(root) = definition.body.root else {
            return Err(NotSolvable::Effect(definition.span));
        };
        let mut it = BodyCompiler::new(self, &definition.body, type_args);
        let requires = it.preconditions(definition)?;
        let first = it.compiler.code.exprs.len();
        let body = it.tail(root)?;
        let last = it.compiler.code.exprs.len();
        let mut ensures = Vec::new();
        for clause in &definition.ensures {
            let slot = clause.result.map(|it| SlotId(it.0));
            ensures.push((slot, it.term(clause.term)?));
        }
        let result_slot = it.fresh_slot();
        let mut refinements = Vec::new();
        it.check_refinement(definition.result, result_slot, &mut refinements);
        ensures.extend(refinements.into_iter().map(|it| (Some(result_slot), it)));
        let n_slots = it.n_slots;
        // What has no shape yet was made for a `?`: its value is that of the function.
        let result = self.code.functions[id.index()].result;
        for shape in &mut self.code.expr_shapes[first..last] {
            shape.get_or_insert(result);
        }
        let compiled = &mut self.code.functions[id.index()];
        compiled.n_slots = n_slots;
        compiled.requires = requires;
        compiled.body = body;
        compiled.ensures = ensures.into();
        Ok(())
    }

    /// What must hold of the parameters of a function without type parameters, and the number of
    /// locals that takes.
    pub(crate) fn preconditions(
        &mut self,
        function: FunctionId,
    ) -> Result<(Box<[ExprId]>, u32), NotSolvable> {
        let program = self.program;
        let definition = program.function(function);
        let mut it = BodyCompiler::new(self, &definition.body, &[]);
        let requires = it.preconditions(definition)?;
        Ok((requires, it.n_slots))
    }

    fn compile_rel(&mut self, id: CodeRelId, rel: RelId) -> Result<(), NotSolvable> {
        let program = self.program;
        let rules = program.rel(rel).rules.iter();
        let rules = rules.map(|it| self.compile_rule(id, it)).collect::<Result<_, _>>()?;
        self.code.rels[id.index()].rules = rules;
        Ok(())
    }

    fn compile_rule(&mut self, rel: CodeRelId, rule: &Rule) -> Result<CodeRule, NotSolvable> {
        let mut it = BodyCompiler::new(self, &rule.body, &[]);
        let weight = rule.weight.map(|weight| it.term(weight)).transpose()?;
        let mut conclusion = Vec::new();
        for term in &rule.conclusion {
            conclusion.push(term.map(|term| it.term(term)).transpose()?);
        }
        let premises = rule.premises.iter();
        let premises = premises.map(|premise| it.term(*premise)).collect::<Result<_, _>>()?;
        let (n_slots, n_locals) = (it.n_slots as usize, rule.body.locals.len());
        let tys: Vec<TyId> = rule.body.locals.iter().map(|it| it.ty).collect();
        let mut slots: Vec<ShapeId> = tys.into_iter().map(|it| self.shape(it)).collect();
        let unit = self.shape(TypeTable::UNIT);
        slots.resize(n_slots.max(n_locals), unit);
        let premises: Box<[ExprId]> = premises;
        let is_recursive = premises.iter().any(|it| self.code.mentions_rel(*it, rel));
        let conclusion = conclusion.into();
        Ok(CodeRule { slots: slots.into(), weight, conclusion, premises, is_recursive })
    }

    /// The function in Gainsay that means the same as a builtin, or as a function of the standard
    /// library that is hard to run backwards.
    pub(crate) fn model(&self, name: &str) -> Option<FunctionId> {
        let program = self.program;
        let is_models = |it: &gainsay_core::Module| it.is_std && &*it.name == MODELS;
        let module = program.modules.iter().position(is_models)?;
        program.find_function(gainsay_core::ModuleId(module as u32), &name.replace('.', "_"))
    }
}

impl<'c, 'a, 'b> BodyCompiler<'c, 'a, 'b> {
    pub(crate) fn new(
        compiler: &'c mut Compiler<'a>,
        body: &'b Body,
        type_args: &'b [TyId],
    ) -> Self {
        let returns_early = early_return::terms_that_return_early(body);
        let n_slots = body.locals.len() as u32;
        Self { compiler, body, type_args, returns_early, n_slots }
    }

    pub(crate) fn add(&mut self, expr: Expr) -> ExprId {
        self.compiler.code.add(expr)
    }

    pub(crate) fn fresh_slot(&mut self) -> SlotId {
        self.n_slots += 1;
        SlotId(self.n_slots - 1)
    }

    pub(crate) fn instantiate(&mut self, ty: TyId) -> TyId {
        self.compiler.types.instantiate(ty, self.type_args)
    }

    pub(crate) fn shape_of(&mut self, term: TermId) -> ShapeId {
        let ty = self.instantiate(self.body.ty(term));
        self.compiler.shape(ty)
    }

    /// What must hold of the parameters: their refinements, and the clauses of the contract.
    fn preconditions(&mut self, definition: &Function) -> Result<Box<[ExprId]>, NotSolvable> {
        let mut conditions = Vec::new();
        for (at, param) in definition.params.iter().enumerate() {
            self.check_refinement(param.ty, SlotId(at as u32), &mut conditions);
        }
        for clause in &definition.requires {
            conditions.push(self.term(clause.term)?);
        }
        Ok(conditions.into())
    }

    /// The conditions that a refined type means for a slot.
    fn check_refinement(&mut self, ty: TyId, slot: SlotId, conditions: &mut Vec<ExprId>) {
        let ty = self.instantiate(ty);
        for predicate in self.compiler.predicates_of(ty) {
            let value = self.add(Expr::Local(slot));
            conditions.push(self.add(Expr::Call(predicate, [value].into())));
        }
    }

    pub(crate) fn matcher(&mut self, id: PatternId) -> MatcherId {
        let matcher = match self.body.pattern(id) {
            Pattern::Wildcard => Matcher::Any,
            Pattern::Bind(LocalId(local)) => Matcher::Bind(SlotId(*local)),
            Pattern::Literal(literal) => Matcher::Literal(literal.clone()),
            Pattern::Tuple(parts) => Matcher::Tuple(self.matchers(parts)),
            Pattern::Ctor(ctor, parts) => Matcher::Ctor(*ctor, self.matchers(parts)),
            Pattern::List(items, rest) => {
                let items = self.matchers(items);
                let rest = match rest {
                    RestPattern::Nothing => None,
                    RestPattern::Some(rest) => Some(self.matcher(*rest)),
                };
                Matcher::List(items, rest)
            }
            Pattern::Or(parts) => Matcher::Or(self.matchers(parts)),
        };
        self.compiler.code.add_matcher(matcher)
    }

    fn matchers(&mut self, ids: &[PatternId]) -> Box<[MatcherId]> {
        ids.iter().map(|it| self.matcher(*it)).collect()
    }

    /// A match whose arms may have guards: an arm whose guard fails goes on with the arms after
    /// it.
    pub(crate) fn guarded_match(
        &mut self,
        scrutinee: ExprId,
        arms: Vec<(CodeArm, Option<ExprId>)>,
    ) -> ExprId {
        let arms = self.expand_alternatives(arms);
        if arms.iter().all(|(_, guard)| guard.is_none()) {
            let arms = arms.into_iter().map(|(arm, _)| arm).collect();
            return self.add(Expr::Match(scrutinee, arms));
        }
        let slot = self.fresh_slot();
        let mut following: Vec<CodeArm> = Vec::new();
        for (arm, guard) in arms.into_iter().rev() {
            let body = match guard {
                None => arm.body,
                Some(guard) => {
                    let value = self.add(Expr::Local(slot));
                    let rest = following.iter().rev().cloned().collect();
                    let otherwise = self.add(Expr::Match(value, rest));
                    self.add(Expr::If(guard, arm.body, otherwise))
                }
            };
            following.push(CodeArm { body, ..arm });
        }
        following.reverse();
        let value = self.add(Expr::Local(slot));
        let matched = self.add(Expr::Match(value, following.into()));
        let bind = self.compiler.code.add_matcher(Matcher::Bind(slot));
        self.add(Expr::Let(bind, scrutinee, matched))
    }
}
