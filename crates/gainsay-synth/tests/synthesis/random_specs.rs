//! Random specifications: every trace that is found is valid, and every search ends.

use gainsay_smt::{Model, SmtValue};
use gainsay_synth::{
    DrawSource as _, GroundEvent, LineLimits, Spec, SynthesisLimits, SynthesisStatus,
    check_spec, generator_text, synthesize, validate,
};

use crate::running::Lcg;
use crate::spec_text::read_spec;

/// The operations of all random specifications.
const OPERATIONS: [(&str, &str, usize); 6] = [
    ("gen", "a", 1),
    ("gen", "b", 0),
    ("gen", "c", 2),
    ("obs", "r", 1),
    ("obs", "s", 0),
    ("ghost", "g", 1),
];

fn argument(random: &mut Lcg, vars: &[&str]) -> String {
    let plain = ["_", "_", "0", "1", "p", "q"];
    let pool = if vars.is_empty() { &plain[..4] } else { &plain[..] };
    let text = pool[random.below(pool.len())];
    match text {
        "p" | "q" => {
            let var = vars[random.below(vars.len())];
            if random.below(4) == 0 { format!("{var} + 1") } else { var.to_owned() }
        }
        _ => text.to_owned(),
    }
}

fn event(random: &mut Lcg, vars: &[&str]) -> String {
    let (_, name, n_fields) = OPERATIONS[random.below(OPERATIONS.len())];
    let args: Vec<String> = (0..n_fields).map(|_| argument(random, vars)).collect();
    let text = format!("{name}({})", args.join(", "));
    if n_fields > 0 && !vars.is_empty() && random.below(5) == 0 {
        let operator = ["<", "<=", "!=", ">="][random.below(4)];
        return format!("{text}{{x {operator} {}}}", vars[random.below(vars.len())]);
    }
    text
}

fn elements(random: &mut Lcg, vars: &[&str], depth: usize) -> String {
    let mut parts = Vec::new();
    for _ in 0..=random.below(4) {
        parts.push(match random.below(10) {
            0..3 => "..".to_owned(),
            3..6 => event(random, vars),
            6..8 => format!("!{}*", event(random, vars)),
            8 if depth > 0 => {
                let star = ["", "*"][random.below(2)];
                format!("({}){star}", pattern(random, vars, depth - 1))
            }
            _ => format!("!{{{}, {}}}*", event(random, vars), event(random, vars)),
        });
    }
    format!("[{}]", parts.join(", "))
}

fn pattern(random: &mut Lcg, vars: &[&str], depth: usize) -> String {
    let first = elements(random, vars, depth);
    match random.below(8) {
        0 => format!("{first} | {}", elements(random, vars, depth)),
        1 => format!("{first} & {}", elements(random, vars, depth)),
        2 => format!("[..] & last({})", event(random, vars)),
        _ => first,
    }
}

fn spec_text(random: &mut Lcg) -> String {
    let mut text = String::from("spec Random {\n");
    for (kind, name, n_fields) in OPERATIONS {
        let fields = ["x: Int", "y: Int"][..n_fields].join(", ");
        text.push_str(&format!("  {kind} {name}({fields});\n"));
    }
    for _ in 0..random.below(7) + 2 {
        let (_, name, n_fields) = OPERATIONS[random.below(OPERATIONS.len())];
        let params = ["m", "n"][..n_fields].join(", ");
        let mut vars = vec!["k"];
        vars.extend(&["m", "n"][..n_fields]);
        text.push_str(&format!("  rule {name}({params}) given (k: Int)"));
        if random.below(3) == 0 {
            let (left, right) = (random.below(vars.len()), random.below(3));
            text.push_str(&format!(" when {} <= {right}", vars[left]));
        }
        text.push_str(" { ");
        if random.below(2) == 0 {
            text.push_str(&format!("history {}; ", pattern(random, &vars, 1)));
        }
        match random.below(4) {
            0 => text.push_str(&format!("future {}; ", pattern(random, &vars, 1))),
            1 => text.push_str(&format!("owes {}; ", event(random, &vars))),
            _ => text.push_str(&format!("emits {}; ", event(random, &vars))),
        }
        text.push_str("}\n");
    }
    let goal = pattern(random, &["u", "v"], 1);
    text.push_str(&format!("  violation goal(u: Int, v: Int) = {goal};\n}}\n"));
    text
}

#[test]
fn random_specifications_have_valid_traces() {
    let (mut n_reached, mut n_unreachable, mut n_valid, mut most_steps) = (0, 0, 0, 0);
    let limits = SynthesisLimits {
        traces: 2,
        steps: 20_000,
        lines: LineLimits { events: 14, ..LineLimits::default() },
        interrupt: None,
    };
    for seed in 0..400 {
        let mut random = Lcg(seed);
        let text = spec_text(&mut random);
        let spec = read_spec(&text);
        let goal = &spec.goals[0];
        let synthesis = synthesize(&spec, goal, &limits).unwrap();
        most_steps = most_steps.max(synthesis.total.steps);
        let _ = check_spec(&spec);
        match synthesis.status {
            SynthesisStatus::Reached => n_reached += 1,
            SynthesisStatus::Unreachable => n_unreachable += 1,
            SynthesisStatus::GaveUp => {}
        }
        let mut terms = synthesis.terms.clone();
        for program in synthesis.generators(&spec, goal) {
            assert!(generator_text(&spec, &terms, &program).ends_with("}\n"));
        }
        for trace in &synthesis.traces {
            let Some(model) = trace.model(&mut terms, &spec) else { continue };
            let events = trace.ground(&terms, &model).unwrap();
            let result = validate(&spec, Some(goal), &events, &model);
            assert_eq!(result, Ok(()), "seed {seed}: {events:?}\n{text}");
            n_valid += 1;
        }
    }
    println!(
        "{n_reached} reached, {n_unreachable} unreachable, {n_valid} valid traces, \
         at most {most_steps} steps"
    );
    assert!(n_reached > 100 && n_valid > 100);
    // The last step may be one of the solver, which has a limit of its own.
    assert!(most_steps < 3 * limits.steps);
}

/// All traces of up to three events with arguments 0 and 1.
fn short_traces(spec: &Spec) -> Vec<Vec<GroundEvent>> {
    let mut events = Vec::new();
    for op in spec.ops() {
        let n_fields = spec.operation(op).fields.len();
        for number in 0..1 << n_fields {
            let args = (0..n_fields).map(|it| SmtValue::Int(number >> it & 1)).collect();
            events.push(GroundEvent { op, args, is_initial: false });
        }
    }
    let mut all = vec![Vec::new()];
    let mut longest = all.clone();
    for _ in 0..3 {
        let extend = |trace: &Vec<GroundEvent>| -> Vec<Vec<GroundEvent>> {
            let with = |it: &GroundEvent| [trace.clone(), vec![it.clone()]].concat();
            events.iter().map(with).collect()
        };
        longest = longest.iter().flat_map(extend).collect();
        all.extend(longest.iter().cloned());
    }
    all
}

#[test]
fn unreachable_goals_have_no_short_trace() {
    let mut n_unreachable = 0;
    let limits = SynthesisLimits { traces: 1, steps: 20_000, ..SynthesisLimits::default() };
    for seed in 0..400 {
        let text = spec_text(&mut Lcg(seed));
        let spec = read_spec(&text);
        let goal = &spec.goals[0];
        let synthesis = synthesize(&spec, goal, &limits).unwrap();
        if synthesis.status != SynthesisStatus::Unreachable {
            continue;
        }
        n_unreachable += 1;
        for trace in short_traces(&spec) {
            let result = validate(&spec, Some(goal), &trace, &Model::default());
            assert!(result.is_err(), "seed {seed}: {trace:?}\n{text}");
        }
    }
    assert!(n_unreachable > 100, "{n_unreachable}");
}
