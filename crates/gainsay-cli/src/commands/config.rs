//! `gainsay config`: the available settings and their schema.

use crate::arguments::ConfigCommand;
use crate::config::{KEYS, schema};
use crate::exit::Exit;
use crate::output;

/// Prints the settings, or the schema of the configuration file.
pub(super) fn config(what: ConfigCommand) -> Exit {
    // Output errors are reported once, when the command ends.
    match what {
        ConfigCommand::Schema => drop(output::write(schema().as_bytes())),
        ConfigCommand::Keys => {
            for key in KEYS {
                let variable = key.variable().unwrap_or_default();
                let about = format!("{}; default: {}", key.about, key.default_value);
                let line = format!("{:12} {variable:20} {about}", key.name);
                drop(output::write_line(line.trim_end()));
            }
        }
    }
    Exit::Success
}
