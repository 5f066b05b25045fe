# A folder as standard input: the effect fails without a `Result` to report it.
gainsay run echo.say < .
//- echo.say
fn main() ! [Console] {
  Console.print(show(Console.read_line()))
}
