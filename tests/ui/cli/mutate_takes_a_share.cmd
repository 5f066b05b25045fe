# Each mutant is in exactly one slice, for any number of slices.
gainsay mutate --partition slice:1/2
gainsay mutate --partition slice:2/2
gainsay mutate --list > all.txt
for k in 1 2 3; do gainsay mutate --list --partition slice:$k/3; done | sort > shares.txt
sort all.txt | cmp - shares.txt && echo same
gainsay mutate --partition slice:3/2
gainsay mutate --partition slice:22/22
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
