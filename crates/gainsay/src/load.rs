//! Loads and parses the entries and, transitively, the modules they use.

use std::collections::{BTreeSet, HashMap, HashSet};

use gainsay_check::{STANDARD_MODULES, UseTarget};
use gainsay_source::{FileId, SourceFile, SourceMap, closest_name};
use gainsay_syntax::ast::Item;
use gainsay_syntax::{Parse, parse};

use crate::sources::{SourceReadError, SourceReader};

/// A loaded module.
pub struct LoadedModule {
    /// Its name.
    pub name: String,
    /// Its tree and its syntax errors.
    pub parse: Parse,
    /// Whether it belongs to the standard library.
    pub is_std: bool,
    /// What each of its `use` items leads to.
    pub(crate) uses: Vec<UseTarget>,
}

/// All loaded modules.
#[derive(Default)]
pub struct LoadedSources {
    /// Their texts; those of the standard library first.
    pub files: SourceMap,
    /// The modules, in the order of their files.
    pub modules: Vec<LoadedModule>,
    /// Entries that could not be read, with the reason.
    pub unreadable: Vec<(String, SourceReadError)>,
    /// The modules of the entries, by position.
    pub(crate) entries: Vec<usize>,
    by_path: HashMap<String, usize>,
    paths: Vec<String>,
}

/// Loads the standard library, the entries, and the modules they use.
pub fn load(entries: &[String], sources: &dyn SourceReader) -> LoadedSources {
    let mut loaded = LoadedSources::default();
    for (name, text) in STANDARD_MODULES {
        let shown = format!("std/{name}.say");
        loaded.add(&shown, name, text, ModuleOrigin::Standard);
    }
    for path in entries {
        if let Some(at) = loaded.by_path.get(path) {
            let at = *at;
            loaded.entries.push(at);
            continue;
        }
        match sources.read(path) {
            Ok(text) => {
                let at = loaded.add(path, &module_name(path), &text, ModuleOrigin::Project);
                loaded.entries.push(at);
            }
            Err(error) => loaded.unreadable.push((path.clone(), error)),
        }
    }
    let mut at = 0;
    while at < loaded.modules.len() {
        loaded.follow_uses(at, sources);
        at += 1;
    }
    loaded.break_cycles();
    loaded
}

/// Whether a module belongs to the standard library or to the user.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
enum ModuleOrigin {
    Standard,
    Project,
}

/// The name of the module in a file.
fn module_name(path: &str) -> String {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.strip_suffix(".say").unwrap_or(file).to_owned()
}

/// The file of a used module: a sibling of the using file, or in a subfolder next to it.
fn used_path(from: &str, dotted: &str) -> String {
    let file = format!("{}.say", dotted.replace('.', "/"));
    match from.rsplit_once('/') {
        Some((folder, _)) => format!("{folder}/{file}"),
        None => file,
    }
}

impl LoadedSources {
    fn add(&mut self, path: &str, name: &str, text: &str, origin: ModuleOrigin) -> usize {
        let file = self.files.add(SourceFile::new(path, text));
        let at = self.modules.len();
        let is_std = origin == ModuleOrigin::Standard;
        let parse = parse(file, text);
        self.modules.push(LoadedModule {
            name: name.to_owned(),
            parse,
            is_std,
            uses: Vec::new(),
        });
        if !is_std {
            self.by_path.insert(path.to_owned(), at);
        }
        self.paths.push(path.to_owned());
        at
    }

    fn follow_uses(&mut self, at: usize, sources: &dyn SourceReader) {
        let from = self.paths[at].clone();
        let used: Vec<String> = self.modules[at]
            .parse
            .file()
            .items()
            .filter_map(|item| {
                let Item::Use(item) = item else { return None };
                Some(item.path().map_or_else(String::new, |it| it.dotted()))
            })
            .collect();
        for dotted in used {
            let target = self.use_target(&from, &dotted, sources);
            self.modules[at].uses.push(target);
        }
    }

    fn use_target(
        &mut self,
        from: &str,
        dotted: &str,
        sources: &dyn SourceReader,
    ) -> UseTarget {
        let path = used_path(from, dotted);
        if let Some(at) = self.by_path.get(&path) {
            return UseTarget::Module(*at);
        }
        match sources.read(&path) {
            Ok(text) => {
                let name = module_name(&path);
                UseTarget::Module(self.add(&path, &name, &text, ModuleOrigin::Project))
            }
            Err(error) => {
                let siblings = sources.siblings(from);
                let close = closest_name(dotted, siblings.iter().map(String::as_str));
                UseTarget::Missing { reason: error.0, suggestion: close.map(str::to_owned) }
            }
        }
    }

    /// Replaces every `use` that closes a cycle of modules. Depth-first search with an explicit
    /// stack, because a chain of modules may be of any length.
    fn break_cycles(&mut self) {
        let n = self.modules.len();
        let mut done = vec![false; n];
        let mut stack_index: Vec<Option<usize>> = vec![None; n];
        for root in 0..n {
            let mut stack: Vec<(usize, usize)> = vec![(root, 0)];
            stack_index[root] = Some(0);
            while let Some((at, next)) = stack.last().copied() {
                // A finished module is popped at once, so that every `use` is followed once.
                if done[at] || next >= self.modules[at].uses.len() {
                    done[at] = true;
                    stack_index[at] = None;
                    stack.pop();
                    continue;
                }
                stack.last_mut().expect("just looked").1 += 1;
                let UseTarget::Module(target) = self.modules[at].uses[next] else { continue };
                match stack_index[target] {
                    Some(start) => {
                        let circle = stack[start..].iter().map(|(it, _)| *it).chain([target]);
                        let names = circle.map(|it| self.modules[it].name.clone()).collect();
                        self.modules[at].uses[next] = UseTarget::Cycle(names);
                    }
                    None => {
                        stack_index[target] = Some(stack.len());
                        stack.push((target, 0));
                    }
                }
            }
        }
    }

    /// Files whose semantic diagnostics are dropped, because they or modules they use have syntax
    /// errors: such diagnostics would be about the parser's recovery, not about the user's code.
    pub(crate) fn files_with_broken_syntax(&self) -> HashSet<FileId> {
        let mut users: Vec<Vec<usize>> = vec![Vec::new(); self.modules.len()];
        for (at, module) in self.modules.iter().enumerate() {
            for target in &module.uses {
                if let UseTarget::Module(target) = target {
                    users[*target].push(at);
                }
            }
        }
        let mut waiting: Vec<usize> =
            (0..self.modules.len()).filter(|at| self.modules[*at].parse.has_errors()).collect();
        let mut broken: BTreeSet<usize> = BTreeSet::new();
        while let Some(at) = waiting.pop() {
            if broken.insert(at) {
                waiting.extend(&users[at]);
            }
        }
        broken.into_iter().map(|at| self.modules[at].parse.tree.file()).collect()
    }
}
