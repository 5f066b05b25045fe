# For programs: a line of JSON per operation, and per goal.
gainsay spec traces echo.say --json
gainsay spec mutate echo.say --json
//- echo.say
spec Echo {
  gen send(text: Int)
  obs echo(text: Int)
  obs lost(text: Int)
  rule send(x) when x > 0 { emits echo(x) }
  scenario answered(x: Int) = [send(x), expect echo(x)]
  violation wrong() = [send, echo(0)]
}
