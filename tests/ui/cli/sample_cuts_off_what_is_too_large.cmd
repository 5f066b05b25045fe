# A value of more than a million choices is given up; after a few of them, so is sampling.
GAINSAY_ENGINE=jit gainsay sample --seed 1 'List<Int>{it.len() == 10_000_000_000_000}'
