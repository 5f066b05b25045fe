//! `gainsay.toml`. This is the only file that depends on `toml`.

use std::ops::Range;
use std::path::{Path, PathBuf};

use gainsay::source::closest_name;
use gainsay::test::RunProfile;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::{KEYS, SettingKey, SettingKind, renamed_setting};
use super::layer::ConfigLayer;
use crate::cli_error::{CliError, TextLocation};
use crate::files;
use crate::report::PROFILES;
use crate::systems::{self, SystemBinding};

/// The name of the file.
const FILE_NAME: &str = "gainsay.toml";

/// The contents of a configuration file.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ConfigFile {
    /// `[test]`.
    pub(crate) test: ConfigLayer,
    /// `[profile.ci]` and so on.
    pub(crate) profiles: Vec<(RunProfile, ConfigLayer)>,
    /// `[systems.Queue]` and so on.
    pub(crate) systems: Vec<SystemBinding>,
}

impl ConfigFile {
    /// The nearest `gainsay.toml`, in the folder or one of its ancestors.
    pub(crate) fn find(folder: &Path) -> Option<PathBuf> {
        let mut name = PathBuf::from(FILE_NAME);
        for _ in folder.ancestors() {
            // `symlink_metadata` also finds broken links: an unreadable file is an error, not an
            // absent one.
            if name.symlink_metadata().is_ok() {
                return Some(name);
            }
            // Relative, so that paths in messages stay short; `..` at the root leads nowhere new.
            name = Path::new("..").join(name);
        }
        None
    }

    /// Reads a file.
    pub(crate) fn read(path: &Path) -> Result<Self, CliError> {
        let shown = files::display_path(path).ok_or_else(|| {
            CliError::usage("the name of the configuration file is not valid UTF-8")
        })?;
        Self::parse(&shown, &files::read(&shown)?)
    }

    /// Parses a text. Of several errors the first is reported.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, CliError> {
        let table = DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().trim_end_matches('.').replace('\n', ", ");
            ConfigError { span, message: format!("invalid TOML: {message}"), help: None }
                .into_cli_error(name, text)
        })?;
        let mut reader = ConfigFileReader { file: Self::default(), errors: Vec::new() };
        reader.document(table.get_ref());
        // The parser gives tables in the order of their keys and not of the text.
        reader.errors.sort_by_key(|it| (it.span.start, it.span.end));
        match reader.errors.into_iter().next() {
            Some(mistake) => Err(mistake.into_cli_error(name, text)),
            None => Ok(reader.file),
        }
    }
}

struct ConfigError {
    span: Range<usize>,
    message: String,
    help: Option<String>,
}

impl ConfigError {
    fn new(span: Range<usize>, message: String) -> Self {
        Self { span, message, help: None }
    }

    fn into_cli_error(self, name: &str, text: &str) -> CliError {
        let error = CliError::usage(self.message)
            .with_location(TextLocation::new(name, text, self.span));
        match self.help {
            Some(help) => error.with_help(help),
            None => error.with_help("list all settings with `gainsay config keys`"),
        }
    }
}

struct ConfigFileReader {
    file: ConfigFile,
    errors: Vec<ConfigError>,
}

impl ConfigFileReader {
    fn document(&mut self, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            match (key.get_ref().as_ref(), value.get_ref().as_table()) {
                ("test", Some(inner)) => {
                    self.file.test = self.layer(inner, "`[test]`", |_| true);
                }
                ("profile", Some(inner)) => self.profiles(inner),
                ("systems", Some(inner)) => self.systems(inner),
                (name @ ("test" | "profile" | "systems"), None) => {
                    let message = format!("`{name}` must be a table, written `[{name}]`");
                    self.errors.push(ConfigError::new(value.span(), message));
                }
                (name, _) => self.unknown_key(name, key.span()),
            }
        }
    }

    /// The error for an unknown top-level key. Settings belong in a table.
    fn unknown_key(&mut self, name: &str, span: Range<usize>) {
        let message = format!("unknown top-level key `{name}`");
        let help = if KEYS.iter().any(|key| key.name == name) {
            "move this setting under `[test]`".to_owned()
        } else {
            match closest_name(name, ["test", "profile", "systems"]) {
                Some(close) => format!("did you mean `{close}`?"),
                None => {
                    "use `[test]`, `[profile.ci]`, `[profile.thorough]` or `[systems.Name]`"
                        .to_owned()
                }
            }
        };
        self.errors.push(ConfigError { span, message, help: Some(help) });
    }

    /// Each table names a system, and says which command answers for it.
    fn systems(&mut self, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            let mut report = |span: Range<usize>, message: String| {
                let help = Some("write `command = \"python3 queue.py\"`".to_owned());
                self.errors.push(ConfigError { span, message, help });
            };
            let Some(inner) = value.get_ref().as_table() else {
                let message = format!("a system must be a table, written `[systems.{name}]`");
                report(value.span(), message);
                continue;
            };
            let unknown = inner.iter().find(|(it, _)| it.get_ref() != "command");
            if let Some((unknown, _)) = unknown {
                let setting = unknown.get_ref();
                let message = format!("`[systems.{name}]` has no setting `{setting}`");
                report(unknown.span(), message);
            }
            match inner.get("command").map(|it| (it.span(), command(it.get_ref()))) {
                Some((_, Ok(command))) => {
                    let system = Some(name.to_owned());
                    self.file.systems.push(SystemBinding { system, command });
                }
                Some((span, Err(why))) => {
                    report(span, format!("invalid value for `command`: {why}"));
                }
                None => report(key.span(), format!("`[systems.{name}]` names no `command`")),
            }
        }
    }

    fn profiles(&mut self, table: &DeTable<'_>) {
        for (key, value) in table.iter() {
            let name = key.get_ref().as_ref();
            let found = PROFILES.iter().find(|(it, _)| *it == name);
            match (found, value.get_ref().as_table()) {
                (Some((_, profile)), Some(inner)) => {
                    let place = format!("`[profile.{name}]`");
                    let layer = self.layer(inner, &place, SettingKey::is_for_profiles);
                    self.file.profiles.push((*profile, layer));
                }
                (Some(_), None) => {
                    let message =
                        format!("a profile must be a table, written `[profile.{name}]`");
                    self.errors.push(ConfigError::new(value.span(), message));
                }
                (None, _) => {
                    let help = "use `default`, `ci` or `thorough`".to_owned();
                    let message = format!("unknown profile `{name}`");
                    self.errors.push(ConfigError {
                        span: key.span(),
                        message,
                        help: Some(help),
                    });
                }
            }
        }
    }

    fn layer(
        &mut self,
        table: &DeTable<'_>,
        place: &str,
        is_allowed: impl Fn(&SettingKey) -> bool,
    ) -> ConfigLayer {
        let mut layer = ConfigLayer::default();
        for (name, value) in table.iter() {
            let text = name.get_ref().as_ref();
            let allowed = KEYS.iter().filter(|key| is_allowed(key));
            match allowed.clone().find(|key| key.name == text) {
                Some(key) => self.setting(key, value, &mut layer),
                None => {
                    let close = closest_name(text, allowed.map(|key| key.name));
                    let help = match (renamed_setting(text), close) {
                        (Some(now), _) => Some(format!("it is called `{now}` now")),
                        (None, close) => close.map(|it| format!("did you mean `{it}`?")),
                    };
                    self.errors.push(ConfigError {
                        span: name.span(),
                        message: format!("{place} has no setting `{text}`"),
                        help,
                    });
                }
            }
        }
        if let Some((one, other)) = layer.conflicting_settings() {
            let span = table.iter().find(|(name, _)| name.get_ref() == one);
            let span = span.map_or(0..0, |(name, _)| name.span());
            let message = format!("`{one}` and `{other}` cannot be used together");
            let help = Some(format!("remove `{one}` or `{other}`"));
            self.errors.push(ConfigError { span, message, help });
        }
        layer
    }

    fn setting(
        &mut self,
        key: &SettingKey,
        value: &Spanned<DeValue<'_>>,
        layer: &mut ConfigLayer,
    ) {
        let values: Vec<&Spanned<DeValue<'_>>> = match value.get_ref().as_array() {
            // A single text may stand for a list of one.
            Some(items) if key.kind.is_list() => items.iter().collect(),
            Some(_) | None => vec![value],
        };
        for value in values {
            let outcome = match value_text(key.kind, value.get_ref()) {
                Some(text) => (key.set)(layer, &text),
                None => Err(format!("expected {}", key.kind.expected())),
            };
            if let Err(why) = outcome {
                let message = format!("invalid value for `{}`: {why}", key.name);
                self.errors.push(ConfigError::new(value.span(), message));
            }
        }
    }
}

/// The words of a command: a text that is split as a shell does, or a list of words.
fn command(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    if let Some(text) = value.as_str() {
        return systems::command_words(text);
    }
    let words = value.as_array().map(|it| {
        it.iter()
            .map(|word| word.get_ref().as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
    });
    match words {
        Some(Some(words)) if !words.is_empty() => Ok(words),
        _ => Err("expected a string or a list of strings".to_owned()),
    }
}

/// A value as it would be written on the command line, if it has the expected type.
fn value_text(kind: SettingKind, value: &DeValue<'_>) -> Option<String> {
    match kind {
        SettingKind::PositiveInteger | SettingKind::NonNegativeInteger => integer(value),
        SettingKind::Seed => integer(value).or_else(|| value.as_str().map(str::to_owned)),
        SettingKind::Flag => value.as_bool().map(|it| it.to_string()),
        SettingKind::Duration
        | SettingKind::OneOf(_)
        | SettingKind::AnyOf(_)
        | SettingKind::Formats
        | SettingKind::Path
        | SettingKind::Paths => value.as_str().map(str::to_owned),
    }
}

fn integer(value: &DeValue<'_>) -> Option<String> {
    let number = value.as_integer()?;
    let text = number.as_str().replace('_', "");
    match number.radix() {
        // As digits: whether the number fits is for the setting to say, in its own words.
        10 => Some(text),
        radix => u64::from_str_radix(&text, radix).ok().map(|it| it.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use gainsay::test::{RunProfile, SavedCasePolicy};

    use super::ConfigFile;
    use crate::report::{DeniableLint, ReportFormat};

    /// What is reported about a text: the message, the location, the first hint.
    fn reported(text: &str) -> (String, String, String) {
        let error = ConfigFile::parse("gainsay.toml", text).unwrap_err();
        let place = error.location.expect("mistakes in files have a place");
        let place = format!("{}:{} {}", place.line, place.column, place.width);
        (error.message, place, error.help[0].clone())
    }

    #[test]
    fn every_setting_can_be_set() {
        let text = r#"
            [test]
            paths = ["src", "more"]
            profile = "thorough"
            cases = 1_000
            seed = "0x2a"
            max-shrinks = 0
            shrink-time = "1.5s"
            jobs = 0x2
            fail-fast = false
            saved-cases = "read"
            deny = ["placebo", "filtered"]
            format = ["human", "junit=report.xml"]
            times = "never"
            observe = "seen"

            [profile.ci]
            time = "30s"
            max-fail = 3
            deny = "warnings"
        "#;
        let file = ConfigFile::parse("gainsay.toml", text).unwrap();
        let test = file.test;
        assert_eq!((test.cases, test.seed, test.jobs), (Some(1000), Some(42), Some(2)));
        assert_eq!(test.shrink_time, Some(Duration::from_millis(1500)));
        assert_eq!(
            (test.fail_fast, test.saved_cases),
            (Some(false), Some(SavedCasePolicy::Read))
        );
        assert_eq!(test.deny, [DeniableLint::Placebo, DeniableLint::Filtered]);
        assert_eq!(test.formats[1].format, ReportFormat::Junit);
        assert_eq!(test.paths.len(), 2);
        let (profile, layer) = &file.profiles[0];
        assert_eq!((*profile, layer.max_fail), (RunProfile::Ci, Some(3)));
        assert_eq!(layer.deny, [DeniableLint::Warnings]);
    }

    #[test]
    fn errors_are_reported_with_their_location() {
        let (message, place, help) = reported("[test]\ncaess = 5\n");
        assert_eq!(message, "`[test]` has no setting `caess`");
        assert_eq!((place.as_str(), help.as_str()), ("2:1 5", "did you mean `cases`?"));
        let (message, _, help) = reported("[test]\nkept-cases = \"read\"\n");
        assert_eq!(message, "`[test]` has no setting `kept-cases`");
        assert_eq!(help, "it is called `saved-cases` now");
        let (message, place, _) = reported("[test]\ncases = \"5\"\n");
        assert_eq!(message, "invalid value for `cases`: expected a number");
        assert_eq!(place, "2:9 3");
        let (message, _, _) = reported("[test]\ndeny = [\"placebo\", \"placbo\"]\n");
        assert!(message.ends_with("warnings; did you mean `placebo`?"), "{message}");
        let (_, place, help) = reported("cases = 5\n");
        assert_eq!(place, "1:1 5");
        assert!(help.contains("[test]"), "{help}");
        let (message, place, _) = reported("[profile.CI]\n");
        assert_eq!((message.as_str(), place.as_str()), ("unknown profile `CI`", "1:10 2"));
        let (message, place, _) = reported("[test]\ncases = 5\ntime = \"5s\"\n");
        assert_eq!(message, "`time` and `cases` cannot be used together");
        assert_eq!(place, "3:1 4");
        let (message, _, _) = reported("[test]\ncases = -1\n");
        assert!(message.contains("a number from 1"), "{message}");
        let (message, place, _) = reported("[test]\ncases = \n");
        assert!(message.starts_with("invalid TOML: "), "{message}");
        assert!(place.starts_with("2:"), "{place}");
        let (message, _, _) = reported("test = 5\n");
        assert_eq!(message, "`test` must be a table, written `[test]`");
        let (message, _, _) = reported("[profile.ci]\nprofile = \"ci\"\n");
        assert_eq!(message, "`[profile.ci]` has no setting `profile`");
    }

    #[test]
    fn nothing_in_a_file_breaks_the_reader() {
        for text in ["", "\u{feff}", "[test", "[test]\nseed = 99999999999999999999\n", "\u{0}"]
        {
            let _ = ConfigFile::parse("gainsay.toml", text);
        }
        let deep = format!("a = {}", "[".repeat(100_000));
        assert!(ConfigFile::parse("gainsay.toml", &deep).is_err());
    }
}
