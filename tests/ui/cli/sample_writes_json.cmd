# One value per line; everything else goes to standard error.
gainsay sample Entry book.say --json --seed 2 -n 3
gainsay sample 'List<Move>' book.say --json --seed 2 -n 3
gainsay sample '(Float, Char, Bool, Option<Int>, (), Set<Int{it > 0 && it < 4}>, Map<Bool, Str>)' --json --seed 3 -n 3
gainsay sample '(Int) -> Int' --json --seed 2 -n 1
gainsay sample Entri book.say --json
//- book.say
type Entry = { title: Str, pages: Int{it > 0} }
type Move = Lend(entry: Entry, days: Int) | Return(Int, Int) | Close
