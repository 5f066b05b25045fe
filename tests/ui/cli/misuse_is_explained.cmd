gainsay hello.say
gainsay synth
gainsay chekc
gainsay new 1shop
