# The inputs of an inner `across` are saved with those of the outer one.
gainsay test steps.say --seed 1 --quiet | grep -E 'let|replay:|saved'
grep -v found gainsay-cases/steps/test.steps/*.case
# They are tried first, by value.
gainsay test steps.say --seed 2 --quiet | grep -E 'let|saved'
gainsay replay 'steps::steps' gainsay-cases/steps/test.steps/*.case steps.say | grep -E 'let|FAIL|fails'
//- steps.say
fn climb(left: Int, below: Int) ! [Claim.observe] {
  if left > 0 {
    across (step: Nat) {
      observe step + below < 40 || left > 1
      climb(left - 1, step)
    }
  }
}

test "steps" {
  across (start: Nat where start <= 3) {
    observe start >= 0
    climb(3, start)
  }
}
