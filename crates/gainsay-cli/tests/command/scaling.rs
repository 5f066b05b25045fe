//! Parsing, checking, compiling and generating take time and memory linear in the program.
//!
//! Each program is generated in three sizes, each ten times the last. The bounds are generous: they
//! distinguish quadratic from linear growth on any machine.
#![cfg(target_os = "linux")]

use std::fmt::Write as _;
use std::time::Duration;

use crate::CommandFolder;
use crate::resource_usage::{ResourceUsage, measure};

/// The allowed growth factor for a tenfold program. Linear growth gives 10, quadratic growth 100.
const GROWTH: u32 = 30;

/// The fixed cost of a run; anything below is too small to compare.
const MIN_TIME: Duration = Duration::from_millis(200);
const MIN_MEMORY: u64 = 64 << 20;

/// The absolute limits.
const MAX_TIME: Duration = Duration::from_secs(30);
const MAX_MEMORY: u64 = 1 << 30;

/// The concatenation of `text` for each number below `n`.
fn each(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, at| {
        let _ = write!(all, "{}", text(at));
        all
    })
}

/// The same, joined by commas.
fn listed(n: usize, text: impl Fn(usize) -> String) -> String {
    (0..n).map(text).collect::<Vec<_>>().join(", ")
}

fn taken(place: &CommandFolder, args: &[&str], exit: i32, text: &str) -> ResourceUsage {
    place.write("a.say", text);
    let taken = measure(&mut place.command(args));
    assert_eq!(taken.code, Some(exit), "{args:?}: {taken:?}\n{}", &text[..text.len().min(500)]);
    taken
}

fn grows_evenly(args: &[&str], exit: i32, smallest: usize, program: impl Fn(usize) -> String) {
    let place = CommandFolder::new();
    let mut last: Option<ResourceUsage> = None;
    for n in [smallest, smallest * 10, smallest * 100] {
        let now = taken(&place, args, exit, &program(n));
        assert!(now.time < MAX_TIME && now.memory < MAX_MEMORY, "{n}: {now:?}");
        if let Some(last) = last {
            let most_time = last.time.max(MIN_TIME) * GROWTH;
            let most_memory = last.memory.max(MIN_MEMORY) * u64::from(GROWTH);
            assert!(now.time < most_time, "from {last:?} to {now:?} at {n}");
            assert!(now.memory < most_memory, "from {last:?} to {now:?} at {n}");
        }
        last = Some(now);
    }
}

/// Runs few cases of all claims: what comes before is what is measured.
const TEST: &[&str] = &["test", "--cases", "5", "--seed", "1", "--no-cases", "a.say"];
const CHECK: &[&str] = &["check", "a.say"];

#[test]
fn many_lets() {
    grows_evenly(TEST, 0, 1_000, |n| {
        let lets = "  let x = x + 1\n".repeat(n);
        format!(
            "fn f() -> Int {{\n  let x = 0\n{lets}  x\n}}\n\
             test \"t\" {{ observe f() == {n} }}\n"
        )
    });
}

#[test]
fn many_lets_of_different_names() {
    grows_evenly(TEST, 0, 1_000, |n| {
        let lets = each(n, |at| format!("  let x{} = x{at} + 1\n", at + 1));
        format!(
            "fn f() -> Int {{\n  let x0 = 0\n{lets}  x{n}\n}}\n\
             test \"t\" {{ observe f() == {n} }}\n"
        )
    });
}

#[test]
fn many_ifs() {
    grows_evenly(TEST, 0, 200, |n| {
        let ifs = "  let x = if x > n { x + 1 } else { x - 1 }\n".repeat(n);
        format!(
            "fn f(n: Int) -> Int {{\n  let x = n\n{ifs}  x\n}}\n\
             test \"t\" {{ observe f(1) < 1 }}\n"
        )
    });
}

#[test]
fn records_of_many_fields() {
    grows_evenly(TEST, 0, 100, |n| {
        let fields = listed(n, |at| format!("f{at}: Int"));
        format!(
            "type R = {{ {fields} }}\nfn g(r: R) -> R {{ {{ ..r, f5: 1 }} }}\n\
             @property\nfn p(r: R) {{ observe g(r).f5 == 1 }}\n"
        )
    });
}

#[test]
fn sums_of_many_constructors() {
    grows_evenly(TEST, 0, 100, |n| {
        let ctors: Vec<String> = (0..n).map(|at| format!("C{at}(Int)")).collect();
        let arms = each(n, |at| format!("    C{at}(x) => x + {at}\n"));
        format!(
            "type R = {}\nfn g(r: R) -> Int {{\n  match r {{\n{arms}  }}\n}}\n\
             @property\nfn p(r: R) {{ observe g(r) < g(r) + 1 }}\n",
            ctors.join(" | ")
        )
    });
}

#[test]
fn functions_of_many_parameters() {
    grows_evenly(TEST, 0, 100, |n| {
        let params = listed(n, |at| format!("x{at}: Int"));
        let ones = listed(n, |_| "1".to_owned());
        format!(
            "fn f({params}) -> Int {{ x0 + x1 }}\ntest \"t\" {{ observe f({ones}) == 2 }}\n"
        )
    });
}

#[test]
fn functions_of_many_type_parameters() {
    grows_evenly(TEST, 0, 100, |n| {
        let types = listed(n, |at| format!("T{at}"));
        let params = listed(n, |at| format!("x{at}: T{at}"));
        let ones = listed(n, |_| "1".to_owned());
        format!(
            "fn f<{types}>({params}) -> Int {{ 2 }}\n\
             test \"t\" {{ observe f({ones}) == 2 }}\n"
        )
    });
}

#[test]
fn many_observations_and_claims() {
    grows_evenly(TEST, 0, 100, |n| {
        let observations = each(n, |at| format!("  observe f({at}) == {}\n", at + 1));
        let cases = each(n, |at| format!("  f({at}) => {}\n", at + 1));
        let tests = each(n, |at| format!("test \"{at}\" {{ observe f({at}) > 0 }}\n"));
        format!(
            "fn f(n: Int) -> Int {{ n + 1 }}\ntest \"t\" {{\n{observations}}}\n\
             verify f {{\n{cases}}}\n{tests}"
        )
    });
}

#[test]
fn many_functions_and_attributes() {
    grows_evenly(CHECK, 0, 100, |n| {
        let functions = each(n, |at| format!("fn f{at}(n: Int) -> Int {{ n + {at} }}\n"));
        let attributes = "@property(cases = 1)\n".repeat(n);
        format!("{functions}{attributes}fn p(n: Int) {{ observe f1(n) > n }}\n")
    });
}

#[test]
fn many_unknown_names() {
    grows_evenly(CHECK, 5, 100, |n| {
        each(n, |at| format!("fn f{at}(n: Int) -> Int {{ n + nope{at} + n.none{at}() }}\n"))
    });
}

#[test]
fn long_names() {
    grows_evenly(CHECK, 5, 1_000, |n| {
        let name = "a".repeat(n);
        format!("fn {name}() -> Int {{ 1 }}\nfn g() -> Int {{ {}() }}\n", &name[1..])
    });
}
