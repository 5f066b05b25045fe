# The last recorded states are shown; nothing is guessed.
gainsay cases
gainsay cases prune --fixed
gainsay cases prune small
gainsay cases
//- sums.say
@property
fn small(xs: List<Int>) { observe xs.sum() < "100" }
//- gainsay-cases/sums/property.small/observe-small-1.case
gainsay case 1
claim: sums / property "small"
failure: observe-small-1
found: 2026-11-16
status: fixed 2026-11-17

let xs = [100]
