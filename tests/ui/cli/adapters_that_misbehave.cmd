# Trouble with an adapter is never a counterexample.
gainsay test counter.say --seed 1 --against 'no-such-program'
gainsay test counter.say --seed 1 --against 'echo Hello!'
gainsay test counter.say --seed 1 --against 'sh -c "exit 3"'
gainsay test counter.say --seed 1 --against 'sh adapter.sh dies-in-reset'
gainsay test counter.say --seed 1 --against 'sh adapter.sh wrong-id'
gainsay test counter.say --seed 1 --against 'sh adapter.sh wrong-type'
gainsay test counter.say --seed 1 --against 'sh adapter.sh other-protocol'
gainsay test counter.say --seed 1 --against 'sh adapter.sh no-answer'
gainsay test counter.say --seed 1 --against 'sh adapter.sh noisy'
gainsay test counter.say --seed 1 --against 'sh adapter.sh no-reset'
gainsay test counter.say --seed 1 --against 'yes'
gainsay test coin.say --seed 1 --against 'sh adapter.sh alternates' -j 1
//- counter.say
system Counter { next() -> Nat }

test "count" { observe Counter.next() == 1 }

@property
fn counts(n: Int{1 <= it && it <= 3}) {
  List.range(1, n).each(|i| { observe Counter.next() == i })
}
//- coin.say
system Counter { next() -> Nat }

test "the same each time" {
  across (n: Int) { observe Counter.next() == 1 }
}
//- adapter.sh
n=0
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  answer='"ok":null'
  case $1:$line in
    dies-in-reset:*'.reset"'*) echo "cannot start over" >&2; exit 9 ;;
    no-reset:*'.reset"'*) answer='"err":"no such operation"' ;;
    other-protocol:*'.hello"'*) answer='"ok":{"protocol":2}' ;;
    alternates:*'.reset"'*) ;;
    *'.reset"'*) n=0 ;;
    wrong-id:*'"op":"next"'*) id=77; answer='"ok":1' ;;
    wrong-type:*'"op":"next"'*) answer='"ok":"one"' ;;
    no-answer:*'"op":"next"'*) answer='"nothing":1' ;;
    alternates:*'"op":"next"'*)
      n=$((1 - n)); answer="\"ok\":$n" ;;
    *'"op":"next"'*) n=$((n + 1)); answer="\"ok\":$n" ;;
  esac
  [ "$1" = noisy ] && yes noise | head -c 200000 >&2
  echo "{\"id\":$id,$answer}"
done
