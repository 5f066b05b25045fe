//! `gainsay mutate --list`: lists mutants without running claims.

use gainsay::mutate::Mutants;
use serde::Serialize;

use super::super::test::CheckedProject;
use crate::arguments::ListFormat;
use crate::output;
use crate::report::line;
use crate::reporter::Reporter;

#[derive(Debug, Serialize)]
struct MutantListRecord<'a> {
    mutants: Vec<ListedMutantRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct ListedMutantRecord<'a> {
    id: &'a str,
    operator: &'a str,
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    description: &'a str,
    replacement: &'a str,
}

/// Prints the mutants that would be run.
pub(super) fn list(
    project: &CheckedProject,
    mutants: &Mutants,
    form: ListFormat,
    reporter: &Reporter,
) {
    let Some(program) = project.checked.program.as_ref() else { return };
    let files = &project.checked.files;
    let records = mutants.list.iter().map(|it| {
        let file = files.get(it.span.file);
        let at = file.position(it.span.start);
        ListedMutantRecord {
            id: &it.id,
            operator: it.operator,
            function: &program.function(it.declaration).name,
            file: &file.name,
            line: at.line,
            column: at.column,
            description: &it.description,
            replacement: &it.replacement,
        }
    });
    // Output errors are reported once, when the command ends.
    match (form, reporter.is_human()) {
        (ListFormat::Human, true) => {
            for it in records {
                let ListedMutantRecord {
                    id, file, line, column, operator, description, ..
                } = it;
                let text = format!("{id} {file}:{line}:{column} {operator}: {description}");
                let _ = output::write_line(&text);
            }
        }
        (ListFormat::Json, _) | (ListFormat::Human, false) => {
            let record = MutantListRecord { mutants: records.collect() };
            let text = serde_json::to_string_pretty(&line("mutants", record));
            let _ = output::write_line(&text.expect("records have text keys"));
        }
    }
}
