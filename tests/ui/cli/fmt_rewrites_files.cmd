gainsay fmt --check rough.say
gainsay fmt rough.say
cat rough.say
gainsay fmt --check rough.say
gainsay fmt broken.say
cat broken.say
gainsay fmt - < broken.say
//- rough.say
fn   f( x:Int )->Int { x+1 }
//- broken.say
fn f( {
