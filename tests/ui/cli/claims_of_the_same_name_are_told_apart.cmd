# Two files, each with a test of two `across`es with the same inputs: four cases are kept.
gainsay test --seed 1 --no-fail-fast --quiet | grep -E '^FAIL|kept in|replay:'
find gainsay-cases -name '*.case' | sort
# Each is run where it was found, and nothing is rewritten.
gainsay test --seed 1 --no-fail-fast | grep -E '^FAIL|cases;|kept'
grep -rl fixed gainsay-cases
gainsay replay bank.ledger::two gainsay-cases/bank.ledger/test.two/observe-two-2-across-2.case | grep let
# From another folder, the paths lead to the same files.
cd bank && gainsay test --seed 1 | grep -E '^FAIL|kept|replay:'
# A case that was kept when only the last part of a path counted is still found.
mkdir -p gainsay-cases/ledger && mv gainsay-cases/shop.ledger/test.two gainsay-cases/ledger/ && sed -i 's/shop.ledger/ledger/' gainsay-cases/ledger/test.two/*.case
gainsay test shop --seed 1 | grep -E '^FAIL|kept'
//- gainsay.toml
//- bank/ledger.say
test "two" {
  across (n: Int) { observe n < 50 }
  across (n: Int) { observe n > -50 }
}
//- shop/ledger.say
test "two" {
  across (n: Int) { observe n < 60 }
  across (n: Int) { observe n > -60 }
}
