# All small solutions are compared with those that a search finds.
gainsay sample 'is_bst(?t)' trees.say --complete 1
gainsay sample 'is_bst(?t)' trees.say --complete 2
gainsay sample 'is_sorted(?xs)' trees.say --complete 3
gainsay sample 'path(?from, ?to)' trees.say --complete 0
gainsay sample 'is_sorted(?xs) && ?xs.len() == ?n' trees.say --complete 2 --json
gainsay sample 'is_bst(?t)' trees.say --complete 4
gainsay sample 'skewed(?m)' trees.say --complete 1
gainsay sample 'has_length(?text, ?n)' trees.say --complete 2
gainsay sample 'is_set_of(?s, ?xs)' trees.say --complete 2
gainsay sample 'maps(?m, ?k, ?v)' trees.say --complete 1
gainsay sample '?x > 1.0' --complete 1
gainsay sample 'Int' --complete 1
gainsay sample 'is_bst(?t)' trees.say --complete 30
//- trees.say
fn has_length(text: Str, n: Int) -> Bool { text.len() == n }

fn is_set_of(s: Set<Int>, xs: List<Int>) -> Bool { Set.of(xs) == s && s.len() > 1 }

fn maps(m: Map<Bool, Int>, key: Bool, value: Int) -> Bool { m.get(key) == Some(value) }

@weights(Leaf = 1, Node = 2)
type Tree = Leaf | Node(Tree, Int, Tree)

type Mark = Dot | Dash

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

fn is_sorted(xs: List<Int>) -> Bool {
  match xs {
    [x, y, ..rest] => x <= y && is_sorted([y, ..rest])
    _ => true
  }
}

// A search never draws a dot: its weight is 0.
fn skewed(m: Mark) -> Bool {
  match m {
    0 % Dot => true
    1 % Dash => true
  }
}

rel edge(from: Int, to: Int) {
  none: edge(0, 1)
  one: edge(1, 2)
  two: edge(2, 3)
}

rel path(from: Int, to: Int) {
  direct: path(a, b) <- edge(a, b)
  longer: path(a, c) <- edge(a, b), path(b, c)
}
