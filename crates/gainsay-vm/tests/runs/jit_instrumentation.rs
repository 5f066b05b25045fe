//! Instrumentation: branches are counted, and mutants behave like the mutated program.

use std::sync::Arc;

use gainsay_core::builtin::{EQ, GT, INT_ADD, INT_MUL, LT};
use gainsay_core::{
    Arm, Body, ConstId, Constant, FunctionId, Literal, ModuleId, Pattern, Program, Statement,
    Term, TermId,
};
use gainsay_vm::{
    Engine, EngineKind, Instrumentation, Limits, MutantId, NoEffects, ProbeOutcome, TermMutant,
    Value, Worker, show,
};

use crate::builder::{BodyBuilder, INT, ProgramBuilder, span};

const LIMITS: Limits = Limits { steps: 500, depth: 50, words: 5000, ..Limits::UNLIMITED_STEPS };

/// ```text
/// fn f(n) {
///   if n > 0 && n < 10 {
///     match n { 1 => 10, x if x > 5 => 20, _ => 30 }
///   } else {
///     let (a, _) = if n == 0 { (1, 2) } else { (3, 4) };
///     a
///   }
/// }
/// ```
fn branching(b: &mut ProgramBuilder) -> (FunctionId, [TermId; 4]) {
    let mut terms = [TermId(0); 4];
    let f = b.function("f", &[("n", INT)], INT, |d| {
        let (n, zero, m, ten) = (d.local(0), d.int(0), d.local(0), d.int(10));
        let (above, below) = (d.builtin(GT, &[n, zero]), d.builtin(LT, &[m, ten]));
        let both = d.add(Term::And(above, below));
        let chosen = matching(d);
        let (block, inner) = destructuring(d);
        let whole = d.if_(both, chosen, block);
        terms = [both, chosen, inner, whole];
        whole
    });
    (f, terms)
}

fn matching(d: &mut BodyBuilder) -> TermId {
    let x = d.body.add_local("x", INT, span(0));
    let patterns = [Pattern::Literal(Literal::Int(1)), Pattern::Bind(x), Pattern::Wildcard];
    let patterns = patterns.map(|it| d.pattern(it));
    let (bound, five) = (d.local(x.0), d.int(5));
    let guard = d.builtin(GT, &[bound, five]);
    let bodies = [10, 20, 30].map(|it| d.int(it));
    let guards = [None, Some(guard), None];
    let arms = (0..3).map(|at| Arm {
        pattern: patterns[at],
        weight: None,
        guard: guards[at],
        body: bodies[at],
    });
    let arms = arms.collect();
    let scrutinee = d.local(0);
    d.add(Term::Match { scrutinee, arms })
}

fn destructuring(d: &mut BodyBuilder) -> (TermId, TermId) {
    let (n, zero) = (d.local(0), d.int(0));
    let is_zero = d.builtin(EQ, &[n, zero]);
    let [one, two, three, four] = [1, 2, 3, 4].map(|it| d.int(it));
    let (yes, no) = (d.tuple(&[one, two]), d.tuple(&[three, four]));
    let inner = d.if_(is_zero, yes, no);
    let a = d.body.add_local("a", INT, span(0));
    let (first, rest) = (d.pattern(Pattern::Bind(a)), d.pattern(Pattern::Wildcard));
    let pattern = d.pattern(Pattern::Tuple(Box::new([first, rest])));
    let result = d.local(a.0);
    (d.block(vec![Statement::Let(pattern, inner)], result), inner)
}

fn probe_text(program: &Program, probe: ProbeOutcome) -> String {
    let result = probe.result.map(|it| show(program, &it));
    format!("{result:?} {} {}", probe.steps, probe.words)
}

#[test]
fn branches_are_counted_one_by_one() {
    let mut b = ProgramBuilder::new();
    let (f, terms) = branching(&mut b);
    let program = Arc::new(b.program);
    let instruments = Instrumentation::default().with_branches(&program);
    let branches = instruments.branches().to_vec();
    let Some(engine) = Engine::instrumented(Arc::clone(&program), instruments) else { return };
    let mut worker = engine.worker(LIMITS);
    let mut plain = Engine::new(Arc::clone(&program), EngineKind::Interpreter).worker(LIMITS);
    for _ in 0..2 {
        for n in [-1, 0, 1, 6, 3, 12] {
            let probe = |it: &mut Worker| {
                probe_text(&program, it.probe(f, &[Value::Int(n)], &mut NoEffects))
            };
            assert_eq!(probe(&mut worker), probe(&mut plain));
        }
        let counts = terms.map(|term| {
            let counted = branches.iter().zip(worker.counters());
            counted.filter(|(it, _)| it.term == term).map(|(_, n)| *n).collect::<Vec<_>>()
        });
        assert_eq!(counts, [vec![4, 2], vec![1, 1, 1], vec![1, 2], vec![3, 3]]);
        worker.clear_counters();
    }
}

/// ```text
/// const c = 7 + 8
/// fn h(x) { x * 2 + c }
/// fn k(n, m) { h(n) + m }
/// fn g(n, m) { if n > m { k(n, m) + 3 } else if m > 20 { h(m) } else { g(n + 2, m) } }
/// ```
fn mutable(b: &mut ProgramBuilder) -> FunctionId {
    let function = b.function("c", &[], INT, |d| {
        let (seven, eight) = (d.int(7), d.int(8));
        d.builtin(INT_ADD, &[seven, eight])
    });
    let (name, module) = ("c".into(), ModuleId(0));
    b.program.constants.push(Constant { name, module, span: span(0), ty: INT, function });
    let h = b.function("h", &[("x", INT)], INT, |d| {
        let (x, two, c) = (d.local(0), d.int(2), d.add(Term::Constant(ConstId(0))));
        let double = d.builtin(INT_MUL, &[x, two]);
        d.builtin(INT_ADD, &[double, c])
    });
    let k = b.function("k", &[("n", INT), ("m", INT)], INT, |d| {
        let (n, m) = (d.local(0), d.local(1));
        let inner = d.call(h, &[n]);
        d.builtin(INT_ADD, &[inner, m])
    });
    let g = b.next();
    b.function("g", &[("n", INT), ("m", INT)], INT, |d| {
        let (n, m, two, three) = (d.local(0), d.local(1), d.int(2), d.int(3));
        let (above, twenty) = (d.builtin(GT, &[n, m]), d.int(20));
        let (inner, last) = (d.call(k, &[n, m]), d.call(h, &[m]));
        let (sum, more) = (d.builtin(INT_ADD, &[inner, three]), d.builtin(INT_ADD, &[n, two]));
        let far = d.builtin(GT, &[m, twenty]);
        let again = d.call(g, &[more, m]);
        let otherwise = d.if_(far, last, again);
        d.if_(above, sum, otherwise)
    })
}

fn is_int(body: &Body, term: TermId) -> bool {
    let term = body.term(term);
    if let Term::Builtin { builtin, .. } = term {
        return [INT_ADD, INT_MUL].contains(builtin);
    }
    matches!(term, Term::Literal(_) | Term::Local(_) | Term::Constant(_))
        || matches!(term, Term::Call { .. } | Term::If { .. })
}

/// Sets the types of integer terms: only those are compared with their mutants.
fn say_types(body: &mut Body) {
    for at in 0..body.terms.len() {
        if is_int(body, TermId(at as u32)) {
            body.tys[at] = INT;
        }
    }
}

/// All replacements of an integer term by another that does not contain it.
fn mutants(program: &Program) -> Vec<TermMutant> {
    let mut mutants = Vec::new();
    for (at, function) in program.functions.iter().enumerate() {
        let terms = (0..function.body.terms.len() as u32).map(TermId);
        let ints: Vec<TermId> = terms.filter(|it| is_int(&function.body, *it)).collect();
        for (at_term, term) in ints.iter().enumerate() {
            let function = FunctionId(at as u32);
            let others = ints[..at_term].iter();
            mutants.extend(others.map(|it| TermMutant {
                function,
                term: *term,
                replacement: *it,
            }));
        }
    }
    mutants
}

fn replaced(program: &Program, mutant: &TermMutant) -> Program {
    let mut program = program.clone();
    let body = &mut program.functions[mutant.function.index()].body;
    body.terms[mutant.term.index()] = body.term(mutant.replacement).clone();
    program
}

#[test]
fn a_mutant_is_the_program_with_the_other_term() {
    let mut b = ProgramBuilder::new();
    let g = mutable(&mut b);
    assert_mutants(b.program, g);
}

/// A chain in which each link contains the previous one: that operand is evaluated before the
/// mutant is selected.
#[test]
fn a_mutant_of_a_long_chain_is_the_chain_with_the_other_term() {
    let mut b = ProgramBuilder::new();
    let h = b.function("h", &[("n", INT)], INT, |d| {
        let (n, two) = (d.local(0), d.int(2));
        d.builtin(INT_MUL, &[n, two])
    });
    let chain = b.function("chain", &[("n", INT), ("m", INT)], INT, |d| {
        let mut chain = d.local(0);
        for link in 0..12 {
            let (m, number) = (d.local(1), d.int(link));
            chain = match link % 4 {
                0 => d.builtin(INT_ADD, &[chain, m]),
                1 => d.call(h, &[chain]),
                2 => {
                    let is_less = d.builtin(LT, &[chain, number]);
                    d.if_(is_less, m, number)
                }
                _ => d.builtin(INT_MUL, &[number, chain]),
            };
        }
        chain
    });
    assert_mutants(b.program, chain);
}

/// A function that is recursive, but not tail-recursive; some of its mutants are, and so loop in
/// its frame. Another one derives the range of a sum from a condition, which does not hold in all
/// mutants.
#[test]
fn a_mutant_may_call_itself_last() {
    let mut b = ProgramBuilder::new();
    let sum = b.next();
    b.function("sum", &[("n", INT), ("m", INT)], INT, |d| {
        let (n, m, one, two) = (d.local(0), d.local(1), d.int(1), d.int(2));
        let (next, twice) = (d.builtin(INT_ADD, &[n, one]), d.builtin(INT_MUL, &[m, two]));
        let more = d.builtin(INT_ADD, &[n, two]);
        let rest = d.call(sum, &[next, m]);
        let all = d.builtin(INT_ADD, &[rest, more]);
        let is_over = d.builtin(GT, &[n, m]);
        d.if_(is_over, twice, all)
    });
    assert_mutants_of(b.program, sum, 40);
}

fn assert_mutants(program: Program, g: FunctionId) {
    assert_mutants_of(program, g, 80);
}

fn assert_mutants_of(program: Program, g: FunctionId, n_expected: usize) {
    let program = Arc::new(program);
    let mutants = mutants(&program);
    assert!(mutants.len() > n_expected, "{}", mutants.len());
    let instruments = Instrumentation::default()
        .with_branches(&program)
        .with_mutants(&mutants)
        .with_infections();
    let Some(engine) = Engine::instrumented(Arc::clone(&program), instruments) else { return };
    let mut worker = engine.worker(LIMITS);
    let run = |worker: &mut Worker| {
        let numbers = [-3, 0, 4, 25];
        let pairs = numbers.iter().flat_map(|n| numbers.map(|m| [*n, m].map(Value::Int)));
        pairs
            .map(|args| probe_text(&program, worker.probe(g, &args, &mut NoEffects)))
            .collect::<Vec<_>>()
    };
    let interpreted = |program: Program| {
        run(&mut Engine::new(Arc::new(program), EngineKind::Interpreter).worker(LIMITS))
    };
    let original = interpreted((*program).clone());
    let mut n_different = 0;
    for (at, mutant) in MutantId::all(mutants.len()).zip(&mutants) {
        worker.set_mutant(Some(at));
        let results = run(&mut worker);
        assert_eq!(results, interpreted(replaced(&program, mutant)), "{mutant:?}");
        n_different += usize::from(results != original);
        worker.set_mutant(None);
        assert_eq!(run(&mut worker), original, "after {mutant:?}");
    }
    assert!(n_different > mutants.len() / 4, "{n_different} of {}", mutants.len());
}

/// A mutant whose term is not reached, or has the same value, changes nothing, and recording
/// changes nothing either.
#[test]
fn terms_are_seen_when_they_are_come_to() {
    let mut b = ProgramBuilder::new();
    let g = mutable(&mut b);
    b.program.functions.iter_mut().for_each(|it| say_types(&mut it.body));
    let program = Arc::new(b.program);
    let mutants = mutants(&program);
    let instruments = Instrumentation::default().with_mutants(&mutants).with_infections();
    let Some(engine) = Engine::instrumented(Arc::clone(&program), instruments) else { return };
    let [mut plain, mut watching, mut mutated] = [(); 3].map(|()| engine.worker(LIMITS));
    let (mut n_reached, mut n_unreached, mut n_different, mut n_same) = (0, 0, 0, 0);
    for args in [[-3, 0], [0, 4], [4, 25], [25, -3]].map(|it| it.map(Value::Int)) {
        // A constant is evaluated once, and only then reaches its terms.
        watching.set_mutant(None);
        watching.watch_mutants();
        let run =
            |worker: &mut Worker| probe_text(&program, worker.probe(g, &args, &mut NoEffects));
        let original = run(&mut plain);
        assert_eq!(run(&mut watching), original);
        for (at, mutant) in MutantId::all(mutants.len()).zip(&mutants) {
            mutated.set_mutant(Some(at));
            let is_different = run(&mut mutated) != original;
            let is_reached = watching.is_reached(at);
            let infects = watching.may_infect(at);
            assert!(infects || !is_different, "{mutant:?} on {args:?}");
            assert!(is_reached || !infects, "{mutant:?} on {args:?}");
            n_same += usize::from(is_reached && !infects);
            n_reached += usize::from(is_reached);
            n_unreached += usize::from(!is_reached);
            n_different += usize::from(is_different);
        }
    }
    assert!(n_different > n_reached / 2, "{n_different} of {n_reached}");
    assert!(n_unreached > 0);
    assert!(n_same > 0);
}

/// A tail call of a function with mutants replaces its frame.
#[test]
fn tail_calls_stay_tail_calls() {
    let mut b = ProgramBuilder::new();
    let g = mutable(&mut b);
    let program = Arc::new(b.program);
    let instruments =
        Instrumentation::default().with_branches(&program).with_mutants(&mutants(&program));
    let Some(engine) = Engine::instrumented(Arc::clone(&program), instruments) else { return };
    let mut worker = engine.worker(Limits { depth: 8, ..Limits::UNLIMITED_STEPS });
    let args = [-2_000_000, 20].map(Value::Int);
    let value = worker.probe(g, &args, &mut NoEffects).result.expect("a value");
    assert_eq!(show(&program, &value), "82");
}
