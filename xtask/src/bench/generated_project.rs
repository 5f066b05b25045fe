//! Generates a realistic project of any size: modules that use each other, types, matches,
//! contracts, generics, effects, tests and properties.

use std::ops::Range;

use gainsay_ui::SourceModule;

/// The number of units per module.
const UNITS_PER_MODULE: usize = 4;

/// One unit of a module; `$i` is its number, `$m` that of its module.
const UNIT: &str = r#"
/// What can happen to a parcel of kind $i.
type Event$i
  = Packed$i(Int)
  | Sent$i(carrier: Str, weight: Int)
  | Lost$i
  | Returned$i(Int, Str)

/// A parcel of kind $i; its price is never negative.
type Parcel$i = { id: Int, weight: Int, notes: List<Str>, price: Int{it >= 0} }

type Shelf$i<A> = Empty$i | Row$i(A, Shelf$i<A>)

const LIMIT_$i: Int = 1_000 + $i

/// The parcel after an event.
fn after_$i(parcel: Parcel$i, event: Event$i) -> Parcel$i
  in { parcel.weight >= 0 }
  out (r) { r.id == parcel.id }
{
  match event {
    Packed$i(extra) if extra > 0 => { ..parcel, weight: parcel.weight + extra }
    Packed$i(_) => parcel
    Sent$i(carrier, weight) =>
      if weight > LIMIT_$i {
        { ..parcel, notes: ["heavy for " ++ carrier, ..parcel.notes] }
      } else {
        { ..parcel, notes: [carrier, ..parcel.notes] }
      }
    Lost$i => { ..parcel, price: 0 }
    Returned$i(refund, why) => {
      let left = if refund > parcel.price { 0 } else { parcel.price - refund }
      { ..parcel, price: left, notes: [why, ..parcel.notes] }
    }
  }
}

fn put_$i<A>(shelf: Shelf$i<A>, item: A) -> Shelf$i<A> {
  Row$i(item, shelf)
}

fn fold_$i<A, B>(shelf: Shelf$i<A>, start: B, step: (B, A) -> B) -> B {
  match shelf {
    Empty$i => start
    Row$i(item, rest) => fold_$i(rest, step(start, item), step)
  }
}

/// What all parcels of a shelf cost.
fn total_$i(shelf: Shelf$i<Parcel$i>) -> Int {
  fold_$i(shelf, 0, |sum, parcel| sum + parcel.price)
}

fn heaviest_$i(parcels: List<Parcel$i>) -> Option<Parcel$i> {
  match parcels {
    [] => None
    [only] => Some(only)
    [first, second, ..rest] =>
      if first.weight >= second.weight {
        heaviest_$i([first, ..rest])
      } else {
        heaviest_$i([second, ..rest])
      }
  }
}

fn parse_$i(text: Str) -> Result<Event$i, Str> {
  match text.split(" ") {
    ["packed", n] => match Int.parse(n) {
      Some(n) => Ok(Packed$i(n))
      None => Err("no number: " ++ n)
    }
    ["lost"] => Ok(Lost$i)
    [word, ..] => Err("unknown word " ++ word)
    [] => Err("nothing")
  }
}

fn lucky_$i(parcel: Parcel$i) -> Bool ! [Random.int] {
  Random.int(1, 6) == 6 && parcel.weight < LIMIT_$i
}

test "parcels of kind $i keep their identity" {
  let parcel = Parcel$i { id: $i, weight: 10, notes: [], price: 500 }
  observe after_$i(parcel, Lost$i).price == 0
  observe total_$i(put_$i(put_$i(Empty$i, parcel), parcel)) == 1_000
  across (event: Event$i, extra: Int{0 <= it && it <= 100}) {
    observe after_$i(after_$i(parcel, event), Packed$i(extra)).id == $i
  }
}

@property
fn the_heaviest_of_one_is_it_$i(weight: Int) {
  let parcel = Parcel$i { id: 1, weight, notes: ["a", "b"], price: 0 }
  observe heaviest_$i([parcel]) == Some(parcel)
}
"#;

/// The part of a module that uses the previous one, whose number is `$p`.
const LINK: &str = r"
/// How much a parcel of this module and one of the module before weigh together.
fn together_$m(own: Parcel$a, other: shop_$p.Parcel$b) -> Int {
  let heavier = if own.weight > other.weight { own.weight } else { other.weight }
  heavier + limit_of_$p()
}
";

/// What every module offers to others.
const OFFER: &str = r"
fn limit_of_$m() -> Int {
  LIMIT_$a + LIMIT_$a
}
";

/// A project of at least this many lines; its first module uses all others, directly or indirectly.
pub(super) fn project(n_lines: usize) -> Vec<SourceModule> {
    let mut modules: Vec<SourceModule> = Vec::new();
    let mut n_written = 0;
    while n_written < n_lines {
        let module = module(modules.len());
        n_written += module.text.lines().count();
        modules.push(module);
    }
    modules.reverse();
    modules
}

/// One module of at least this many lines that uses no other.
pub(super) fn module_of(n_lines: usize) -> SourceModule {
    let lines_per_unit = UNIT.lines().count();
    written(0, 0..n_lines.div_ceil(lines_per_unit).max(1))
}

fn module(number: usize) -> SourceModule {
    let first_unit = number * UNITS_PER_MODULE;
    written(number, first_unit..first_unit + UNITS_PER_MODULE)
}

fn written(number: usize, units: Range<usize>) -> SourceModule {
    let mut text = format!("// Module {number} of a generated shop.\n");
    if number > 0 {
        text += &fill("\nuse shop_$p\nuse shop_$p.{limit_of_$p}\n", number, units.start);
        text += &fill(LINK, number, units.start);
    }
    text += &fill(OFFER, number, units.start);
    for unit in units {
        text += &UNIT.replace("$i", &unit.to_string());
    }
    SourceModule { name: format!("shop_{number}.say"), text }
}

fn fill(template: &str, number: usize, first_unit: usize) -> String {
    template
        .replace("$m", &number.to_string())
        .replace("$p", &number.saturating_sub(1).to_string())
        .replace("$a", &first_unit.to_string())
        .replace("$b", &first_unit.saturating_sub(1).to_string())
}
