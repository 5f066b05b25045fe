gainsay test --list
gainsay test --list -v
gainsay test --list -k transfer
gainsay test --list=json --partition slice:2/2
gainsay test transfre
gainsay test -k transfre

//- ledger.say
fn transfer(from: Int, to: Int, cents: Int) -> (Int, Int) {
  (from - cents, to + cents)
}

test "nothing changes nothing" {
  observe transfer(5, 6, 0) == (5, 6)
}

@property
fn transfer_keeps_the_sum(from: Int, to: Int, cents: Int) {
  let (a, b) = transfer(from, to, cents)
  observe a + b == from + to
}
