# `-v` shows the inputs as found; the seed pins the case in the source.
gainsay test sums.say --seed 7 --no-cases -v | sed -n '/counterexample/,$p'
sed -i "s/@property/$(gainsay test sums.say --seed 7 --no-cases | grep -o '@property(seed = 0x[0-9a-f]*)')/" sums.say
head -1 sums.say
gainsay test sums.say --no-cases --seed 99 -v | sed -n '/counterexample/,$p'
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < 1000 }
