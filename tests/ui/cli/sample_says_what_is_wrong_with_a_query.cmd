# Errors point into the query.
gainsay sample 'is_smal(?x)' small.say
gainsay sample 'is_small(?x' small.say
gainsay sample 'is_small(? x)' small.say
gainsay sample 'is_small(?1)' small.say
gainsay sample 'is_small(?x) && ?x.is_empty()' small.say
gainsay sample 'is_small(?x) + 1' small.say
gainsay sample '?x == ?y' small.say
gainsay sample 'is_small(?x) && ?y == ?y' small.say
gainsay sample '?x.len() == 3' small.say
gainsay sample '?xs.len() == 2 && List.sum(?xs) == 1'
gainsay sample 'always(?f)' small.say
gainsay sample 'drawn(?x)' small.say
gainsay sample 'Int' small.say --way narrowed
gainsay sample 'is_small(?x)' small.say --way solved
gainsay check unknown.say
//- small.say
fn is_small(n: Int) -> Bool { n < 10 }
fn always(f: (Int) -> Bool) -> Bool { f(0) && f(1) }
fn drawn(n: Int) -> Bool ! [Gen] { Gen.int(0, 1) == n }
//- unknown.say
fn f(n: Int) -> Bool { f(?n) }
