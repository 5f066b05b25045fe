gainsay new shop
ls -A shop
gainsay check shop
gainsay fmt --check shop
gainsay new shop
