# Damaged cases, unknown claims and ambiguous names are reported with help.
gainsay replay small gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7
gainsay replay small gs1-0c17gwr595q78ptx0h66jwvm080040g2u42ghj010020000s7r7bc
gainsay replay small gs9-0c17
gainsay replay small word
gainsay replay small nowhere.case
gainsay replay small torn.case
gainsay replay smlal gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay s gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc
gainsay replay small
gainsay replay small gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc nowhere.say
gainsay replay small gs1-0c17gwr595q78ptx0h66jwvm080040g2042ghj010020000s7r7bc .draft/broken.say
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < 100 }

@property
fn sorted(xs: List<Int>) { observe xs.sort().len() == xs.len() }
//- torn.case
gainsay case 1
claim: sums / property "small"
let xs = [100]
//- .draft/broken.say
fn f() -> Int { true }
