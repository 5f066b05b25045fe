//! Systems under test: which command answers for which system, and the connections of a thread.

mod process;
mod protocol;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use gainsay::core::{EffectId, OpId, Program};
use gainsay::test::{SystemConnections, Systems};
use gainsay::vm::{Refusal, Value};

use self::process::{AdapterFailure, AdapterProcess, AskedFor};
use self::protocol::AdapterAnswer;
use crate::cli_error::CliError;
use crate::json_values::JsonReader;

/// How long an adapter may stay silent, if nothing else is configured.
const DEFAULT_SILENCE: Duration = Duration::from_secs(5);

/// What answers for a system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SystemBinding {
    /// The name of the system; `None` for every system without a binding of its own.
    pub(crate) system: Option<String>,
    /// The program and its arguments.
    pub(crate) command: Vec<String>,
}

impl SystemBinding {
    /// Reads `COMMAND` or `System=COMMAND`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (system, command) = match text.split_once('=') {
            Some((name, command)) if is_system_name(name) => (Some(name.to_owned()), command),
            _ => (None, text),
        };
        Ok(Self { system, command: command_words(command)? })
    }
}

/// A command as it would be typed.
fn command_text(command: &[String]) -> String {
    let words = command.iter().map(String::as_str);
    // Only a zero byte cannot be quoted, and no argument contains one.
    shlex::try_join(words).unwrap_or_else(|_| command.join(" "))
}

/// Splits a command into words as a shell does, without a shell.
pub(crate) fn command_words(command: &str) -> Result<Vec<String>, String> {
    let words = shlex::split(command).ok_or("a quote in the command is not closed")?;
    if words.is_empty() { Err("the command is empty".to_owned()) } else { Ok(words) }
}

fn is_system_name(text: &str) -> bool {
    text.starts_with(|it: char| it.is_uppercase())
        && text.chars().all(|it| it.is_alphanumeric() || it == '_')
}

/// How adapters are run.
#[derive(Debug, Clone)]
pub(crate) struct AdapterSettings {
    /// Whether each case gets a process of its own.
    pub(crate) is_fresh: bool,
    /// How long an adapter may stay silent.
    pub(crate) silence: Duration,
    /// Ends waiting soon after it is set.
    pub(crate) interrupt: Arc<AtomicBool>,
}

impl AdapterSettings {
    /// The usual ones.
    pub(crate) fn new(interrupt: Arc<AtomicBool>) -> Self {
        Self { is_fresh: false, silence: DEFAULT_SILENCE, interrupt }
    }
}

/// The processes that answer for the systems of a program.
pub(crate) struct BoundSystems<'p> {
    program: &'p Program,
    commands: BTreeMap<EffectId, Vec<String>>,
    settings: AdapterSettings,
}

impl<'p> BoundSystems<'p> {
    /// Binds the systems of a program. A binding of a system that it does not declare is an error.
    pub(crate) fn new(
        program: &'p Program,
        bindings: &[SystemBinding],
        settings: AdapterSettings,
    ) -> Result<Self, CliError> {
        let declared: Vec<(EffectId, &str)> = (0..)
            .map(EffectId)
            .zip(&program.effects)
            .filter(|(_, it)| it.is_system)
            .map(|(id, it)| (id, &*it.name))
            .collect();
        let names = || declared.iter().map(|(_, name)| *name);
        for binding in bindings {
            let Some(name) = &binding.system else { continue };
            if !names().any(|it| it == name) {
                let error = CliError::usage(format!("there is no system `{name}`"));
                return Err(match gainsay::source::closest_name(name, names()) {
                    Some(close) => error.with_help(format!("did you mean `{close}`?")),
                    None => error.with_help("declare it with `system`, or remove the binding"),
                });
            }
        }
        let mut commands = BTreeMap::new();
        for (id, name) in &declared {
            // The last binding counts, so that the command line overrides a file.
            let own = bindings.iter().rfind(|it| it.system.as_deref() == Some(name));
            let found = own.or_else(|| bindings.iter().rfind(|it| it.system.is_none()));
            if let Some(found) = found {
                commands.insert(*id, found.command.clone());
            }
        }
        Ok(Self { program, commands, settings })
    }
}

impl Systems for BoundSystems<'_> {
    fn connect(&self) -> Box<dyn SystemConnections + '_> {
        let values = JsonReader::new(self.program);
        Box::new(ProcessConnections { systems: self, values, running: RefCell::default() })
    }
}

/// The processes of a thread.
struct ProcessConnections<'s> {
    systems: &'s BoundSystems<'s>,
    values: JsonReader<'s>,
    running: RefCell<RunningSystems>,
}

type RunningSystems = BTreeMap<EffectId, RunningSystem>;

/// A process, and whether it must start over before the next operation.
struct RunningSystem {
    process: AdapterProcess,
    needs_reset: bool,
}

impl SystemConnections for ProcessConnections<'_> {
    fn begin_case(&self) {
        let mut running = self.running.borrow_mut();
        if self.systems.settings.is_fresh {
            running.clear();
        }
        running.values_mut().for_each(|it| it.needs_reset = true);
    }

    fn perform(&self, op: OpId, args: &[Value]) -> Result<Value, Refusal> {
        let program = self.systems.program;
        let operation = program.op(op);
        if !self.systems.commands.contains_key(&operation.effect) {
            return Err(Refusal::Unanswered);
        }
        let arguments = protocol::arguments(program, args);
        let mut running = self.running.borrow_mut();
        let answer = self
            .ready(&mut running, operation.effect)
            .and_then(|process| process.ask(&operation.name, &arguments, AskedFor::Operation));
        match answer {
            Ok(AdapterAnswer::Ok(json)) => {
                self.values.read(operation.result, &json).map_err(|why| {
                    let name = program.op_name(op);
                    Refusal::AdapterFailed(format!(
                        "the adapter answered `{name}` wrongly: {why}"
                    ))
                })
            }
            Ok(AdapterAnswer::Error(error)) => Err(Refusal::SystemError(error)),
            Err(failure) => {
                // Whatever it does now, it is not what the next case expects.
                running.remove(&operation.effect);
                Err(failure.into())
            }
        }
    }

    fn binding(&self, op: OpId) -> Option<String> {
        let program = self.systems.program;
        let system = program.op(op).effect;
        let command = command_text(self.systems.commands.get(&system)?);
        let is_only = program.effects.iter().filter(|it| it.is_system).count() == 1;
        let name = &program.effect(system).name;
        Some(if is_only { command } else { format!("{name}={command}") })
    }
}

impl ProcessConnections<'_> {
    /// The process of a system, in its initial state if the case has not used it yet.
    fn ready<'r>(
        &self,
        running: &'r mut RunningSystems,
        system: EffectId,
    ) -> Result<&'r mut AdapterProcess, AdapterFailure> {
        let is_reset = match running.get_mut(&system) {
            Some(it) if it.needs_reset => reset(&mut it.process)?,
            Some(_) => true,
            None => false,
        };
        if !is_reset {
            // A process that cannot start over is replaced by one that has not begun. An adapter
            // without `gainsay.reset` is in its initial state then.
            running.remove(&system);
            let mut process = self.start(system)?;
            reset(&mut process)?;
            running.insert(system, RunningSystem { process, needs_reset: false });
        }
        let running = running.get_mut(&system).expect("it was started");
        running.needs_reset = false;
        Ok(&mut running.process)
    }

    fn start(&self, system: EffectId) -> Result<AdapterProcess, AdapterFailure> {
        let systems = self.systems;
        let command = &systems.commands[&system];
        let mut process = AdapterProcess::start(command, &systems.settings)?;
        let hello = protocol::hello(systems.program, system);
        if let AdapterAnswer::Ok(json) =
            process.ask("gainsay.hello", &hello, AskedFor::SetUp)?
        {
            protocol::check_hello(&json).map_err(AdapterFailure::Adapter)?;
        }
        Ok(process)
    }
}

/// Asks a process to start over; whether it did.
fn reset(process: &mut AdapterProcess) -> Result<bool, AdapterFailure> {
    let answer = process.ask("gainsay.reset", "[]", AskedFor::SetUp)?;
    Ok(matches!(answer, AdapterAnswer::Ok(_)))
}
