# Types, perhaps refined, and generators with arguments. The same seed gives the same values.
gainsay sample 'Int{it > 0 && it % 2 == 0}' --seed 1 -n 4
gainsay sample Account bank.say --seed 1 -n 4
gainsay sample 'List<Event>' bank.say --seed 3 -n 5
gainsay sample 'account(5)' bank.say --seed 1 -n 4
gainsay sample '(Int) -> Bool' --seed 1 -n 2
gainsay sample Account bank.say --seed 7 -n 2 --quiet
gainsay sample Account bank.say --seed 7 -n 2 --quiet
//- bank.say
type Account = { id: Int{it > 0}, owner: Str, cents: Int{it >= 0} }
type Event = Opened(Account) | Paid(from: Int, cents: Int) | Closed

fn account(most: Int) -> Account ! [Gen] {
  Account { id: Gen.int(1, 9), owner: "nobody", cents: Gen.int(0, most) }
}
