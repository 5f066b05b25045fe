//! Random refinements and types: the solver agrees with evaluation, and generated values have their
//! type.

use std::fmt::Write as _;

use gainsay_choice::case_size;
use gainsay_core::{FunctionId, Program};
use gainsay_gen::{NoGenerator, SampleTarget, describe_domain};
use gainsay_ui::TestRandom;
use gainsay_vm::{Engine, EngineKind, Limits, NoEffects, Value, run_on_big_stack};

use crate::{GeneratorBench, checked, function};

/// The integers on which predicates are evaluated.
const SPAN: std::ops::RangeInclusive<i64> = -45..=45;

/// Generates predicates and types as text.
struct RefinementWriter {
    random: TestRandom,
}

impl RefinementWriter {
    fn number(&mut self) -> i64 {
        self.random.below(41) as i64 - 20
    }

    /// An arithmetic expression over `it`.
    fn expression(&mut self, subject: &str, depth: u64) -> String {
        if depth == 0 {
            return subject.to_owned();
        }
        let inner = self.expression(subject, depth - 1);
        let c = self.number();
        let positive = 1 + self.random.below(9);
        match self.random.below(7) {
            0 => format!("({inner} + {c})"),
            1 => format!("({c} - {inner})"),
            2 => format!("({inner} * {c})"),
            3 => format!("({inner} % {positive})"),
            4 => format!("({inner} / -{positive})"),
            5 => format!("({inner} / {positive})"),
            _ => inner,
        }
    }

    /// A condition on a number.
    fn condition(&mut self, subject: &str, depth: u64) -> String {
        if depth == 0 {
            let n_steps = self.random.below(3);
            let left = self.expression(subject, n_steps);
            let relation = ["<", "<=", ">", ">=", "==", "!="][self.random.index(6)];
            let right = self.number();
            return format!("{left} {relation} {right}");
        }
        let (a, b) = (self.condition(subject, depth - 1), self.condition(subject, depth - 1));
        match self.random.below(7) {
            0 | 1 => format!("({a}) && ({b})"),
            2 | 3 => format!("({a}) || ({b})"),
            4 => format!("!({a})"),
            5 => {
                let c = self.condition(subject, 0);
                format!("if {c} {{ {a} }} else {{ {b} }}")
            }
            _ => format!("({a}) != ({b})"),
        }
    }

    fn ty(&mut self, depth: u64) -> String {
        let leaf = |this: &mut Self| match this.random.below(8) {
            0 => "Int".to_owned(),
            1 => "Bool".to_owned(),
            2 => "Char".to_owned(),
            3 => "Str".to_owned(),
            4 => "Float".to_owned(),
            5 => "Color".to_owned(),
            6 => "Chain".to_owned(),
            _ => {
                let depth = this.random.below(2);
                format!("Int{{{}}}", this.condition("it", depth))
            }
        };
        if depth == 0 {
            return leaf(self);
        }
        let part = self.ty(depth - 1);
        match self.random.below(10) {
            0 => format!("List<{part}>"),
            1 => format!("Option<{part}>"),
            2 => format!("({part}, {})", self.ty(depth - 1)),
            3 => format!("Set<{part}>"),
            4 => format!("Map<{part}, {}>", self.ty(depth - 1)),
            5 => format!("Tree<{part}>"),
            6 => format!("Result<{part}, {}>", self.ty(depth - 1)),
            7 => format!("List<{part}>{{it.len() < {}}}", self.random.below(6)),
            8 => format!("(Int, {part}){{{}}}", self.condition("it.0", 1)),
            _ => format!("Either<{part}, {}>", self.ty(depth - 1)),
        }
    }
}

const DECLARATIONS: &str = "\
type Color = Red | Green | Blue
type Chain = End | Link(Int, Chain)
type Tree<A> = Leaf | Node(A, Tree<A>, Tree<A>)
type Either<A, B> = { left: A, right: Option<B> } 
";

/// A program in which each type is the parameter of a function.
fn program_text(types: &[String]) -> String {
    let mut text = DECLARATIONS.to_owned();
    for (at, ty) in types.iter().enumerate() {
        let _ = write!(text, "\nfn keep_{at}(x: {ty}) -> () {{ () }}\n");
    }
    text
}

#[test]
fn solving_agrees_with_evaluating() {
    run_on_big_stack(|| {
        let mut writer = RefinementWriter { random: TestRandom::new(11) };
        let types: Vec<String> =
            (0..400).map(|at| format!("Int{{{}}}", writer.condition("it", at % 4))).collect();
        let program = checked(&program_text(&types));
        let mut worker =
            Engine::new(program.clone(), EngineKind::best()).worker(Limits::default());
        let mut n_exact = 0;
        for (at, ty) in types.iter().enumerate() {
            let keep = function(&program, &format!("keep_{at}"));
            let param = program.function(keep).params[0].ty;
            let (domain, is_exact) = match describe_domain(&program, param) {
                Ok(it) => (it.domain, it.filters.is_empty()),
                Err(NoGenerator::NoValue(_)) => ("none".to_owned(), true),
                Err(why) => panic!("{ty}: {why:?}"),
            };
            n_exact += u32::from(is_exact);
            for n in SPAN {
                let args = [Value::Int(n)];
                let holds = worker.call(keep, &args, &mut NoEffects).result.is_ok();
                let is_in = has(&domain, n);
                assert!(is_in || !holds, "{ty}: {n} is not in {domain}");
                assert!(!is_in || holds || !is_exact, "{ty}: {n} is in {domain}");
            }
        }
        assert!(n_exact > 375, "{n_exact} of 400 are solved");
    });
}

/// Whether a number is in a domain given as text.
fn has(domain: &str, n: i64) -> bool {
    let number = |text: &str| text.parse::<i64>().expect("a number is written down");
    match domain {
        "any" => return true,
        "none" => return false,
        _ => {}
    }
    domain.split(" or ").any(|piece| {
        let (range, modulus) = piece.split_once(" (").unwrap_or((piece, "0 mod 1)"));
        let modulus = modulus.trim_end_matches(')').split_once(" mod ");
        let (residues, step) = modulus.expect("a residue is written down");
        let (first, last) = residues.split_once("..").unwrap_or((residues, residues));
        let (min, max) = range.split_once("..").unwrap_or((range, range));
        let is_above = min.is_empty() || number(min) <= n;
        let is_below = max.is_empty() || n <= number(max);
        let place = (n - number(first)).rem_euclid(number(step));
        is_above && is_below && place <= number(last) - number(first)
    })
}

#[test]
fn random_types_are_drawn() {
    run_on_big_stack(|| {
        let mut writer = RefinementWriter { random: TestRandom::new(5) };
        let types: Vec<String> = (0..120).map(|at| writer.ty(at % 4)).collect();
        let program = checked(&program_text(&types));
        let keeps: Vec<FunctionId> =
            (0..types.len()).map(|at| function(&program, &format!("keep_{at}"))).collect();
        let wanted: Vec<SampleTarget> =
            keeps.iter().map(|it| SampleTarget::Type(param(&program, *it))).collect();
        let mut bench = GeneratorBench::new(&program, &wanted, EngineKind::best());
        let mut n_drawn = 0;
        for (at, ty) in types.iter().enumerate() {
            let drawn = match bench.lowered.samples[at].clone() {
                Ok(drawn) => drawn,
                Err(NoGenerator::NoValue(_)) => continue,
                Err(why) => panic!("{ty}: {why:?}"),
            };
            for case in 0..25 {
                let ran = bench.run(drawn, case, case_size(case, 25));
                if let Some(value) = &ran.value {
                    bench.is_of_type(keeps[at], value, ty);
                    n_drawn += 1;
                }
                let n_choices = ran.case.choices().len();
                assert!(n_choices < 60_000, "{ty}: {n_choices} choices");
            }
        }
        assert!(n_drawn > 2_000, "{n_drawn} values are drawn");
    });
}

fn param(program: &Program, keep: FunctionId) -> gainsay_core::TyId {
    program.function(keep).params[0].ty
}
