# A file is in the way of the folder: the failure is still reported.
gainsay test --seed 1 sums.say
//- gainsay-cases
In the way.
//- sums.say
@property
fn small(n: Int) { observe n < 50 }
