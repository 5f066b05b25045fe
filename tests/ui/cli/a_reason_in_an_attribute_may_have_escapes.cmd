# A reason is shown unescaped.
gainsay test --list escapes.say
gainsay test --seed 1 --no-cases escapes.say
gainsay test --seed 1 --no-cases --json escapes.say | grep -o '"ignored":.*'
gainsay test --seed 1 --no-cases --format junit escapes.say | grep skipped
gainsay mutate --json escapes.say | grep -m 1 statusReason
//- escapes.say
@ignore(reason = "say \"no\"\tto\nC:\\temp \u{1F600}")
test "ignored" { observe twice(1) == 2 }

@ignore(reason = "\"quoted\"")
@property
fn quoted(n: Int) { observe twice(n) == n + n }

test "run" { observe twice(3) == 6 }

@mutants(skip, reason = "\"equal\" to the original")
fn twice(n: Int) -> Int { n + n }
