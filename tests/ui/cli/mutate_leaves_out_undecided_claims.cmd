# A claim without a verdict on the original program says nothing about mutants.
gainsay mutate --operator default
gainsay mutate --operator default -k double
//- apply.say
fn apply(f: ((Int) -> Int) -> Int) -> Int { f(|n| n + 1) }

fn double(n: Int) -> Int { 2 * n }

// No function of functions can be made up.
@property
fn it_applies(f: ((Int) -> Int) -> Int) { observe apply(f) == f(|n| n + 1) }

test "doubling" { observe double(3) == 6 }
