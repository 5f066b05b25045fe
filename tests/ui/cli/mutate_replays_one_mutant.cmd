# One mutant runs again, and the result of each claim is shown.
gainsay mutate --replay m-afcff63e
GAINSAY_ENGINE=jit gainsay mutate --replay m-80870884
gainsay mutate --replay m-afcff63f
gainsay mutate --replay 7
gainsay mutate --replay m-afcff63e --list
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
