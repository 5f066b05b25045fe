//! `gainsay run`: runs the `main` of a file in the real world.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use gainsay::core::{FunctionId, ModuleId, Program};
use gainsay::solve::RelationSolver;
use gainsay::source::SourceMap;
use gainsay::vm::{Engine, EngineKind, Fault, FaultKind, Limits, Value, show};

use crate::arguments::RunArguments;
use crate::cli_error::CliError;
use crate::engine;
use crate::exit::Exit;
use crate::files::{self, DiskSources};
use crate::output::{self, OutputError};
use crate::recording::{self, RecordedEnd, RecordedLimits, RecordingStart, RunRecorder};
use crate::reporter::Reporter;
use crate::world::{self, RealWorld, RealWorldOptions};

/// Runs the `main` of a file.
pub(super) fn run(args: RunArguments, reporter: &mut Reporter) -> Exit {
    // Stdout belongs to the program.
    reporter.send_json_to_stderr();
    let exit = match prepare(args, reporter) {
        Ok(prepared) => prepared.run(reporter),
        Err(LoadError::Reported(exit)) => exit,
        Err(LoadError::Cli(error)) => reporter.error(&error),
    };
    reporter.write_summary(1, exit);
    exit
}

/// Why the program was not run.
pub(super) enum LoadError {
    /// The error was already reported.
    Reported(Exit),
    /// An error to report.
    Cli(CliError),
}

impl From<CliError> for LoadError {
    fn from(it: CliError) -> Self {
        Self::Cli(it)
    }
}

/// A program with a `main`.
pub(super) struct LoadedMain {
    /// Its texts.
    pub(super) files: SourceMap,
    /// The program.
    pub(super) program: Arc<Program>,
    /// The function to run.
    pub(super) main: FunctionId,
}

/// A program that is ready to run.
struct PreparedRun {
    loaded: LoadedMain,
    name: String,
    /// The file to record effects to.
    record: Option<PathBuf>,
    world: RealWorld,
    bounds: RecordedLimits,
    engine: EngineKind,
}

fn prepare(args: RunArguments, reporter: &mut Reporter) -> Result<PreparedRun, LoadError> {
    let bounds = RecordedLimits { steps: args.steps, depth: args.depth, memory: args.memory };
    let limits = Limits::from(bounds);
    let mut given = args.program.into_iter();
    let file = PathBuf::from(given.next().unwrap_or_default());
    // The parser leaves all words to the program, so it does not notice a mistyped option.
    if file.as_os_str().as_encoded_bytes().starts_with(b"-") {
        let message = format!("unknown option `{}` of `gainsay run`", file.display());
        let help = "see `gainsay run --help`; put options of the program after its file";
        return Err(CliError::usage(message).with_help(help).into());
    }
    let name = files::display_path(&file)
        .ok_or_else(|| CliError::usage("the file name is not valid UTF-8"))?;
    let loaded = load(&name, reporter)?;
    let seed = args.seed.map_or_else(world::seed_from_system, Ok)?;
    let beginning = RealWorldOptions {
        args: utf8_arguments(given.collect())?,
        seed,
        // A text beyond the memory of the program could not be stored anyway.
        max_text_bytes: limits.live_bytes,
    };
    let world = RealWorld::new(&loaded.program, beginning)?;
    let engine = engine::select_engine()?;
    Ok(PreparedRun { loaded, name, record: args.record, world, bounds, engine })
}

/// Checks a file, and finds its `main`.
pub(super) fn load(name: &str, reporter: &mut Reporter) -> Result<LoadedMain, LoadError> {
    let (sources, errors) = DiskSources::read(&[name.to_owned()]);
    if let Some(error) = errors.into_iter().next() {
        return Err(error.into());
    }
    let checked = gainsay::check(sources.entries(), &sources);
    reporter.diagnostics(&checked.files, &checked.diagnostics);
    let (Some(program), Some(module)) = (checked.program, checked.entries.first().copied())
    else {
        return Err(LoadError::Reported(Exit::DoesNotCompile));
    };
    let main = find_main(&program, module, name)?;
    Ok(LoadedMain { files: checked.files, program, main })
}

fn utf8_arguments(args: Vec<OsString>) -> Result<Vec<String>, CliError> {
    let text = |arg: OsString| {
        arg.into_string().map_err(|arg| {
            let arg = arg.to_string_lossy();
            CliError::usage(format!("the argument `{arg}` is not valid UTF-8"))
                .with_help("pass the arguments in UTF-8")
        })
    };
    args.into_iter().map(text).collect()
}

/// The `main` of a module. The checker has already validated its signature.
fn find_main(program: &Program, module: ModuleId, file: &str) -> Result<FunctionId, CliError> {
    program.find_function(module, "main").ok_or_else(|| {
        CliError::nothing_to_run(format!("`{file}` has no `main`"))
            .with_help("declare `fn main() ! [Console] { .. }`, with the effects it performs")
    })
}

impl PreparedRun {
    fn run(mut self, reporter: &mut Reporter) -> Exit {
        if let Some(path) = &self.record
            && let Err(error) =
                recording::begin(path, RecordingStart::new(&self.name, self.bounds))
        {
            return reporter.error(&error);
        }
        let program = &self.loaded.program;
        let engine = Engine::new(Arc::clone(program), self.engine)
            .with_relations(RelationSolver::for_program(program));
        let (mut worker, main) = (engine.worker(self.bounds.into()), self.loaded.main);
        let outcome = match self.record {
            None => worker.call(main, &[], &mut self.world),
            Some(_) => {
                let mut recorder = RunRecorder::new(&mut self.world, Arc::clone(program));
                worker.call(main, &[], &mut recorder)
            }
        };
        world::restore_terminal();
        // Before anything is reported, so that the recording exists even if a report cannot be
        // written.
        let recorded = recording::finish(&RecordedEnd::of(program, &outcome.result));
        let exit = match outcome.result {
            Ok(value) => self.report_value(&value, reporter),
            Err(fault) => self.report_fault(&fault, reporter),
        };
        match recorded {
            Ok(()) => exit,
            Err(error) => exit.combine(reporter.error(&error)),
        }
    }

    fn report_value(&self, value: &Value, reporter: &mut Reporter) -> Exit {
        let program = &self.loaded.program;
        if value.as_ctor().is_none() || value.as_ctor() != program.lang.err {
            return Exit::Success;
        }
        let reason = value.fields().first().map_or_else(String::new, |it| match it.as_str() {
            Some(text) => text.to_owned(),
            None => show(program, it),
        });
        reporter.error(&CliError::new(Exit::Failed, reason))
    }

    fn report_fault(&self, fault: &Fault, reporter: &mut Reporter) -> Exit {
        match self.world.output_error() {
            // The reader is gone, so there is no point in continuing, and nobody to report to.
            Some(OutputError::Closed) => return Exit::Success,
            // The end of the command reports the reason.
            Some(OutputError::Failed(_)) => return Exit::Usage,
            None => {}
        }
        let _ = output::flush();
        let LoadedMain { files, program, .. } = &self.loaded;
        reporter.diagnostic(files, &fault.to_diagnostic(program));
        if fault.kind == FaultKind::Interrupted {
            Exit::Interrupted
        } else if fault.kind.is_limit() || fault.kind == FaultKind::Discarded {
            Exit::Inconclusive
        } else {
            Exit::Failed
        }
    }
}
