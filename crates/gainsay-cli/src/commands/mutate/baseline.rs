//! `--baseline`: ignores the survivors of an earlier report.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use gainsay::mutate::{MutantReport, MutantStatus, MutationReport};
use gainsay::source::SourceMap;
use serde::Deserialize;

use crate::cli_error::{CliError, io_error_reason};

/// The survivors of an earlier report.
pub(super) struct BaselineSurvivors {
    ids: BTreeSet<String>,
    /// The same by content, for ids that have changed: operator, original text, replacement; with
    /// the number of each.
    texts: BTreeMap<[String; 3], usize>,
}

/// The fields of a report that are needed.
#[derive(Debug, Deserialize)]
struct BaselineReport {
    files: BTreeMap<String, BaselineFile>,
}

#[derive(Debug, Deserialize)]
struct BaselineFile {
    source: String,
    mutants: Vec<BaselineMutant>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct BaselineMutant {
    id: String,
    mutator_name: String,
    #[serde(default)]
    replacement: String,
    status: String,
    location: BaselineLocation,
}

#[derive(Debug, Deserialize)]
struct BaselineLocation {
    start: BaselinePosition,
    end: BaselinePosition,
}

#[derive(Debug, Deserialize)]
struct BaselinePosition {
    line: usize,
    column: usize,
}

impl BaselineSurvivors {
    pub(super) fn read(path: &Path) -> Result<Self, CliError> {
        let unusable = |why: String| {
            CliError::usage(format!("cannot use `{}` as a baseline: {why}", path.display()))
                .with_help("write one with `gainsay mutate --format json=FILE`")
        };
        let text =
            fs::read_to_string(path).map_err(|error| unusable(io_error_reason(&error)))?;
        let document: BaselineReport =
            serde_json::from_str(&text).map_err(|error| unusable(error.to_string()))?;
        let (mut ids, mut texts) = (BTreeSet::new(), BTreeMap::new());
        for file in document.files.into_values() {
            for it in file.mutants {
                if matches!(it.status.as_str(), "Survived" | "NoCoverage") {
                    let before = text_at(&file.source, &it.location);
                    *texts.entry([it.mutator_name, before, it.replacement]).or_default() += 1;
                    ids.insert(it.id);
                }
            }
        }
        Ok(Self { ids, texts })
    }

    /// The survivors that are not in the baseline.
    pub(super) fn new_survivors<'r>(
        &self,
        files: &SourceMap,
        report: &'r MutationReport,
    ) -> Vec<&'r MutantReport> {
        let mut texts = self.texts.clone();
        let mut take = |it: &MutantReport| {
            let before = files.text(it.mutant.span).to_owned();
            let key = [it.mutant.operator.to_owned(), before, it.mutant.replacement.clone()];
            let left = texts.get_mut(&key).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        };
        let survivors = report
            .mutants
            .iter()
            .filter(|it| matches!(it.status, MutantStatus::Survived | MutantStatus::Unreached));
        let (known, moved): (Vec<_>, Vec<_>) =
            survivors.partition(|it| self.ids.contains(&it.mutant.id));
        // Survivors known by id use up their text first, so that a new copy of the same mutation is
        // still reported.
        for it in known {
            take(it);
        }
        moved.into_iter().filter(|it| !take(it)).collect()
    }
}

/// The text at a location, whose columns count UTF-16 code units.
fn text_at(source: &str, location: &BaselineLocation) -> String {
    let offset = |at: &BaselinePosition| {
        let before: usize =
            source.split_inclusive('\n').take(at.line.saturating_sub(1)).map(str::len).sum();
        let line = source[before..].split('\n').next().unwrap_or_default();
        let mut column = 1;
        for (at_byte, char) in line.char_indices() {
            if column >= at.column {
                return before + at_byte;
            }
            column += char.len_utf16();
        }
        before + line.len()
    };
    let (start, end) = (offset(&location.start), offset(&location.end));
    source.get(start..end).unwrap_or_default().to_owned()
}
