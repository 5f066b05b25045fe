gainsay test slow.say --seed 1 --quiet --no-cases | grep -E 'LIMIT|help' | sed 's/, [0-9/]* branches//'
gainsay test slow.say --seed 1 --no-cases --steps 20_000_000 | sed 's/, [0-9/]* branches//'
printf '[test]\nsteps = 20000000\n' > gainsay.toml
gainsay test slow.say --seed 1 --no-cases | sed 's/, [0-9/]* branches//'
gainsay test slow.say --seed 1 --no-cases --steps 1_000 | grep LIMIT | sed 's/, [0-9/]* branches//'
gainsay test slow.say --steps 0
gainsay test slow.say --cases 0
//- slow.say
fn loop(n: Int, acc: Int) -> Int { if n == 0 { acc } else { loop(n - 1, acc + n % 7) } }

@property(cases = 2)
fn slow(x: Int{0 <= it && it <= 3}) { observe loop(12_000_000 + x, 0) > 0 }
