//! Traces of calls, queried by `verify .. trace` blocks, on both engines.

use std::sync::Arc;

use gainsay_core::{ClaimKind, FunctionId, GivenSource, Program, VerifyBlock};
use gainsay_source::{RenderStyle, render};
use gainsay_ui::{SourceModule, check};
use gainsay_vm::{Engine, EngineKind, Limits, NoEffects, ParOrder, Value, Worker, same, show};

/// Functions whose traces are queried.
const DECLARATIONS: &str = "\
fn six(path: BranchPath, n: Int, min: Int, max: Int) -> Int { max }

/// Two groups, the second with a group inside its branch 1.
fn nested() -> Int ! [Random.int] {
  let first = Random.int(0, 9)
  let (a, b) = par (Random.int(1, 1), Random.int(1, 2))
  let between = Random.int(1, 9)
  let (c, (d, e)) = par (Random.int(2, 1), {
    let before = Random.int(2, 2)
    let inner = par (Random.int(3, 1), Random.int(3, 2) + Random.int(3, 3))
    (inner.0 + before, inner.1)
  })
  first + a + b + between + c + d + e
}

/// A helper with a group, called before, inside and between groups of its caller.
fn helper() -> Int ! [Random.int] {
  let (a, b) = par (Random.int(7, 1), Random.int(7, 2))
  a + b
}

fn caller() -> Int ! [Random.int] {
  let before = helper()
  let (a, b) = par (Random.int(1, 1), helper())
  let (c, d) = par (helper(), 2)
  let (e, f) = par (Random.int(2, 1), Random.int(2, 2))
  before + a + b + c + d + e + f
}

/// A group of a helper whose branches are written in its caller.
fn both(f: () -> Int ! [e], g: () -> Int ! [e]) -> (Int, Int) ! [e] { par (f(), g()) }

fn lending() -> Int ! [Random.int] {
  let (a, b) = both(|| Random.int(1, 1), || {
    let (c, d) = par (Random.int(2, 1), Random.int(2, 2))
    c + d
  })
  a + b
}

/// A group in a function that calls itself.
fn again(n: Int) -> Int ! [Random.int] {
  if n == 0 {
    0
  } else {
    let (a, b) = par (Random.int(n, n), again(n - 1))
    a + b
  }
}

/// A group whose first branch fails, and one after it.
fn failing(xs: List<Int>) -> Int ! [Random.int] {
  let failed = throws {
    let (a, b) = par (Random.int(1, 1) + xs.get(0).expect(\"one\"), Random.int(1, 2))
    a + b
  }
  let (c, d) = par (Random.int(2, 1), Random.int(2, 2))
  if failed { c + d } else { 0 }
}
";

/// The blocks, each with its function and its lines.
const BLOCKS: [(&str, &[&str]); 6] = [
    (
        "nested",
        &[
            "let t = nested()",
            "t.trace.length() => 9",
            "t.trace.events().map(|it| it.path) => \
             [\"\", \"0\", \"1\", \"\", \"0\", \"1\", \"1.0\", \"1.1\", \"1.1\"]",
            "t.trace.group(0).length() => 2",
            "t.trace.group(1).length() => 5",
            "t.trace.group(2) => t.trace.group(99)",
            "t.trace.group(2).is_empty() => true",
            "t.trace.group(-1).length() => 0",
            "t.trace.group(0).branch(0).event(0) => \
             Some(EffectEvent { method: \"Random.int\", args: [\"1\", \"1\"], path: \"0\" })",
            "t.trace.group(0).branch(1).events().map(|it| it.args) => [[\"1\", \"2\"]]",
            "t.trace.group(0).branch(2).length() => 0",
            "t.trace.group(1).branch(1).length() => 4",
            "t.trace.group(1).branch(1).group(0).length() => 3",
            "t.trace.group(1).branch(1).group(0).branch(0).count(Random.int(3, 1)) => 1",
            "t.trace.group(1).branch(1).group(0).branch(1).length() => 2",
            "t.trace.group(1).branch(1).group(0).branch(1).event(1).map(|it| it.path) => \
             Some(\"1.1\")",
            "t.trace.group(1).branch(1).group(1).length() => 0",
            "t.trace.group(0).contains(Random.int(2, 1)) => false",
            "t.trace.group(1).contains(Random.int(2, 1)) => true",
            "t.trace.group(1).count(Random.int) => 5",
            "t.trace.matching(Random.int(3, _)).group(1).branch(1).length() => 3",
            "t.trace.group(1).matching(Random.int(2, _)).branch(1).length() => 1",
            "t.trace.group(1).within(BranchPath.root.child(1).child(1)).length() => 2",
            "t.trace.branch(0).length() => 2",
            "t.trace == t.deep_trace => true",
        ],
    ),
    (
        "caller",
        &[
            "let t = caller()",
            "t.trace.length() => 3",
            "t.trace.group(0).length() => 1",
            "t.trace.group(0).branch(0).contains(Random.int(1, 1)) => true",
            "t.trace.group(0).branch(1).length() => 0",
            "t.trace.group(1).length() => 0",
            "t.trace.group(2).branch(1).contains(Random.int(2, 2)) => true",
            "t.trace.group(3).length() => 0",
            "t.deep_trace.length() => 9",
            "t.deep_trace.group(0).length() => 2",
            "t.deep_trace.group(0).contains(Random.int(7, 1)) => true",
            "t.deep_trace.group(1).branch(1).group(0).branch(1).contains(Random.int(7, 2)) => \
             true",
            "t.deep_trace.group(2).branch(0).group(0).length() => 2",
            "t.deep_trace.group(3).branch(0).contains(Random.int(2, 1)) => true",
        ],
    ),
    (
        "lending",
        &[
            "let t = lending()",
            "t.trace.length() => 3",
            "t.trace.event(0).map(|it| it.path) => Some(\"0\")",
            "t.trace.group(0).events().map(|it| it.path) => [\"1.0\", \"1.1\"]",
            "t.trace.group(0).branch(1).contains(Random.int(2, 2)) => true",
            "t.deep_trace.group(0).branch(1).group(0).branch(1).length() => 1",
        ],
    ),
    (
        "again",
        &[
            "let t = again(3)",
            "t.trace.length() => 3",
            "t.trace.group(0).branch(0).contains(Random.int(3, 3)) => true",
            "t.trace.group(0).branch(1).group(0).branch(0).contains(Random.int(2, 2)) => true",
            "t.trace.group(0).branch(1).group(0).branch(1).length() => 1",
            "t.trace.group(1).length() => 0",
        ],
    ),
    (
        "failing",
        &[
            "let t = failing([])",
            "t.result => 3",
            "t.trace.group(0).length() => 1",
            "t.trace.group(1).branch(0).length() => 1",
            "t.trace.group(1).branch(1).contains(Random.int(2, 2)) => true",
        ],
    ),
    ("helper", &["helper().trace => helper().deep_trace"]),
];

#[test]
fn traces_have_the_groups_of_their_function() {
    let program = program_with(&BLOCKS);
    let shown = EngineKind::ALL.map(|kind| {
        let mut worker = Engine::new(program.clone(), kind).worker(Limits::default());
        all_verified(&mut worker, &program)
    });
    let n_lines: usize = BLOCKS.iter().map(|(_, lines)| lines.len()).sum();
    assert_eq!(shown[0].len() + 5, n_lines);
    assert_eq!(shown[0], shown[1]);
}

#[test]
fn groups_are_the_same_in_every_order() {
    let lines = [
        "let t = nested()",
        "t.trace.length() => 9",
        "t.trace.group(0).branch(0).contains(Random.int(1, 1)) => true",
        "t.trace.group(0).branch(1).contains(Random.int(1, 2)) => true",
        "t.trace.group(1).length() => 5",
        "t.trace.group(1).branch(1).group(0).branch(1).length() => 2",
        "t.trace.group(2).length() => 0",
    ];
    let program = program_with(&[("nested", &lines)]);
    let shown = [None, Some(ParOrder::reversed(2))].map(|order| {
        EngineKind::ALL.map(|kind| {
            let mut worker = Engine::new(program.clone(), kind).worker(Limits::default());
            worker.set_par_order(order.clone());
            all_verified(&mut worker, &program)
        })
    });
    assert_eq!(shown[0], shown[1]);
    assert_eq!(shown[0][0], shown[0][1]);
}

/// The declarations, with blocks.
fn program_with(blocks: &[(&str, &[&str])]) -> Arc<Program> {
    let mut text = DECLARATIONS.to_owned();
    for (function, lines) in blocks {
        let lines = lines.join("\n  ");
        text += &format!(
            "\nverify {function} trace {{\n  given r: Random.int = [six]\n  {lines}\n}}\n"
        );
    }
    let checked = check(&[SourceModule { name: "main.say".to_owned(), text }]);
    let Some(program) = checked.program else {
        panic!("{}", render(&checked.files, &checked.diagnostics[0], RenderStyle::Plain));
    };
    program
}

fn all_verified(worker: &mut Worker, program: &Program) -> Vec<String> {
    let verifies = program.claims.iter().filter_map(|claim| match &claim.kind {
        ClaimKind::Verify(verify) => Some(verify),
        ClaimKind::Test(_) | ClaimKind::Property(..) => None,
    });
    verifies.flat_map(|verify| verified(worker, program, verify)).collect()
}

/// Both sides of every line, which must be equal.
fn verified(worker: &mut Worker, program: &Program, verify: &VerifyBlock) -> Vec<String> {
    let mut args = Vec::new();
    let mut answers = Vec::new();
    for given in &verify.givens {
        let GivenSource::Stubs(op, list) = given.source else { panic!("only stubs are given") };
        let stubs = value(worker, list, &[]);
        let stub = stubs.as_list().expect("a list of stubs").iter().next().expect("a stub");
        answers.push((op, stub.clone()));
        args.push(stub.clone());
    }
    worker.set_stubs(answers);
    for (_, function) in &verify.lets {
        let bound = value(worker, *function, &args);
        args.push(bound);
    }
    let mut lines = Vec::new();
    for assertion in &verify.assertions {
        let [lhs, rhs] = [assertion.lhs, assertion.rhs].map(|it| value(worker, it, &args));
        let name = &program.function(verify.function).name;
        let line = format!("{name}: {} => {}", show(program, &lhs), show(program, &rhs));
        assert!(same(&lhs, &rhs), "{line}");
        lines.push(line);
    }
    worker.set_stubs(Vec::new());
    lines
}

fn value(worker: &mut Worker, function: FunctionId, args: &[Value]) -> Value {
    worker.call(function, args, &mut NoEffects).result.expect("a value")
}
