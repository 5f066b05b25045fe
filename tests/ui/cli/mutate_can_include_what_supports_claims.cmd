# Functions that only support claims are left out unless requested. The ids of the other mutants stay.
gainsay mutate --operator default
gainsay mutate --operator default -v
gainsay mutate --operator default -q
gainsay mutate --operator default -v --all-functions
gainsay mutate --operator default -k length
gainsay mutate --operator default -k is_long
gainsay mutate --operator default --json | grep -A3 excludedFunctions
gainsay mutate --replay m-b3a6c610 -q
gainsay mutate models.say lists_test.say
//- lists.say
fn is_long(xs: List<Int>) -> Bool { xs.len() > 2 }

fn length(xs: List<Int>) -> Int { xs.len() }
//- models.say
fn slow_length(xs: List<Int>) -> Int { xs.fold(0, |n, _| n + 1) }
//- lists_test.say
use lists.{is_long, length}
use models.{slow_length}

@property
fn it_is_like_the_model(xs: List<Int>) {
  classify("long", is_long(xs))
  observe length(xs) == slow_length(xs)
}
