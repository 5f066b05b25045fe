# However a run ends, its recording is complete and replays to the same end.
gainsay run --record fault.json divide.say
gainsay replay fault.json
gainsay run --record range.json range.say
gainsay replay range.json
gainsay run --steps 1000 --record limit.json endless.say
gainsay replay limit.json endless.say
gainsay run --record err.json result.say
gainsay replay err.json
gainsay run --record closed.json long.say | head -n 1; tail -n 1 closed.json
gainsay --quiet replay closed.json > /dev/null
//- divide.say
fn main() ! [Console.print, Env.get] {
  let n = Env.get("N").and_then(Int.parse).or(0)
  Console.print("before")
  Console.print(show(1 / n))
}
//- range.say
fn main() ! [Console.print, Random.int] { Console.print(show(Random.int(6, 1))) }
//- endless.say
fn again(n: Int) -> Int ! [Console.print] {
  if n == 3 { Console.print("three") }
  again(n + 1)
}
fn main() ! [Console.print] { Console.print(show(again(0))) }
//- result.say
fn main() -> Result<Unit, Str> ! [Disk.read_text] {
  let text = Disk.read_text("not/there.txt")?
  if text == "" { Err("empty") } else { Ok(()) }
}
//- long.say
fn main() ! [Console.print] { count(0) }
fn count(n: Int) ! [Console.print] {
  Console.print("the line with the number " ++ show(n) ++ ", and more to fill the pipe")
  if n < 20000 { count(n + 1) }
}
