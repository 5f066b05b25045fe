# `?name` is an unknown. The lines are solutions; a name that occurs twice is one unknown.
gainsay sample 'bst(3, 0, 42, ?t)' trees.say --seed 1 -n 4
gainsay sample 'bst(2, ?lo, ?hi, ?t) && ?t != Leaf' trees.say --seed 1 -n 3
gainsay sample 'is_bst(?t) && keys(?t).len() == 3' trees.say --seed 1 -n 3
gainsay sample 'is_bst(?keys) && keys(?keys).contains(7)' trees.say --seed 2 -n 2
gainsay sample 'path(1, ?to)' trees.say --seed 1 -n 3
gainsay sample 'path(?from, ?to) && ?from != ?to' trees.say --seed 1 -n 3 --json
gainsay sample 'Node(Leaf, 3, ?t) == Node(?l, ?k, Leaf)' trees.say --seed 1 -n 1
gainsay sample 'List.sum(?xs) == 10 && ?xs.len() == 3 && ?xs.all(|x| x > 0)' --seed 1 -n 3
gainsay sample '?b' --seed 1 -n 2 --quiet
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

fn bst(height: Int, lo: Int, hi: Int, t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) =>
      height > 0 && lo < k && k < hi && bst(height - 1, lo, k, l) && bst(height - 1, k, hi, r)
  }
}

rel edge(from: Int, to: Int) {
  one: edge(1, 2)
  two: edge(2, 3)
  three: edge(3, 4)
}

rel path(from: Int, to: Int) {
  direct: path(a, b) <- edge(a, b)
  longer: path(a, c) <- edge(a, b), path(b, c)
}
