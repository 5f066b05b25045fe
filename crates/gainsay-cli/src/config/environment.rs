//! Settings from environment variables.

use std::ffi::OsString;

use gainsay::test::RunProfile;

use super::keys::{KEYS, renamed_variables, variable_name};
use super::layer::ConfigLayer;
use crate::cli_error::CliError;

/// The settings in the environment. Empty variables are ignored; `CI` alone selects the profile for
/// servers.
pub(super) fn read(
    variable: impl Fn(&str) -> Option<OsString>,
) -> Result<ConfigLayer, CliError> {
    let mut layer = ConfigLayer { profile: ci_profile(&variable), ..ConfigLayer::default() };
    for key in KEYS {
        let Some(name) = key.variable() else { continue };
        let Some(value) = variable(&name).filter(|it| !it.is_empty()) else { continue };
        let wrong = |why: &str| {
            let value = value.to_string_lossy();
            CliError::usage(format!("{name} is set to `{value}`: {why}"))
                .with_help(format!("fix the value, or unset {name}"))
        };
        let text = value.to_str().ok_or_else(|| wrong("not valid UTF-8"))?;
        let parts: Vec<&str> =
            if key.kind.is_list() { text.split(',').collect() } else { vec![text] };
        for part in parts {
            (key.set)(&mut layer, part.trim()).map_err(|why| wrong(&why))?;
        }
    }
    for (former, now) in renamed_variables() {
        if variable(&former).is_some_and(|it| !it.is_empty()) {
            let message = format!("{former} is not a setting");
            return Err(CliError::usage(message).with_help(format!("it is called {now} now")));
        }
    }
    match layer.conflicting_settings() {
        Some((one, other)) => Err(CliError::usage(format!(
            "{} and {} cannot be used together",
            variable_name(one),
            variable_name(other)
        ))
        .with_help("unset one of them")),
        None => Ok(layer),
    }
}

/// The CI profile, if `CI` is set, and not to `false` or `0`.
fn ci_profile(variable: impl Fn(&str) -> Option<OsString>) -> Option<RunProfile> {
    let value = variable("CI")?;
    (!value.is_empty() && value != "false" && value != "0").then_some(RunProfile::Ci)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use gainsay::test::RunProfile;

    use super::{ConfigLayer, read};
    use crate::cli_error::CliError;
    use crate::report::DeniableLint;

    fn with(set: &[(&str, &str)]) -> Result<ConfigLayer, CliError> {
        read(|name| set.iter().find(|it| it.0 == name).map(|it| OsString::from(it.1)))
    }

    #[test]
    fn variables_are_named_after_the_settings() {
        let layer = with(&[
            ("GAINSAY_CASES", "1_000"),
            ("GAINSAY_SEED", "0x2a"),
            ("GAINSAY_MAX_SHRINKS", "0"),
            ("GAINSAY_DENY", "placebo, filtered"),
            ("GAINSAY_JOBS", ""),
        ]);
        let layer = layer.unwrap();
        assert_eq!((layer.cases, layer.seed, layer.jobs), (Some(1000), Some(42), None));
        assert_eq!(layer.max_shrinks, Some(0));
        assert_eq!(layer.deny, [DeniableLint::Placebo, DeniableLint::Filtered]);
    }

    #[test]
    fn wrong_values_are_reported_with_the_variable() {
        let error = with(&[("GAINSAY_CASES", "many")]).unwrap_err();
        let expected = "GAINSAY_CASES is set to `many`: expected a number from 1 to 2^64 - 1";
        assert_eq!(error.message, expected);
        let error = with(&[("GAINSAY_CASES", "5"), ("GAINSAY_TIME", "5s")]).unwrap_err();
        assert_eq!(error.message, "GAINSAY_TIME and GAINSAY_CASES cannot be used together");
    }

    #[test]
    fn servers_say_that_they_are() {
        let profile = |set: &[(&str, &str)]| with(set).unwrap().profile;
        for value in ["true", "1", "woodpecker"] {
            assert_eq!(profile(&[("CI", value)]), Some(RunProfile::Ci));
        }
        for value in ["", "false", "0"] {
            assert_eq!(profile(&[("CI", value)]), None);
        }
        let both = [("CI", "true"), ("GAINSAY_PROFILE", "thorough")];
        assert_eq!(profile(&both), Some(RunProfile::Thorough));
    }
}
