# Survivors are reported in the formats of other tools.
GAINSAY_ENGINE=jit gainsay mutate --why --operator comparison,operand --format github
GAINSAY_ENGINE=jit gainsay mutate --why --operator comparison,operand --format junit
GAINSAY_ENGINE=jit gainsay mutate --why --operator comparison,operand --format sarif=mutants.sarif -q
grep -E '"(ruleId|text|gainsay/v1)"' mutants.sarif
GAINSAY_ENGINE=jit gainsay mutate -q --format html=mutants.html --format json=mutants.json -o mutants.txt
ls && cat mutants.txt
//- larger.say
fn larger(a: Int, b: Int) -> Int { if a > b { a } else { b } }

fn half(n: Int) -> Int { n / 2 }

fn next(n: Int) -> Int { n + 1 }

test "larger" {
  observe larger(1, 2) == 2
  observe larger(2, 1) == 2
  observe half(7) > 0
}
