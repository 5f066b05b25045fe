# With any number of threads; without a seed, the one that was drawn is shown.
gainsay test a.say --seed 12345 --no-cases --no-fail-fast -j 1 > one.txt
gainsay test a.say --seed 12345 --no-cases --no-fail-fast -j 2 > two.txt
gainsay test a.say --seed 12345 --no-cases --no-fail-fast -j 4 > four.txt
gainsay test a.say --seed 12346 --no-cases --no-fail-fast > other.txt
cmp one.txt two.txt
cmp one.txt four.txt
cmp -s one.txt other.txt
grep -c 'seed 12345' one.txt
gainsay test a.say --no-cases | grep -c ', seed [0-9]'
//- a.say
@property
fn commutes(a: Int, b: Int) { observe a + b == b + a }

@property
fn small(a: Int) { observe a < 1000 }

@property
fn short(xs: List<Int>) { observe xs.sum() < 100 }

test "a text" {
  across (s: Str, c: Char) { observe !s.contains(c.to_str()) }
}
