# Mutants are listed; nothing is run.
gainsay mutate --list --operator operand,call
gainsay mutate --list -k total
gainsay mutate --list -k nobody
gainsay mutate --list=json --operator default
gainsay mutate --json --list --operator call
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
