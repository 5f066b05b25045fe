# What is known is checked, what is unknown is found: one set of rules for every combination.
gainsay sample 'nonempty(?t)' trees.say --seed 1 -n 2
gainsay sample 'complete(2, ?t)' trees.say --seed 1 -n 2
gainsay sample 'complete(?n, Node(Leaf, 5, Leaf))' trees.say --seed 1 -n 2
gainsay sample 'complete(?n, ?t) && ?n > 1' trees.say --seed 1 -n 2
gainsay sample 'complete(2, Node(Leaf, 5, Leaf))' trees.say
gainsay sample 'half_complete(0, ?t)' trees.say --seed 1 -n 1
gainsay sample 'half_complete(3, ?t)' trees.say --seed 1
gainsay sample 'bst(0, 5, ?t) && ?t != Leaf' trees.say --seed 1 -n 3
gainsay sample 'bst(?lo, ?hi, Node(Leaf, 3, Node(Leaf, 9, Leaf)))' trees.say --seed 1 -n 3
gainsay sample 'bst(5, 0, ?t)' trees.say --seed 1 -n 3
gainsay sample 'bst(5, 0, ?t) && ?t != Leaf' trees.say --seed 1
gainsay sample 'good_tree(7, 7, ?t)' trees.say --seed 1 -n 1
gainsay sample 'good_tree(7, 8, ?t)' trees.say --seed 1
gainsay sample 'good_tree(?a, ?b, Leaf)' trees.say --seed 1 -n 2
gainsay sample 'is_between(10, 0, 42, Node(Leaf, 7, Leaf))' trees.say
gainsay sample 'is_between(10, 0, 42, Node(Leaf, 77, Leaf))' trees.say
gainsay sample 'is_between(10, ?lo, ?hi, Node(Leaf, 7, Leaf))' trees.say --seed 1 -n 2
//- trees.say
type Tree = Leaf | Node(Tree, Int, Tree)

rel nonempty(t: Tree) {
  node: nonempty(Node(_, _, _))
}

rel complete(n: Int, t: Tree) {
  leaf: complete(0, Leaf)
  node: complete(n + 1, Node(l, _, r)) <- n >= 0, complete(n, l), complete(n, r)
}

// No rule says anything about numbers above 0.
rel half_complete(n: Int, t: Tree) {
  leaf: half_complete(0, Leaf)
}

rel bst(lo: Int, hi: Int, t: Tree) {
  leaf: bst(_, _, Leaf)
  node: bst(lo, hi, Node(l, x, r)) <- lo < x, x < hi, bst(lo, x, l), bst(x, hi, r)
}

// A variable that occurs twice in a conclusion.
rel good_tree(a: Int, b: Int, t: Tree) {
  leaf: good_tree(n, n, Leaf)
}

fn is_between(height: Int, lo: Int, hi: Int, t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(l, k, r) =>
      height > 0
        && lo < k
        && k < hi
        && is_between(height - 1, lo, k, l)
        && is_between(height - 1, k, hi, r)
  }
}
