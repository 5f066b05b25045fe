# After `!n`, the number is drawn from its range before anything is known of the list.
gainsay sample 'late(?n, ?xs)' early.say --seed 1 -n 300 --way narrowed --stats
gainsay sample 'early(?n, ?xs)' early.say --seed 1 -n 300 --way narrowed --stats
//- early.say
fn late(n: Int, xs: List<Int>) -> Bool {
  0 <= n && n <= 4 && xs.len() == n && xs.all(is_bit) && n * n * n > 20
}

fn early(n: Int, xs: List<Int>) -> Bool {
  (0 <= n && n <= 4) !n && xs.len() == n && xs.all(is_bit) && n * n * n > 20
}

fn is_bit(n: Int) -> Bool { 0 <= n && n <= 1 }
