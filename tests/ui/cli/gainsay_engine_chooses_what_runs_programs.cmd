# The variable is heeded wherever something runs, and whatever it says, checking is the same.
GAINSAY_ENGINE=interpreter gainsay --version --verbose | grep engine
GAINSAY_ENGINE=jit gainsay --version --verbose | grep engine
GAINSAY_ENGINE=interpreter gainsay run hello.say
GAINSAY_ENGINE=jit gainsay run hello.say
GAINSAY_ENGINE= gainsay run hello.say
GAINSAY_ENGINE=fast gainsay run hello.say
GAINSAY_ENGINE=JIT gainsay run --json hello.say
GAINSAY_ENGINE=fast gainsay check hello.say
//- hello.say
fn main() ! [Console.print] { Console.print("hello") }
