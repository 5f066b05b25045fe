# Two files, each with a test of two `across` blocks with the same inputs: four cases are saved.
gainsay test --seed 1 --no-fail-fast --quiet | grep -E '^FAIL|saved to|replay:'
find gainsay-cases -name '*.case' | sort
# Each runs where it was found, and nothing is rewritten.
gainsay test --seed 1 --no-fail-fast | grep -E '^FAIL|saved'
grep -rl fixed gainsay-cases
gainsay replay bank.ledger::two gainsay-cases/bank.ledger/test.two/observe-two-2-across-2.case | grep let
# From another folder, the paths lead to the same files.
cd bank && gainsay test --seed 1 | grep -E '^FAIL|saved|replay:'
# A case from the time when only the last part of a path counted is still found.
mkdir -p gainsay-cases/ledger && mv gainsay-cases/shop.ledger/test.two gainsay-cases/ledger/ && sed -i 's/shop.ledger/ledger/' gainsay-cases/ledger/test.two/*.case
gainsay test shop --seed 1 | grep -E '^FAIL|saved'
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
