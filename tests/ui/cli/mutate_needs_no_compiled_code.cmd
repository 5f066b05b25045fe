# Without the JIT the verdicts are the same, and nothing is explained.
GAINSAY_ENGINE=jit gainsay mutate --why
GAINSAY_ENGINE=interpreter gainsay mutate --why
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
