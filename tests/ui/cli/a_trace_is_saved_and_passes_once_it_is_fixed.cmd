# The events of a shrunk trace are saved, tried first, and pass once the system answers otherwise.
gainsay test reads.say --seed 1 --quiet | grep -E '^ +[0-9]|saved'
grep -v found gainsay-cases/reads/test.reads/*.case | sed '/--- choices/,$d'
gainsay test reads.say --seed 2 | grep -E 'FAIL|still'
sed -i 's/i, state.value))/i, state.before))/' reads.say
gainsay test reads.say --seed 2 | grep -E 'PASS|saved' | sed 's/  [0-9].*//'
//- reads.say
spec Store {
  gen write(value: Int)
  gen read(id: Int)
  obs answer(id: Int, value: Int)
  rule read(i) {
    history [!read*]
    emits answer(id: i)
  }
  rule answer(i, v) { history [.., write(v), !write*, read(i), ..] }
  scenario atomic(i: Int, v: Int) =
    [write(v), read(i), write{value != v}, expect answer(i, v)]
}

type State = { value: Int, before: Int, reads: List<Int> }

test "reads" against Store.atomic {
  state: State = State { value: 0, before: 0, reads: [] }
  write(v) => ([], { ..state, value: v })
  read(i) => ([], { ..state, before: state.value, reads: [i, ..state.reads] })
  answer(i, _) => ([], { ..state, reads: state.reads.filter(|it| it != i) })
  pending => state.reads.map(|i| Store.answer(i, state.value))
}
