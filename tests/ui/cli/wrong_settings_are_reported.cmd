gainsay test
gainsay test --config values.toml
gainsay test --config broken.toml
gainsay test --no-config --profile nightly
gainsay test --no-config --time 5
gainsay test --no-config --format xml
GAINSAY_JOBS=0 gainsay test --no-config
gainsay test --config renamed.toml
GAINSAY_KEPT_CASES=read gainsay test --no-config

//- gainsay.toml
[test]
max_shrinks = 5

//- values.toml
[test]
cases = 100

[profile.ci]
shrink-time = 5

//- broken.toml
[test
cases = 5

//- renamed.toml
[test]
kept-cases = "read"
