# A mistake in `balance` is found with red-black trees, and shrunk to the smallest of them.
gainsay test trees.say --seed 1 | grep -A3 -E 'counterexample|saved to'
find gainsay-cases -name '*.case'
# The saved case is run first.
gainsay test trees.say --seed 2 | grep -E 'still fails|found in'
# The type gets a constructor: the saved tree is still one, and still fails.
sed -i -e 's/^type Tree = Leaf/type Tree = Leaf | Erased(Tree)/' -e 's/^    Leaf => /    Erased(_) => @erased\n    Leaf => /' trees.say
sed -i -e '/^fn keys/,/^}/s/@erased/[]/' -e '/^fn is_bst/,/^}/s/@erased/false/' -e '/^fn no_red_red/,/^}/s/@erased/false/' -e '/^fn balanced/,/^}/s/@erased/(false, 0)/' -e 's/@erased/t/' trees.say
gainsay test trees.say --seed 3 | grep -A2 -E 'still fails|counterexample'
# With the mistake corrected, the saved case passes.
sed -i 's/rotated(a, x, c, y, b, z, d)/rotated(a, x, b, y, c, z, d)/' trees.say
gainsay test trees.say --seed 4 --quiet
//- trees.say
type Color = Red | Black

/// A search tree whose nodes have a color.
type Tree = Leaf | Node(Color, Tree, Int, Tree)

fn keys(t: Tree) -> List<Int> {
  match t {
    Leaf => []
    Node(_, l, k, r) => keys(l) ++ [k, ..keys(r)]
  }
}

fn is_bst(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(_, l, k, r) =>
      is_bst(l) && is_bst(r) && keys(l).all(|x| x < k) && keys(r).all(|x| x > k)
  }
}

fn is_red(t: Tree) -> Bool {
  match t {
    Node(Red, ..) => true
    _ => false
  }
}

/// Whether no red node has a red child.
fn no_red_red(t: Tree) -> Bool {
  match t {
    Leaf => true
    Node(Black, l, _, r) => no_red_red(l) && no_red_red(r)
    Node(Red, l, _, r) => !is_red(l) && !is_red(r) && no_red_red(l) && no_red_red(r)
  }
}

/// Whether all paths down have equally many black nodes, and how many.
fn balanced(t: Tree) -> (Bool, Int) {
  match t {
    Leaf => (true, 1)
    Node(color, l, _, r) => {
      let (left_ok, left) = balanced(l)
      let (right_ok, right) = balanced(r)
      let here = match color {
        Red => 0
        Black => 1
      }
      (left_ok && right_ok && left == right, left + here)
    }
  }
}

fn is_rbt(t: Tree) -> Bool { is_bst(t) && !is_red(t) && no_red_red(t) && balanced(t).0 }

type Rbt = Tree{is_rbt(it)}

fn insert(x: Int, t: Tree) -> Tree { blacken(insert_below(x, t)) }

fn insert_below(x: Int, t: Tree) -> Tree {
  match t {
    Leaf => Node(Red, Leaf, x, Leaf)
    Node(color, l, k, r) =>
      if x < k { balance(color, insert_below(x, l), k, r) }
      else if x > k { balance(color, l, k, insert_below(x, r)) }
      else { t }
  }
}

/// A node; if it is black and has a red child with a red child, the three are rearranged.
fn balance(color: Color, l: Tree, k: Int, r: Tree) -> Tree {
  match (color, l, k, r) {
    (Black, Node(Red, Node(Red, a, x, b), y, c), z, d) => rotated(a, x, b, y, c, z, d)
    (Black, Node(Red, a, x, Node(Red, b, y, c)), z, d) => rotated(a, x, c, y, b, z, d)
    (Black, a, x, Node(Red, Node(Red, b, y, c), z, d)) => rotated(a, x, b, y, c, z, d)
    (Black, a, x, Node(Red, b, y, Node(Red, c, z, d))) => rotated(a, x, b, y, c, z, d)
    _ => Node(color, l, k, r)
  }
}

fn rotated(a: Tree, x: Int, b: Tree, y: Int, c: Tree, z: Int, d: Tree) -> Tree {
  Node(Red, Node(Black, a, x, b), y, Node(Black, c, z, d))
}

fn blacken(t: Tree) -> Tree {
  match t {
    Leaf => Leaf
    Node(_, l, k, r) => Node(Black, l, k, r)
  }
}

@property
fn insert_keeps_the_invariants(t: Rbt, x: Int) {
  observe is_rbt(insert(x, t))
}
