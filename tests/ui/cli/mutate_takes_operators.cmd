# Only mutants of some operators are run.
gainsay mutate --operator constant
gainsay mutate --operator default,call --operator operand -v
gainsay mutate --operator guard
gainsay mutate --operator plus
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
