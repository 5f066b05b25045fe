# The exit codes, for scripts.
gainsay mutate held.say
gainsay mutate failing.say
gainsay mutate failing_twice.say
gainsay mutate nowhere.say
gainsay mutate held.say --format json --format junit
gainsay mutate no_claims.say
gainsay mutate ignored.say
gainsay mutate no_functions.say
gainsay mutate stubs_only.say
gainsay mutate wrong.say
GAINSAY_ENGINE=fast gainsay mutate held.say
//- held.say
fn half(n: Int) -> Int { n / 2 }

test "half" { observe half(7) == 3 }
//- failing.say
fn half(n: Int) -> Int { n / 2 }

test "half" { observe half(7) == 4 }
//- failing_twice.say
fn half(n: Int) -> Int { n / 2 }

test "half" { observe half(7) == 4 }

@property
fn two_halves_are_all(n: Int) { observe half(n) + half(n) == n }

test "half of ten" { observe half(10) == 5 }
//- no_claims.say
fn half(n: Int) -> Int { n / 2 }
//- ignored.say
fn half(n: Int) -> Int { n / 2 }

@ignore(reason = "later")
test "half" { observe half(7) == 3 }
//- no_functions.say
test "one and one" { observe 1 + 1 == 2 }
//- stubs_only.say
fn die(path: BranchPath, n: Int, min: Int, max: Int) -> Int { min + 1 }

test "a die" {
  under (Random.int = die) { observe Random.int(1, 6) == 2 }
}
//- wrong.say
fn half(n: Int) -> Int { n / "2" }

test "half" { observe half(7) == 3 }
