//! `gainsay run`: the `main` of a file, in the real world.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use gainsay::core::{FunctionId, ModuleId, Program};
use gainsay::source::Files;
use gainsay::vm::{Engine, EngineKind, Fault, FaultKind, Limits, Value, show};

use crate::arguments::RunArguments;
use crate::engine;
use crate::exit::Exit;
use crate::files::{self, Sources};
use crate::output::{self, Lost};
use crate::recording::{self, Bounds, End, Recorder, Start};
use crate::report::Reporter;
use crate::trouble::Trouble;
use crate::world::{self, Beginning, World};

/// Runs the `main` of a file.
pub(super) fn run(args: RunArguments, reporter: &mut Reporter) -> Exit {
    // The output belongs to the program.
    reporter.leave_the_output_alone();
    let exit = match prepare(args, reporter) {
        Ok(prepared) => prepared.run(reporter),
        Err(Stop::Told(exit)) => exit,
        Err(Stop::Trouble(trouble)) => reporter.trouble(&trouble),
    };
    reporter.summary(1, exit);
    exit
}

/// Why nothing is run.
pub(super) enum Stop {
    /// It was reported already.
    Told(Exit),
    /// This is the matter.
    Trouble(Trouble),
}

impl From<Trouble> for Stop {
    fn from(it: Trouble) -> Self {
        Self::Trouble(it)
    }
}

/// A program with a `main`.
pub(super) struct Loaded {
    /// Its texts.
    pub(super) files: Files,
    /// The program.
    pub(super) program: Arc<Program>,
    /// What is run of it.
    pub(super) main: FunctionId,
}

/// A program that can be run.
struct Prepared {
    loaded: Loaded,
    name: String,
    /// Where its effects are recorded.
    record: Option<PathBuf>,
    world: World,
    bounds: Bounds,
    engine: EngineKind,
}

fn prepare(args: RunArguments, reporter: &mut Reporter) -> Result<Prepared, Stop> {
    let bounds = Bounds { steps: args.steps, depth: args.depth, memory: args.memory };
    let limits = Limits::from(bounds);
    let mut given = args.program.into_iter();
    let file = PathBuf::from(given.next().unwrap_or_default());
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        let message = format!("`gainsay run` has no option `{}`", file.display());
        let help = "see `gainsay run --help`; options of the program come after its file";
        return Err(Trouble::usage(message).with_help(help).into());
    }
    let name = files::shown(&file)
        .ok_or_else(|| Trouble::usage("the name of the file is not UTF-8 text"))?;
    let loaded = load(&name, reporter)?;
    let seed = args.seed.map_or_else(world::seed_from_system, Ok)?;
    let beginning =
        Beginning { args: texts(given.collect())?, seed, longest_text: limits.live_bytes };
    let world = World::new(&loaded.program, beginning)?;
    let engine = engine::chosen()?;
    Ok(Prepared { loaded, name, record: args.record, world, bounds, engine })
}

/// Checks a file, and finds its `main`.
pub(super) fn load(name: &str, reporter: &mut Reporter) -> Result<Loaded, Stop> {
    let (sources, troubles) = Sources::read(&[name.to_owned()]);
    if let Some(trouble) = troubles.into_iter().next() {
        return Err(trouble.into());
    }
    let checked = gainsay::check(sources.entries(), &sources);
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    let (Some(program), Some(module)) = (checked.program, checked.entries.first().copied())
    else {
        return Err(Stop::Told(Exit::DoesNotCompile));
    };
    let main = find_main(&program, module, name)?;
    Ok(Loaded { files: checked.files, program, main })
}

fn texts(args: Vec<OsString>) -> Result<Vec<String>, Trouble> {
    let text = |arg: OsString| {
        arg.into_string().map_err(|arg| {
            let arg = arg.to_string_lossy();
            Trouble::usage(format!("the argument `{arg}` is not UTF-8 text"))
                .with_help("give the program arguments in UTF-8")
        })
    };
    args.into_iter().map(text).collect()
}

/// The `main` of a module. That it can be run as it is was checked with the rest.
fn find_main(program: &Program, module: ModuleId, file: &str) -> Result<FunctionId, Trouble> {
    program.find_function(module, "main").ok_or_else(|| {
        Trouble::nothing_to_run(format!("`{file}` has no `main`"))
            .with_help("declare `fn main() ! [Console] { .. }`, with the effects it performs")
    })
}

impl Prepared {
    fn run(mut self, reporter: &mut Reporter) -> Exit {
        if let Some(path) = &self.record
            && let Err(trouble) = recording::begin(path, Start::new(&self.name, self.bounds))
        {
            return reporter.trouble(&trouble);
        }
        let program = &self.loaded.program;
        let engine = Engine::new(Arc::clone(program), self.engine);
        let (mut worker, main) = (engine.worker(self.bounds.into()), self.loaded.main);
        let outcome = match self.record {
            None => worker.call(main, &[], &mut self.world),
            Some(_) => {
                let mut recorder = Recorder::new(&mut self.world, Arc::clone(program));
                worker.call(main, &[], &mut recorder)
            }
        };
        world::restore_terminal();
        let recorded = recording::finish(&End::of(program, &outcome.result));
        let exit = match outcome.result {
            Ok(value) => self.ended(&value, reporter),
            Err(fault) => self.failed(&fault, reporter),
        };
        match recorded {
            Ok(()) => exit,
            Err(trouble) => exit.and(reporter.trouble(&trouble)),
        }
    }

    fn ended(&self, value: &Value, reporter: &mut Reporter) -> Exit {
        let program = &self.loaded.program;
        if value.as_ctor().is_none() || value.as_ctor() != program.lang.err {
            return Exit::Held;
        }
        let reason = value.fields().first().map_or_else(String::new, |it| match it.as_str() {
            Some(text) => text.to_owned(),
            None => show(program, it),
        });
        reporter.trouble(&Trouble::new(Exit::Gainsaid, reason))
    }

    fn failed(&self, fault: &Fault, reporter: &mut Reporter) -> Exit {
        match self.world.lost() {
            // Nobody reads any more: there is no use in going on, and nobody to tell.
            Some(Lost::Closed) => return Exit::Held,
            // The end of the command tells why.
            Some(Lost::Failed(_)) => return Exit::Usage,
            None => {}
        }
        let _ = output::flush();
        let Loaded { files, program, .. } = &self.loaded;
        reporter.diagnostic(files, &fault.to_diagnostic(program));
        if fault.kind == FaultKind::Interrupted {
            Exit::Interrupted
        } else if fault.kind.is_limit() || fault.kind == FaultKind::Discarded {
            Exit::Inconclusive
        } else {
            Exit::Gainsaid
        }
    }
}
