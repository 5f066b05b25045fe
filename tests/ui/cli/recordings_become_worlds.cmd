# A recording is printed as a world, ready to paste.
echo Ann | LEVEL=high gainsay run --seed 7 --record run.json game.say
gainsay replay run.json --as-stubs
(gainsay replay run.json --as-stubs; cat claims.txt) > claims.say
gainsay check claims.say && gainsay fmt --check claims.say
gainsay --quiet test --seed 1 claims.say
gainsay run --record quiet.json quiet.say
gainsay replay quiet.json --as-stubs
gainsay run --record odd.json odd.say
gainsay replay odd.json --as-stubs
gainsay replay game --as-stubs
//- game.say
fn roll(n: Int) -> Int ! [Random.int] { List.range(0, n).map(|_| Random.int(1, 6)).sum() }

fn play() -> (Int, Int, Int, Str, Bool, Result<Unit, Str>) ! [Console.read_line, Disk.exists, Disk.write_text, Env.get, Random.int] {
  let name = Console.read_line().or("nobody")
  let (a, b) = par (roll(2), roll(3))
  let (c, _) = par (roll(1), ())
  let level = Env.get("LEVEL").or("low") ++ Env.get("NONE").or("-") ++ Env.get("LEVEL").or("low")
  let there = Disk.exists("\"quoted\".txt") || Disk.exists("game.say")
  (a, b, c, name ++ level, there, Disk.write_text("out.txt", name))
}

fn main() ! [Console, Disk, Env.get, Random.int] { Console.print(show(play())) }
//- claims.txt

use game

test "the recorded game" {
  under recorded {
    observe game.play() == (11, 10, 1, "Annhigh-high", true, Ok(()))
  }
}
//- quiet.say
fn main() ! [Console.print] { Console.print("nothing to answer") }
//- odd.say
fn main() ! [Console.print, Random.int, Tcp, Env] {
  Console.print(show(Env.get("A")))
  Env.set("A", "1")
  Console.print(show(Env.get("A")))
  Console.print(show(Tcp.connect("localhost", -1)))
  Console.print(show(Random.int(1, 1)))
  Console.print(show(Random.int(2, 1)))
}
