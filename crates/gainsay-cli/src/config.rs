//! Settings: what may be set, where it is read from, and which of several places counts.
//!
//! The command line comes before the environment, that before `gainsay.toml`, that before what
//! a profile has by itself, and that before the defaults.

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
    ConfigLayer, DeniableLint, MutantReportFormat, MutantReportTarget, ReportFormat,
    ReportTarget, TimesChoice, hostility, lint, mutant_target, profile, profile_name, target,
    times,
};
pub(crate) use self::resolve::{ConfigChoice, ResolvedConfig, resolve};
pub(crate) use self::schema::schema;
