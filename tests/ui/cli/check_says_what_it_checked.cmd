gainsay check good.say
gainsay check bad.say
gainsay check --quiet bad.say
gainsay check
gainsay check nowhere.say
//- good.say
fn double(x: Int) -> Int { x + x }
//- bad.say
use good.{double}

fn twice(text: Str) -> Int { double(text) }
