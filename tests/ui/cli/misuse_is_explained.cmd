gainsay hello.say
gainsay mutate
gainsay chekc
gainsay new 1shop
