//! Runs a test in a process of its own, so that its measurements are not disturbed.

use std::process::Command;

pub(crate) const MEGABYTE: u64 = 1 << 20;

const VARIABLE: &str = "GAINSAY_TEST_ALONE";

/// Runs the work of the named test in a process without other tests.
pub(crate) fn run_isolated(name: &str, work: impl FnOnce()) {
    if !cfg!(target_os = "linux") {
        return;
    }
    if std::env::var_os(VARIABLE).is_some() {
        return work();
    }
    let test = std::env::current_exe().expect("the tests that run");
    let mut command = Command::new(test);
    command.args([name, "--exact", "--test-threads=1", "--nocapture"]).env(VARIABLE, "1");
    let output = command.output().expect("the tests can be run again");
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("1 passed"), "no test is called {name}: {text}");
}

/// The resident memory of this process in bytes.
pub(crate) fn resident_bytes() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("the process is listed");
    let pages = statm.split(' ').nth(1).and_then(|it| it.parse::<u64>().ok());
    pages.expect("a number of pages") * 4096
}
