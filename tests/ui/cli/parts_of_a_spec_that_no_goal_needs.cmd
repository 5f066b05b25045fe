# Each part of the rules is dropped in turn.
gainsay spec mutate echo.say
gainsay spec mutate echo.say wrong
gainsay spec mutate echo.say --steps 3 Echo.answered
//- echo.say
spec Echo {
  gen send(text: Int)
  obs echo(text: Int)
  rule send(x) when x > 0 {
    history [!send(x)*]
    emits echo(x)
  }
  rule echo(x) { history [.., send(x), ..] }
  scenario answered(x: Int) = [.., send(x), .., expect echo(x)]
  violation wrong() = [send, .., echo(0)]
}
