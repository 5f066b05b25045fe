# The case is for `small(xs: List<Int>)`; inputs may have been renamed, added or changed since.
gainsay replay renamed gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay added gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay changed gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay narrow gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay guarded gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay alone gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay renamed found.case
gainsay replay changed found.case
//- sums.say
@property
fn renamed(list: List<Int>) { observe list.sum() < 100 }

@property
fn added(xs: List<Int>, n: Int) { observe xs.sum() < 100 + n }

@property
fn changed(xs: List<Str>) { observe xs.len() < 1 }

@property
fn narrow(xs: List<Int{it < 10}>) { observe xs.sum() < 100 }

@property
fn guarded(xs: List<Int>) {
  assume xs.len() > 1
  observe xs.sum() < 100
}

test "alone" { observe 1 == 1 }
//- found.case
gainsay case 1
claim: sums / property "small"
failure: observe-small-1
found: 2026-11-16

let xs = [100]
