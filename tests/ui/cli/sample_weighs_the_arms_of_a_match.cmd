# Two arms of weight 10 begin with the same constructor: together they have weight 20.
gainsay sample 'shape(?s)' weights.say --seed 1 -n 3000 --way narrowed --stats
gainsay sample 'nearly_always_a_disc(?s)' weights.say --seed 1 -n 3000 --way narrowed --stats
//- weights.say
type Size = Small | Large

type Shape = Disc(Size) | Box(Size)

fn shape(s: Shape) -> Bool {
  match s {
    10 % Disc(Small) => true
    10 % Disc(Large) => true
    10 % Box(_) => true
  }
}

fn nearly_always_a_disc(s: Shape) -> Bool {
  match s {
    99 % Disc(_) => true
    1 % Box(_) => true
  }
}
