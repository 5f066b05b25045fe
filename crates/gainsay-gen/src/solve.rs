//! Solves predicates: from the body of a `fn(it) -> Bool` to the set of values of which it holds.
//!
//! The body is evaluated over symbols instead of values (abstract interpretation; Cousot and
//! Cousot, "Abstract interpretation", 1977). Each truth value becomes two sets, that of the
//! values for which it is true and that for which it is false. Both are too large where
//! something is not understood, and say so; never too small.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not understood is not known, whatever is added to the language"
)]

mod arithmetic;
mod call;
mod compare;
mod matching;
mod symbol;

use gainsay_core::{
    Body, FunctionId, Literal, Program, Statement, Term, TermId, Ty, TyId, TypeTable, builtin,
};

use self::symbol::{Place, Symbol};
use crate::domain::{Codes, Domain};

/// A set of values, and whether it is exactly what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Solved {
    pub(crate) domain: Domain,
    pub(crate) is_exact: bool,
}

/// Terms that are looked at before giving up: predicates are short, but what they call may not be.
const MOST_TERMS: u32 = 4_000;

/// How many calls deep is looked.
const MOST_CALLS: usize = 8;

/// The values of a type of which a predicate holds.
pub(crate) fn solve(
    program: &Program,
    types: &mut TypeTable,
    predicate: FunctionId,
    base: TyId,
) -> Solved {
    let mut solver = Solver::new(program, types);
    let subject = Symbol::Subject(Place { root: 0, hops: Vec::new(), ty: base });
    solver.apply(predicate, vec![subject], Want::True)
}

/// The inputs of which a condition holds: a domain of tuples. What the condition captures is
/// not known.
pub(crate) fn solve_condition(
    program: &Program,
    types: &mut TypeTable,
    condition: FunctionId,
    inputs: &[TyId],
) -> Solved {
    let tuple = types.intern(Ty::Tuple(inputs.into()));
    let mut solver = Solver::new(program, types);
    let root = Place { root: 0, hops: Vec::new(), ty: tuple };
    let n_captures = program.function(condition).n_captures as usize;
    let mut args = vec![Symbol::Opaque; n_captures];
    args.extend((0..inputs.len()).map(|at| solver.part(&root, at)));
    solver.apply(condition, args, Want::True)
}

/// For which of its two values a condition is solved.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum Want {
    True,
    False,
}

impl Want {
    fn not(self) -> Self {
        match self {
            Want::True => Want::False,
            Want::False => Want::True,
        }
    }
}

impl PartialEq<bool> for Want {
    fn eq(&self, truth: &bool) -> bool {
        (*self == Want::True) == *truth
    }
}

impl From<bool> for Solved {
    /// All values or none.
    fn from(holds: bool) -> Self {
        Solved::exactly(if holds { Domain::Any } else { Domain::Never })
    }
}

impl Solved {
    /// Exactly these.
    fn exactly(domain: Domain) -> Self {
        Solved { domain, is_exact: true }
    }

    /// Nobody knows which.
    fn unknown() -> Self {
        Solved { domain: Domain::Any, is_exact: false }
    }

    //   x ∈ A    x ∈ B
    //   ────────────── (AND)
    //     x ∈ A ∩ B
    fn and(self, other: Solved) -> Solved {
        let is_never = self.domain == Domain::Never || other.domain == Domain::Never;
        match self.domain.meet(&other.domain) {
            _ if is_never => Solved::from(false),
            Some(Domain::Never) => Solved::from(false),
            Some(domain) => Solved { domain, is_exact: self.is_exact && other.is_exact },
            None => Solved { domain: self.domain, is_exact: false },
        }
    }

    //   x ∈ A             x ∈ B
    //   ───────── (OR₁)   ───────── (OR₂)
    //   x ∈ A ∪ B         x ∈ A ∪ B
    fn or(self, other: Solved) -> Solved {
        for it in [&self, &other] {
            if it.is_exact && it.domain == Domain::Any {
                return Solved::from(true);
            }
        }
        match self.domain.join(&other.domain) {
            Some(domain) => Solved { domain, is_exact: self.is_exact && other.is_exact },
            None => Solved::unknown(),
        }
    }
}

struct Solver<'p> {
    program: &'p Program,
    types: &'p mut TypeTable,
    /// Terms that may still be looked at.
    left: u32,
    /// The functions whose bodies are being looked at.
    calls: Vec<FunctionId>,
    /// Whose values are asked for: those of the type, or of an element inside one.
    root: u32,
    n_roots: u32,
}

/// A body that is looked at, with what is known of its locals.
struct Frame<'p> {
    body: &'p Body,
    locals: Vec<Symbol>,
}

impl<'p> Solver<'p> {
    fn new(program: &'p Program, types: &'p mut TypeTable) -> Self {
        Solver { program, types, left: MOST_TERMS, calls: Vec::new(), root: 0, n_roots: 1 }
    }

    /// Counts a term; false when there were too many.
    fn spend(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }

    /// Enters a function, unless it is inside itself or too deep.
    fn enter(&mut self, function: FunctionId, args: Vec<Symbol>) -> Option<Frame<'p>> {
        if self.calls.contains(&function) || self.calls.len() >= MOST_CALLS {
            return None;
        }
        let body = &self.program.function(function).body;
        let mut locals = args;
        locals.resize(body.locals.len(), Symbol::Opaque);
        self.calls.push(function);
        Some(Frame { body, locals })
    }

    /// Solves a call of a function.
    fn apply(&mut self, function: FunctionId, args: Vec<Symbol>, want: Want) -> Solved {
        let Some(mut frame) = self.enter(function, args) else { return Solved::unknown() };
        let solved = match frame.body.root {
            Some(root) => self.truth(&mut frame, root, want),
            None => Solved::unknown(),
        };
        self.calls.pop();
        solved
    }

    /// The symbol of a call of a function.
    fn result(&mut self, function: FunctionId, args: Vec<Symbol>) -> Symbol {
        let Some(mut frame) = self.enter(function, args) else { return Symbol::Opaque };
        let symbol = match frame.body.root {
            Some(root) => self.value(&mut frame, root),
            None => Symbol::Opaque,
        };
        self.calls.pop();
        symbol
    }

    /// The values for which a term is true, or false.
    fn truth(&mut self, frame: &mut Frame<'p>, id: TermId, want: Want) -> Solved {
        if !self.spend() {
            return Solved::unknown();
        }
        match frame.body.term(id) {
            Term::And(a, b) => {
                let a = self.truth(frame, *a, want);
                let b = self.truth(frame, *b, want);
                if want == Want::True { a.and(b) } else { a.or(b) }
            }
            Term::Or(a, b) => {
                let a = self.truth(frame, *a, want);
                let b = self.truth(frame, *b, want);
                if want == Want::True { a.or(b) } else { a.and(b) }
            }
            Term::If { condition, then, otherwise } => {
                let yes = self.truth(frame, *condition, Want::True);
                let no = self.truth(frame, *condition, Want::False);
                let then = self.truth(frame, *then, want);
                let otherwise = self.truth(frame, *otherwise, want);
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
                self.truth(frame, *result, want)
            }
            Term::Sample { condition, .. } => self.truth(frame, *condition, want),
            _ => {
                let symbol = self.value(frame, id);
                self.symbol_truth(&symbol, want)
            }
        }
    }

    fn builtin_truth(
        &mut self,
        frame: &mut Frame<'p>,
        builtin: gainsay_core::BuiltinId,
        args: &[TermId],
        want: Want,
    ) -> Solved {
        match args {
            [arg] if builtin == builtin::BOOL_NOT => self.truth(frame, *arg, want.not()),
            [arg] => {
                let symbol = self.value(frame, *arg);
                self.char_class(builtin, &symbol, want)
            }
            [a, b] => {
                let a = self.value(frame, *a);
                let b = self.value(frame, *b);
                self.compare(builtin, &a, &b, want)
            }
            _ => Solved::unknown(),
        }
    }

    /// `is_alphabetic` and its like of a character.
    fn char_class(
        &mut self,
        builtin: gainsay_core::BuiltinId,
        symbol: &Symbol,
        want: Want,
    ) -> Solved {
        let holds: fn(char) -> bool = match builtin {
            builtin::CHAR_IS_ALPHABETIC => char::is_alphabetic,
            builtin::CHAR_IS_NUMERIC => char::is_numeric,
            builtin::CHAR_IS_WHITESPACE => char::is_whitespace,
            builtin::CHAR_IS_UPPER => char::is_uppercase,
            builtin::CHAR_IS_LOWER => char::is_lowercase,
            _ => return Solved::unknown(),
        };
        match symbol {
            Symbol::Literal(Literal::Char(char)) => Solved::from(want == holds(*char)),
            Symbol::Subject(place) => {
                let codes = Codes::where_(|it| want == holds(it));
                self.at(place, Solved::exactly(Domain::of_chars(codes)))
            }
            _ => Solved::unknown(),
        }
    }

    fn symbol_truth(&mut self, symbol: &Symbol, want: Want) -> Solved {
        match symbol {
            Symbol::Literal(Literal::Bool(truth)) => Solved::from(want == *truth),
            Symbol::Truth(both) => {
                let (when_true, when_false) = &**both;
                if want == Want::True { when_true.clone() } else { when_false.clone() }
            }
            Symbol::Subject(place) if self.types.base(place.ty) == TypeTable::BOOL => {
                self.at(place, Solved::exactly(Domain::Bool(want == Want::True)))
            }
            Symbol::Either(either) => {
                let then = self.symbol_truth(&either.then, want);
                let otherwise = self.symbol_truth(&either.otherwise, want);
                either.yes.clone().and(then).or(either.no.clone().and(otherwise))
            }
            _ => Solved::unknown(),
        }
    }

    fn values(&mut self, frame: &mut Frame<'p>, terms: &[TermId]) -> Vec<Symbol> {
        terms.iter().map(|it| self.value(frame, *it)).collect()
    }

    fn statements(&mut self, frame: &mut Frame<'p>, statements: &[Statement]) {
        for statement in statements {
            if let Statement::Let(pattern, value) = statement {
                let symbol = self.value(frame, *value);
                self.matches(frame, &symbol, *pattern);
            }
        }
    }

    /// What is known of the value of a term.
    fn value(&mut self, frame: &mut Frame<'p>, id: TermId) -> Symbol {
        if !self.spend() {
            return Symbol::Opaque;
        }
        match frame.body.term(id) {
            Term::Literal(literal) => Symbol::literal(literal),
            Term::Local(local) => frame.locals[local.index()].clone(),
            Term::Constant(constant) => {
                let function = self.program.constant(*constant).function;
                self.result(function, Vec::new())
            }
            Term::Function { function, .. } => Symbol::Function(*function, Vec::new()),
            Term::Closure { function, captures } => {
                Symbol::Function(*function, self.values(frame, captures))
            }
            Term::Tuple(parts) => Symbol::Tuple(self.values(frame, parts)),
            Term::Construct { ctor, args } => Symbol::Data(*ctor, self.values(frame, args)),
            Term::List { items, rest } => {
                let mut list = self.values(frame, items);
                match rest.map(|rest| self.value(frame, rest)) {
                    None => Symbol::List(list),
                    Some(Symbol::List(rest)) => {
                        list.extend(rest);
                        Symbol::List(list)
                    }
                    Some(_) => Symbol::Opaque,
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
                self.either(frame, *condition, *then, *otherwise)
            }
            _ if self.types.base(frame.body.ty(id)) == TypeTable::BOOL => {
                self.both_truths(frame, id)
            }
            Term::Builtin { builtin, args, .. } => {
                let args = self.values(frame, args);
                self.builtin_value(*builtin, &args)
            }
            Term::Call { function, args, .. } => {
                let args = self.values(frame, args);
                self.result(*function, args)
            }
            Term::CallValue { callee, args } => {
                let callee = self.value(frame, *callee);
                let args = self.values(frame, args);
                match callee {
                    Symbol::Function(function, mut captures) => {
                        captures.extend(args);
                        self.result(function, captures)
                    }
                    _ => Symbol::Opaque,
                }
            }
            _ => Symbol::Opaque,
        }
    }

    /// A truth value that is looked at later.
    fn both_truths(&mut self, frame: &mut Frame<'p>, id: TermId) -> Symbol {
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
            return Symbol::Opaque;
        }
        let when_true = self.truth(frame, id, Want::True);
        let when_false = self.truth(frame, id, Want::False);
        Symbol::Truth(Box::new((when_true, when_false)))
    }

    fn either(
        &mut self,
        frame: &mut Frame<'p>,
        condition: TermId,
        then: TermId,
        otherwise: TermId,
    ) -> Symbol {
        let yes = self.truth(frame, condition, Want::True);
        let no = self.truth(frame, condition, Want::False);
        if no.domain == Domain::Never {
            return self.value(frame, then);
        }
        if yes.domain == Domain::Never {
            return self.value(frame, otherwise);
        }
        let then = self.value(frame, then);
        let otherwise = self.value(frame, otherwise);
        Symbol::Either(Box::new(symbol::Either { yes, no, then, otherwise }))
    }
}
