# Files that compile are run; the others are reported and decide the exit code.
gainsay test --seed 1 --no-cases
gainsay test --seed 1 --no-cases --format junit | grep -E 'testcase|error'
# A file that uses a broken one does not compile either.
gainsay test uses.say good.say --seed 1 --no-cases 2>&1 | grep -E 'PASS|error|COMPILE|compile'
# Nothing is left to run.
gainsay test bad.say --seed 1 --no-cases
//- bad.say
test "never run" { observe 1 + "" == 2 }
//- good.say
fn id(n: Int) -> Int { n }
test "run" { observe id(1) == 1 }
test "fails" { observe id(1) == 2 }
//- uses.say
use bad
test "in a file that uses a broken one" { observe true }
