//! Lowering of claims: `across`, properties and custom generators.

use std::sync::Arc;

use gainsay_choice::{SpanEnding, case_size};
use gainsay_core::{ClaimId, ClaimKind, Program};
use gainsay_gen::{FilterReason, InputSite, LoweredProgram, NoGenerator};
use gainsay_vm::{EngineKind, FaultKind, Value, run_on_big_stack, show};

use crate::{GeneratorBench, checked};

const N_CASES: u64 = 60;

/// The results of running a claim many times.
struct ClaimCases {
    /// The inputs of each case as text: names and values.
    inputs: Vec<Vec<(String, String)>>,
    n_discarded: u64,
    bench: GeneratorBench,
    program: Arc<Program>,
}

/// Runs the claim with a name.
fn run(text: &str, name: &str) -> ClaimCases {
    let program = checked(text);
    let mut bench = GeneratorBench::new(&program, &[], EngineKind::best());
    let claim = program.claims.iter().position(|it| &*it.name == name).expect("it is there");
    let entry = bench.lowered.entries[claim].expect("it has an entry");
    let names: Vec<String> = bench
        .lowered
        .sites
        .iter()
        .flat_map(|it| it.binders.iter().map(|it| it.name.to_string()))
        .collect();
    let (mut inputs, mut n_discarded) = (Vec::new(), 0);
    for case in 0..N_CASES {
        let ran = bench.run(entry, case, case_size(case, N_CASES));
        n_discarded += u64::from(ran.value.is_none());
        let text = |(at, it): &(u32, Value)| (names[*at as usize].clone(), show(&program, it));
        inputs.push(bench.runner.bound.iter().map(text).collect());
    }
    ClaimCases { inputs, n_discarded, bench, program }
}

/// The sites of claims. The one in the library that tests against specifications share belongs to
/// none here.
fn sites(lowered: &LoweredProgram) -> Vec<&InputSite> {
    lowered.sites.iter().filter(|it| !it.claims.is_empty()).collect()
}

fn site(seen: &ClaimCases) -> &InputSite {
    sites(&seen.bench.lowered)[0]
}

fn numbers(seen: &ClaimCases, name: &str) -> Vec<i64> {
    let all = seen.inputs.iter().flatten().filter(|it| it.0 == name);
    all.filter_map(|it| it.1.parse().ok()).collect()
}

#[test]
fn an_across_is_a_site() {
    run_on_big_stack(|| {
        let seen = run(
            "test \"t\" { across (x: Nat, y: Int{0 <= it && it < 4}) { observe x >= 0 && y < 4 } }",
            "t",
        );
        assert_eq!(sites(&seen.bench.lowered).len(), 1);
        assert_eq!(site(&seen).claims, [ClaimId(0)]);
        assert_eq!(site(&seen).n_inputs, None);
        assert_eq!(seen.n_discarded, 0);
        // Some of the numbers do not fit into 64 bits.
        let n_x = seen.inputs.iter().flatten().filter(|it| it.0 == "x").count();
        assert_eq!(n_x, N_CASES as usize);
        assert!(numbers(&seen, "y").iter().all(|it| (0..4).contains(it)));
    });
}

#[test]
fn conditions_are_solved_where_they_can_be() {
    run_on_big_stack(|| {
        let seen = run(
            "test \"t\" { across (x: Int, y: Int where x > 5 && x < 9 && y != 0) { observe x > 5 } }",
            "t",
        );
        assert_eq!(seen.n_discarded, 0);
        assert!(numbers(&seen, "x").iter().all(|it| (6..9).contains(it)));
        let seen =
            run("test \"t\" { across (x: Int, y: Int where x < y) { observe x < y } }", "t");
        assert!((5..55).contains(&seen.n_discarded), "{} discarded", seen.n_discarded);
        let seen = run("test \"t\" { across (x: Nat where x < 0) { observe x < 0 } }", "t");
        assert_eq!(seen.n_discarded, N_CASES);
    });
}

#[test]
fn binders_may_have_generators() {
    run_on_big_stack(|| {
        let seen = run(
            "fn pair() -> (Int, Int) ! [Gen] { (Gen.int(0, 3), Gen.int(4, 9)) }
             test \"t\" {
               across (n: Int{1 <= it && it <= 5}, m <- Gen.int(n, 2 * n), p <- pair()) {
                 observe n <= m && m <= 2 * n && p.0 < p.1
               }
             }",
            "t",
        );
        assert_eq!(seen.n_discarded, 0);
        assert_eq!(numbers(&seen, "m").len(), N_CASES as usize);
        assert_eq!(site(&seen).n_inputs, None);
    });
}

#[test]
fn acrosses_nest_and_stand_anywhere() {
    run_on_big_stack(|| {
        let text = "
            fn helper(low: Int) ! [Claim] { across (z: Int where z > 3) { observe z > low } }
            test \"nested\" {
              across (x: Bool) { across (y: Bool{it}) { observe y && (x || !x) } }
              let check = |n| { across (c: Char) { observe c == c && n == 1 } }
              check(1)
              under (Random.int = |_, _, lo, _| lo) { across (w: Byte) { observe w <= 255 } }
              helper(3)
            }
            test \"other\" { helper(2) }";
        let seen = run(text, "nested");
        assert_eq!(sites(&seen.bench.lowered).len(), 5);
        let names: Vec<&str> = seen.inputs[0].iter().map(|it| &*it.0).collect();
        assert_eq!(names, ["x", "y", "c", "w", "z"]);
        let claims = |name: &str| {
            let mut sites = sites(&seen.bench.lowered).into_iter();
            let site = sites.find(|it| *it.binders[0].name == *name);
            site.map(|it| it.claims.clone())
        };
        assert_eq!(claims("z"), Some(vec![ClaimId(0), ClaimId(1)]));
        assert_eq!(claims("w"), Some(vec![ClaimId(0)]));
    });
}

#[test]
fn properties_draw_their_parameters() {
    run_on_big_stack(|| {
        let text = "
            @property(cases = 7, seed = 0x2a)
            fn p(b: Byte, xs: List<Nat>) in { b > 3 } { observe b > 3 && xs.all(|x| x >= 0) }";
        let seen = run(text, "p");
        assert_eq!(site(&seen).cases, Some(7));
        assert_eq!(site(&seen).seed, Some(42));
        assert!(seen.n_discarded > 0);
        assert!(matches!(seen.program.claims[0].kind, ClaimKind::Property(..)));
    });
}

#[test]
fn a_false_claim_fails_in_both_programs_at_its_place() {
    run_on_big_stack(|| {
        let text = "test \"t\" { across (x: Int{it >= 7}) { observe x < 7 } }";
        let program = checked(text);
        let mut bench = GeneratorBench::new(&program, &[], EngineKind::best());
        let entry = bench.lowered.entries[0].expect("a test has an entry");
        let seed = gainsay_choice::Seed { run: 0, claim: 0, case: 0 };
        bench.runner.search(seed, 10);
        let searched = bench.search.call(entry, &[], &mut bench.runner).result;
        bench.runner.record(seed, 10);
        let recorded = bench.record.call(entry, &[], &mut bench.runner).result;
        let (searched, recorded) = (searched.unwrap_err(), recorded.unwrap_err());
        assert!(matches!(searched.kind, FaultKind::Observe), "{:?}", searched.kind);
        assert_eq!(searched.span, recorded.span);
        let at = text.find("observe").expect("it observes") as u32;
        assert!((at..text.len() as u32).contains(&searched.span.start));
    });
}

#[test]
fn functions_are_generated_as_tables() {
    run_on_big_stack(|| {
        let text = "
            test \"t\" {
              across (f: (Int, Bool) -> Byte, g: () -> Int, h: (Str) -> Option<Int>, x: Int) {
                observe f(x, true) == f(x, true) && g() == g() && h(\"\") == h(\"\")
                observe f(x, false) <= 255
              }
            }";
        let seen = run(text, "t");
        assert_eq!(seen.n_discarded, 0);
        assert_eq!(seen.bench.lowered.functions.len(), 3);
    });
}

#[test]
fn what_cannot_be_generated_is_reported() {
    run_on_big_stack(|| {
        let text = "
            type Empty = Int{it > 0 && it < 0}
            type Endless = More(Endless) | Stop(Empty)
            type Nest<A> = Nil | Cons(A, Nest<(A, A)>)
            fn wild() -> Empty ! [Gen] { Gen.any<List<Empty>>().at(0) }
            test \"a\" { across (f: (Int) -> Int ! [Random.int]) { observe true } }
            test \"b\" { across (f: ((Int) -> Int) -> Int) { observe true } }
            test \"c\" { across (x: Empty) { observe x > 0 } }
            test \"d\" { across (x: Option<Empty>) { observe x == None } }
            test \"e\" { across (x: Endless) { observe x == x } }
            test \"f\" { across (x: List<Endless>) { observe x == [] } }
            test \"g\" { across (x: Nest<Int>) { observe x == x } }
            test \"h\" { across (x <- wild()) { observe x > 0 } }";
        let program = checked(text);
        let bench = GeneratorBench::new(&program, &[], EngineKind::best());
        let why: Vec<_> =
            sites(&bench.lowered).into_iter().map(|it| &it.no_generator).collect();
        assert!(matches!(why[0], Some(NoGenerator::EffectfulFunction(_))));
        assert!(matches!(why[1], Some(NoGenerator::FunctionOfFunctions(_))));
        assert!(matches!(why[2], Some(NoGenerator::NoValue(_))));
        assert!(why[3].is_none());
        assert!(matches!(why[4], Some(NoGenerator::NoValue(_))));
        assert!(why[5].is_none());
        assert!(matches!(why[6], Some(NoGenerator::EndlessType(_))));
        assert!(why[7].is_none());
    });
}

#[test]
fn small_domains_are_counted() {
    run_on_big_stack(|| {
        let text = "
            type Color = Red | Green | Blue
            test \"a\" { across (x: Bool, y: Color, z: Byte) { observe true } }
            test \"b\" { across (x: Option<Color>, y: (Bool, Bool)) { observe true } }
            test \"c\" { across (xs: List<Bool>{it.len() <= 3}) { observe true } }
            test \"d\" { across (xs: List<Bool>) { observe true } }
            test \"e\" { across (x: Int{it == 1 || it > 10 && it < 15}) { observe true } }
            test \"f\" { across (x: U32) { observe true } }";
        let program = checked(text);
        let bench = GeneratorBench::new(&program, &[], EngineKind::best());
        let counts: Vec<_> = sites(&bench.lowered).into_iter().map(|it| it.n_inputs).collect();
        assert_eq!(counts, [Some(2 * 3 * 256), Some(16), Some(15), None, Some(5), None]);
    });
}

#[test]
fn generators_by_hand_are_in_spans() {
    run_on_big_stack(|| {
        let text = "
            type Tree = Leaf | Node(Int, Tree, Tree)
            fn tree(size: Int, lo: Int, hi: Int) -> Tree ! [Gen] {
              if lo + 1 >= hi { Leaf } else {
                Gen.freq([(1, || Leaf), (size, || {
                  let x = Gen.int(lo + 1, hi - 1)
                  Node(x, tree(size / 2, lo, x), tree(size / 2, x, hi))
                })])
              }
            }
            fn maybe(n: Int) -> Option<Int> ! [Gen] {
              let x = if Gen.bool() { Some(n) } else { None }
              let y = x?
              Some(y + Gen.int(0, 1))
            }
            fn ordered(lo: Int, hi: Int, t: Tree) -> Bool {
              match t {
                Leaf => true
                Node(x, l, r) => lo < x && x < hi && ordered(lo, x, l) && ordered(x, hi, r)
              }
            }
            fn twice<A>() -> (A, A) ! [Gen] { (Gen.any<A>(), again(|| Gen.any<A>())) }
            fn again<A>(make: () -> A ! [e]) -> A ! [e] { make() }
            test \"t\" {
              across (
                t <- tree(8, 0, 100),
                xs <- Gen.list(|| Gen.int(0, 9)),
                m <- maybe(3),
                e <- Gen.elements([1, 2, 3]),
                ys <- Gen.vector(3, || Gen.char()),
                b <- Gen.backtrack([(1, || None), (2, || Some(Gen.bool()))]),
                s <- Gen.such_that(|| Gen.int(0, 100), |x| x % 2 == 0),
                z <- Gen.resize(3, || Gen.sized(|n| n)),
                o <- Gen.one_of([|| Gen.option(|| Gen.str()), || None]),
                p <- twice<Byte>(),
                q <- twice<(Bool, Tree)>(),
              ) {
                observe ordered(0, 100, t) && xs.all(|x| 0 <= x && x <= 9) && ys.len() == 3
                observe s % 2 == 0 && z == 3 && [1, 2, 3].contains(e)
              }
            }";
        let mut seen = run(text, "t");
        assert_eq!(seen.n_discarded, 0);
        let entry = seen.bench.lowered.entries[0].expect("a test has an entry");
        let ran = seen.bench.run(entry, 59, 100);
        let labels = &seen.bench.lowered.labels;
        let names: Vec<&str> =
            ran.case.spans().iter().filter_map(|it| labels.name(it.label)).collect();
        for name in ["t", "tree", "freq", "tree|1", "xs", "list", "element", "maybe", "p"] {
            assert!(names.contains(&name), "no span `{name}` in {names:?}");
        }
        for parent in ran.case.spans() {
            assert!(parent.start <= parent.end);
            assert_eq!(parent.ending, SpanEnding::Accepted);
        }
    });
}

#[test]
fn filters_are_reported() {
    run_on_big_stack(|| {
        let text = "
            type Range = { low: Int, high: Int }
            test \"t\" {
              across (r: List<Range{it.low <= it.high}>, s: Set<Nat>{it.len() > 1}, x: Nat) {
                observe r.all(|it| it.low <= it.high) && s.len() > 1 && x >= 0
              }
            }";
        let seen = run(text, "t");
        let filters: Vec<_> =
            site(&seen).filters.iter().map(|it| &seen.bench.lowered.filters[*it].why).collect();
        assert!(matches!(
            filters[..],
            [
                FilterReason::Refinement(_) | FilterReason::Duplicate(_),
                FilterReason::Duplicate(_) | FilterReason::Refinement(_)
            ]
        ));
        assert!(seen.bench.runner.n_rejected > 0);
    });
}

#[test]
fn all_constructors_come_up() {
    run_on_big_stack(|| {
        let text = "
            type T = A | B(Int) | C(T) | D(T, T) | E(List<T>) | F(Option<T>) | G(Map<Int, T>)
            test \"t\" { across (t: T) { observe t == t } }";
        let seen = run(text, "t");
        let all: String = seen.inputs.iter().flatten().map(|it| it.1.as_str()).collect();
        for name in ["A", "B(", "C(", "D(", "E([", "F(None", "F(Some", "G(Map"] {
            assert!(all.contains(name), "`{name}` never comes up");
        }
    });
}
