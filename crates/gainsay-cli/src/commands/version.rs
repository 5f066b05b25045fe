//! `gainsay --version`.

use gainsay::vm::EngineKind;

use crate::engine;
use crate::exit::Exit;
use crate::output;
use crate::reporter::Reporter;

/// How much to print.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum VersionDetail {
    /// The version.
    Brief,
    /// Also the engine, and the platform the command was built for.
    Full,
}

/// Prints the version.
pub(super) fn version(detail: VersionDetail, reporter: &mut Reporter) -> Exit {
    let engine = match engine::select_engine() {
        Err(error) if detail == VersionDetail::Full => return reporter.error(&error),
        Ok(kind) => kind,
        Err(_) => EngineKind::best(),
    };
    let _ = output::write_line(concat!("gainsay ", env!("CARGO_PKG_VERSION")));
    if detail == VersionDetail::Full {
        let _ = output::write_line(&format!("engine: {}", engine_description(engine)));
        let _ = output::write_line(concat!("target: ", env!("GAINSAY_TARGET")));
    }
    Exit::Success
}

/// The engine, and the reason if it is not the default.
fn engine_description(engine: EngineKind) -> &'static str {
    if engine == EngineKind::Interpreter && !EngineKind::Jit.is_available() {
        "interpreter (the JIT is not available on this system)"
    } else {
        engine.name()
    }
}
