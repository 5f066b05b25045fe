//! The law for all mutation operators: the edited source of a mutant checks, and has the mutant's
//! core.
//!
//! Many mutants are checked together, one per declaration; on an error they are checked one by one,
//! to find the culprit.

use std::collections::{BTreeMap, BTreeSet};

use gainsay::mutate::{Mutant, Mutants, MutationScope, find_mutants};
use gainsay::{CheckedSources, MemorySources};
use gainsay_core::{FunctionId, FunctionKind, ModuleId, Program, validate};
use gainsay_source::{Diagnostic, RenderStyle, SourceMap, render};
use gainsay_ui::{SampleProgram, SourceModule, check};

use crate::canonical::{TermReplacement, canonical};

/// A program and its mutants.
pub(crate) struct MutatedProgram {
    name: String,
    modules: Vec<SourceModule>,
    files: SourceMap,
    /// The replacement terms are appended to the bodies.
    pub(crate) program: Program,
    pub(crate) mutants: Mutants,
    /// The mutants of each declaration.
    homes: BTreeMap<FunctionId, Vec<usize>>,
}

/// The number of mutants checked, and the violations.
pub(crate) fn holds(samples: &[SampleProgram]) -> (usize, Vec<String>) {
    let programs: Vec<MutatedProgram> =
        samples.iter().filter_map(|it| mutated(&it.name, &it.modules)).collect();
    let mut complaints: Vec<String> =
        programs.iter().filter_map(MutatedProgram::defects).collect();
    let most = programs.iter().flat_map(|it| it.homes.values().map(Vec::len)).max();
    let mut n_mutants = 0;
    for round in 0..most.unwrap_or(0) {
        let chosen: Vec<(usize, Vec<&Mutant>)> =
            programs.iter().map(|it| it.chosen(round)).enumerate().collect();
        n_mutants += chosen.iter().map(|it| it.1.len()).sum::<usize>();
        for (at, mutant) in suspects(&programs, chosen) {
            complaints.extend(programs[at].complaint(mutant));
        }
    }
    (n_mutants, complaints)
}

/// The mutants of a program that checks.
pub(crate) fn mutated(name: &str, modules: &[SourceModule]) -> Option<MutatedProgram> {
    if modules.is_empty() {
        return None;
    }
    let CheckedSources { program, files, .. } = check(modules);
    let mut program = Program::clone(&*program?);
    let names: Vec<String> =
        program.modules.iter().map(|it| files.get(it.file).name.clone()).collect();
    let mutants = find_mutants(&program, &files, &names, MutationScope::All);
    for (function, body) in &mutants.bodies {
        program.functions[function.index()].body = body.clone();
    }
    let mut homes: BTreeMap<FunctionId, Vec<usize>> = BTreeMap::new();
    for (at, mutant) in mutants.list.iter().enumerate() {
        homes.entry(mutant.declaration).or_default().push(at);
    }
    let (name, modules) = (name.to_owned(), modules.to_vec());
    Some(MutatedProgram { name, modules, files, program, mutants, homes })
}

/// The chosen mutants of each program that may violate the law.
fn suspects<'m>(
    programs: &'m [MutatedProgram],
    chosen: Vec<(usize, Vec<&'m Mutant>)>,
) -> Vec<(usize, &'m Mutant)> {
    let chosen: Vec<_> = chosen.into_iter().filter(|it| !it.1.is_empty()).collect();
    let mut texts = Vec::new();
    let mut entries = Vec::new();
    for (at, mutants) in &chosen {
        let modules = programs[*at].edited(mutants);
        entries.extend(modules.iter().take(1).map(|it| format!("{at}/{}", it.name)));
        texts.extend(modules.into_iter().map(|it| (format!("{at}/{}", it.name), it.text)));
    }
    let checked = gainsay::check(&entries, &MemorySources::new(texts));
    let wrong: BTreeSet<&str> = checked
        .diagnostics
        .iter()
        .filter(|it| it.is_error())
        .filter_map(|it| checked.files.get(it.primary.span.file).name.split('/').next())
        .collect();
    let mut suspects = Vec::new();
    for (at, mutants) in chosen {
        let prefix = at.to_string();
        for mutant in mutants {
            let is_right = match &checked.program {
                Some(program) => {
                    let other =
                        EditedProgram { program, files: &checked.files, folder: &prefix };
                    programs[at].difference(mutant, &other).is_none()
                }
                None => !wrong.is_empty() && !wrong.contains(&*prefix),
            };
            if !is_right {
                suspects.push((at, mutant));
            }
        }
    }
    suspects
}

/// A program from edited source.
struct EditedProgram<'a> {
    program: &'a Program,
    files: &'a SourceMap,
    /// The folder of the modules.
    folder: &'a str,
}

impl EditedProgram<'_> {
    /// The module of a file.
    fn module(&self, name: &str) -> Option<ModuleId> {
        let path = if self.folder.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.folder)
        };
        let of_file =
            |it: &gainsay_core::Module| !it.is_std && self.files.get(it.file).name == path;
        let at = self.program.modules.iter().position(of_file)?;
        Some(ModuleId(at as u32))
    }
}

impl MutatedProgram {
    fn defects(&self) -> Option<String> {
        let defects = validate(&self.program).err()?;
        let shown: Vec<String> = defects.iter().take(3).map(|it| format!("{it:?}")).collect();
        Some(format!("{}: {}", self.name, shown.join("\n")))
    }

    /// The mutant number `round` of each declaration that has so many.
    fn chosen(&self, round: usize) -> Vec<&Mutant> {
        let chosen = self.homes.values().filter_map(|it| it.get(round));
        chosen.map(|at| &self.mutants.list[*at]).collect()
    }

    /// The violation of a mutant, if there is one.
    fn complaint(&self, mutant: &Mutant) -> Option<String> {
        let checked = check(&self.edited(&[mutant]));
        let wrong = match &checked.program {
            Some(program) => self.difference(
                mutant,
                &EditedProgram { program, files: &checked.files, folder: "" },
            ),
            None => {
                let errors = checked.diagnostics.iter().filter(|it| Diagnostic::is_error(it));
                let rendered =
                    errors.take(2).map(|it| render(&checked.files, it, RenderStyle::Plain));
                Some(format!("does not check:\n{}", rendered.collect::<String>()))
            }
        };
        let (name, line) = (&self.name, self.line(mutant));
        wrong.map(|it| format!("{name}:{line}: {}\n{it}", self.shown(mutant)))
    }

    /// How the core of a mutant differs from the core of its source.
    fn difference(&self, mutant: &Mutant, other: &EditedProgram<'_>) -> Option<String> {
        let Mutant { function, term, replacement_term: instead, declaration: home, .. } =
            *mutant;
        let claimed =
            canonical(&self.program, home, Some(TermReplacement { function, term, instead }));
        let Some(again) = self.same_declaration(home, other) else {
            return Some("its declaration is gone".to_owned());
        };
        let actual = canonical(other.program, again, None);
        (claimed != actual).then(|| format!("is said to be\n{claimed}\nand is\n{actual}"))
    }

    /// The corresponding declaration in another program, by location.
    fn same_declaration(
        &self,
        id: FunctionId,
        other: &EditedProgram<'_>,
    ) -> Option<FunctionId> {
        let function = self.program.function(id);
        let file = self.program.module(function.module).file;
        let number =
            of_kind(&self.program, function.module, function.kind).position(|it| it == id)?;
        let module = other.module(&self.files.get(file).name)?;
        of_kind(other.program, module, function.kind).nth(number)
    }

    /// The modules with the edits of mutants applied.
    fn edited(&self, chosen: &[&Mutant]) -> Vec<SourceModule> {
        let mut edited = self.modules.clone();
        let mut chosen = chosen.to_vec();
        chosen.sort_by_key(|it| std::cmp::Reverse((it.span.file, it.span.start)));
        for mutant in chosen {
            let name = &self.files.get(mutant.span.file).name;
            let module = edited.iter_mut().find(|it| it.name == *name).expect("it is ours");
            let range = mutant.span.start as usize..mutant.span.end as usize;
            module.text.replace_range(range, &mutant.replacement);
        }
        edited
    }

    fn line(&self, mutant: &Mutant) -> u32 {
        self.files.get(mutant.span.file).position(mutant.span.start).line
    }

    /// A mutant on one line.
    pub(crate) fn shown(&self, mutant: &Mutant) -> String {
        let Mutant { operator, description, replacement, span, .. } = mutant;
        let before = self.files.text(*span);
        format!("{operator}: {description}: `{before}` to `{replacement}`")
    }
}

fn of_kind(
    program: &Program,
    module: ModuleId,
    kind: FunctionKind,
) -> impl Iterator<Item = FunctionId> {
    let ids = (0..program.functions.len() as u32).map(FunctionId);
    ids.filter(move |it| {
        let function = program.function(*it);
        function.module == module && function.kind == kind
    })
}
