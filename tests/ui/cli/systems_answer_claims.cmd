# A process answers for a system; without one, its claims do not run.
gainsay test stack.say --seed 1
gainsay test stack.say --seed 1 --against 'sh stack.sh'
gainsay test stack.say --seed 1 --against 'Stack=sh stack.sh' -k keeps --no-cases --json
gainsay replay stack::crashes gainsay-cases/stack/test.crashes/crash-crashes-2.case stack.say --against 'sh stack.sh'
gainsay test stack.say pure.say --seed 1 -k pure -k keeps
gainsay test stack.say --seed 1 -k keeps --fresh --against 'sh stack.sh'
gainsay test idle.say --seed 1 --against 'sh stack.sh'
gainsay test stack.say --against 'Stakc=sh stack.sh'
gainsay test stack.say --against "sh 'stack.sh"
//- stack.say
system Stack {
  push(x: Int)
  pop() -> Int
}

test "keeps what is pushed" {
  across (x: Int) {
    Stack.push(x)
    observe Stack.pop() == x
    observe throws(System) { Stack.pop() }
  }
}

test "is empty at first" { observe Stack.pop() == 0 }

test "crashes" {
  across (x: Int) {
    Stack.push(x)
    Stack.push(x)
    observe Stack.pop() == x
  }
}
//- pure.say
test "pure" { observe 1 + 1 == 2 }
//- idle.say
system Stack { peek() -> Int }

test "only errors" { observe throws(System) { Stack.peek() } }
//- stack.sh
# Holds one element. A second one of two digits is too much for it.
while read -r line; do
  id=${line#*\"id\":}; id=${id%%,*}
  case $line in
    *'"op":"gainsay.'*) held=; answer='"ok":null' ;;
    *'"op":"push"'*)
      new=${line#*\[}; new=${new%\]*}
      [ -n "$held" ] && [ ${#new} = 2 ] && { echo "no room for $new" >&2; exit 7; }
      held=$new; answer='"ok":null' ;;
    *'"op":"pop"'*)
      answer="\"ok\":$held"
      [ -z "$held" ] && answer='"err":{"kind":"Empty","text":"nothing to pop"}'
      held= ;;
    *) answer='"err":{"kind":"unknown"}' ;;
  esac
  echo "{\"id\":$id,$answer}"
done
