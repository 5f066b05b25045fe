gainsay explain GS0102
gainsay explain 102 | head -n 1
gainsay explain unclosed-string | head -n 1
gainsay explain unclosed-strin
