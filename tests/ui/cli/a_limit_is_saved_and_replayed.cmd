# An infinite loop is saved like any counterexample, and tried first.
gainsay test spin.say --seed 1 --quiet | grep -E 'let|saved|found'
grep -v found gainsay-cases/spin/property.ends/steps.case
gainsay test spin.say --seed 2 | grep -E 'LIMIT|let|saved|hit a limit' | sed 's/, [0-9/]* branches//'
gainsay replay ends gainsay-cases/spin/property.ends/steps.case | grep -E 'LIMIT|let'
sed -i 's/spin(n) }/0 }/' spin.say
gainsay test spin.say --seed 2 | grep -v '^$' | sed 's/, [0-9/]* branches//'
//- spin.say
fn spin(n: Int) -> Int { if n > 70 { spin(n) } else { n } }

@property
fn ends(n: Int{0 <= it && it <= 99}) { observe spin(n) <= n }
