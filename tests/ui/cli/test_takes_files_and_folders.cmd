# Without a path, the project is the current folder.
gainsay test --seed 1
gainsay test src --seed 1
gainsay test src/math.say --seed 0x10
gainsay test --list
gainsay test --list=json
gainsay test zero --seed 1
//- src/math.say
fn factorial(n: Int) -> Int { List.range(1, n + 1).fold(1, |product, x| product * x) }

test "factorial of zero" { observe factorial(0) == 1 }
//- src/test_math.say
use math.{factorial}

test "factorial of ten" { observe factorial(10) == 3628800 }

@property
fn factorials_grow(n: Int{1 <= it && it <= 20}) { observe factorial(n) < factorial(n + 1) }
