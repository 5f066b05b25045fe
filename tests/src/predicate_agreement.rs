//! A sample of the random predicates that `cargo xtask predicates` compares.

use gainsay_ui::map_in_parallel;
use gainsay_ui::predicates::{AgreementCounts, check_agreement};

#[test]
fn searches_find_all_small_solutions_and_only_such() {
    let seeds: Vec<u64> = (0..150).collect();
    let outcomes = map_in_parallel(&seeds, |seed| check_agreement(*seed));
    let mut counts = AgreementCounts::default();
    let mut complaints = Vec::new();
    for outcome in outcomes {
        match outcome.and_then(|it| it) {
            Ok(found) => counts.add(found),
            Err(complaint) => complaints.push(complaint),
        }
    }
    assert!(
        complaints.is_empty(),
        "{} complaints:\n{}",
        complaints.len(),
        complaints.join("\n")
    );
    assert!(counts.n_solutions > 1_000, "{counts:?}");
}
