# Warnings of the checker can be denied like those of a run: by command line, environment or file.
gainsay test --seed 1 worthless.say
gainsay test -q --seed 1 --deny loose-test worthless.say 2> errors.txt
tail -n 2 errors.txt
GAINSAY_DENY=constant-observe gainsay test -q --seed 1 worthless.say 2>&1 | grep -A 1 ^error
gainsay test -q --seed 1 --config strict.toml worthless.say 2>&1 | grep -A 1 ^error
gainsay test -q --seed 1 --deny warnings worthless.say 2>&1 | grep -A 1 ^error
gainsay test -q --seed 1 --deny placebo worthless.say 2>&1 | grep -A 1 ^error

//- worthless.say
fn add(a: Int, b: Int) -> Int { a + b }

test "constant" {
  observe 1 == 1
  observe add(2, 3) == add(2, 3)
}

test "dead" {
  observe add(2, 3) == 5
  if false { observe add(1, 1) == 2 }
}

test "loose" { observe add(2, 3) > 0 }

//- strict.toml
[test]
deny = ["dead-observe"]
