//! Random formulas: against all values where there are few, and against other solvers where they
//! are installed.

#![expect(clippy::print_stdout, reason = "the figures are for people who ask for them")]

use std::time::Duration;

use gainsay_smt::smtlib::{ExternalAnswer, ExternalSolver, read_script, script};
use gainsay_smt::{
    Answer, Axiom, AxiomLimits, FunId, Model, SmtValue, SolverLimits, Sort, TermId, Terms,
    VarId, instances, solve,
};

/// A linear congruential generator (Knuth, "Seminumerical algorithms", 3.3.4).
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

/// A signature with something of everything.
struct Language {
    terms: Terms,
    colors: Vec<TermId>,
    color_vars: Vec<TermId>,
    bools: Vec<TermId>,
    ints: Vec<TermId>,
    trees: Vec<TermId>,
    elements: Vec<TermId>,
    /// Color to color.
    next: FunId,
    /// Integer to integer.
    score: FunId,
    /// Element to element.
    parent: FunId,
    /// Element and integer to truth value.
    owns: FunId,
    leaf: FunId,
    node: FunId,
    tagged: FunId,
}

impl Language {
    fn new() -> Language {
        let mut terms = Terms::default();
        let color = terms.signature.add_enumeration("Color", &["red", "green"]);
        let color = Sort::Named(color);
        let colors = terms.signature.constructors(color).unwrap_or(&[]).to_vec();
        let colors = colors.into_iter().map(|it| terms.app(it, Vec::new())).collect();
        let tree = terms.signature.add_sort("Tree");
        let tree_sort = Sort::Named(tree);
        terms.signature.set_constructors(
            tree,
            &[
                ("leaf", vec![]),
                ("node", vec![tree_sort, tree_sort]),
                ("tagged", vec![Sort::Int, tree_sort]),
            ],
        );
        let built = terms.signature.constructors(tree_sort).unwrap_or(&[]).to_vec();
        let element = Sort::Named(terms.signature.add_sort("Element"));
        let next = terms.signature.add_fun("next", &[color], color);
        let score = terms.signature.add_fun("score", &[Sort::Int], Sort::Int);
        let parent = terms.signature.add_fun("parent", &[element], element);
        let owns = terms.signature.add_fun("owns", &[element, Sort::Int], Sort::Bool);
        let mut vars = |sort, count: usize| -> Vec<TermId> {
            (0..count).map(|it| terms.fresh(&format!("v{it}"), sort)).collect()
        };
        let (color_vars, bools, ints) =
            (vars(color, 2), vars(Sort::Bool, 2), vars(Sort::Int, 3));
        let (trees, elements) = (vars(tree_sort, 3), vars(element, 3));
        Language {
            terms,
            colors,
            color_vars,
            bools,
            ints,
            trees,
            elements,
            next,
            score,
            parent,
            owns,
            leaf: built[0],
            node: built[1],
            tagged: built[2],
        }
    }

    fn color(&mut self, random: &mut Lcg) -> TermId {
        match random.below(4) {
            0 => random.pick(&self.colors),
            1 => {
                let arg = self.color(random);
                self.terms.app(self.next, vec![arg])
            }
            _ => random.pick(&self.color_vars),
        }
    }

    /// An integer; with functions of infinite sorts only if `wide`.
    fn int(&mut self, random: &mut Lcg, scope: Scope) -> TermId {
        let choice = random.below(if scope == Scope::Wide { 7 } else { 6 });
        match choice {
            0 => self.terms.int(random.below(4) as i128 - 1),
            1 => {
                let (a, b) = (self.int(random, scope), self.int(random, scope));
                self.terms.add(a, b)
            }
            2 => {
                let (a, factor) = (self.int(random, scope), random.below(5) as i128 - 2);
                let factor = self.terms.int(factor);
                self.terms.mul(a, factor)
            }
            3 if random.below(3) == 0 => {
                let condition = self.formula(random, 1, scope);
                let (a, b) = (self.int(random, scope), self.int(random, scope));
                self.terms.ite(condition, a, b)
            }
            6 => {
                let arg = self.int(random, scope);
                self.terms.app(self.score, vec![arg])
            }
            _ => random.pick(&self.ints),
        }
    }

    fn tree(&mut self, random: &mut Lcg) -> TermId {
        match random.below(6) {
            0 => self.terms.app(self.leaf, Vec::new()),
            1 => {
                let (a, b) = (self.tree(random), self.tree(random));
                self.terms.app(self.node, vec![a, b])
            }
            2 => {
                let (a, b) = (self.int(random, Scope::Wide), self.tree(random));
                self.terms.app(self.tagged, vec![a, b])
            }
            _ => random.pick(&self.trees),
        }
    }

    fn element(&mut self, random: &mut Lcg) -> TermId {
        if random.below(3) == 0 {
            let arg = self.element(random);
            return self.terms.app(self.parent, vec![arg]);
        }
        random.pick(&self.elements)
    }

    fn formula(&mut self, random: &mut Lcg, depth: usize, scope: Scope) -> TermId {
        if depth > 0 && random.below(4) > 0 {
            let a = self.formula(random, depth - 1, scope);
            let b = self.formula(random, depth - 1, scope);
            return match random.below(5) {
                0 | 1 => self.terms.or(vec![a, b]),
                2 => self.terms.and(vec![a, b]),
                3 => self.terms.not(a),
                _ => self.terms.eq(a, b),
            };
        }
        match random.below(if scope == Scope::Wide { 8 } else { 5 }) {
            0 => random.pick(&self.bools),
            1 => {
                let (a, b) = (self.color(random), self.color(random));
                self.terms.eq(a, b)
            }
            2 => {
                let (a, b) = (self.int(random, scope), self.int(random, scope));
                self.terms.eq(a, b)
            }
            5 => {
                let (a, b) = (self.tree(random), self.tree(random));
                self.terms.eq(a, b)
            }
            6 => {
                let (a, b) = (self.element(random), self.element(random));
                self.terms.eq(a, b)
            }
            7 => {
                let (a, b) = (self.element(random), self.int(random, scope));
                self.terms.app(self.owns, vec![a, b])
            }
            _ => {
                let (a, b) = (self.int(random, scope), self.int(random, scope));
                self.terms.le(a, b)
            }
        }
    }

    fn formulas(&mut self, random: &mut Lcg, scope: Scope) -> Vec<TermId> {
        (0..random.below(4) + 3).map(|_| self.formula(random, 2, scope)).collect()
    }
}

/// Which sorts and functions formulas use.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// Those with few values.
    Narrow,
    /// All.
    Wide,
}

/// The largest integer of the formulas with few values; the smallest is zero.
const LARGEST: i128 = 2;

/// Whether some values of the narrow sorts satisfy formulas.
fn holds_somewhere(language: &Language, formulas: &[TermId]) -> bool {
    let terms = &language.terms;
    let var = |it: &TermId| -> VarId { terms.vars(*it)[0] };
    let colors: Vec<SmtValue> =
        language.colors.iter().filter_map(|it| Model::default().value(terms, *it)).collect();
    let n_tables = 4 * 4 * 4 * 27;
    (0..n_tables).any(|mut number| {
        let mut digit = |base: usize| {
            let digit = number % base;
            number /= base;
            digit
        };
        let mut model = Model::default();
        for it in &language.bools {
            model.vars.insert(var(it), SmtValue::Bool(digit(2) == 1));
        }
        for it in &language.color_vars {
            model.vars.insert(var(it), colors[digit(2)].clone());
        }
        let table = model.funs.entry(language.next).or_default();
        for color in &colors {
            table.insert(vec![color.clone()], colors[digit(2)].clone());
        }
        for it in &language.ints {
            model.vars.insert(var(it), SmtValue::Int(digit(3) as i128));
        }
        formulas.iter().all(|it| model.holds(terms, *it) == Some(true))
    })
}

#[test]
fn answers_are_those_of_all_values() {
    let (mut n_sat, mut n_unsat, mut n_unknown) = (0, 0, 0);
    for seed in 0..3000 {
        let mut random = Lcg(seed);
        let mut language = Language::new();
        let mut formulas = language.formulas(&mut random, Scope::Narrow);
        for int in language.ints.clone() {
            let (zero, largest) = (language.terms.int(0), language.terms.int(LARGEST));
            formulas.push(language.terms.le(zero, int));
            formulas.push(language.terms.le(int, largest));
        }
        let expected = holds_somewhere(&language, &formulas);
        match solve(&mut language.terms, &formulas, SolverLimits::default()) {
            Answer::Sat(model) => {
                n_sat += 1;
                assert!(expected, "seed {seed}");
                for formula in &formulas {
                    assert_eq!(
                        model.holds(&language.terms, *formula),
                        Some(true),
                        "seed {seed}"
                    );
                }
            }
            Answer::Unsat => {
                n_unsat += 1;
                assert!(!expected, "seed {seed}");
            }
            Answer::Unknown(_) => n_unknown += 1,
        }
    }
    println!("{n_sat} sat, {n_unsat} unsat, {n_unknown} unknown");
    assert!(n_sat > 500 && n_unsat > 500 && n_unknown < 30);
}

#[test]
fn answers_are_those_of_other_solvers() {
    let timeout = Duration::from_secs(300);
    for (solver, n_questions) in
        [(ExternalSolver::z3(timeout), 10_000), (ExternalSolver::cvc5(timeout), 1_000)]
    {
        if solver.is_available() {
            compare(&solver, n_questions);
        } else {
            println!("{} is not installed: skipped", solver.program);
        }
    }
}

/// The questions that one process answers.
const QUESTIONS_AT_ONCE: usize = 500;

/// Compares answers to random questions with those of another solver.
fn compare(solver: &ExternalSolver, n_questions: usize) {
    let (mut n_same, mut n_unknown, mut n_silent) = (0, 0, 0);
    let seeds: Vec<u64> = (0..n_questions as u64).map(|it| 1_000_000 + it).collect();
    for seeds in seeds.chunks(QUESTIONS_AT_ONCE) {
        let mut answers = Vec::new();
        let mut scripts = Vec::new();
        for seed in seeds {
            let mut random = Lcg(*seed);
            let mut language = Language::new();
            let formulas = language.formulas(&mut random, Scope::Wide);
            scripts.push(script(&language.terms, &[], &formulas).expect("a script"));
            answers.push(solve(&mut language.terms, &formulas, SolverLimits::default()));
        }
        let others = solver.ask_all(&scripts);
        for (at, (answer, other)) in answers.into_iter().zip(others).enumerate() {
            match (answer, other) {
                (Answer::Unknown(_), _) => n_unknown += 1,
                (_, ExternalAnswer::Unknown) => n_silent += 1,
                (Answer::Sat(_), ExternalAnswer::Sat)
                | (Answer::Unsat, ExternalAnswer::Unsat) => n_same += 1,
                (answer, other) => {
                    panic!("seed {}: {answer:?}, but {other:?}:\n{}", seeds[at], scripts[at]);
                }
            }
        }
    }
    let name = &solver.program;
    println!("{name}: {n_same} same, {n_unknown} unknown here, {n_silent} unknown there");
    assert!(n_same * 10 > n_questions * 9, "{name}: {n_same} of {n_questions} compared");
}

#[test]
fn what_is_printed_is_read_again() {
    for seed in 0..300 {
        let mut random = Lcg(2_000_000 + seed);
        let mut language = Language::new();
        let formulas = language.formulas(&mut random, Scope::Wide);
        let Some(text) = script(&language.terms, &[], &formulas) else { continue };
        let mut terms = Terms::default();
        let read = read_script(&mut terms, &text).unwrap();
        let limits = SolverLimits::default();
        let answer = solve(&mut language.terms, &formulas, limits);
        let again = solve(&mut terms, &read, limits);
        match (answer, again) {
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => {}
            (Answer::Sat(_), Answer::Sat(_)) | (Answer::Unsat, Answer::Unsat) => {}
            (answer, again) => panic!("seed {seed}: {answer:?}, but {again:?}:\n{text}"),
        }
    }
}

#[test]
fn hard_questions_end_with_their_steps() {
    // Seven pigeons, six holes, and integers that keep equations from deciding it.
    let mut terms = Terms::default();
    let pigeons: Vec<TermId> = (0..9).map(|_| terms.fresh("pigeon", Sort::Int)).collect();
    let mut formulas = Vec::new();
    for (i, a) in pigeons.iter().enumerate() {
        let (low, high) = (terms.int(0), terms.int(7));
        formulas.push(terms.le(low, *a));
        formulas.push(terms.le(*a, high));
        for b in &pigeons[i + 1..] {
            formulas.push(terms.ne(*a, *b));
        }
    }
    let answer = solve(&mut terms, &formulas, SolverLimits { steps: 100_000 });
    assert!(!matches!(answer, Answer::Sat(_)));
}

#[test]
fn numbers_that_are_too_large_are_unknown() {
    let mut terms = Terms::default();
    let x = terms.fresh("x", Sort::Int);
    let largest = terms.int(i128::MAX);
    let sum = terms.add(x, largest);
    let doubled = terms.add(sum, largest);
    let formula = terms.le(largest, doubled);
    let product = terms.mul(x, x);
    let square = terms.lt(product, x);
    for formula in [formula, square] {
        let answer = solve(&mut terms, &[formula], SolverLimits::default());
        assert!(matches!(answer, Answer::Unknown(_)), "{answer:?}");
    }
}

#[test]
fn instances_of_axioms_refute() {
    let mut terms = Terms::default();
    let node = Sort::Named(terms.signature.add_sort("Node"));
    let next = terms.signature.add_fun("next", &[node], node);
    let first = terms.signature.add_fun("first", &[node], Sort::Bool);
    let n = terms.signature.add_var("n", node);
    let bound = terms.var(n);
    let after = terms.app(next, vec![bound]);
    let twice = terms.app(next, vec![after]);
    let (is_first, next_is_first) =
        (terms.app(first, vec![bound]), terms.app(first, vec![after]));
    let not_next = terms.not(next_is_first);
    let axioms = [terms.eq(twice, bound), terms.eq(is_first, not_next)]
        .map(|body| Axiom { vars: vec![n], body });
    let (a, b) = (terms.fresh("a", node), terms.fresh("b", node));
    let after_a = terms.app(next, vec![a]);
    let equal = terms.eq(after_a, b);
    let firsts = [a, b].map(|it| terms.app(first, vec![it]));
    let mut refuted = vec![equal, firsts[0], firsts[1]];
    refuted.extend(instances(&mut terms, &axioms, &refuted.clone(), AxiomLimits::default()));
    assert_eq!(solve(&mut terms, &refuted, SolverLimits::default()), Answer::Unsat);
    let mut possible = vec![equal, firsts[0]];
    possible.extend(instances(&mut terms, &axioms, &possible.clone(), AxiomLimits::default()));
    let answer = solve(&mut terms, &possible, SolverLimits::default());
    assert!(matches!(answer, Answer::Sat(_)), "{answer:?}");
}

#[test]
fn terms_that_nest_too_deep_are_opaque() {
    let mut terms = Terms::default();
    let element = Sort::Named(terms.signature.add_sort("Element"));
    let parent = terms.signature.add_fun("parent", &[element], element);
    let pair = terms.signature.add_sort("Pair");
    let sort = Sort::Named(pair);
    terms.signature.set_constructors(pair, &[("end", vec![]), ("both", vec![sort, sort])]);
    let both = terms.signature.constructors(sort).unwrap_or(&[])[1];
    let (mut deep, mut wide) = (terms.fresh("x", element), terms.fresh("y", sort));
    for _ in 0..100_000 {
        deep = terms.app(parent, vec![deep]);
    }
    for _ in 0..200 {
        wide = terms.app(both, vec![wide, wide]);
    }
    let (x, y) = (terms.fresh("x", element), terms.fresh("y", sort));
    for formula in [terms.ne(deep, x), terms.ne(wide, y)] {
        let answer = solve(&mut terms, &[formula], SolverLimits::default());
        assert!(!matches!(answer, Answer::Unsat), "{answer:?}");
    }
}
