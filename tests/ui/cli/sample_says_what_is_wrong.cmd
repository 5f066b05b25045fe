# Errors in WHAT point at it and are usage errors; errors in the file are compile errors.
gainsay sample Acount bank.say
gainsay sample 'acount(3)' bank.say
gainsay sample 'account(true)' bank.say
gainsay sample 'List<' bank.say
gainsay sample 'Int) { } } fn main() { {' bank.say
gainsay sample '' bank.say
gainsay sample 'Int{it > 5 && it < 3}' --seed 1
gainsay sample 'account(-1)' bank.say --seed 1
gainsay sample 'never()' bank.say --seed 1
gainsay sample Int broken.say
gainsay sample Int nowhere.say
gainsay sample Int -n 0
//- bank.say
type Account = { id: Int, cents: Int{it >= 0} }
fn account(most: Int) -> Account ! [Gen] { Account { id: 1, cents: most + Gen.int(0, 0) } }
fn never() -> Int ! [Gen] { Gen.discard() }
//- broken.say
fn f() -> Int { true }
