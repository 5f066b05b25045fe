//! Settings: their definitions, their sources, and the precedence of the sources.
//!
//! Precedence, highest first: command line, environment, `gainsay.toml`, the defaults of the
//! profile, the general defaults.

mod environment;
mod file;
mod keys;
mod layer;
mod resolve;
mod schema;

#[cfg(test)]
pub(crate) use self::file::ConfigFile;
pub(crate) use self::keys::KEYS;
pub(crate) use self::layer::{
    ConfigLayer, MutantReportTarget, ReportTarget, TimesChoice, hostility, lint, mutant_target,
    profile, target, times,
};
pub(crate) use self::resolve::{ConfigChoice, ResolvedConfig, resolve};
pub(crate) use self::schema::schema;
