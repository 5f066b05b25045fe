# The variable applies to everything that runs programs, and not to checking.
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
