# Survivors in the baseline are accepted; new ones fail.
gainsay mutate --format json=all.json
gainsay mutate --baseline all.json
gainsay mutate -q -k total --format json=part.json
gainsay mutate --baseline part.json
# With another function before them, all mutants have new ids; they are matched by text.
cat more.txt >> more.say && cat fee.say >> more.say && mv more.say fee.say
gainsay mutate --baseline all.json
# One more survivor with a known text is one too many.
cat twice.txt >> fee.say
gainsay mutate --baseline all.json
gainsay mutate --baseline nowhere.json
gainsay mutate --baseline empty.json
//- fee.say
fn fee(cents: Int) -> Int { cents / 100 + 5 }

fn total(cents: Int) -> Int { cents + fee(cents) }

test "a total" {
  observe total(200) == 207
}
//- more.txt
fn none() -> Int { 0 }

test "none" { observe none() == 0 }

//- twice.txt

fn again(cents: Int) -> Int { cents / 100 + 5 }

test "again" { observe again(200) == 7 }
//- empty.json
{}
