//! Selects the engine: the fastest available one, unless `GAINSAY_ENGINE` names another.

use std::env;

use gainsay::vm::EngineKind;

use crate::cli_error::CliError;

/// The variable that selects it.
const VARIABLE: &str = "GAINSAY_ENGINE";

/// The selected engine.
pub(crate) fn select_engine() -> Result<EngineKind, CliError> {
    let Some(wanted) = env::var_os(VARIABLE).filter(|it| !it.is_empty()) else {
        return Ok(EngineKind::best());
    };
    let kind = EngineKind::ALL.into_iter().find(|kind| wanted.as_os_str() == kind.name());
    match kind {
        Some(kind) if kind.is_available() => Ok(kind),
        Some(kind) => {
            let message =
                format!("the engine `{}` is not available on this system", kind.name());
            let help = format!("unset {VARIABLE}, or set it to `interpreter`");
            Err(CliError::usage(message).with_help(help))
        }
        None => {
            let wanted = wanted.to_string_lossy();
            let message = format!("unknown engine `{wanted}` in {VARIABLE}");
            let help = format!("set {VARIABLE} to `jit` or `interpreter`, or unset it");
            Err(CliError::usage(message).with_help(help))
        }
    }
}
