gainsay hello.say
gainsay test
gainsay chekc
gainsay run
gainsay new 1shop
