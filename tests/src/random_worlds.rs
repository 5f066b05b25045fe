//! Statistical tests of random worlds: a law that only fails for particular consecutive answers is
//! refuted within a thousand cases, and the shrunk world has just those answers.

use gainsay_gen::{ExploredWorlds, LoweringOptions, lower_with_options};
use gainsay_source::{RenderStyle, render};
use gainsay_test::{HostileMode, Settings, TestJob, run};
use gainsay_ui::{SourceModule, check, job, own_claims};

const N_SEEDS: u64 = 200;

/// Laws that need two consecutive answers, and the expected shrunk world.
const LAWS: [(&str, &str, &str); 3] = [
    (
        "Ok, then Err",
        r#"
effect Store { @generative put(key: Int) -> Result<Unit, Str> }
fn fine(path: BranchPath, n: Int, key: Int) -> Result<Unit, Str> { Ok(()) }
fn both() -> Bool ! [Store.put] {
  match (Store.put(1), Store.put(2)) {
    (Ok(_), Err(_)) => false
    _ => true
  }
}
verify both law all_or_nothing {
  given store: Store.put = [fine]
  both() => true
}
"#,
        "Store.put = |x1, x2, x3| match (x1, x2, x3) { (BranchPath([]), 1, 2) => Err(\"\"), _ => Ok(()) }",
    ),
    (
        "Err, then Ok",
        r#"
effect Store { @generative put(key: Int) -> Result<Unit, Str> }
fn fine(path: BranchPath, n: Int, key: Int) -> Result<Unit, Str> { Ok(()) }
fn both() -> Bool ! [Store.put] {
  match (Store.put(1), Store.put(2)) {
    (Err(_), Ok(_)) => false
    _ => true
  }
}
verify both law no_recovery {
  given store: Store.put = [fine]
  both() => true
}
"#,
        "Store.put = |x1, x2, x3| match (x1, x2, x3) { (BranchPath([]), 1, 2) => Ok(()), _ => Err(\"\") }",
    ),
    (
        "a clock that goes backward",
        r#"
fn ticking(path: BranchPath, n: Int) -> Int { n }
fn elapsed() -> Int ! [Time.unix_ms] {
  let before = Time.unix_ms()
  Time.unix_ms() - before
}
verify elapsed law never_negative {
  given clock: Time.unix_ms = [ticking]
  elapsed() >= 0 => true
}
"#,
        "Time.unix_ms = |x1, x2| match (x1, x2) { (BranchPath([]), 1) => 0, _ => 1 }",
    ),
];

#[test]
#[expect(clippy::print_stdout, reason = "the figures are what is measured")]
fn two_answers_in_a_row_are_found_and_nothing_else_is_left() {
    for (name, text, answers) in LAWS {
        let module = SourceModule { name: "law.say".to_owned(), text: text.to_owned() };
        let checked = check(&[module]);
        let complaint = |it| render(&checked.files, it, RenderStyle::Plain);
        let complaints: String = checked.diagnostics.iter().map(complaint).collect();
        let program = checked.program.clone().unwrap_or_else(|| panic!("{complaints}"));
        let purpose = LoweringOptions {
            explored_worlds: &[ExploredWorlds::Generated],
            ..LoweringOptions::default()
        };
        let lowered = lower_with_options(&program, &purpose);
        let claims = own_claims(&program);
        let mut n_found = 0;
        let mut others = Vec::new();
        for seed in 0..N_SEEDS {
            let job = TestJob { files: Some(&checked.files), ..job(&lowered, &claims) };
            let settings = Settings { hostile_mode: HostileMode::Fuzz, ..Settings::new(seed) };
            let report = run(&job, &settings);
            let verified =
                report.claims[0].failures.first().and_then(|it| it.verify_case.as_ref());
            let Some(world) = verified.and_then(|it| it.world.as_ref()) else {
                others.push(format!("seed {seed}: nothing found"));
                continue;
            };
            let words: Vec<&str> = world.split_whitespace().collect();
            if words.join(" ") == format!("world found {{ {answers} }}") {
                n_found += 1;
            } else {
                others.push(format!("seed {seed}: {world}"));
            }
        }
        println!("{name}: {n_found} of {N_SEEDS} seeds");
        let first: Vec<String> = others.into_iter().take(3).collect();
        assert!(n_found * 100 >= N_SEEDS * 95, "{name}: {n_found}: {}", first.join("\n"));
    }
}
