# There is no input to save, so the choices are replayed.
gainsay test spans.say --seed 1 --quiet | grep -E 'drawn|lo|saved'
grep -v found gainsay-cases/spans/test.spans/*.case
gainsay test spans.say --seed 2 | grep -E 'FAIL|warning|saved'
//- spans.say
fn span() -> (Int, Int) ! [Gen] {
  let lo = Gen.int(-10, 10)
  (lo, 100 / lo)
}

test "spans" {
  across (s <- span()) { observe s.0 * s.1 <= 100 }
}
