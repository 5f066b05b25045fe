//! `cargo xtask ci`: all checks a change must pass.

use std::env;
use std::process::Command;
use std::time::Instant;

/// Runs every step up to the first failure; cheap and informative steps come first.
pub(crate) fn run() -> Result<(), String> {
    let has_solvers = install_packages();
    let steps: [(&str, Command); 9] = [
        ("fmt", cargo(&["fmt", "--all", "--check"])),
        ("tidy", cargo(&["xtask", "tidy"])),
        (
            "clippy",
            cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "-Dwarnings"]),
        ),
        ("doc", documentation()),
        ("ui", cargo(&["ui"])),
        ("test", cargo(&["test", "--workspace", "--quiet"])),
        // Systems without a JIT run everything in the interpreter.
        (
            "test without the JIT",
            cargo(&["test", "-p", "gainsay-vm", "--no-default-features", "--quiet"]),
        ),
        ("fuzz parse", cargo(&["xtask", "fuzz", "parse", "--seconds", "30"])),
        ("fuzz check", cargo(&["xtask", "fuzz", "check", "--seconds", "30"])),
    ];
    for (name, command) in steps {
        step(name, command)?;
    }
    if has_solvers {
        println!("ci: all passed");
    } else {
        println!("ci: all passed, without the tests that need z3, cvc5 or python3");
    }
    Ok(())
}

/// Installs the packages that some tests use; whether they are there. Without them these tests are
/// skipped, so it is no failure.
fn install_packages() -> bool {
    println!("==> packages");
    let script = gainsay_ui::root().join("scripts/debian-packages.sh");
    let is_done = Command::new(script).status().is_ok_and(|it| it.success());
    if !is_done {
        println!(
            "    packages: z3, cvc5 or python3 is missing: the tests that need them will be skipped"
        );
    }
    is_done
}

fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(gainsay_ui::root());
    command
}

fn documentation() -> Command {
    let mut command = cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
    command.env("RUSTDOCFLAGS", "-Dwarnings");
    command
}

#[expect(clippy::disallowed_methods, reason = "developers want to know what is slow")]
fn step(name: &str, mut command: Command) -> Result<(), String> {
    println!("==> {name}");
    let start = Instant::now();
    let status = command.status().map_err(|error| format!("{name}: cannot start: {error}"))?;
    println!("    {name}: {:.1} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("ci: {name} failed")) }
}
