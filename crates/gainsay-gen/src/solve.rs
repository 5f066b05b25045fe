//! Solves predicates: from the body of a `fn(it) -> Bool` to the set of values that satisfy it.
//!
//! The body is evaluated over symbolic values (abstract interpretation; Cousot and Cousot,
//! "Abstract interpretation", 1977). Each boolean becomes two sets: the values for which it is
//! true, and those for which it is false. Where something is not understood, both over-approximate
//! and are marked inexact; they never under-approximate.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not understood is not known, whatever is added to the language"
)]

mod arithmetic;
mod call;
mod compare;
mod matching;
mod symbolic_value;

use gainsay_core::{
    Body, FunctionId, Literal, Program, Statement, Term, TermId, Ty, TyId, TypeTable, builtin,
};

use self::symbolic_value::{SubjectPath, SymbolicValue};
use crate::domain::{CodePointSet, Domain};

/// A set of values, and whether it is exact or an over-approximation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PredicateSolution {
    pub(crate) domain: Domain,
    pub(crate) is_exact: bool,
}

/// The fuel in terms: predicates are short, but what they call may not be.
const MAX_TERMS: u32 = 4_000;

/// The maximum depth of calls that are followed.
const MAX_CALLS: usize = 8;

/// The values of a type that satisfy a predicate.
pub(crate) fn solve(
    program: &Program,
    types: &mut TypeTable,
    predicate: FunctionId,
    base: TyId,
) -> PredicateSolution {
    let mut solver = PredicateSolver::new(program, types);
    let subject =
        SymbolicValue::Subject(SubjectPath { root: 0, segments: Vec::new(), ty: base });
    solver.solve_call(predicate, vec![subject], WantedTruth::True)
}

/// The inputs that satisfy a condition, as a domain of tuples. Captures of the condition are
/// unknown.
pub(crate) fn solve_condition(
    program: &Program,
    types: &mut TypeTable,
    condition: FunctionId,
    inputs: &[TyId],
) -> PredicateSolution {
    let tuple = types.intern(Ty::Tuple(inputs.into()));
    let mut solver = PredicateSolver::new(program, types);
    let root = SubjectPath { root: 0, segments: Vec::new(), ty: tuple };
    let n_captures = program.function(condition).n_captures as usize;
    let mut args = vec![SymbolicValue::Unknown; n_captures];
    args.extend((0..inputs.len()).map(|at| solver.part(&root, at)));
    solver.solve_call(condition, args, WantedTruth::True)
}

/// Which truth value of a condition is solved for.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum WantedTruth {
    True,
    False,
}

impl WantedTruth {
    fn not(self) -> Self {
        match self {
            WantedTruth::True => WantedTruth::False,
            WantedTruth::False => WantedTruth::True,
        }
    }
}

impl PartialEq<bool> for WantedTruth {
    fn eq(&self, truth: &bool) -> bool {
        (*self == WantedTruth::True) == *truth
    }
}

impl From<bool> for PredicateSolution {
    /// All values or none.
    fn from(holds: bool) -> Self {
        PredicateSolution::exactly(if holds { Domain::Any } else { Domain::Empty })
    }
}

impl PredicateSolution {
    /// Exactly these.
    fn exactly(domain: Domain) -> Self {
        PredicateSolution { domain, is_exact: true }
    }

    /// Not known.
    fn unknown() -> Self {
        PredicateSolution { domain: Domain::Any, is_exact: false }
    }

    //   x ∈ A    x ∈ B
    //   ────────────── (AND)
    //     x ∈ A ∩ B
    fn and(self, other: PredicateSolution) -> PredicateSolution {
        // Sets only over-approximate, so an empty one is certain, even if it is marked inexact.
        let is_never = self.domain == Domain::Empty || other.domain == Domain::Empty;
        match self.domain.meet(&other.domain) {
            _ if is_never => PredicateSolution::from(false),
            Some(Domain::Empty) => PredicateSolution::from(false),
            Some(domain) => {
                PredicateSolution { domain, is_exact: self.is_exact && other.is_exact }
            }
            // Not representable: either operand over-approximates the intersection.
            None => PredicateSolution { domain: self.domain, is_exact: false },
        }
    }

    //   x ∈ A             x ∈ B
    //   ───────── (OR₁)   ───────── (OR₂)
    //   x ∈ A ∪ B         x ∈ A ∪ B
    fn or(self, other: PredicateSolution) -> PredicateSolution {
        // Before `join`, which would make the result inexact if the other operand is.
        for it in [&self, &other] {
            if it.is_exact && it.domain == Domain::Any {
                return PredicateSolution::from(true);
            }
        }
        match self.domain.join(&other.domain) {
            Some(domain) => {
                PredicateSolution { domain, is_exact: self.is_exact && other.is_exact }
            }
            None => PredicateSolution::unknown(),
        }
    }
}

struct PredicateSolver<'p> {
    program: &'p Program,
    types: &'p mut TypeTable,
    /// The number of terms that may still be visited.
    fuel: u32,
    /// The functions whose bodies are being visited.
    calls: Vec<FunctionId>,
    /// The root that is solved for: 0 is the whole value, others are elements inside it.
    root: u32,
    n_roots: u32,
}

/// A body that is being visited, with what is known about its locals.
struct SolverFrame<'p> {
    body: &'p Body,
    locals: Vec<SymbolicValue>,
}

impl<'p> PredicateSolver<'p> {
    fn new(program: &'p Program, types: &'p mut TypeTable) -> Self {
        PredicateSolver {
            program,
            types,
            fuel: MAX_TERMS,
            calls: Vec::new(),
            root: 0,
            n_roots: 1,
        }
    }

    /// Spends fuel for a term; false when it has run out.
    fn spend_fuel(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    /// Enters a function, unless it is recursive or too deep.
    fn enter(
        &mut self,
        function: FunctionId,
        args: Vec<SymbolicValue>,
    ) -> Option<SolverFrame<'p>> {
        // No fixed point is computed, so nothing is known of a recursive call.
        if self.calls.contains(&function) || self.calls.len() >= MAX_CALLS {
            return None;
        }
        let body = &self.program.function(function).body;
        let mut locals = args;
        // Parameters are the first locals; nothing is known about the others yet.
        locals.resize(body.locals.len(), SymbolicValue::Unknown);
        self.calls.push(function);
        Some(SolverFrame { body, locals })
    }

    /// Solves a call of a function.
    fn solve_call(
        &mut self,
        function: FunctionId,
        args: Vec<SymbolicValue>,
        want: WantedTruth,
    ) -> PredicateSolution {
        let Some(mut frame) = self.enter(function, args) else {
            return PredicateSolution::unknown();
        };
        let solved = match frame.body.root {
            Some(root) => self.solve_truth(&mut frame, root, want),
            None => PredicateSolution::unknown(),
        };
        self.calls.pop();
        solved
    }

    /// The symbolic value of a call of a function.
    fn call_result(&mut self, function: FunctionId, args: Vec<SymbolicValue>) -> SymbolicValue {
        let Some(mut frame) = self.enter(function, args) else { return SymbolicValue::Unknown };
        let symbol = match frame.body.root {
            Some(root) => self.value(&mut frame, root),
            None => SymbolicValue::Unknown,
        };
        self.calls.pop();
        symbol
    }

    /// The values for which a term has the wanted truth value.
    fn solve_truth(
        &mut self,
        frame: &mut SolverFrame<'p>,
        id: TermId,
        want: WantedTruth,
    ) -> PredicateSolution {
        if !self.spend_fuel() {
            return PredicateSolution::unknown();
        }
        match frame.body.term(id) {
            Term::And(a, b) => {
                let a = self.solve_truth(frame, *a, want);
                let b = self.solve_truth(frame, *b, want);
                // De Morgan: `not (a and b)` is `not a or not b`.
                if want == WantedTruth::True { a.and(b) } else { a.or(b) }
            }
            Term::Or(a, b) => {
                let a = self.solve_truth(frame, *a, want);
                let b = self.solve_truth(frame, *b, want);
                if want == WantedTruth::True { a.or(b) } else { a.and(b) }
            }
            Term::If { condition, then, otherwise } => {
                let yes = self.solve_truth(frame, *condition, WantedTruth::True);
                let no = self.solve_truth(frame, *condition, WantedTruth::False);
                let then = self.solve_truth(frame, *then, want);
                let otherwise = self.solve_truth(frame, *otherwise, want);
                yes.and(then).or(no.and(otherwise))
            }
            Term::Builtin { builtin, args, .. } => {
                self.builtin_truth(frame, *builtin, args, want)
            }
            Term::Call { function, args, .. } => {
                let args = self.values(frame, args);
                self.call_truth(*function, args, want)
            }
            Term::CallValue { callee, args } => {
                let callee = self.value(frame, *callee);
                let args = self.values(frame, args);
                self.call_value_truth(&callee, args, want)
            }
            Term::Match { scrutinee, arms } => self.match_truth(frame, *scrutinee, arms, want),
            Term::Block { statements, result } => {
                self.statements(frame, statements);
                self.solve_truth(frame, *result, want)
            }
            Term::Sample { condition, .. } => self.solve_truth(frame, *condition, want),
            _ => {
                let symbol = self.value(frame, id);
                self.symbol_truth(&symbol, want)
            }
        }
    }

    fn builtin_truth(
        &mut self,
        frame: &mut SolverFrame<'p>,
        builtin: gainsay_core::BuiltinId,
        args: &[TermId],
        want: WantedTruth,
    ) -> PredicateSolution {
        match args {
            [arg] if builtin == builtin::BOOL_NOT => self.solve_truth(frame, *arg, want.not()),
            [arg] => {
                let symbol = self.value(frame, *arg);
                self.char_class(builtin, &symbol, want)
            }
            [a, b] => {
                let a = self.value(frame, *a);
                let b = self.value(frame, *b);
                self.compare(builtin, &a, &b, want)
            }
            _ => PredicateSolution::unknown(),
        }
    }

    /// `is_alphabetic` and similar predicates of a character.
    fn char_class(
        &mut self,
        builtin: gainsay_core::BuiltinId,
        symbol: &SymbolicValue,
        want: WantedTruth,
    ) -> PredicateSolution {
        let holds: fn(char) -> bool = match builtin {
            builtin::CHAR_IS_ALPHABETIC => char::is_alphabetic,
            builtin::CHAR_IS_NUMERIC => char::is_numeric,
            builtin::CHAR_IS_WHITESPACE => char::is_whitespace,
            builtin::CHAR_IS_UPPER => char::is_uppercase,
            builtin::CHAR_IS_LOWER => char::is_lowercase,
            _ => return PredicateSolution::unknown(),
        };
        match symbol {
            SymbolicValue::Literal(Literal::Char(char)) => {
                PredicateSolution::from(want == holds(*char))
            }
            SymbolicValue::Subject(place) => {
                let codes = CodePointSet::matching(|it| want == holds(it));
                self.with_part_in(place, PredicateSolution::exactly(Domain::of_chars(codes)))
            }
            _ => PredicateSolution::unknown(),
        }
    }

    fn symbol_truth(&mut self, symbol: &SymbolicValue, want: WantedTruth) -> PredicateSolution {
        match symbol {
            SymbolicValue::Literal(Literal::Bool(truth)) => {
                PredicateSolution::from(want == *truth)
            }
            SymbolicValue::Truth(both) => {
                let (when_true, when_false) = &**both;
                if want == WantedTruth::True { when_true.clone() } else { when_false.clone() }
            }
            SymbolicValue::Subject(place) if self.types.base(place.ty) == TypeTable::BOOL => {
                self.with_part_in(
                    place,
                    PredicateSolution::exactly(Domain::Bool(want == WantedTruth::True)),
                )
            }
            SymbolicValue::Either(either) => {
                let then = self.symbol_truth(&either.then, want);
                let otherwise = self.symbol_truth(&either.otherwise, want);
                either.yes.clone().and(then).or(either.no.clone().and(otherwise))
            }
            _ => PredicateSolution::unknown(),
        }
    }

    fn values(&mut self, frame: &mut SolverFrame<'p>, terms: &[TermId]) -> Vec<SymbolicValue> {
        terms.iter().map(|it| self.value(frame, *it)).collect()
    }

    fn statements(&mut self, frame: &mut SolverFrame<'p>, statements: &[Statement]) {
        for statement in statements {
            if let Statement::Let(pattern, value) = statement {
                let symbol = self.value(frame, *value);
                self.matches(frame, &symbol, *pattern);
            }
        }
    }

    /// The symbolic value of a term.
    fn value(&mut self, frame: &mut SolverFrame<'p>, id: TermId) -> SymbolicValue {
        if !self.spend_fuel() {
            return SymbolicValue::Unknown;
        }
        match frame.body.term(id) {
            Term::Literal(literal) => SymbolicValue::literal(literal),
            Term::Local(local) => frame.locals[local.index()].clone(),
            Term::Constant(constant) => {
                let function = self.program.constant(*constant).function;
                self.call_result(function, Vec::new())
            }
            Term::Function { function, .. } => SymbolicValue::Function(*function, Vec::new()),
            Term::Closure { function, captures } => {
                SymbolicValue::Function(*function, self.values(frame, captures))
            }
            Term::Tuple(parts) => SymbolicValue::Tuple(self.values(frame, parts)),
            Term::Construct { ctor, args } => {
                SymbolicValue::Data(*ctor, self.values(frame, args))
            }
            Term::List { items, rest } => {
                let mut list = self.values(frame, items);
                match rest.map(|rest| self.value(frame, rest)) {
                    None => SymbolicValue::List(list),
                    Some(SymbolicValue::List(rest)) => {
                        list.extend(rest);
                        SymbolicValue::List(list)
                    }
                    Some(_) => SymbolicValue::Unknown,
                }
            }
            Term::Field { base, index } => {
                let base = self.value(frame, *base);
                self.field(&base, *index as usize)
            }
            Term::Block { statements, result } => {
                self.statements(frame, statements);
                self.value(frame, *result)
            }
            Term::Refine { value, .. } => self.value(frame, *value),
            Term::If { condition, then, otherwise } => {
                self.conditional_value(frame, *condition, *then, *otherwise)
            }
            // Before builtins and calls: solving a boolean keeps both of its sets.
            _ if self.types.base(frame.body.ty(id)) == TypeTable::BOOL => {
                self.both_truths(frame, id)
            }
            Term::Builtin { builtin, args, .. } => {
                let args = self.values(frame, args);
                self.builtin_value(*builtin, &args)
            }
            Term::Call { function, args, .. } => {
                let args = self.values(frame, args);
                self.call_result(*function, args)
            }
            Term::CallValue { callee, args } => {
                let callee = self.value(frame, *callee);
                let args = self.values(frame, args);
                match callee {
                    SymbolicValue::Function(function, mut captures) => {
                        captures.extend(args);
                        self.call_result(function, captures)
                    }
                    _ => SymbolicValue::Unknown,
                }
            }
            _ => SymbolicValue::Unknown,
        }
    }

    /// A boolean that is used later: solved for both truth values.
    fn both_truths(&mut self, frame: &mut SolverFrame<'p>, id: TermId) -> SymbolicValue {
        let is_condition = matches!(
            frame.body.term(id),
            Term::And(..)
                | Term::Or(..)
                | Term::Builtin { .. }
                | Term::Call { .. }
                | Term::CallValue { .. }
                | Term::Match { .. }
                | Term::Sample { .. }
        );
        if !is_condition {
            return SymbolicValue::Unknown;
        }
        // Not one set and its complement: the complement of an over-approximation lacks values.
        let when_true = self.solve_truth(frame, id, WantedTruth::True);
        let when_false = self.solve_truth(frame, id, WantedTruth::False);
        SymbolicValue::Truth(Box::new((when_true, when_false)))
    }

    fn conditional_value(
        &mut self,
        frame: &mut SolverFrame<'p>,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> SymbolicValue {
        let yes = self.solve_truth(frame, condition, WantedTruth::True);
        let no = self.solve_truth(frame, condition, WantedTruth::False);
        // An empty set is certain, exact or not: that branch is never taken.
        if no.domain == Domain::Empty {
            return self.value(frame, then);
        }
        if yes.domain == Domain::Empty {
            return self.value(frame, otherwise);
        }
        let then = self.value(frame, then);
        let otherwise = self.value(frame, otherwise);
        SymbolicValue::Either(Box::new(symbolic_value::ConditionalValue {
            yes,
            no,
            then,
            otherwise,
        }))
    }
}
