//! Finds the mutants of a program.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::{Body, Function, FunctionId, FunctionKind, Program, Term, TermId};
use gainsay_source::{Files, Span};

use crate::context::{Made, Role, Site};
use crate::identity::{Names, Place};
use crate::operator::OPERATORS;
use crate::simplify::digest;
use crate::subjects::subjects;

/// A program that is slightly wrong: one term stands in place of another.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// Its name, as in `m-1f3a99c0`.
    pub id: String,
    /// The operator that made it.
    pub operator: &'static str,
    /// What it is a mutant of.
    pub group: Group,
    /// The declaration it is in.
    pub home: FunctionId,
    /// The function whose body it is in: the declaration, or a lambda inside of it.
    pub function: FunctionId,
    /// The term.
    pub term: TermId,
    /// What stands in its place, in the extended body.
    pub instead: TermId,
    /// The part of the source that is another.
    pub span: Span,
    /// What stands there.
    pub replacement: String,
    /// What changes, in a phrase.
    pub description: String,
    /// Why it is not tried, if somebody says so.
    pub suppressed: Option<String>,
}

/// What a mutant is a mutant of; each is scored apart.
#[derive(Debug, Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// What a program does.
    Code,
    /// What a contract demands.
    Contract,
}

/// All mutants of a program.
#[derive(Debug, Clone, Default)]
pub struct Mutants {
    /// In the order of the sources.
    pub list: Vec<Mutant>,
    /// The bodies of functions with mutants, with what stands in place of their terms behind
    /// their own.
    pub bodies: BTreeMap<FunctionId, Body>,
    /// Mutants that would have meant the same as the program, or as another mutant.
    pub dropped: u64,
}

/// Finds the mutants of a program's own modules. What modules are called is said by their number.
pub fn find(program: &Program, files: &Files, modules: &[String]) -> Mutants {
    gainsay_vm::run_on_big_stack(|| {
        let mut finder =
            Finder { program, files, found: Mutants::default(), names: Names::default() };
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        for subject in subjects(program) {
            let module = program.function(subject).module;
            let number = numbers.entry(module.0).or_default();
            let name = modules.get(module.index());
            let name = name.map_or(&*program.module(module).name, String::as_str);
            finder.declaration(subject, name, *number);
            *number += 1;
        }
        let mut found = finder.found;
        found.list.sort_by_key(|it| (it.span.file, it.span.start, it.span.end));
        found
    })
}

struct Finder<'p> {
    program: &'p Program,
    files: &'p Files,
    found: Mutants,
    names: Names,
}

/// A term on the way through a declaration.
struct Visit {
    function: FunctionId,
    term: TermId,
    role: Role,
    path: Vec<u32>,
}

impl<'p> Finder<'p> {
    fn declaration(&mut self, home: FunctionId, module: &str, number: u32) {
        let mut visits = Vec::new();
        self.collect(home, &mut Vec::new(), &mut visits);
        let suppressed = suppressed(self.program.function(home));
        for visit in visits {
            let body = self.program.function(visit.function);
            let mut body =
                self.found.bodies.remove(&visit.function).unwrap_or_else(|| body.body.clone());
            let made = self.make(&visit, &mut body);
            let made = self.distinct(&visit, &body, made);
            let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
            for made in made {
                let count = counts.entry(made.operator).or_default();
                let place = Place {
                    module,
                    declaration: number,
                    path: &visit.path,
                    operator: made.operator,
                    number: *count,
                };
                *count += 1;
                let id = self.names.name(place);
                let mutant = mutant(id, home, &visit, made, suppressed.clone());
                self.found.list.push(mutant);
            }
            self.found.bodies.insert(visit.function, body);
        }
    }

    /// The terms of a function that may have mutants, and of the lambdas inside of it.
    fn collect(&self, function: FunctionId, path: &mut Vec<u32>, visits: &mut Vec<Visit>) {
        let definition = self.program.function(function);
        let clauses = definition.requires.iter().chain(&definition.ensures);
        for (at, clause) in (1_u32 << 16..).zip(clauses) {
            path.push(at);
            self.walk(function, clause.term, Role::Clause, path, visits);
            path.pop();
        }
        let role = match definition.kind {
            FunctionKind::Refinement => Role::Refinement,
            FunctionKind::Declared => Role::Root,
            FunctionKind::Lambda(_) | FunctionKind::Constant | FunctionKind::Claim => {
                Role::Value
            }
        };
        if let Some(root) = definition.body.root {
            self.walk(function, root, role, path, visits);
        }
    }

    fn walk(
        &self,
        function: FunctionId,
        id: TermId,
        role: Role,
        path: &mut Vec<u32>,
        visits: &mut Vec<Visit>,
    ) {
        visits.push(Visit { function, term: id, role, path: path.clone() });
        // A clause is dropped or negated as a whole; what it says is not varied.
        if role == Role::Clause {
            return;
        }
        let term = self.program.function(function).body.term(id);
        let mut at = 0;
        let mut parts = Vec::new();
        term.each_part(&mut |part| parts.push(part));
        for part in parts {
            path.push(at);
            self.walk(function, part, role_of(term, part, role), path, visits);
            path.pop();
            at += 1;
        }
        if let Term::Closure { function, .. } | Term::Function { function, .. } = term
            && matches!(self.program.function(*function).kind, FunctionKind::Lambda(_))
        {
            path.push(at);
            self.collect(*function, path, visits);
            path.pop();
        }
    }

    fn make(&self, visit: &Visit, body: &mut Body) -> Vec<Made> {
        let mut made = Vec::new();
        for operator in OPERATORS {
            let mut site = Site {
                program: self.program,
                files: self.files,
                function: self.program.function(visit.function),
                body,
                term: visit.term,
                role: visit.role,
                operator: operator.name,
                made: &mut made,
            };
            (operator.make)(&mut site);
        }
        made
    }

    /// Leaves out mutants that mean the same as the program or as one another.
    fn distinct(&mut self, visit: &Visit, body: &Body, made: Vec<Made>) -> Vec<Made> {
        let mut seen = BTreeSet::new();
        if !made.is_empty() {
            seen.insert(digest(body, visit.term));
        }
        let n_made = made.len();
        let kept: Vec<Made> =
            made.into_iter().filter(|it| seen.insert(digest(body, it.instead))).collect();
        self.found.dropped += (n_made - kept.len()) as u64;
        kept
    }
}

fn mutant(
    id: String,
    home: FunctionId,
    visit: &Visit,
    made: Made,
    suppressed: Option<String>,
) -> Mutant {
    let group = match visit.role {
        Role::Clause => Group::Contract,
        Role::Value | Role::Root | Role::Condition | Role::Guard | Role::Refinement => {
            Group::Code
        }
    };
    Mutant {
        id,
        operator: made.operator,
        group,
        home,
        function: visit.function,
        term: made.term,
        instead: made.instead,
        span: made.edit.span,
        replacement: made.edit.text,
        description: made.description,
        suppressed,
    }
}

/// What a part of a term is for.
fn role_of(term: &Term, part: TermId, role: Role) -> Role {
    if role == Role::Refinement {
        return Role::Refinement;
    }
    if let Term::If { condition, .. } = term
        && *condition == part
    {
        return Role::Condition;
    }
    if let Term::Match { arms, .. } = term
        && arms.iter().any(|it| it.guard == Some(part))
    {
        return Role::Guard;
    }
    Role::Value
}

/// Why a function has no mutants, if `@mutants(skip, reason = "..")` says so.
fn suppressed(function: &Function) -> Option<String> {
    let attribute = function.attributes.iter().find(|it| &*it.name == "mutants")?;
    let reason = attribute.args.iter().find(|(name, _)| &**name == "reason");
    Some(reason.map_or_else(String::new, |(_, text)| text.trim_matches('"').to_owned()))
}
