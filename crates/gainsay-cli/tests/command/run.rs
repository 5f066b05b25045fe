//! `gainsay run`: `main`, its outcome, and the limits.

use crate::{CommandFolder, CommandOutput, FINE, WRONG};

/// A program whose `main` has this body and may perform any effect.
pub(crate) fn main_of(body: &str) -> String {
    let effects = "Args, Env, Console, Random, Time, Disk, Http, Tcp, Terminal";
    format!("fn main() -> Result<Unit, Str> ! [{effects}] {{\n{body}\n  Ok(())\n}}\n")
}

#[track_caller]
fn run(program: &str) -> CommandOutput {
    CommandFolder::with("a.say", program).gainsay(&["run", "a.say"])
}

#[test]
fn main_prints() {
    run("fn main() ! [Console.print] {\n  Console.print(\"hello\")\n}\n")
        .exits(0)
        .prints("hello\n")
        .stays_silent();
}

#[test]
fn an_err_is_reported_and_fails() {
    run("fn main() -> Result<Unit, Str> {\n  Err(\"no luck\")\n}\n")
        .exits(1)
        .prints("")
        .says("error: no luck\n");
    run("type Why = Why(Int)\n\nfn main() -> Result<Unit, Why> {\n  Err(Why(3))\n}\n")
        .exits(1)
        .says("error: Why(3)\n");
}

#[test]
fn without_a_usable_main_there_is_nothing_to_run() {
    run(FINE).exits(4).says("error: `a.say` has no `main`\nhelp: declare `fn main()");
    run("fn main(n: Int) {\n  ()\n}\n").exits(5).says("error[GS0325 bad-main]");
    run("fn main() -> Int {\n  1\n}\n").exits(5).says("error[GS0325 bad-main]");
}

#[test]
fn what_does_not_compile_is_not_run() {
    let program = format!("{WRONG}\nfn main() ! [Console] {{\n  Console.print(\"no\")\n}}\n");
    run(&program).exits(5).prints("").says("error[GS");
}

#[test]
fn files_that_are_none_are_usage_errors() {
    let place = CommandFolder::with("folder/a.say", FINE);
    place.gainsay(&["run", "none.say"]).exits(2).says("cannot read `none.say`: no such file");
    place
        .gainsay(&["run", "folder"])
        .exits(2)
        .says("is a folder\nhelp: name a file in the folder");
}

#[test]
fn a_fault_comes_after_what_was_printed() {
    run(&main_of("  Console.print(\"before\")\n  Console.print(show(1 / (Args.get().len())))"))
        .exits(1)
        .prints("before\n")
        .says("error[GS0604 division-by-zero]")
        .says("a.say:3:");
}

#[test]
fn limits_are_inconclusive() {
    let endless = "fn spin(n: Int) -> Int {\n  spin(n + 1)\n}\n";
    let deep = "fn deep(n: Int) -> Int {\n  1 + deep(n)\n}\n";
    let grow = "fn grow(s: Str) -> Int {\n  grow(s ++ s)\n}\n";
    let place = CommandFolder::new();
    let main = |call: &str| main_of(&format!("  Console.print(show({call}))"));
    place.write("steps.say", endless.to_owned() + &main("spin(0)"));
    place.write("depth.say", deep.to_owned() + &main("deep(0)"));
    place.write("memory.say", grow.to_owned() + &main("grow(\"xxxxxxxx\")"));
    place.gainsay(&["run", "--steps", "100_000", "steps.say"]).exits(3).says("GS0607");
    place.gainsay(&["run", "--depth", "1000", "depth.say"]).exits(3).says("GS0608");
    place.gainsay(&["run", "depth.say"]).exits(3).says("GS0608");
    place.gainsay(&["run", "--memory", "64M", "memory.say"]).exits(3).says("GS0609");
}

#[test]
fn arguments_after_the_file_belong_to_the_program() {
    let program = main_of("  Args.get().each(|arg| Console.print(arg))");
    let place = CommandFolder::with("a.say", &program);
    place
        .gainsay(&["run", "a.say", "x", "--json", "-q", "--seed", "1", "--", "é"])
        .exits(0)
        .prints("x\n--json\n-q\n--seed\n1\n--\né\n")
        .stays_silent();
}

#[test]
fn a_seed_gives_the_same_numbers_again() {
    let dice = main_of(
        "  List.range(0, 20).each(|_| Console.print(show(Random.int(1, 6))))\n  \
         Console.print(show(Random.float()))\n  \
         Console.print(show(Random.int(-(10.pow(30)), 10.pow(30))))",
    );
    let place = CommandFolder::with("a.say", &dice);
    let first = place.gainsay(&["run", "--seed", "42", "a.say"]).exits(0).stdout;
    place.gainsay(&["run", "--seed", "0x2a", "a.say"]).exits(0).prints(&first);
    let other = place.gainsay(&["run", "--seed", "43", "a.say"]).exits(0).stdout;
    assert_ne!(first, other);
    let some = place.gainsay(&["run", "a.say"]).exits(0).stdout;
    assert_ne!(some, place.gainsay(&["run", "a.say"]).exits(0).stdout);
    assert!(first.lines().take(20).all(|it| ("1"..="6").contains(&it)), "{first}");
}

#[test]
fn an_empty_range_is_a_fault() {
    run(&main_of("  Console.print(show(Random.int(2, 1)))"))
        .exits(1)
        .says("2 is greater than 1");
}

#[test]
fn effects_of_the_program_itself_are_not_answered_by_the_world() {
    let program = "effect Disk {\n  @generative exists(path: Str) -> Bool\n}\n\n\
                   fn main() ! [Disk.exists, Console.print] {\n  \
                   Console.print(show(Disk.exists(\"a.say\")))\n}\n";
    let done = run(program);
    assert!(done.code == Some(1) || done.code == Some(5), "{done:#?}");
}

#[test]
fn json_leaves_the_output_to_the_program() {
    let place =
        CommandFolder::with("a.say", &main_of("  Console.print(\"data\")\n  fail(\"why\")"));
    let done = place.gainsay(&["run", "--json", "a.say"]).exits(1).prints("data\n");
    let records = CommandOutput::records(&done.stderr);
    assert_eq!(records[0]["code"], "GS0606");
    assert_eq!(records[1]["exit"], 1);
}
