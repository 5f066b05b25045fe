//! Settings: `gainsay.toml`, the environment, `gainsay config`.

use crate::{CommandFolder, CommandOutput};

const CLAIM: &str = "test \"one\" {\n  observe 1 == 1\n}\n";

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_the_file() {
    let place = CommandFolder::with("a.say", CLAIM);
    place.write("gainsay.toml", "[test]\nseed = 1\n\n[profile.ci]\nseed = 9\n");
    let seed = |args: &[&str], set: &[(&str, &str)]| {
        let mut command = place.command(&["test", "--no-cases"]);
        command.args(args).envs(set.iter().copied());
        let done = CommandOutput::from(command.output().unwrap());
        let summary = done.stdout.trim_end().rsplit("seed ").next().unwrap();
        summary.trim_end_matches(')').to_owned()
    };
    assert_eq!(seed(&[], &[]), "1");
    assert_eq!(seed(&[], &[("GAINSAY_SEED", "2")]), "2");
    assert_eq!(seed(&["--seed", "0x3"], &[("GAINSAY_SEED", "2")]), "3");
    assert_eq!(seed(&[], &[("CI", "true")]), "9");
    assert_eq!(seed(&["--profile", "default"], &[("CI", "true")]), "1");
    assert_eq!(seed(&["--no-config"], &[("CI", "true")]), "0");
    place.write("other.toml", "[test]\nseed = 4\n");
    assert_eq!(seed(&["--config", "other.toml"], &[]), "4");
}

#[test]
fn the_nearest_file_counts_and_its_paths_are_seen_from_it() {
    let place = CommandFolder::with("deep/er/a.say", CLAIM);
    place.write("src/b.say", "test \"two\" {\n  observe 2 == 2\n}\n");
    place.write("gainsay.toml", "[test]\npaths = [\"src\"]\n");
    let mut command = place.command(&["test", "--list"]);
    command.current_dir(place.path("deep/er"));
    CommandOutput::from(command.output().unwrap()).exits(0).prints("src.b::two\n");
    place.gainsay(&["test", "--list", "deep"]).exits(0).prints("deep.er.a::one\n");
}

#[test]
fn errors_in_the_file_are_reported_with_their_location() {
    let place = CommandFolder::with("a.say", CLAIM);
    place.write("gainsay.toml", "[test]\ncasses = 5\n");
    place.gainsay(&["test"]).exits(2).prints("").says(
        "error: `[test]` has no setting `casses`\n --> gainsay.toml:2:1\n  |\n\
         2 | casses = 5\n  | ^^^^^^\nhelp: did you mean `cases`?\n",
    );
    let done = place.gainsay(&["test", "--json"]).exits(2);
    let error = &CommandOutput::records(&done.stdout)[0];
    assert_eq!((&error["file"], &error["line"]), (&"gainsay.toml".into(), &2.into()));
    assert_eq!((&error["column"], &error["end_column"]), (&1.into(), &7.into()));
    place.gainsay(&["test", "--no-config", "--list"]).exits(0);
    place.gainsay(&["test", "--config", "none.toml"]).exits(2).says("cannot read `none.toml`");
    let mut command = place.command(&["test", "--no-config"]);
    let done: CommandOutput = command.env("GAINSAY_CASES", "few").output().unwrap().into();
    done.exits(2).says("GAINSAY_CASES is set to `few`: expected a number");
}

#[test]
fn settings_are_listed_and_have_a_schema() {
    let place = CommandFolder::new();
    let keys = place.gainsay(&["config", "keys"]).exits(0).stays_silent().stdout;
    assert!(keys.contains("max-shrinks  GAINSAY_MAX_SHRINKS  the maximum number"), "{keys}");
    let schema = place.gainsay(&["config", "schema"]).exits(0).stays_silent().stdout;
    let schema: serde_json::Value = serde_json::from_str(&schema).unwrap();
    for line in keys.lines() {
        let name = line.split(' ').next().unwrap();
        assert!(schema["properties"]["test"]["properties"][name].is_object(), "{name}");
    }
}
