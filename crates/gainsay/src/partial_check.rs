//! Checks the files that compile, without those that do not.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_source::{Diagnostic, FileId, sort_diagnostics};

use crate::{CheckedSources, SourceReader, check};

/// The result of a partial check.
pub struct PartialCheck {
    /// The remaining program, with the diagnostics of all files.
    pub checked: CheckedSources,
    /// Whether files were left out because they do not compile.
    pub is_partial: bool,
    /// Left-out files without errors of their own: they use one that does not compile.
    pub left_out: Vec<String>,
}

impl PartialCheck {
    /// The result of a check that leaves nothing out.
    pub fn whole(checked: CheckedSources) -> Self {
        Self { checked, is_partial: false, left_out: Vec::new() }
    }
}

/// Checks entries. If some do not compile, the others form the program.
pub fn check_partially(entries: &[String], sources: &dyn SourceReader) -> PartialCheck {
    let all = check(entries, sources);
    if !all.has_errors() {
        return PartialCheck::whole(all);
    }
    let errors = all.diagnostics.iter().filter(|it| it.is_error());
    let broken: BTreeSet<String> =
        errors.map(|it| all.files.get(it.primary.span.file).name.clone()).collect();
    let sound = entries.iter().filter(|it| !broken.contains(it.as_str()));
    let mut sound: Vec<String> = sound.cloned().collect();
    let mut rest = check(&sound, sources);
    if rest.has_errors() {
        // The remaining errors are in entries that use a broken file, directly or indirectly.
        sound.retain(|it| !check(std::slice::from_ref(it), sources).has_errors());
        rest = check(&sound, sources);
    }
    if sound.is_empty() || rest.has_errors() {
        return PartialCheck::whole(all);
    }
    let is_left_out = |it: &&String| !sound.contains(it) && !broken.contains(it.as_str());
    let left_out = entries.iter().filter(is_left_out).cloned().collect();
    add_diagnostics(&mut rest, all);
    PartialCheck { checked: rest, is_partial: true, left_out }
}

/// Adds the diagnostics and texts of files that are not part of the program.
fn add_diagnostics(program: &mut CheckedSources, all: CheckedSources) {
    let file_ids: BTreeMap<String, FileId> =
        program.files.iter().map(|(id, file)| (file.name.clone(), id)).collect();
    let mut ids: BTreeMap<FileId, FileId> = BTreeMap::new();
    let mut added = BTreeSet::new();
    for (id, file) in all.files.iter() {
        let same = file_ids.get(&file.name).copied();
        let new = same.unwrap_or_else(|| program.files.add(file.clone()));
        if same.is_none() {
            added.insert(new);
        }
        ids.insert(id, new);
    }
    for mut diagnostic in all.diagnostics {
        remap_files(&mut diagnostic, &ids);
        if added.contains(&diagnostic.primary.span.file) {
            program.diagnostics.push(diagnostic);
        }
    }
    sort_diagnostics(&mut program.diagnostics);
}

/// Rewrites the file ids of a diagnostic.
fn remap_files(diagnostic: &mut Diagnostic, ids: &BTreeMap<FileId, FileId>) {
    let labels = std::iter::once(&mut diagnostic.primary).chain(&mut diagnostic.secondary);
    let labels = labels.map(|label| &mut label.span);
    let fixes =
        diagnostic.help.iter_mut().filter_map(|it| it.edit.as_mut()).map(|it| &mut it.span);
    for span in labels.chain(fixes) {
        if let Some(id) = ids.get(&span.file) {
            span.file = *id;
        }
    }
}
