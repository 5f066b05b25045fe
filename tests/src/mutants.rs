//! Mutants: each is an edit of the source that checks, and that has the core it claims to have.

#[path = "mutants/canonical.rs"]
mod canonical;
#[path = "mutants/edit_law.rs"]
mod edit_law;
#[path = "mutants/mutated_functions.rs"]
mod mutated_functions;
#[path = "mutants/operator_tables.rs"]
mod operator_tables;
#[path = "mutants/tricky_sources.rs"]
mod tricky_sources;

use gainsay_ui::{SampleProgram, map_in_parallel, samples};

/// Folders of programs that are mutated.
const FOLDERS: [&str; 4] = ["examples/", "tests/ui/run/", "tests/ui/test/", "tests/ui/verify/"];

/// The number of programs checked together: each check reads the standard library.
const AT_ONCE: usize = 24;

#[test]
fn every_mutant_is_an_edit_of_the_source() {
    let samples: Vec<SampleProgram> = samples()
        .into_iter()
        .filter(|it| FOLDERS.iter().any(|folder| it.name.starts_with(folder)))
        .collect();
    assert!(samples.len() > 100, "the corpus is found");
    let chunks: Vec<&[SampleProgram]> = samples.chunks(AT_ONCE).collect();
    let mut n_mutants = 0;
    let mut complaints = Vec::new();
    for found in map_in_parallel(&chunks, |it| edit_law::holds(it)) {
        let (n, complaints_of_file) = found.unwrap_or_else(|panic| (0, vec![panic]));
        n_mutants += n;
        complaints.extend(complaints_of_file);
    }
    let n_complaints = complaints.len();
    complaints.truncate(40);
    assert!(complaints.is_empty(), "{n_complaints} complaints:\n{}", complaints.join("\n"));
    assert!(n_mutants > 10_000, "only {n_mutants} mutants were looked at");
}
