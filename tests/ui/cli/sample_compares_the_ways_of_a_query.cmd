# The statistics of a query show which way it got. A way can be forced.
gainsay sample 'is_sorted(?xs) && ?xs.all(|x| x > 0 && x < 9)' sorted.say --seed 1 -n 200 --stats
gainsay sample 'is_sorted(?xs) && ?xs.all(|x| x > 0 && x < 9)' sorted.say --seed 1 -n 20 --stats --way filtered
gainsay sample '?x > 3 && ?x < 9' --seed 1 -n 100 --stats
gainsay sample '?x > 3 && ?x < 9' --seed 1 -n 100 --stats --way narrowed
gainsay sample 'is_sorted(?xs) && ?xs.len() == ?n' sorted.say --seed 1 -n 50 --stats --json
//- sorted.say
fn is_sorted(xs: List<Int>) -> Bool {
  match xs {
    [x, y, ..rest] => x <= y && is_sorted([y, ..rest])
    _ => true
  }
}
