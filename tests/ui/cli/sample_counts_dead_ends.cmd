# Conditions that decide themselves cost no dead ends, however many there are.
gainsay sample 'is_light(?m) && is_cross(?m)' marks.say --seed 1 -n 200 --way narrowed --stats
gainsay sample 'is_ordered(?a, ?b, ?c, ?d)' marks.say --seed 1 -n 200 --way narrowed --json --stats
//- marks.say
type Mark = Dot | Dash | Cross | Star | Ring

fn is_light(m: Mark) -> Bool {
  match m {
    Dot | Dash | Cross => true
    Star | Ring => false
  }
}

fn is_cross(m: Mark) -> Bool { m == Cross }

fn is_ordered(a: Int, b: Int, c: Int, d: Int) -> Bool { a < b && b < c && c < d && a > 0 && d < 9 }
