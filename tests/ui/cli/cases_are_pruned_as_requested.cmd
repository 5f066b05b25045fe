# Only selected cases are removed; a broken file only by its name.
gainsay cases prune
gainsay cases prune --fixed
gainsay cases prune --stale pairs
gainsay cases prune nothing
gainsay cases prune gainsay-cases/sums/property.small/torn.case
gainsay cases prune small
gainsay cases prune --fixed --stale --json
gainsay cases
find . -name '*.case'
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < 100 }

test "pairs differ" {
  across (a: Int{it >= 0}, b: Int) { observe a != b }
}
//- gainsay-cases/sums/property.small/observe-small-1.case
gainsay case 1
claim: sums / property "small"
failure: observe-small-1
found: 2026-11-16

// The first that was found.
let xs = [100]
//- gainsay-cases/sums/property.small/observe-small-2.case
gainsay case 1
claim: sums / property "small"
failure: observe-small-2
found: 2026-11-16
status: fixed 2026-11-17

let xs = [7, 8]
//- gainsay-cases/sums/property.small/torn.case
gainsay case 1
claim: sums / property
//- gainsay-cases/sums/property.small/later.case
gainsay case 9
//- gainsay-cases/sums/test.pairs-differ/observe-1.case
gainsay case 1
claim: sums / test "pairs differ"
failure: observe-1
found: 2026-11-16

let a = 1
let c = 1
//- gainsay-cases/sums/test.pairs-differ/observe-2.case
gainsay case 1
claim: sums / test "pairs differ"
failure: observe-2
found: 2026-11-16

let a = "one"
let b = 1
//- gainsay-cases/sums/property.gone/observe-1.case
gainsay case 1
claim: sums / property "gone"
failure: observe-1
found: 2026-11-16

let a = 1
