//! Statistical tests of generation: inputs are independent, boundaries of ranges occur, keys
//! repeat, and a seed gives one report whatever the number of threads.
//!
//! Seeds are fixed, so the tests are deterministic. Where randomness is judged, the bound is so
//! wide that a sound generator would fail for about one choice of seeds in 30,000.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::Command;
use std::sync::Arc;

use gainsay_core::Program;
use gainsay_gen::LoweredProgram;
use gainsay_source::{RenderStyle, render};
use gainsay_test::{ClaimStatus, ClaimWarning, Report, Settings, SiteReport, run};
use gainsay_ui::{
    CommandBudget, CommandEnd, SourceModule, check, gainsay, job, own_claims, write_modules,
};

/// A program with its claims, ready to run.
struct RunnableClaims {
    program: Arc<Program>,
    lowered: LoweredProgram,
}

impl RunnableClaims {
    fn of(text: &str) -> Self {
        let checked =
            check(&[SourceModule { name: "facts.say".to_owned(), text: text.to_owned() }]);
        let program = checked.program.unwrap_or_else(|| {
            let first = &checked.diagnostics[0];
            panic!("{}", render(&checked.files, first, RenderStyle::Plain));
        });
        let lowered = gainsay_gen::lower(&program);
        Self { program, lowered }
    }

    fn run(&self, settings: &Settings) -> Report {
        let claims = own_claims(&self.program);
        let job = job(&self.lowered, &claims);
        run(&job, settings)
    }

    /// The only site of each claim, after this many cases, none of which may fail.
    fn sites(&self, seed: u64, n_cases: u64) -> Vec<SiteReport> {
        let settings = Settings { cases: Some(n_cases), ..Settings::new(seed) };
        let only = |claim: gainsay_test::ClaimReport| {
            assert_eq!(claim.status, ClaimStatus::Pass, "{claim:?}");
            claim.sites.into_iter().next().expect("a property has a site")
        };
        self.run(&settings).claims.into_iter().map(only).collect()
    }
}

// ---- Inputs are independent -----------------------------------------------------------------

/// The number of cases in which two inputs are compared.
const N_COMPARED: u64 = 10_000;

/// Inputs count as dependent if their contingency table is further than this from independence, in
/// standard deviations.
const MAX_DEVIATIONS: f64 = 4.0;

/// Cases by the classes of two inputs, stratified by case size: large cases have large inputs, so
/// only cases of one size are comparable.
#[derive(Default)]
struct ContingencyTables(BTreeMap<String, BTreeMap<(String, String), u64>>);

impl ContingencyTables {
    /// Built from the counts of `collect((size, class of one, class of the other))`.
    fn of(site: &SiteReport) -> Self {
        let mut tables = Self::default();
        for label in &site.labels {
            let inner = label.text.trim_matches(['(', ')']);
            let [size, left, right] = inner.split(", ").collect::<Vec<_>>()[..] else {
                panic!("`{}` is no triple", label.text)
            };
            let cell = (left.to_owned(), right.to_owned());
            *tables.0.entry(size.to_owned()).or_default().entry(cell).or_default() +=
                label.cases;
        }
        tables
    }

    /// The distance of the tables from independence, in standard deviations: Pearson's statistic,
    /// summed over the sizes, normalized as in Wilson and Hilferty, "The distribution of
    /// chi-square", 1931.
    fn deviations(&self) -> f64 {
        let (mut statistic, mut freedom) = (0.0, 0.0);
        for table in self.0.values() {
            let (mut lefts, mut rights) = (BTreeMap::new(), BTreeMap::new());
            let mut n_cases = 0;
            for ((left, right), count) in table {
                *lefts.entry(left).or_insert(0) += count;
                *rights.entry(right).or_insert(0) += count;
                n_cases += count;
            }
            for (left, n_left) in &lefts {
                for (right, n_right) in &rights {
                    let cell = ((*left).clone(), (*right).clone());
                    let found = *table.get(&cell).unwrap_or(&0) as f64;
                    let expected = (n_left * n_right) as f64 / n_cases as f64;
                    statistic += (found - expected).powi(2) / expected;
                }
            }
            freedom += ((lefts.len() - 1) * (rights.len() - 1)) as f64;
        }
        assert!(freedom > 0.0, "there is nothing to compare");
        // The cube root of chi-square over its degrees of freedom is nearly normal, with mean `1 -
        // spread` and variance `spread`.
        let spread = 2.0 / (9.0 * freedom);
        ((statistic / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
    }
}

/// Pairs of inputs of equal type, each classified. The magnitude of numbers and the length of lists
/// are biases of the case, and meant to be correlated.
const PAIRS: [(&str, &str); 4] = [
    ("x: Int, y: Int", "(size, sign(x), sign(y))"),
    ("x: Int, y: Int", "(size, x.abs() % 3, y.abs() % 3)"),
    ("x: Nat, y: Nat", "(size, x % 3, y % 3)"),
    ("x: Small, y: Small", "(size, x % 3, y % 3)"),
];

const CLASSES: &str = "\
type Small = Int{0 <= it && it <= 1_000_000}
fn sign(n: Int) -> Int { if n < 0 { 0 } else { 1 } }
fn near(x: Int, y: Int) -> Bool { (x - y).abs() <= 1 }
";

/// Generators reuse earlier numbers on purpose. Beyond 1000 two numbers are equal only for that
/// reason, so such cases can be recognized and left out; and so can boundaries, which are used for
/// all inputs of a case together.
const GUARD: &str = "assume x.abs() > 1_000 && y.abs() > 1_000 && !near(x, y)
assume x.abs() < 999_999 || x.abs() > 1_000_000
assume y.abs() < 999_999 || y.abs() > 1_000_000
";

#[test]
fn inputs_of_equal_type_are_independent() {
    let mut text = CLASSES.to_owned();
    for (at, (binders, classes)) in PAIRS.iter().enumerate() {
        let _ = write!(
            text,
            "test \"pair {at}\" {{\n\
               across (size <- Gen.size(), {binders}) {{\n\
                 {GUARD}collect({classes})\n\
                 observe same(x, x)\n\
               }}\n\
             }}\n",
        );
    }
    let sites = RunnableClaims::of(&text).sites(1, N_COMPARED);
    for ((binders, _), site) in PAIRS.iter().zip(sites) {
        let deviations = ContingencyTables::of(&site).deviations();
        assert!(deviations < MAX_DEVIATIONS, "{binders}: {deviations} deviations");
    }
}

/// Checks the test itself: a slightly dependent input is detected.
#[test]
fn dependence_would_be_detected() {
    let text = format!(
        "{CLASSES}\n\
         fn following(x: Int) -> Int ! [Gen] {{\n\
           let own = Gen.int(-9, 9)\n\
           if Gen.int(1, 10) == 1 {{ x }} else {{ own }}\n\
         }}\n\
         test \"one of ten\" {{\n\
           across (size <- Gen.size(), x <- Gen.int(-9, 9), y <- following(x)) {{\n\
             collect((size, sign(x), sign(y)))\n\
             observe same(x, x)\n\
           }}\n\
         }}\n"
    );
    let sites = RunnableClaims::of(&text).sites(1, N_COMPARED);
    let deviations = ContingencyTables::of(&sites[0]).deviations();
    assert!(deviations > MAX_DEVIATIONS, "{deviations} deviations");
}

#[test]
fn numbers_are_drawn_again_now_and_then() {
    let text = format!(
        "{CLASSES}\n\
         @property\n\
         fn pairs(x: Int, y: Int) {{\n\
           assume x.abs() > 1_000\n\
           classify(\"again\", near(x, y))\n\
           observe same(x, x)\n\
         }}\n"
    );
    let sites = RunnableClaims::of(&text).sites(1, N_COMPARED);
    let again = sites[0].classes[0].cases as f64 / sites[0].cases as f64;
    assert!((0.08..0.25).contains(&again), "{again}");
}

// ---- Boundaries of a range occur ------------------------------------------------------------

/// The number of seeds for which every boundary must occur.
const N_EDGE_SEEDS: u64 = 50;

/// The number of cases in which it must.
const N_EDGE_CASES: u64 = 200;

/// Solved ranges, the measured expression, and the boundaries with their neighbors.
const RANGES: [(&str, &str, &[&str]); 10] = [
    ("Int{10 <= it && it <= 10_000}", "x", &["10", "11", "9_999", "10_000"]),
    ("Int{-1_000_000 <= it && it < 8}", "x", &["-1_000_000", "-999_999", "6", "7"]),
    ("Int{0 < it && it <= LIMIT}", "x", &["1", "2", "LIMIT - 1", "LIMIT"]),
    ("Int{it >= 500}", "x", &["500", "501"]),
    ("Int{it + 3 < LIMIT}", "x", &["LIMIT - 4", "LIMIT - 5"]),
    ("Int{it < 100 || it > 5_000}", "x", &["98", "99", "5_001", "5_002"]),
    ("Int{0 < it && it < 10_000 && it % 7 == 3}", "x", &["3", "10", "9_992", "9_999"]),
    (
        "I64",
        "x",
        &[
            "-9_223_372_036_854_775_808",
            "-9_223_372_036_854_775_807",
            "9_223_372_036_854_775_806",
            "9_223_372_036_854_775_807",
        ],
    ),
    ("List<Int>{2 <= it.len() && it.len() <= 9}", "x.len()", &["2", "3", "8", "9"]),
    ("Str{3 <= it.len() && it.len() < 12}", "x.len()", &["3", "4", "10", "11"]),
];

#[test]
fn every_edge_of_a_range_comes_up() {
    let mut text = "const LIMIT: Int = 123_456\n".to_owned();
    for (at, (ty, measure, edges)) in RANGES.iter().enumerate() {
        let _ = write!(text, "@property\nfn range_{at}(x: {ty}) {{\n");
        for edge in *edges {
            let _ = writeln!(text, "  classify(\"{edge}\", {measure} == {edge})");
        }
        text += "  observe same(x, x)\n}\n";
    }
    let claims = RunnableClaims::of(&text);
    let mut missed: BTreeMap<(usize, String), u64> = BTreeMap::new();
    for seed in 0..N_EDGE_SEEDS {
        for (at, site) in claims.sites(seed, N_EDGE_CASES).into_iter().enumerate() {
            assert_eq!(site.classes.len(), RANGES[at].2.len());
            for class in site.classes.into_iter().filter(|it| it.cases == 0) {
                *missed.entry((at, class.name)).or_default() += 1;
            }
        }
    }
    let complaints: Vec<String> = missed
        .iter()
        .map(|((at, edge), n_seeds)| {
            format!("{}: no {edge} on {n_seeds} of {N_EDGE_SEEDS} seeds", RANGES[*at].0)
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

// ---- Integers of a range are spread over it ------------------------------------------------

/// Ranges of integers, each divided into ten parts.
const INT_RANGES: [(i64, i64); 4] =
    [(0, 1_000_000), (-1_000_000, 1_000_000), (0, 8_192), (1_000, 999_999_999)];

/// The maximum share of the part with the simplest numbers.
const MAX_SHARE: f64 = 0.3;

#[test]
fn integers_of_a_range_are_all_over_it() {
    let mut text = "fn id(x: Int) -> Int { x }\n".to_owned();
    for (at, (min, max)) in INT_RANGES.iter().enumerate() {
        let _ = write!(
            text,
            "@property\nfn range_{at}(x: Int{{{min} <= it && it <= {max}}}) {{\n\
               collect((x - {min}) * 10 / {})\n\
               observe id(x) == x\n\
             }}\n",
            max - min + 1,
        );
    }
    for ((min, max), site) in
        INT_RANGES.iter().zip(RunnableClaims::of(&text).sites(1, N_COMPARED))
    {
        for part in 0..10 {
            let label = site.labels.iter().find(|it| it.text == part.to_string());
            let share = label.map_or(0.0, |it| it.cases as f64 / site.cases as f64);
            let deviation = (MIN_SHARE * (1.0 - MIN_SHARE) / site.cases as f64).sqrt();
            let least = MIN_SHARE - MAX_DEVIATIONS * deviation;
            assert!(share > least && share < MAX_SHARE, "{min}..{max}: {share} in {part}");
        }
    }
}

/// Defects in one part of a range are found reliably.
#[test]
fn a_defect_in_a_small_part_of_a_range_is_found() {
    let text = "\
fn in_five(x: Int) -> Bool { x / 50_000 == 12 }
fn in_one(x: Int) -> Bool { x / 10_000 == 61 }
fn in_narrow(x: Int) -> Bool { x / 400 == 11 }
@property fn five_percent(x: Int{0 <= it && it <= 1000000}) { observe !in_five(x) }
@property fn one_percent(x: Int{0 <= it && it <= 1000000}) { observe !in_one(x) }
@property fn five_percent_8192(x: Int{0 <= it && it <= 8192}) { observe !in_narrow(x) }
";
    let claims = RunnableClaims::of(text);
    for seed in 0..30 {
        let settings = Settings { max_shrinks: 0, max_failures: None, ..Settings::new(seed) };
        for claim in claims.run(&settings).claims {
            assert_eq!(claim.status, ClaimStatus::Fail, "{} with seed {seed}", claim.name);
        }
    }
}

// ---- Boundaries of a type come first --------------------------------------------------------

/// Inputs, and values that the first hundred cases must contain.
const FIRST: [(&str, &[&str]); 7] = [
    (
        "x: Int",
        &[
            "x == 0",
            "x == 1",
            "x == -1",
            "x == 9_223_372_036_854_775_807",
            "x == 9_223_372_036_854_775_808",
            "x == -9_223_372_036_854_775_808",
            "x == -9_223_372_036_854_775_809",
        ],
    ),
    (
        "x: Float",
        &[
            "same(x, 0.0)",
            "same(x, -0.0)",
            "same(x, 1.0)",
            "same(x, -1.0)",
            "x.is_nan()",
            "same(x, 1.0 / 0.0)",
            "same(x, -1.0 / 0.0)",
            "same(x, 1.7976931348623157e308)",
            "same(x, 2.2250738585072014e-308)",
        ],
    ),
    (
        "xs: List<Int>, x: Int{7 <= it && it <= 90_000}",
        &["xs.is_empty()", "xs.len() == 1", "x == 7", "x == 90_000"],
    ),
    ("t: Str, x: Int", &["t == \"\"", "t.len() == 1", "x == 9_223_372_036_854_775_807"]),
    ("c: Color, n: Nat", &["c == Red", "c == Green", "c == Blue", "c == White", "n == 0"]),
    ("p: Point", &["p.x == 0", "p.y == 100", "p.name == \"\"", "p.y == 0"]),
    ("x: Int, y: Int, z: Int", &["z == 9_223_372_036_854_775_807", "y == -1", "x == 0"]),
];

#[test]
fn the_edges_of_each_input_come_first() {
    let mut text = "\
type Color = Red | Green | Blue | White
type Point = { x: Int, name: Str, y: Int{0 <= it && it <= 100} }
"
    .to_owned();
    for (at, (inputs, edges)) in FIRST.iter().enumerate() {
        let _ = write!(text, "@property\nfn first_{at}({inputs}) {{\n");
        for edge in *edges {
            let name = edge.replace('"', "'");
            let _ = writeln!(text, "  classify(\"{name}\", {edge})");
        }
        text += "  observe 1 + 1 == 2\n}\n";
    }
    let claims = RunnableClaims::of(&text);
    for seed in 0..10 {
        for ((inputs, _), site) in FIRST.iter().zip(claims.sites(seed, 100)) {
            for class in site.classes {
                assert!(class.cases > 0, "({inputs}): no {} with seed {seed}", class.name);
            }
        }
    }
}

// ---- Parts repeat --------------------------------------------------------------------------

/// Properties that only a case with two equal parts refutes, found within a few hundred cases.
const PARTS: [(&str, &str); 5] = [
    ("a: List<Int>, b: List<Int>", "a.len() < 3 || a != b"),
    ("users: List<User>", "users.len() < 2 || users.distinct()"),
    ("t: Tree", "match t { Node(l, _, r) => size(l) < 2 || l != r, Leaf => true }"),
    ("pairs: List<(Str, Int)>", "pairs.filter(|it| it.1 > 1_000).distinct()"),
    ("keys: List<Int>", "keys.all(|key| keys.filter(|it| it == key).len() < 4)"),
];

#[test]
fn parts_repeat_within_a_case() {
    for (inputs, claim) in PARTS {
        let text = format!(
            "type User = {{ id: Int, name: Str }}\n\
             type Tree = Leaf | Node(Tree, Int, Tree)\n\
             fn size(t: Tree) -> Int {{ match t {{ Leaf => 0, Node(l, _, r) => size(l) + 1 + size(r) }} }}\n\
             @property\nfn parts({inputs}) {{ observe {claim} }}\n"
        );
        let claims = RunnableClaims::of(&text);
        for seed in 0..20 {
            let settings =
                Settings { cases: Some(1_000), max_shrinks: 0, ..Settings::new(seed) };
            let status = claims.run(&settings).claims.remove(0).status;
            assert_eq!(status, ClaimStatus::Fail, "({inputs}) with seed {seed}");
        }
    }
}

// ---- The number of cases ---------------------------------------------------------------------

#[test]
fn cases_go_on_while_they_take_little() {
    let text = "\
fn down(n: Int) -> Int { if n == 0 { 0 } else { down(n - 1) } }
@property fn quick(x: Int, y: Int) { observe x + y == y + x }
@property fn slow(x: Int) { observe down(50_000) == 0 }
@property fn slower(x: Int) { observe down(1_000_000) == 0 }
@property(cases = 7) fn seven(x: Int) { observe x + 1 > x }
@property fn all(x: Int{0 <= it && it < 5_000}) { observe x + 1 > x }
@property fn all_slow(x: Int{0 <= it && it < 5_000}) { observe down(50_000) == 0 }
@property fn few(x: Int{0 <= it && it < 3}, y: Bool) { observe x < 3 || y }
test \"hardly differs\" { across (x <- Gen.int(0, 300)) { observe x <= 300 } }
";
    let report = RunnableClaims::of(text).run(&Settings::new(1));
    let cases: Vec<u64> = report.claims.iter().map(|it| it.cases).collect();
    assert_eq!(cases[0], Settings::MAX_CASES);
    assert!(cases[1] > Settings::MIN_CASES && cases[1] < 1_000, "{}", cases[1]);
    assert_eq!(cases[2], Settings::MIN_CASES);
    assert_eq!((cases[3], cases[4], cases[6]), (7, 5_000, 6));
    assert_eq!(cases[5], cases[1], "too many to run all of them");
    assert!(cases[7] < Settings::MAX_CASES, "{}", cases[7]);
    assert!(report.claims.iter().all(|it| it.status == ClaimStatus::Pass));
    assert!(
        report.claims.iter().all(|it| !it.warnings.contains(&ClaimWarning::ManyDuplicates))
    );
}

// ---- Floats of a range are spread over it ----------------------------------------------------

/// Ranges of floats, each divided into ten parts.
const FLOAT_RANGES: [(f64, f64); 5] =
    [(0.0, 1.0), (-1.0, 1.0), (20.0, 20.5), (-1_000.0, 3_000.0), (0.0, 1e-6)];

/// The minimum share of each part: two thirds of its share under a uniform distribution.
const MIN_SHARE: f64 = 0.1 * 2.0 / 3.0;

/// The maximum combined share of bounds and their neighbors.
const MAX_AT_BOUNDS: f64 = 0.2;

#[test]
fn floats_of_a_range_are_all_over_it() {
    let mut text = String::new();
    for (at, (min, max)) in FLOAT_RANGES.iter().enumerate() {
        let width = max - min;
        let _ = write!(
            text,
            "@property\nfn range_{at}(x: Float{{{min:?} <= it && it <= {max:?}}}) {{\n\
               collect(((x - {min:?}) / {width:?} * 10.0).floor())\n\
               classify(\"bounds\", x < {:?} || x > {:?})\n\
               observe same(x, x)\n\
             }}\n",
            min + width * 1e-9,
            max - width * 1e-9,
        );
    }
    for ((min, max), site) in
        FLOAT_RANGES.iter().zip(RunnableClaims::of(&text).sites(1, N_COMPARED))
    {
        let n_cases = site.cases as f64;
        let at_bounds = site.classes[0].cases as f64 / n_cases;
        assert!(at_bounds < MAX_AT_BOUNDS, "{min}..{max}: {at_bounds} at the bounds");
        for part in 0..10 {
            let label = site.labels.iter().find(|it| it.text == format!("{part}.0"));
            let share = label.map_or(0.0, |it| it.cases as f64 / n_cases);
            let deviation = (MIN_SHARE * (1.0 - MIN_SHARE) / n_cases).sqrt();
            let least = MIN_SHARE - MAX_DEVIATIONS * deviation;
            assert!(share > least, "{min}..{max}: {share} in part {part}");
        }
    }
}

// ---- Alternatives occur by weight ------------------------------------------------------------

/// Weights of alternatives, some of which never yield a value. Each of the others must occur in
/// proportion to its weight, whatever was rejected before.
const WEIGHTS: [(u64, bool); 7] =
    [(1, true), (5, false), (2, true), (9, false), (3, true), (0, true), (4, true)];

#[test]
fn alternatives_come_up_by_weight_with_and_without_replacement() {
    let all: Vec<String> = WEIGHTS
        .iter()
        .enumerate()
        .map(|(at, (weight, gives))| {
            let value = if *gives { format!("Some({at})") } else { "None".to_owned() };
            format!("({weight}, || {value})")
        })
        .collect();
    let giving = WEIGHTS.iter().enumerate().filter(|(_, it)| it.1);
    let some: Vec<String> =
        giving.clone().map(|(at, (weight, _))| format!("({weight}, || {at})")).collect();
    let text = format!(
        "test \"backtrack\" {{\n\
           across (n <- Gen.backtrack([{}])) {{ collect(n); observe same(n, n) }}\n\
         }}\n\
         test \"freq\" {{\n\
           across (n <- Gen.freq([{}])) {{ collect(n); observe same(n, n) }}\n\
         }}\n",
        all.join(", "),
        some.join(", "),
    );
    let total: u64 = giving.clone().map(|(_, it)| it.0).sum();
    for site in RunnableClaims::of(&text).sites(1, N_COMPARED) {
        for (at, (weight, _)) in giving.clone() {
            let label = site.labels.iter().find(|it| it.text == at.to_string());
            let found = label.map_or(0, |it| it.cases) as f64;
            let (n, share) = (site.cases as f64, *weight as f64 / total as f64);
            let deviation = (n * share * (1.0 - share)).sqrt();
            let bound = MAX_DEVIATIONS * deviation;
            assert!((found - n * share).abs() <= bound, "{at}: {found} of {n}, not {share}");
        }
    }
}

// ---- Keys repeat ---------------------------------------------------------------------------

/// The number of seeds for the tests of keys, and how many of a hundred must find two equal ones.
const N_KEY_SEEDS: u64 = 200;
const WANTED_FINDS: u64 = 95;

/// Properties that only a case with two equal keys refutes.
const KEYS: [(&str, &str); 10] = [
    ("xs: List<Int>", "xs.distinct()"),
    ("entries: List<(Int, Str)>", "Map.of(entries).len() == entries.len()"),
    ("entries: List<(Str, Int)>", "Map.of(entries).len() == entries.len()"),
    ("m: Map<Int, Bool>, k: Int", "!m.contains(k)"),
    ("m: Map<Int, Bool>, n: Map<Int, Bool>", "m.keys().all(|k| !n.contains(k))"),
    ("s: Set<Int>, xs: List<Int>", "!xs.any(|x| s.contains(x))"),
    ("users: List<User>", "users.map(|it| it.id).distinct()"),
    ("names: List<Name>", "names.distinct()"),
    ("entries: List<(Name, Int)>", "Map.of(entries).len() == entries.len()"),
    ("m: Map<Name, Bool>, k: Name", "!m.contains(k)"),
];

#[test]
fn keys_repeat_within_a_case() {
    let mut misses = Vec::new();
    for (binders, claim) in KEYS {
        let text = format!(
            "type User = {{ id: Int, name: Str }}\n\
             type Name = Str{{it.len() >= 3}}\n\
             @property\nfn keys({binders}) {{ observe {claim} }}\n"
        );
        let claims = RunnableClaims::of(&text);
        let fails = |seed: &u64| {
            let settings =
                Settings { cases: Some(100), max_shrinks: 0, ..Settings::new(*seed) };
            claims.run(&settings).claims[0].status == ClaimStatus::Fail
        };
        let n_found = (0..N_KEY_SEEDS).filter(fails).count() as u64;
        if n_found * 100 < WANTED_FINDS * N_KEY_SEEDS {
            misses.push(format!("{binders}: {n_found} of {N_KEY_SEEDS} seeds"));
        }
    }
    assert!(misses.is_empty(), "two equal keys were found too seldom:\n{}", misses.join("\n"));
}

// ---- One seed, one report ------------------------------------------------------------------

/// Claims with every verdict.
const FATES: &str = "\
type Tree = Leaf | Node(Tree, Int, Tree)
fn size(t: Tree) -> Int { match t { Leaf => 0, Node(l, _, r) => size(l) + 1 + size(r) } }
@property fn held(x: Int, y: Int) { observe x + y == y + x }
@property fn large(x: Int) { observe x < 1_000 }
@property fn sums(xs: List<Int>) { collect(xs.len()); observe xs.sum() < 100 }
@property fn trees(t: Tree) { classify(\"leaf\", t == Leaf); observe size(t) < 4 }
@property fn texts(s: Str, c: Char) { observe !s.contains(c.to_str()) }
@property fn functions(f: (Int) -> Int, x: Int) { observe f(f(x)) == x }
@property fn vacuous(x: Int) { assume x != x; observe x == 0 }
@property fn filtered(x: Int{it.to_str().contains(\"7\")}) { observe x != 7 }
@property fn several(x: Int, y: Int) { observe x < 50; observe y < 50 }
@property fn all(b: Bool, c: Bool) { observe b || !b || c }
test \"examples\" { observe 1 + 1 == 2 }
test \"two places\" {
  across (x: Int) { observe x == x }
  across (xs: List<Bool>) { observe xs.len() < 5 }
}
@ignore(reason = \"later\") test \"later\" { observe 1 == 2 }
";

#[test]
fn a_seed_gives_one_report_for_any_number_of_threads() {
    let claims = RunnableClaims::of(FATES);
    for seed in 0..5 {
        for max_failures in [None, Some(1), Some(3)] {
            let with = |jobs| {
                let settings = Settings { jobs, max_failures, ..Settings::new(seed) };
                format!("{:#?}", claims.run(&settings))
            };
            let alone = with(1);
            for jobs in [1, 2, 4] {
                let together = with(jobs);
                assert!(
                    alone == together,
                    "seed {seed}, {jobs} threads:\n{}",
                    gainsay_ui::difference(&alone, &together)
                );
            }
        }
    }
}

#[test]
fn the_command_writes_the_same_bytes_for_any_number_of_threads() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let module = SourceModule { name: "fates.say".to_owned(), text: FATES.to_owned() };
    write_modules(folder.path(), &[module]).expect("there is room for a file");
    let written = |format: &str, jobs: &str| {
        let words =
            ["test", "fates.say", "--seed", "7", "--no-cases", "--no-fail-fast", "--format"];
        let command: Command =
            gainsay(&[&words[..], &[format, "-j", jobs]].concat(), folder.path());
        let run = gainsay_ui::run(command, b"", CommandBudget::default()).expect("it runs");
        assert_eq!(run.end, CommandEnd::Code(1), "{}", run.stderr);
        run.stdout + &run.stderr
    };
    for format in ["human", "json", "ndjson", "junit", "sarif"] {
        let alone = written(format, "1");
        for jobs in ["1", "2", "4"] {
            assert!(alone == written(format, jobs), "{format} with {jobs} threads");
        }
    }
}
