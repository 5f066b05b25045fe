//! Pathological input through the real command: it must end with a fitting exit code, without a
//! panic, in little time and memory.

use std::fs;
use std::path::Path;
use std::time::Duration;

use gainsay_ui::{CommandBudget, CommandEnd, gainsay, run};

const BUDGET: CommandBudget = CommandBudget { time: Duration::from_secs(10), memory: 1 << 30 };

/// Does not compile, or cannot be read.
const REFUSED: &[i32] = &[2, 5];

/// Any exit code that is not a crash.
const ANY: &[i32] = &[0, 2, 4, 5];

/// Runs every command on a file with these bytes.
#[track_caller]
fn survives(bytes: impl AsRef<[u8]>, expected: &[i32]) {
    let folder = tempfile::tempdir().expect("the system gives a folder");
    fs::write(folder.path().join("bad.say"), bytes).expect("the folder takes a file");
    ends(&["check", "bad.say"], folder.path(), expected);
    ends(&["fmt", "--check", "bad.say"], folder.path(), &[0, 1, 2, 5]);
}

/// Runs a command and checks how it ended.
#[track_caller]
fn ends(arguments: &[&str], folder: &Path, expected: &[i32]) {
    let answer = run(gainsay(arguments, folder), b"", BUDGET).expect("the command starts");
    let talk: String = answer.stderr.chars().take(2_000).collect();
    assert!(
        matches!(answer.end, CommandEnd::Code(code) if expected.contains(&code)),
        "{arguments:?}: exit {}, expected one of {expected:?}; it said:\n{talk}",
        answer.end
    );
    for word in ["panicked at", "RUST_BACKTRACE", "overflowed its stack"] {
        assert!(!answer.stderr.contains(word), "{arguments:?} panicked:\n{talk}");
    }
    let is_complaint = !matches!(answer.end, CommandEnd::Code(0));
    let says_something = !answer.stderr.trim().is_empty() || !answer.stdout.trim().is_empty();
    assert!(says_something || !is_complaint, "{arguments:?}: failed without a word");
    // A screenful per finding is fine; echoing the input is not.
    assert!(
        answer.stderr.len() < 1 << 20,
        "{arguments:?}: {} bytes of talk",
        answer.stderr.len()
    );
}

fn nested(open: &str, middle: &str, close: &str) -> String {
    let n_levels = 100_000;
    [&open.repeat(n_levels), middle, &close.repeat(n_levels)].concat()
}

fn in_function(expression: &str) -> String {
    format!("fn f(x: Int) -> Int {{\n{expression}\n}}\n")
}

#[test]
fn nested_parentheses() {
    survives(in_function(&nested("(", "1", ")")), REFUSED);
    survives(in_function(&"(".repeat(100_000)), REFUSED);
    survives(in_function(&")".repeat(100_000)), REFUSED);
}

#[test]
fn nested_blocks() {
    survives(in_function(&nested("{ ", "1", " }")), REFUSED);
    survives(in_function(&nested("if x == 1 { ", "1", " } else { 2 }")), REFUSED);
    survives(in_function(&nested("match x { _ => ", "1", " }")), REFUSED);
    survives(in_function(&nested("|y| ", "1", "")), REFUSED);
}

#[test]
fn nested_lists_and_calls() {
    survives(in_function(&nested("[", "1", "]")), REFUSED);
    survives(in_function(&nested("f(", "1", ")")), REFUSED);
    survives(in_function(&nested("-", "1", "")), REFUSED);
    survives(in_function(&nested("!", "true", "")), REFUSED);
}

#[test]
fn nested_types() {
    survives(format!("fn f(x: {}) {{}}\n", nested("List<", "Int", ">")), REFUSED);
    survives(format!("fn f(x: {}) {{}}\n", nested("(", "Int", ", Int)")), REFUSED);
    survives(format!("fn f(x: Int{}) {{}}\n", "?".repeat(100_000)), REFUSED);
    survives(format!("fn f(x: Int{}) {{}}\n", "{it > 0}".repeat(100_000)), REFUSED);
}

#[test]
fn nested_patterns() {
    let function = |pattern: &str| in_function(&format!("match x {{ {pattern} => 1 }}"));
    survives(function(&nested("(", "y", ", _)")), REFUSED);
    survives(function(&nested("Some(", "y", ")")), REFUSED);
    survives(function(&nested("[", "y", "]")), REFUSED);
}

#[test]
fn long_chains() {
    survives(in_function(&vec!["1"; 1_000_000].join(" + ")), ANY);
    survives(in_function(&vec!["x"; 1_000_000].join(" == ")), REFUSED);
    survives(in_function(&format!("x{}", ".abs()".repeat(100_000))), ANY);
    survives(in_function(&format!("x{}", " |> f".repeat(100_000))), ANY);
    survives(in_function(&"if x == 1 { 1 } else ".repeat(100_000)), REFUSED);
    survives(
        in_function(&format!("match x {{ {} => 1 }}", vec!["1"; 100_000].join(" | "))),
        ANY,
    );
}

#[test]
fn long_tokens() {
    let ten_megabytes = "a".repeat(10 << 20);
    survives(format!("const S: Str = \"{ten_megabytes}\"\n"), ANY);
    survives(format!("const S: Str = \"{ten_megabytes}\n"), REFUSED);
    survives(format!("fn {ten_megabytes}() {{}}\n"), ANY);
    survives(format!("// {ten_megabytes}\n"), ANY);
    survives(in_function(&"9".repeat(100_000)), ANY);
    survives(in_function("1e999999999"), ANY);
}

#[test]
fn many_declarations() {
    let functions: String =
        (0..100_000).map(|it| format!("fn f{it}(x: Int) -> Int {{ x + {it} }}\n")).collect();
    survives(functions, ANY);
    let constructors: String = (0..20_000).map(|it| format!("  | C{it}\n")).collect();
    survives(format!("type T =\n{constructors}"), ANY);
    let wrong: String =
        (0..20_000).map(|it| format!("fn f{it}() -> Int {{ \"\" }}\n")).collect();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.say"), wrong).unwrap();
    let answer = run(gainsay(&["check", "bad.say"], folder.path()), b"", BUDGET).unwrap();
    assert_eq!(answer.end, CommandEnd::Code(5));
}

#[test]
fn types_without_an_end() {
    survives("type T = A(T)\n", ANY);
    survives("type T = { next: T }\n", ANY);
    survives("type T = T\n", REFUSED);
    survives("type A = B\ntype B = A\n", REFUSED);
    survives("type A<X> = B<A<A<X>>>\ntype B<X> = A<B<B<X>>>\n", REFUSED);
    survives("type P<A> = N | C(A, P<(A, A)>)\nfn f(p: P<Int>) -> Bool { p == p }\n", ANY);
    survives("const A: Int = B\nconst B: Int = A\n", REFUSED);
}

#[test]
fn exponential_types() {
    let steps: String =
        (1..40).map(|it| format!("let x{it} = (x{}, x{})\n", it - 1, it - 1)).collect();
    survives(format!("fn f(x0: Int) {{\n{steps}}}\n"), ANY);
    let lambdas: String =
        (1..40).map(|it| format!("let f{it} = |y| f{0}(f{0}(y))\n", it - 1)).collect();
    survives(format!("fn f() {{\nlet f0 = |y| (y, y)\n{lambdas}}}\n"), ANY);
}

#[test]
fn bytes_that_are_no_text() {
    survives([0xff, 0xfe, 0x00, 0x80], REFUSED);
    survives(b"fn f() { \"\xc3\x28\" }\n", REFUSED);
    survives("\u{feff}fn f() {}\n", ANY);
    survives("fn f() {}\r\nfn g() {}\r\n", ANY);
    survives("\0".repeat(100_000), REFUSED);
    let mut word = 0x9e37_79b9_7f4a_7c15_u64;
    let mut noise = Vec::new();
    while noise.len() < 1 << 20 {
        word = word
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        noise.push((word >> 33) as u8);
    }
    survives(&noise, REFUSED);
    let printable: Vec<u8> = noise.iter().map(|it| b' ' + it % 95).collect();
    survives(printable, REFUSED);
    survives("", ANY);
}

#[test]
fn a_file_cut_anywhere() {
    let text = "/// Doc.\ntype T<A> = L | N(A, T<A>)\nfn f(t: T<Int>) -> Int ! [Random.int]\n  \
                in { true }\n{\n  match t {\n    L => 0\n    N(x, _) if x > 0 => Random.int(1, x)\n    \
                _ => \"a\\u{41}\".len()\n  }\n}\n";
    for end in (0..text.len()).step_by(9) {
        survives(&text[..end], ANY);
    }
}

#[test]
fn modules_that_use_each_other() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.say"), "use b\nfn f() {}\n").unwrap();
    fs::write(folder.path().join("b.say"), "use a\nfn g() {}\n").unwrap();
    fs::write(folder.path().join("c.say"), "use c\n").unwrap();
    fs::write(folder.path().join("d.say"), "use nowhere\n").unwrap();
    for file in ["a.say", "b.say", "c.say", "d.say"] {
        ends(&["check", file], folder.path(), &[5]);
        ends(&["run", file], folder.path(), &[5]);
    }
}

#[test]
fn a_long_chain_of_modules() {
    let folder = tempfile::tempdir().unwrap();
    for it in 0..3_000 {
        let text = format!("use m{}\nfn f() {{}}\n", it + 1);
        fs::write(folder.path().join(format!("m{it}.say")), text).unwrap();
    }
    fs::write(folder.path().join("m3000.say"), "fn f() {}\n").unwrap();
    ends(&["check", "m0.say"], folder.path(), ANY);
}

#[test]
fn paths_that_are_no_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("folder.say")).unwrap();
    fs::create_dir(folder.path().join("empty")).unwrap();
    for command in ["check", "run"] {
        ends(&[command, "missing.say"], folder.path(), &[2]);
        ends(&[command, ""], folder.path(), &[2]);
        ends(&[command, "folder.say/a.say"], folder.path(), &[2]);
        ends(&[command, "\u{1F642}.say"], folder.path(), &[2]);
    }
    ends(&["run", "folder.say"], folder.path(), &[2]);
    ends(&["check", "folder.say"], folder.path(), &[2, 4]);
    ends(&["check", "empty"], folder.path(), &[2, 4]);
    ends(&["check"], folder.path(), &[2, 4]);
    ends(&["fmt", "missing.say"], folder.path(), &[2]);
    if cfg!(unix) {
        ends(&["check", "/dev/null"], folder.path(), ANY);
        ends(&["run", "/dev/null"], folder.path(), &[2, 4]);
    }
}

#[cfg(unix)]
#[test]
fn files_that_may_not_be_read() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret.say");
    fs::write(&path, "fn f() {}\n").unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).unwrap();
    // A superuser may read everything.
    let expected: &[i32] = if fs::read(&path).is_ok() { &[0, 4] } else { &[2] };
    ends(&["check", "secret.say"], folder.path(), expected);
    symlink("loop.say", folder.path().join("loop.say")).unwrap();
    ends(&["check", "loop.say"], folder.path(), &[2]);
    symlink(".", folder.path().join("itself")).unwrap();
    ends(&["check", "."], folder.path(), &[0, 2, 4]);
}

#[test]
fn arguments_that_make_no_sense() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.say"), "fn main() {}\n").unwrap();
    for arguments in [
        &["nonsense"][..],
        &["run", "--seed", "x", "a.say"],
        &["run", "--seed", "-1", "a.say"],
        &["check", "--color", "blue", "a.say"],
        &["explain", "GS9999"],
        &["explain", "no-such-slug"],
        &["new", "1abc"],
        &["new", ""],
        &["a.say"],
        &[],
    ] {
        ends(arguments, folder.path(), &[2]);
    }
}
