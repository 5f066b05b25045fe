gainsay test --seed 1 --no-cases | grep -E 'FAIL |PASS |claims'
gainsay test --seed 1 --no-cases --fail-fast | grep -E 'FAIL |PASS |claims'
gainsay test --seed 1 --no-cases --no-fail-fast | grep -E 'FAIL |PASS |claims'
printf '[test]\nfail-fast = true\n' > gainsay.toml
gainsay test --seed 1 --no-cases | grep -E 'FAIL |PASS |claims'
//- sums.say
fn id(n: Int) -> Int { n }
test "a" { observe id(1) == 2 }
test "b" { observe id(1) == 1 }
test "c" { observe id(1) == 3 }
