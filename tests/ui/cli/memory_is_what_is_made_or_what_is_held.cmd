# The one limit that differs between engines: one frees memory during a run, one does not.
GAINSAY_ENGINE=jit gainsay run --memory 8M churn.say
GAINSAY_ENGINE=interpreter gainsay run --memory 8M churn.say
//- churn.say
fn churn(n: Int, last: List<Int>) -> Int {
  if n == 0 { last.len() } else { churn(n - 1, [n, n + 1]) }
}
fn main() ! [Console.print] { Console.print(show(churn(1_000_000, []))) }
