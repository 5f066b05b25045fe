# What other programs read of mutants. Only some operators: new ones are none of this test's business.
gainsay mutate --operator comparison,arithmetic --format github shop
gainsay mutate --operator comparison,arithmetic --format junit shop
gainsay mutate --operator comparison --format sarif shop | grep -v '"version": "0'
gainsay mutate --operator comparison --json shop | grep -v '"version": "0'
# Without compiled code nobody looks for inputs that tell mutants apart.
GAINSAY_ENGINE=jit gainsay mutate --operator comparison --format github larger.say
# Warnings and gates are told beside the report, not in it.
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
//- larger.say
fn larger(a: Int, b: Int) -> Int { if a < b { b } else { a } }

test "larger" {
  observe larger(1, 2) == 2
  observe larger(2, 1) == 2
}
