# The claims of `fee_test.say` and `test_fee.say` test `fee.say`, and have no mutants.
gainsay mutate fee.say
rm test_fee.say
gainsay mutate fee.say
gainsay mutate
gainsay mutate fee_test.say
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }
//- fee_test.say
use fee

fn twice(n: Int) -> Int { n + n }

test "twice a fee" { observe twice(fee.fee(200)) == 14 }
//- test_fee.say
use fee

test "a large fee" { observe fee.fee(10_000) == 105 }
