# What differs between systems and engines is left out.
gainsay --version
gainsay -V
gainsay --version --verbose | sed 's/: .*/: [..]/'
gainsay -Vv | sed 's/: .*/: [..]/'
