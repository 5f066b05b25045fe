# Three attempts are too few to shrink the case; the next run continues.
gainsay test --seed 1 --max-shrinks 3 sums.say | grep -A4 counterexample
grep -c unfinished gainsay-cases/sums/property.small/*.case
gainsay test --seed 1 sums.say | grep -A9 counterexample
grep -c unfinished gainsay-cases/sums/property.small/*.case
gainsay test --seed 1 sums.say | grep -A9 counterexample
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < 1000 }
