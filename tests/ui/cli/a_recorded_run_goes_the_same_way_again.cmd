# A recorded run is repeated from its recording alone.
echo Ann | LEVEL=high gainsay run --seed 7 --record run.json game.say x y
cat run.json
rm score.txt
gainsay replay run.json; ls
gainsay --quiet replay run.json game.say
gainsay --json replay run.json > /dev/null
GAINSAY_ENGINE=interpreter gainsay replay run.json
# The next recording replaces it.
echo Bob | gainsay run --seed 8 --record run.json game.say; ls -A
gainsay replay run.json
//- game.say
fn roll(n: Int) -> Int ! [Random.int] { List.range(0, n).map(|_| Random.int(1, 6)).sum() }

fn main() -> Result<Unit, Str> ! [Args, Console, Disk, Env, Random, Time.sleep] {
  let name = Console.read_line().or("nobody")
  let (mine, yours) = par (roll(2), roll(2))
  let (again, _) = par (roll(1), Time.sleep(1))
  Console.print(name ++ " " ++ show((Env.get("LEVEL"), Args.get(), mine, yours)))
  Console.warn(show((Random.float() < 0.5, again)))
  Disk.write_text("score.txt", show(mine - yours))
}
