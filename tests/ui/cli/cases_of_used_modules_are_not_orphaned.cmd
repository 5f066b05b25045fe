# The claims of a module that is only used are not run, and its saved cases are still theirs.
gainsay test --seed 1 sums.say
gainsay test --seed 1 user.say
//- sums.say
fn sum(a: Int, b: Int) -> Int { a + b }

@property
fn small(n: Int) { observe sum(n, 0) < 50 }
//- user.say
use sums.{sum}

test "sums" { observe sum(1, 2) == 3 }
