# Failures found by hostile, fuzzed and explored cases are saved, and fail again without any flag.
gainsay test --seed 1 --hostile share.say
gainsay test --seed 2 share.say
gainsay test --seed 1 --hostile=fuzz page.say
gainsay test --seed 2 page.say
gainsay test --seed 2 --explore rest.say
gainsay test --seed 3 rest.say
//- share.say
fn share(n: Int) -> Int ! [Time.unix_ms] { n * 1000 / Time.unix_ms() }

world calm { Time.unix_ms = |_, _| 1000 }

verify share law can_be_computed {
  given world: calm
  given n: Int = [1, 2]
  share(n) => share(n)
}
//- page.say
fn is_missing() -> Bool ! [Http.get] { Http.get("u").map(|it| it.status == 404) == Ok(true) }

verify is_missing law never {
  given net: Http.get = [|_, _, _| Err("")]
  is_missing() => false
}
//- rest.say
fn is_five(n: Int) -> Bool { n % 16 == 5 }

verify is_five law never {
  given n: Int = [1, 2]
  is_five(n) => false
}
