# A search that tried everything says so; one that used up its budget does not claim more.
gainsay sample 'four_of_three(?a, ?b, ?c, ?d)' none.say --seed 1
gainsay sample 'four_numbers(?a, ?b, ?c, ?d)' none.say --seed 1 --way narrowed
gainsay sample 'four_numbers(?a, ?b, ?c, ?d)' none.say --seed 1
gainsay sample 'climbs(?n)' none.say --seed 1 --way narrowed
gainsay sample 'above(?n)' none.say --seed 1 --way narrowed
gainsay sample 'in_circles(?n)' none.say --seed 1 --way narrowed
gainsay sample '?x + ?y == 10 && ?x > 5 && ?y > 5' --seed 1
gainsay sample '?x * ?x == 17' --seed 1
//- none.say
type Color = Red | Green | Blue

// Four mutually different values of three.
fn four_of_three(a: Color, b: Color, c: Color, d: Color) -> Bool {
  a != b && a != c && a != d && b != c && b != d && c != d
}

fn is_color(n: Int) -> Bool { 0 <= n && n < 3 }

fn four_numbers(a: Int, b: Int, c: Int, d: Int) -> Bool {
  [a, b, c, d].all(is_color) && a != b && a != c && a != d && b != c && b != d && c != d
}

fn climbs(n: Int) -> Bool { n >= 0 && climbs(n + 1) }

rel above(n: Int) {
  more: above(n) <- n >= 0, above(n + 1)
}

rel in_circles(n: Int) {
  again: in_circles(n) <- in_circles(n)
}
