//! Which functions are mutated.

use std::collections::BTreeSet;

use gainsay_core::FunctionKind;
use gainsay_ui::SourceModule;

use crate::edit_law::mutated;

/// A program with functions in every role. Names of excluded functions say so.
const TEXT: &str = r#"
effect Mailer { @generative send(to: Str) -> Result<Unit, Str> }

type Money = { cents: Int{it >= 0} }
type OutAlias = Int{it > 1}

const LIMIT: Int = 10
const OUT_LIMIT: Int = 3
const OUT_ANSWER: Int = 4

fn add(a: Int, b: Int{it < 100}) -> Int { helper(a) + b + LIMIT }
fn helper(a: Int) -> Int { a + 1 }
fn roll() -> Int ! [Random.int] { Random.int(1, 6) + 1 }
fn send() -> Int ! [Mailer.send] { match Mailer.send("a" ++ "b") { Ok(_) => 1, Err(_) => 2 } }
fn only_claimed(a: Int) -> Bool { a > 3 }
fn even(n: Int) -> Bool { if n == 0 { true } else { odd(n - 1) } }
fn odd(n: Int) -> Bool { if n == 0 { false } else { even(n - 1) } }
fn shared(n: Int) -> Int { n * 3 }
fn drawn_and_claimed(n: Int) -> Int { n * 5 }

// Stubs, and what is there for them.
fn out_die(path: BranchPath, n: Int, low: Int, high: Int) -> Int { out_face(n) + OUT_ANSWER }
fn out_face(n: Int) -> Int { if n > 2 { out_deeper(n - 1) } else { 1 } }
fn out_deeper(n: Int) -> Int { if n > 2 { out_face(n - 1) } else { 2 } }
fn out_for_world(n: Int) -> Int { n + 1 }
fn out_for_under(n: Int) -> Int { n + 1 }
world lucky { Random.int = |_, n, _, _| out_for_world(n) }
@profile(Mailer.send)
fn out_profile(path: BranchPath, n: Int, to: Str) -> Result<Unit, Str> { Err("no" ++ to) }

// Generators, and what is there for them.
fn out_gen(n: Int) -> Int ! [Gen] { Gen.int(0, out_size(n)) + drawn_and_claimed(1) + shared(1) }
fn out_size(n: Int) -> Int { n * 2 }

fn out_assertion(n: Int) ! [Claim] { observe n + 1 > n }

verify roll {
  given dice: Random.int = [out_die]
  roll() => dice(BranchPath.root, 0, 1, 6) + 1
}

@property
fn out_property(n: OutAlias, m: Int{it > 7}) { observe add(n, OUT_LIMIT) < n + 100 || m > 0 }

test "all" {
  across (n <- out_gen(3)) {
    observe only_claimed(n + 4) && shared(n) + drawn_and_claimed(n) >= n - 100
    out_assertion(n)
  }
  under lucky { observe roll() > 0 }
  under (Random.int = |_, n, _, _| out_for_under(n)) { observe roll() > 0 }
}
"#;

#[test]
fn code_has_mutants_and_what_is_there_for_claims_has_none() {
    let module = SourceModule { name: "small.say".to_owned(), text: TEXT.to_owned() };
    let it = mutated("small.say", &[module]).expect("it checks");
    let homes: BTreeSet<String> = it
        .mutants
        .list
        .iter()
        .map(|mutant| it.program.function(mutant.declaration))
        .map(|home| match home.kind {
            FunctionKind::Refinement => format!("{{{}}}", home.name),
            FunctionKind::Declared
            | FunctionKind::Lambda(_)
            | FunctionKind::Constant
            | FunctionKind::Claim => home.name.to_string(),
        })
        .collect();
    let wanted = [
        "LIMIT",
        "add",
        "drawn_and_claimed",
        "even",
        "helper",
        "odd",
        "only_claimed",
        "roll",
        "send",
        "shared",
        "{it < 100}",
        "{it >= 0}",
    ];
    assert_eq!(homes.into_iter().collect::<Vec<_>>(), wanted);
}
