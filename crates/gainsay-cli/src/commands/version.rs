//! `gainsay --version`.

use gainsay::vm::EngineKind;

use crate::engine;
use crate::exit::Exit;
use crate::output;

/// How much to tell.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Detail {
    /// The version.
    Brief,
    /// Also what runs programs, and what the command was built for.
    Full,
}

/// Prints the version.
pub(super) fn version(detail: Detail) -> Exit {
    let _ = output::write_line(concat!("gainsay ", env!("CARGO_PKG_VERSION")));
    if detail == Detail::Full {
        let _ = output::write_line(&format!("engine: {}", engine()));
        let _ = output::write_line(concat!("target: ", env!("GAINSAY_TARGET")));
    }
    Exit::Held
}

/// What runs programs, and why if it is not the usual.
fn engine() -> &'static str {
    match engine::chosen() {
        Ok(EngineKind::Interpreter) if !EngineKind::Jit.is_available() => {
            "interpreter (code cannot be made on this system)"
        }
        Ok(kind) => kind.name(),
        Err(_) => EngineKind::best().name(),
    }
}
