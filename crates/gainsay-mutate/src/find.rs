//! Finds the mutants of a program.

use std::collections::{BTreeMap, BTreeSet};

use gainsay_core::{Body, Function, FunctionId, FunctionKind, Program, Term, TermId};
use gainsay_source::{Files, Span};

use crate::context::{Made, OwnNames, Role, Site};
use crate::identity::{Names, Place};
use crate::known::{Known, Surroundings};
use crate::operator::OPERATORS;
use crate::simplify::Meanings;
use crate::subjects::{Scope, subjects};

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
    /// Functions that have none because claims only test with them.
    pub left_out: Vec<FunctionId>,
}

/// Finds the mutants of a program's own modules. What modules are called is said by their number.
pub fn find(program: &Program, files: &Files, modules: &[String], scope: Scope) -> Mutants {
    gainsay_vm::run_on_big_stack(|| {
        let mut finder = Finder {
            program,
            files,
            own: OwnNames::new(program),
            meanings: Meanings::new(program),
            found: Mutants::default(),
            names: Names::default(),
        };
        let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
        let wanted: BTreeSet<FunctionId> = subjects(program, scope).into_iter().collect();
        for subject in subjects(program, Scope::All) {
            let module = program.function(subject).module;
            let number = numbers.entry(module.0).or_default();
            let name = modules.get(module.index());
            let name = name.map_or(&*program.module(module).name, String::as_str);
            // All are counted, so that names do not depend on what is left out.
            if wanted.contains(&subject) {
                finder.declaration(subject, name, *number);
            } else if program.function(subject).kind == FunctionKind::Declared {
                finder.found.left_out.push(subject);
            }
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
    own: OwnNames<'p>,
    meanings: Meanings<'p>,
    found: Mutants,
    names: Names,
}

/// A term on the way through a declaration.
struct Visit {
    function: FunctionId,
    term: TermId,
    role: Role,
    known: Known,
    path: Vec<u32>,
}

impl<'p> Finder<'p> {
    fn declaration(&mut self, home: FunctionId, module: &str, number: u32) {
        let mut visits = Vec::new();
        self.collect(home, Role::Value, &mut Vec::new(), &mut visits);
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
    fn collect(
        &self,
        function: FunctionId,
        inside: Role,
        path: &mut Vec<u32>,
        visits: &mut Vec<Visit>,
    ) {
        let definition = self.program.function(function);
        let clauses = definition.requires.iter().chain(&definition.ensures);
        for (at, clause) in (1_u32 << 16..).zip(clauses) {
            path.push(at);
            let visit = Visit {
                function,
                term: clause.term,
                role: Role::Clause,
                known: Known::All,
                path: path.clone(),
            };
            // A clause is dropped or negated as a whole; what it says is not varied.
            visits.push(visit);
            path.pop();
        }
        let (role, known) = match definition.kind {
            FunctionKind::Refinement => (Role::Refinement, Known::All),
            FunctionKind::Declared => (Role::Root, Known::All),
            FunctionKind::Constant => (Role::Value, Known::All),
            FunctionKind::Lambda(_) | FunctionKind::Claim => (inside, Known::Nothing),
        };
        if let Some(root) = definition.body.root {
            self.walk(function, Part { term: root, role, known }, path, visits);
        }
    }

    fn walk(
        &self,
        function: FunctionId,
        Part { term: id, role, known }: Part,
        path: &mut Vec<u32>,
        visits: &mut Vec<Visit>,
    ) {
        visits.push(Visit { function, term: id, role, known, path: path.clone() });
        let definition = self.program.function(function);
        let term = definition.body.term(id);
        let around = Surroundings { program: self.program, function: definition, term, known };
        let inside = if role == Role::Refinement { role } else { Role::Value };
        let parts = parts(&around, inside);
        let n_parts = parts.len() as u32;
        for (at, part) in (0..).zip(parts) {
            path.push(at);
            self.walk(function, part, path, visits);
            path.pop();
        }
        if let Term::Closure { function, .. } | Term::Function { function, .. } = term
            && matches!(self.program.function(*function).kind, FunctionKind::Lambda(_))
        {
            path.push(n_parts);
            self.collect(*function, inside, path, visits);
            path.pop();
        }
    }

    fn make(&self, visit: &Visit, body: &mut Body) -> Vec<Made> {
        let mut made = Vec::new();
        for operator in OPERATORS.iter().filter(|it| it.place.has(visit.role)) {
            let mut site = Site {
                program: self.program,
                files: self.files,
                own: &self.own,
                function: self.program.function(visit.function),
                body,
                term: visit.term,
                role: visit.role,
                known: visit.known,
                operator: operator.name,
                made: &mut made,
            };
            (operator.make)(&mut site);
        }
        made
    }

    /// Leaves out mutants that mean the same as the program or as one another.
    fn distinct(&mut self, visit: &Visit, body: &Body, made: Vec<Made>) -> Vec<Made> {
        if made.is_empty() {
            return made;
        }
        let mut meaning = |it| self.meanings.of(visit.function, body, it);
        let mut seen = BTreeSet::from([meaning(visit.term)]);
        let n_made = made.len();
        let kept: Vec<Made> =
            made.into_iter().filter(|it| seen.insert(meaning(it.instead))).collect();
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

/// A part of a term, what it is for, and what is known of its type.
struct Part {
    term: TermId,
    role: Role,
    known: Known,
}

/// The parts of a term that may have mutants.
fn parts(around: &Surroundings<'_>, inside: Role) -> Vec<Part> {
    let for_code = |role| if inside == Role::Refinement { inside } else { role };
    let mut parts = Vec::new();
    if let Term::Match { scrutinee, arms } = around.term {
        parts.push(Part { term: *scrutinee, role: inside, known: Known::Nothing });
        // Weights are for generators: to claims they say nothing.
        for (arm, known) in arms.iter().zip(around.of_arms()) {
            let guard = arm.guard.map(|term| (term, for_code(Role::Guard), Known::All));
            let body = (arm.body, inside, known);
            let of_arm = guard.into_iter().chain([body]);
            parts.extend(of_arm.map(|(term, role, known)| Part { term, role, known }));
        }
        return parts;
    }
    around.term.each_part(&mut |term| {
        let known = around.of_part(parts.len());
        parts.push(Part { term, role: inside, known });
    });
    if let (Term::If { .. }, Some(condition)) = (around.term, parts.first_mut()) {
        condition.role = for_code(Role::Condition);
    }
    parts
}

/// Why a function has no mutants, if `@mutants(skip, reason = "..")` says so.
fn suppressed(function: &Function) -> Option<String> {
    let attribute = function.attributes.iter().find(|it| &*it.name == "mutants")?;
    let reason = attribute.args.iter().find(|(name, _)| &**name == "reason");
    Some(reason.map_or_else(String::new, |(_, text)| text.trim_matches('"').to_owned()))
}
