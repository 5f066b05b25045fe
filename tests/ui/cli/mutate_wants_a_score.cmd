# Survivors alone do not fail a run; a minimum score does.
gainsay mutate
gainsay mutate --min-score 95
gainsay mutate --min-score 95.5
gainsay mutate -q --min-score 96%
gainsay mutate --min-score 100 -k total
gainsay mutate --min-score 101
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
