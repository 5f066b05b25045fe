# A mutant keeps its id when the source is reformatted or renamed, and when claims change.
gainsay mutate --list | cut -d ' ' -f 1 | sort > before.txt
mv edited.txt fee.say
gainsay mutate --list | cut -d ' ' -f 1 | sort | cmp - before.txt && echo same
gainsay mutate --list --operator call
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
//- edited.txt
test "a sum" { observe sum(200) == 207 }

/// What we take for our trouble.
fn charge(amount: Int) -> Int {
  // A hundredth, and something for the stamp.
  (amount / 100)
    + 5
}

test "a charge" { observe charge(200) == 7 }

fn sum(amount: Int) -> Int {
  amount + charge(amount)
}
