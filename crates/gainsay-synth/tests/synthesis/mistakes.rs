//! Mistakes in specifications that are found without a search.

use gainsay_synth::{OpId, Spec, SpecFinding, check_spec};

use crate::spec_text::read_spec;
use crate::traces::{spec, spec_names};

fn findings(spec: &Spec) -> Vec<String> {
    let name = |op: &OpId| spec.operation(*op).name.clone();
    let text = |it: &SpecFinding| match it {
        SpecFinding::NeverCaused(op) => format!("{} is never caused", name(op)),
        SpecFinding::CannotOccur(op) => format!("{} cannot occur", name(op)),
        SpecFinding::NeverNeeded(op) => format!("{} is never needed", name(op)),
        SpecFinding::GoalCannotOccur { goal, missing } => {
            let missing: Vec<String> = missing.iter().map(name).collect();
            format!("{} needs {}", spec.goals[*goal].name, missing.join(", "))
        }
    };
    check_spec(spec).iter().map(text).collect()
}

#[test]
fn what_can_be_reached_is_possible() {
    for name in spec_names() {
        let spec = spec(&name);
        let found = findings(&spec);
        assert!(!found.iter().any(|it| it.contains(" needs ")), "{name}: {found:?}");
    }
}

#[test]
fn without_a_first_user_no_cart_can_be_read() {
    let spec = spec("shopping");
    assert_eq!(findings(&spec), Vec::<String>::new());
    let mut broken = spec.clone();
    let new_user = broken.find_operation("new_user").unwrap();
    for rule in broken.rules.iter_mut().filter(|it| it.op == new_user) {
        rule.futures.clear();
    }
    let found = findings(&broken);
    for expected in ["get cannot occur", "add_item cannot occur", "stale_cart needs get, put"] {
        assert!(found.iter().any(|it| it == expected), "{expected}: {found:?}");
    }
}

#[test]
fn mistakes_are_named() {
    let found = findings(&read_spec(
        "spec Mistakes { gen a(); gen idle(); obs b(); obs c(); ghost g();
           rule a() { emits b(); } rule b() { history [.., g, ..]; } rule idle() { history [!b*]; }
           scenario s() = [.., c]; scenario t() = [.., a]; }",
    ));
    assert_eq!(
        found,
        [
            "a cannot occur",
            "b cannot occur",
            "c is never caused",
            "g is never caused",
            "s needs c",
            "t needs a",
            "idle is never needed"
        ]
    );
}
