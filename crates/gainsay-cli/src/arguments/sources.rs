//! Arguments about where settings come from besides the command line.

use std::path::PathBuf;

use clap::Args;
use gainsay::test::Profile;

use crate::config::{self, Choice};

/// Where settings come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings")]
pub(crate) struct SourceArguments {
    /// default, ci (also if CI is set) or thorough
    #[arg(long, value_name = "NAME", value_parser = config::profile)]
    pub(crate) profile: Option<Profile>,

    /// Read this file instead of the nearest `gainsay.toml`
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    config: Option<PathBuf>,

    /// Read no `gainsay.toml`
    #[arg(long)]
    no_config: bool,
}

impl SourceArguments {
    /// Which file is read.
    pub(crate) fn choice(&self) -> Choice<'_> {
        match (&self.config, self.no_config) {
            (Some(path), _) => Choice::File(path),
            (None, true) => Choice::None,
            (None, false) => Choice::Nearest,
        }
    }
}
