# A file that is not a recording, or is damaged, is not replayed, and no other file is overwritten.
gainsay run --seed 7 --record run.json roll.say
head -c 100 run.json > cut.json; gainsay replay cut.json
sed 's/"gainsay_recording":1/"gainsay_recording":2/' run.json > newer.json; gainsay replay newer.json
sed 's/"n":0/"n":"x"/' run.json > damaged.json; gainsay replay damaged.json
sed 's/"answer":"[0-9]"/"answer":"six"/' run.json > answer.json; gainsay replay answer.json
sed 's/Random.int/Random.die/' run.json > unknown.json; gainsay replay unknown.json --as-stubs
echo '{"name": "shop"}' > other.json; gainsay replay other.json
: > empty.json; gainsay replay empty.json
gainsay replay missing.json
gainsay replay run.json roll.say more.say
gainsay replay roll
gainsay run --record other.json roll.say; cat other.json
gainsay run --record roll.say roll.say
gainsay run --record no/run.json roll.say
gainsay run --record . roll.say
gainsay run --record newer.json --seed 7 roll.say
//- roll.say
fn main() ! [Console.print, Random.int] { Console.print(show(Random.int(1, 6))) }
