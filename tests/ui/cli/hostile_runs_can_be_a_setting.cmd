# Hostile testing is a setting like any other: command line, environment, file.
gainsay test --seed 1 sign.say | tail -n 1
GAINSAY_HOSTILE=profiles gainsay test --seed 1 sign.say | head -n 1
gainsay test --seed 1 --hostile sign.say | tail -n 1
gainsay test --seed 1 --config hostile.toml sign.say | head -n 1
gainsay test --seed 1 --config hostile.toml --max-block-cases 2 sign.say | head -n 4
gainsay test --hostile=much sign.say
gainsay test --seed 1 --hostile --format json sign.say | grep -A 13 verify_summary
gainsay test --list sign.say
gainsay test --seed 1 --hostile -k "law of_zero" sign.say

//- sign.say
fn sign(n: Int) -> Int { n / n.abs() }

verify sign law has_one_sign {
  given n: Int = [5, -5, 100]
  sign(n) * n.abs() => n
}

verify sign law of_zero {
  throws(DivByZero) { sign(0) } => true
}

//- hostile.toml
[test]
hostile = "profiles"
