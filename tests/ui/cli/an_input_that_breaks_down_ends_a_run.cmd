# A folder as the input: the world fails where no `Result` can say so.
gainsay run echo.say < .
//- echo.say
fn main() ! [Console] {
  Console.print(show(Console.read_line()))
}
