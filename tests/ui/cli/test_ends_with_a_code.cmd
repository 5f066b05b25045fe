# The exit codes, for scripts.
gainsay test held.say --seed 1
gainsay test failing.say --seed 1 --no-cases
gainsay test held.say --cases none
gainsay test held.say nobody
gainsay test held.say -k nobody
gainsay test vacuous.say --seed 1
gainsay test nothing.say --seed 1
gainsay test wrong.say --seed 1
gainsay test missing.say
# Of several, the first of 2, 5, 1, 6, 3 counts.
gainsay test held.say vacuous.say failing.say --seed 1 --no-cases --no-fail-fast
gainsay test held.say wrong.say --seed 1
//- held.say
test "one and one" { observe 1 + 1 == 2 }
//- failing.say
test "one and one" { observe 1 + 1 == 3 }
//- vacuous.say
@property
fn never(x: Int) {
  assume x != x
  observe x == 0
}
//- nothing.say
fn f(x: Int) -> Int { x }
//- wrong.say
test "one and one" { observe 1 + "1" == 2 }
