# What is kept stays under its name while other things in the function change.
gainsay test sums.say --seed 1 --quiet | grep 'kept in'
sed -i 's|^  // Here.|  let twice = n * 2 + 1 - 1\n  observe twice == n + n|' sums.say
gainsay test sums.say --seed 1 | grep -E 'FAIL|kept|replay'
find gainsay-cases -name '*.case'
# The claim is gone: nobody runs its case any more, and that is told.
sed -i 's/fn halves/fn quarters/' sums.say
gainsay test --seed 1 -q --no-cases
gainsay test --seed 1 --max-fail 9 2>&1 | grep -A1 'no claim'
gainsay cases prune --stale | grep -v found
gainsay cases | grep -v found
//- sums.say
@property
fn halves(n: Int) {
  // Here.
  observe 10 / (n - 7) < 11
}
