# Constructors, sizes, integers by bit length, sorts of strings, and discards.
gainsay sample 'Tree' tree.say --stats --seed 1 -n 200
gainsay sample '(Str, Char, Bool)' --stats --seed 1 -n 200
gainsay sample 'Int{it > 0 && square(it)}' tree.say --stats --seed 1 -n 50
gainsay sample 'picky()' tree.say --stats --seed 1 -n 50
gainsay sample 'Bool' --stats --json --seed 1 -n 50
//- tree.say
type Tree = Leaf | Node(Tree, Int{it >= 0 && it < 64}, Tree)

fn square(n: Int) -> Bool { List.range(0, 40).any(|it| it * it == n) }

fn picky() -> Int ! [Gen] {
  let n = Gen.int(0, 9)
  if n < 5 { Gen.discard() } else { n }
}
