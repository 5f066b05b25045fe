# Rules that contradict each other, cyclic axioms, and families without end: the search ends, and says
# how.
gainsay check bad.say
gainsay synth bad.say
gainsay synth --steps 2000 endless.say | sed 's/(.* steps, .* calls)/(.. steps, .. calls)/'
gainsay spec traces bad.say
//- bad.say
spec Contradiction {
  gen first()
  gen second()
  rule first() { history [.., second, ..] }
  rule second() { history [.., first, ..] }
  scenario both() = [.., first, .., second, ..]
}

spec Never {
  gen go(n: Int)
  rule go(n) when n < 0 && n > 0
  scenario goes() = [.., go, ..]
}

spec Cyclic {
  sort Node
  fn next(n: Node) -> Node
  fn before(n: Node) -> Node
  axiom forall (n: Node) next(before(n)) == n
  axiom forall (n: Node) before(next(n)) == n
  axiom forall (n: Node) next(n) != n
  gen visit(n: Node)
  rule visit(n) { history [!visit(n)*] }
  scenario walk(n: Node) = [visit(n), visit(next(n)), visit(next(next(n)))]
}

spec Order {
  sort Node
  fn less(a: Node, b: Node) -> Bool
  axiom forall (a: Node) !less(a, a)
  axiom forall (a: Node, b: Node, c: Node) less(a, b) && less(b, c) ==> less(a, c)
  gen go(a: Node, b: Node)
  rule go(a, b) when less(a, b)
  scenario around(a: Node, b: Node) = [go(a, b), go(b, a)]
}
//- endless.say
spec Endless {
  gen start()
  obs tick(n: Int)
  rule start() { emits tick(0) }
  rule tick(n) { emits tick(n + 1) }
  scenario first() = [start, tick(0)]
  scenario later() = [.., tick(1), .., tick(0), ..]
}
