# The exit code says what happened: passed, failed, inconclusive, nothing to run.
gainsay run hello.say
gainsay run divide.say
gainsay run --steps 1000 endless.say
gainsay run library.say
gainsay run result.say
//- hello.say
fn main() ! [Console.print] { Console.print("hello") }
//- divide.say
fn main() ! [Console.print] {
  Console.print("before")
  let nothing = 0
  Console.print(show(1 / nothing))
}
//- endless.say
fn again(n: Int) -> Int { again(n + 1) }
fn main() ! [Console.print] { Console.print(show(again(0))) }
//- library.say
fn f() -> Int { 1 }
//- result.say
fn main() -> Result<Unit, Str> { Err("no luck") }
