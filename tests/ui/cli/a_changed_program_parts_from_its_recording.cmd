# The first difference is reported with both sides; moved code is no difference.
gainsay run --seed 7 --record run.json first.say
gainsay replay run.json moved.say
gainsay replay run.json arguments.say
gainsay replay run.json more.say
gainsay replay run.json branch.say
gainsay replay run.json less.say
gainsay replay run.json result.say
gainsay replay run.json fault.say
gainsay --json replay run.json result.say
gainsay replay run.json gone.say
rm first.say; gainsay replay run.json
gainsay replay run.json broken.say
//- first.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  let (b, c) = par (Random.int(1, 10), Random.int(1, 10))
  Console.print("a is " ++ show(a))
  if b + c < 100 { Ok(()) } else { Err("large") }
}
//- moved.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let (b, c) = par (Random.int(1, 10), Random.int(1, 10))
  let a = Random.int(1, 6)
  Console.print("a is " ++ show(a))
  if b + c < 100 { Ok(()) } else { Err("large") }
}
//- arguments.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  let (b, c) = par (Random.int(1, 10), Random.int(0, 10))
  Console.print("a is " ++ show(a))
  if b + c < 100 { Ok(()) } else { Err("large") }
}
//- more.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  let (b, c) = par (Random.int(1, 10), Random.int(1, 10))
  Console.print("a is " ++ show(a))
  Console.print("b is " ++ show(b))
  if b + c < 100 { Ok(()) } else { Err("large") }
}
//- branch.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  let (b, c, _) = par (Random.int(1, 10), Random.int(1, 10), Random.int(1, 10))
  Console.print("a is " ++ show(a))
  if b + c < 100 { Ok(()) } else { Err("large") }
}
//- less.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  if a < 100 { Ok(()) } else { Err("large") }
}
//- result.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  let (b, c) = par (Random.int(1, 10), Random.int(1, 10))
  Console.print("a is " ++ show(a))
  if b + c > 100 { Ok(()) } else { Err("small") }
}
//- fault.say
fn main() -> Result<Unit, Str> ! [Console.print, Random.int] {
  let a = Random.int(1, 6)
  Console.print("a is " ++ show(a))
  Console.print(show(a / (a - a)))
  Ok(())
}
//- broken.say
fn main() { 1 }
