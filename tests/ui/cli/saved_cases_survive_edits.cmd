# A saved case keeps its name while other parts of the function change.
gainsay test sums.say --seed 1 --quiet | grep 'saved to'
sed -i 's|^  // Here.|  let twice = n * 2 + 1 - 1\n  observe twice == n + n|' sums.say
gainsay test sums.say --seed 1 | grep -E 'FAIL|saved|replay'
find gainsay-cases -name '*.case'
# The claim no longer exists, so its case does not run, and that is reported.
sed -i 's/fn halves/fn quarters/' sums.say
gainsay test --seed 1 -q --no-cases
gainsay test --seed 1 --max-fail 9 2>&1 | grep -A1 'no matching claim'
gainsay cases prune --stale | grep -v found
gainsay cases | grep -v found
//- sums.say
@property
fn halves(n: Int) {
  // Here.
  observe 10 / (n - 7) < 11
}
