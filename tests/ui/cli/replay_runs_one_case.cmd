# By replay token or by file; exit code 1 if it fails, 0 if it passes now.
gainsay replay sums::small gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay sums::small gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc sums.say --json
gainsay replay sums::larger gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay small found.case
gainsay replay larger found.case
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < 100 }

@property
fn larger(xs: List<Int>) { observe xs.sum() < 1000 }
//- found.case
gainsay case 1
claim: sums / property "small"
failure: observe-small-1
found: 2026-11-16

let xs = [60, 60]
