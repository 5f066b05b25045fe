# A vacuous claim makes the run inconclusive, unless a gate has failed.
gainsay mutate --operator arithmetic
gainsay mutate --operator arithmetic -q --min-score 100 rare.say
gainsay mutate --operator arithmetic -q --min-score 100 weak.say
gainsay mutate --operator arithmetic -q --json | grep '"exit"'
gainsay mutate --operator arithmetic -q twice.say
//- rare.say
fn next(n: Int) -> Int { n + 1 }

@property
fn rare(n: Int) {
  assume n % 1_000 == 7
  observe next(n) > n
}

test "next" { observe next(1) == 2 }
//- weak.say
fn twice(n: Int) -> Int { n + n }

@property
fn rarely_even(n: Int) {
  assume n % 1_000 == 7
  observe twice(n) % 2 == 0
}

test "twice" { observe twice(2) == 4 }
//- twice.say
fn half(n: Int) -> Int { n / 2 }

@property
fn rarely_less(n: Int) {
  assume n % 1_000 == 7
  observe half(n) < n
}

@property
fn never_less(n: Int) {
  assume n != n
  observe half(n) < n
}

test "half" { observe half(9) == 4 }
