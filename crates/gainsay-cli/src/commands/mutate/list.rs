//! `gainsay mutate --list`.

use gainsay::mutate::Mutants;
use serde::Serialize;

use super::super::test::Project;
use crate::arguments::ListForm;
use crate::output;
use crate::report::{Reporter, line};

#[derive(Debug, Serialize)]
struct ListRecord<'a> {
    mutants: Vec<MutantRecord<'a>>,
}

#[derive(Debug, Serialize)]
struct MutantRecord<'a> {
    id: &'a str,
    operator: &'a str,
    function: &'a str,
    file: &'a str,
    line: u32,
    column: u32,
    description: &'a str,
    replacement: &'a str,
}

/// Prints the mutants that would be tried.
pub(super) fn list(project: &Project, mutants: &Mutants, form: ListForm, reporter: &Reporter) {
    let Some(program) = project.program() else { return };
    let files = &project.checked.files;
    let records = mutants.list.iter().map(|it| {
        let file = files.get(it.span.file);
        let at = file.position(it.span.start);
        MutantRecord {
            id: &it.id,
            operator: it.operator,
            function: &program.function(it.home).name,
            file: &file.name,
            line: at.line,
            column: at.column,
            description: &it.description,
            replacement: &it.replacement,
        }
    });
    // What became of the output is asked when the command ends.
    match (form, reporter.speaks_to_people()) {
        (ListForm::Human, true) => {
            for it in records {
                let MutantRecord { id, file, line, column, operator, description, .. } = it;
                let text = format!("{id} {file}:{line}:{column} {operator}: {description}");
                let _ = output::write_line(&text);
            }
        }
        (ListForm::Json, _) | (ListForm::Human, false) => {
            let record = ListRecord { mutants: records.collect() };
            let text = serde_json::to_string_pretty(&line("mutants", record));
            let _ = output::write_line(&text.expect("records have text keys"));
        }
    }
}
