gainsay check --json bad.say
//- bad.say
fn f() -> Int { "one" }
