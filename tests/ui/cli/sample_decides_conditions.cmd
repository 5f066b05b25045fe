# Without unknowns, a condition holds or not.
gainsay sample 'path(1, 3)' graph.say
gainsay sample 'path(3, 1)' graph.say
gainsay sample 'path(3, 1)' graph.say --json
gainsay sample '[1, 2].contains(2)'
gainsay sample '!is_small(100)' graph.say
gainsay sample 'ever(0)' graph.say
gainsay sample '1 / 0 == 1'
//- graph.say
rel edge(from: Int, to: Int) {
  one: edge(1, 2)
  two: edge(2, 3)
}

rel path(from: Int, to: Int) {
  direct: path(a, b) <- edge(a, b)
  longer: path(a, c) <- edge(a, b), path(b, c)
}

rel ever(n: Int) {
  more: ever(n) <- ever(n + 1)
}

fn is_small(n: Int) -> Bool { n < 10 }
