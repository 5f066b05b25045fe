# A mutant keeps its name while the source is laid out anew and renamed.
gainsay mutate --list | cut -d ' ' -f 1 > before.txt
sed -e 's/cents/amount/g' -e 's/total/sum/g' -e 's/{ /{\n\n/g' fee.say > new.say
mv new.say fee.say
gainsay fmt fee.say
gainsay mutate --list | cut -d ' ' -f 1 | cmp - before.txt && echo same
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
