//! Derivations: why a relation holds of known arguments, as a tree of rules.
//!
//! Each rule becomes a query about its variables: its conclusion is what is to be derived, and its
//! premises hold. The arguments of premises that are relations are unknowns of the query as well, so
//! that the derivation goes on with them.

use std::collections::HashMap;

use gainsay_core::{Body, Comparison, Literal, Program, RelId, Term, TermId, TyId, TypeTable};
use gainsay_vm::{Value, show};

use crate::code::{CodeFunction, Expr, ExprId, ResultRange, ShapeId, SlotId};
use crate::compile::{BodyCompiler, Compiler, NotSolvable};
use crate::machine::{Budget, Machine, NoSolution, SolverQuery, SolverRequest};
use crate::query::is_recursive;
use crate::relation_solver::RotatingOrder;

/// Steps of the first search for the variables of one rule; each further one has twice as many.
const FIRST_STEPS: u64 = 5_000;
const ATTEMPTS: usize = 5;

/// Rules that are tried for one derivation.
const MAX_TRIES: u32 = 2_000;

/// How deep a derivation is.
const MAX_DEPTH: usize = 500;

/// A derivation: the rule that concludes, and how its premises were concluded.
#[derive(Debug, Clone)]
pub struct Derivation {
    /// The relation.
    pub rel: RelId,
    /// The position of the rule.
    pub rule: usize,
    /// The arguments of its conclusion.
    pub args: Vec<Value>,
    /// The derivations of those premises that are relations.
    pub premises: Vec<Derivation>,
}

/// A relation that is asked for, with the arguments it is applied to.
pub type RelationGoal = (RelId, Vec<Value>);

/// Finds derivations of the relations of a program.
pub struct DerivationFinder<'a> {
    program: &'a Program,
    types: TypeTable,
    rules: HashMap<(RelId, usize), Option<RuleQuery>>,
    n_tries: u32,
}

/// A rule as a query. Its arguments are the variables of the rule, the arguments of the relation,
/// and those of the premises.
struct RuleQuery {
    solver: SolverQuery,
    n_slots: usize,
    n_args: usize,
    premises: Vec<(RelId, usize)>,
}

impl<'a> DerivationFinder<'a> {
    /// For the relations of a program.
    pub fn new(program: &'a Program) -> Self {
        let types = program.types.clone();
        Self { program, types, rules: HashMap::new(), n_tries: 0 }
    }

    /// The relations that a condition without captures demands of known arguments: all of it, or
    /// its parts between `&&`. `None` if their arguments cannot be computed.
    pub fn goals(&mut self, condition: &Body, args: &[Value]) -> Option<Vec<RelationGoal>> {
        let mut demanded = Vec::new();
        conjuncts(condition, condition.root?, &mut demanded);
        let query = self.compile(condition, args.len(), &[], &[], &demanded).ok()?;
        let known = args.iter().cloned().map(Some);
        let values = self.solve(&query, known.collect())?;
        Some(query.split_premises(values))
    }

    /// A derivation of a relation; `None` if none was found.
    pub fn derive(&mut self, (rel, args): &RelationGoal) -> Option<Derivation> {
        self.n_tries = 0;
        self.derive_below(*rel, args, &mut Vec::new())
    }

    fn derive_below(
        &mut self,
        rel: RelId,
        args: &[Value],
        above: &mut Vec<(RelId, String)>,
    ) -> Option<Derivation> {
        let texts: Vec<String> = args.iter().map(|it| show(self.program, it)).collect();
        let goal = (rel, texts.join(", "));
        // What is derived from itself is not derived.
        if above.len() >= MAX_DEPTH || above.contains(&goal) {
            return None;
        }
        above.push(goal);
        let found = self.rules_in_order(rel).into_iter().find_map(|rule| {
            let goals = self.apply(rel, rule, args)?;
            let premises = goals.iter().map(|(rel, args)| self.derive_below(*rel, args, above));
            let premises = premises.collect::<Option<Vec<_>>>()?;
            Some(Derivation { rel, rule, args: args.to_vec(), premises })
        });
        above.pop();
        found
    }

    /// The rules, those without relations among their premises first: they end the derivation.
    fn rules_in_order(&self, rel: RelId) -> Vec<usize> {
        let rules = &self.program.rel(rel).rules;
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by_key(|at| {
            let rule = &rules[*at];
            rule.premises.iter().any(|it| relation(&rule.body, *it).is_some())
        });
        order
    }

    /// The goals of the premises of a rule that concludes with these arguments.
    fn apply(&mut self, rel: RelId, rule: usize, args: &[Value]) -> Option<Vec<RelationGoal>> {
        self.n_tries += 1;
        if self.n_tries > MAX_TRIES {
            return None;
        }
        let known = self.rules.remove(&(rel, rule));
        let query = known.unwrap_or_else(|| self.compile_rule(rel, rule).ok());
        let goals = query.as_ref().and_then(|query| {
            let variables = std::iter::repeat_n(None, query.n_slots);
            let known = args.iter().cloned().map(Some);
            let values = self.solve(query, variables.chain(known).collect())?;
            Some(query.split_premises(values))
        });
        self.rules.insert((rel, rule), query);
        goals
    }

    fn solve(&self, query: &RuleQuery, mut args: Vec<Option<Value>>) -> Option<Vec<Value>> {
        args.resize(query.solver.n_arguments(), None);
        // Each attempt begins with another rule, so that one that goes on forever hides no others.
        for n_attempts in 0..ATTEMPTS {
            let budget = Budget { steps: FIRST_STEPS << n_attempts, attempts: 1 };
            let request = SolverRequest { args: &args, wishes: &[], size: 0, budget };
            let mut chooser = RotatingOrder { n_attempts };
            let solved =
                Machine::new().solve(&query.solver, self.program, &request, &mut chooser);
            match solved.0 {
                Ok(values) => return Some(values),
                Err(NoSolution::Unsatisfiable) => return None,
                Err(NoSolution::GaveUp) => {}
            }
        }
        None
    }

    fn compile_rule(&mut self, rel: RelId, rule: usize) -> Result<RuleQuery, NotSolvable> {
        let program = self.program;
        let definition = program.rel(rel);
        let tys: Vec<TyId> = definition.params.iter().map(|it| it.ty).collect();
        let rule = &definition.rules[rule];
        let conclusion = rule.conclusion.iter().zip(tys);
        let conclusion: Vec<(Option<TermId>, TyId)> =
            conclusion.map(|(term, ty)| (*term, ty)).collect();
        self.compile(
            &rule.body,
            rule.body.locals.len(),
            &conclusion,
            &rule.premises,
            &rule.premises,
        )
    }

    /// A query about the locals of a body, some terms that are given, conditions that hold, and the
    /// arguments of those of `demanded` that are relations.
    fn compile(
        &mut self,
        body: &Body,
        n_locals: usize,
        given: &[(Option<TermId>, TyId)],
        conditions: &[TermId],
        demanded: &[TermId],
    ) -> Result<RuleQuery, NotSolvable> {
        let mut compiler = Compiler::new(self.program, &mut self.types);
        let mut it = BodyCompiler::new(&mut compiler, body, &[]);
        let mut terms = Vec::new();
        for (term, ty) in given {
            terms.push((term.map(|term| it.term(term)).transpose()?, *ty));
        }
        let holds = conditions.iter().map(|term| it.term(*term));
        let mut holds = holds.collect::<Result<Vec<ExprId>, _>>()?;
        let mut premises = Vec::new();
        for (rel, args) in demanded.iter().filter_map(|term| relation(body, *term)) {
            premises.push((rel, args.len()));
            for arg in args {
                terms.push((Some(it.term(*arg)?), body.ty(*arg)));
            }
        }
        let n_all = it.n_slots;
        let tys: Vec<TyId> = body.locals.iter().take(n_locals).map(|it| it.ty).collect();
        let mut params: Vec<ShapeId> = tys.into_iter().map(|it| compiler.shape(it)).collect();
        let unit = compiler.shape(TypeTable::UNIT);
        // Slots that the compiler added have values only while a condition runs.
        params.resize(n_all as usize, unit);
        for (at, (term, ty)) in terms.into_iter().enumerate() {
            params.push(compiler.shape(ty));
            let Some(term) = term else { continue };
            let slot = compiler.code.add(Expr::Local(SlotId(n_all + at as u32)));
            holds.push(compiler.code.add(Expr::Compare(Comparison::Eq, slot, term)));
        }
        let body = compiler.code.add(Expr::Literal(Literal::Bool(true)));
        let goal = compiler.add_function(CodeFunction {
            n_slots: params.len() as u32,
            requires: holds.into(),
            body,
            ensures: Box::default(),
            result: compiler.code.bool_shape,
            result_range: ResultRange::Any,
        });
        let code = compiler.finish()?;
        let is_recursive = is_recursive(&code);
        let solver = SolverQuery { code, goal, params: params.into(), is_recursive };
        Ok(RuleQuery { solver, n_slots: n_all as usize, n_args: given.len(), premises })
    }
}

impl RuleQuery {
    /// The goals of the premises, from the values of all arguments.
    fn split_premises(&self, values: Vec<Value>) -> Vec<RelationGoal> {
        let mut values = values.into_iter().skip(self.n_slots + self.n_args);
        let goals = self.premises.iter();
        goals.map(|(rel, n)| (*rel, values.by_ref().take(*n).collect())).collect()
    }
}

/// The relation that a term checks, with its arguments.
fn relation(body: &Body, term: TermId) -> Option<(RelId, &[TermId])> {
    match body.term(term) {
        Term::CheckRel { rel, args } => Some((*rel, args)),
        _ => None,
    }
}

/// How many relations a condition demands.
pub fn demanded_relations(condition: &Body) -> usize {
    let mut demanded = Vec::new();
    if let Some(root) = condition.root {
        conjuncts(condition, root, &mut demanded);
    }
    demanded.into_iter().filter(|it| relation(condition, *it).is_some()).count()
}

/// The parts of a condition between `&&`.
fn conjuncts(body: &Body, term: TermId, found: &mut Vec<TermId>) {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match body.term(term) {
            Term::And(a, b) => pending.extend([*b, *a]),
            Term::Block { statements, result } if statements.is_empty() => {
                pending.push(*result)
            }
            _ => found.push(term),
        }
    }
}
