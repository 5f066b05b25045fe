//! Arguments about where settings come from besides the command line.

use std::path::PathBuf;

use clap::Args;
use gainsay::test::RunProfile;

use crate::config::{self, ConfigChoice};

/// Where settings come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct ConfigSourceArguments {
    /// Profile to use: default, ci (used if CI is set) or thorough
    #[arg(long, value_name = "NAME", value_parser = config::profile)]
    pub(crate) profile: Option<RunProfile>,

    /// Read this file instead of the nearest `gainsay.toml`
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Do not read `gainsay.toml`
    #[arg(long)]
    no_config: bool,
}

impl ConfigSourceArguments {
    /// Which file is read.
    pub(crate) fn config_choice(&self) -> ConfigChoice<'_> {
        match (&self.config, self.no_config) {
            (Some(path), _) => ConfigChoice::File(path),
            (None, true) => ConfigChoice::None,
            (None, false) => ConfigChoice::Nearest,
        }
    }
}
