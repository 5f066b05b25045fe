//! Measures the processor time and peak memory of a run of the command.
#![allow(unsafe_code, reason = "the standard library does not tell what a child took")]

use std::process::{Command, Stdio};
use std::time::Duration;

/// The resources a process used.
#[derive(Debug, Copy, Clone)]
pub(crate) struct ResourceUsage {
    /// The exit code; `None` if a signal ended it.
    pub(crate) code: Option<i32>,
    pub(crate) time: Duration,
    /// The peak memory in bytes.
    pub(crate) memory: u64,
}

/// Runs a command, ignoring its output, and measures it.
pub(crate) fn measure(command: &mut Command) -> ResourceUsage {
    #[expect(clippy::zombie_processes, reason = "it is waited for below")]
    let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let mut status = 0;
    // SAFETY: `rusage` is plain data, for which all zeros are valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to locals, and nothing else waits for the child.
    let waited = unsafe { libc::wait4(child.id().cast_signed(), &mut status, 0, &mut usage) };
    assert_eq!(waited, child.id().cast_signed());
    let time = |it: libc::timeval| {
        Duration::from_micros(
            it.tv_sec.cast_unsigned() * 1_000_000 + it.tv_usec.cast_unsigned(),
        )
    };
    ResourceUsage {
        code: libc::WIFEXITED(status).then(|| libc::WEXITSTATUS(status)),
        time: time(usage.ru_utime) + time(usage.ru_stime),
        memory: usage.ru_maxrss.cast_unsigned() * 1024,
    }
}
