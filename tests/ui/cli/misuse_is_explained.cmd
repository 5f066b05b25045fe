gainsay hello.say
gainsay test
gainsay chekc
gainsay new 1shop
