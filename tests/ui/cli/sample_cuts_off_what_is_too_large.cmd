# What takes more than a million choices is given up, a few times, and the sampling with it.
GAINSAY_ENGINE=jit gainsay sample --seed 1 'List<Int>{it.len() == 10_000_000_000_000}'
