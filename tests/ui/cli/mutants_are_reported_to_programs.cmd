# The JSON document about mutants. One operator only, so that new operators do not change this test.
gainsay mutate --operator comparison --json shop | grep -v '"version": "0'
# Warnings and gates are reported next to the document, not in it.
gainsay mutate --operator comparison --json --min-score 100 shop | grep -c schemaVersion
gainsay mutate --operator arithmetic --format html=out/mutants.html --format json=out/mutants.json -q shop
grep -c mutation-test-report-app out/mutants.html
gainsay mutate --format json --format html shop

//- shop/price.say
fn price(cents: Int) -> Int { if cents < 1_000 { cents + 300 } else { cents } }

fn rebate(cents: Int) -> Int { let unused = 1; cents - 100 }

@mutants(skip, reason = "only for people")
fn sign(n: Int) -> Str { if n < 0 { "-" } else { "+" } }

test "postage" {
  observe price(500) == 800
  observe price(2_000) == 2_000
}
