# The derivation of a relation: one rule on each line, below the rule it is a premise of.
gainsay sample 'path(1, ?to)' graph.say --why --seed 1 -n 3
gainsay sample 'path(1, 4)' graph.say --why
gainsay sample 'path(4, 1)' graph.say --why
gainsay sample 'linked(3, ?x) && path(?x, 3)' graph.say --why --seed 1 -n 1
gainsay sample 'sorted(?xs) && ?xs.len() == 3' graph.say --why --seed 1 -n 1
gainsay sample 'is_small(?x)' graph.say --why
gainsay sample 'path(1, ?to)' graph.say --why --json
//- graph.say
rel edge(from: Int, to: Int) {
  one: edge(1, 2)
  two: edge(2, 3)
  three: edge(3, 4)
}

rel path(from: Int, to: Int) {
  direct: path(a, b) <- edge(a, b)
  longer: path(a, c) <- edge(a, b), path(b, c)
}

// Proof search must not go around in circles.
rel linked(a: Int, b: Int) {
  swap: linked(a, b) <- linked(b, a)
  edge: linked(a, b) <- edge(a, b)
}

rel sorted(xs: List<Int>) {
  empty: sorted([])
  one: sorted([_])
  more: sorted([x, y, ..rest]) <- x <= y, sorted([y, ..rest])
}

fn is_small(n: Int) -> Bool { n < 10 }
