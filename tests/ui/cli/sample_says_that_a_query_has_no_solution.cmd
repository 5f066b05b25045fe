# Proved, or not found within the budget.
gainsay sample 'is_bst(?t) && keys(?t) == [2, 1]' trees.say --seed 1
gainsay sample '?x > 3 && ?x < 3' --seed 1
gainsay sample 'path(3, ?x)' trees.say --seed 1
gainsay sample '?x * ?x == 1000003' --seed 1
gainsay sample 'path(3, ?x)' trees.say --seed 1 --json
//- trees.say
type Tree = Leaf | Node(Tree, Int, Tree)

fn keys(t: Tree) -> List<Int> {
  match t {
    Leaf => []
    Node(l, k, r) => keys(l) ++ [k, ..keys(r)]
  }
}

fn is_bst(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) =>
      is_bst(l) && is_bst(r) && keys(l).all(|x| x < k) && keys(r).all(|x| x > k)
  }
}

rel edge(from: Int, to: Int) {
  one: edge(1, 2)
  two: edge(2, 3)
}

rel path(from: Int, to: Int) {
  direct: path(a, b) <- edge(a, b)
  longer: path(a, c) <- edge(a, b), path(b, c)
}
