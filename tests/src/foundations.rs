//! Inductive relations in the style of textbooks, `tests/solving/foundations`: each generates, and
//! agrees with a checker.

use std::fs;

use gainsay_test::{ClaimStatus, Settings, run};
use gainsay_ui::{SourceModule, check, files_below, job, map_in_parallel, own_claims, root};

#[test]
fn relations_agree_with_their_checkers() {
    let mut files = files_below(&root().join("tests/solving/foundations"), "say");
    files.sort();
    assert!(!files.is_empty());
    let outcomes = map_in_parallel(&files, |path| {
        let name = path.file_name().expect("a file has a name").to_string_lossy().into_owned();
        let text = fs::read_to_string(path).expect("a file that was just listed");
        let program = check(&[SourceModule { name, text }]).program.expect("it compiles");
        let lowered = gainsay_gen::lower(&program);
        let claims = own_claims(&program);
        let settings = Settings { cases: Some(300), ..Settings::new(1) };
        run(&job(&lowered, &claims), &settings)
    });
    for (path, outcome) in files.iter().zip(outcomes) {
        let report = outcome.unwrap_or_else(|it| panic!("{path:?}: {it}"));
        for claim in &report.claims {
            let name = &claim.name;
            assert_eq!(claim.status, ClaimStatus::Pass, "{path:?}: {name}");
        }
    }
}
