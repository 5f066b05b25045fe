//! Builds answers: options, results and the types that `std/effects.say` declares.

use gainsay::core::{CtorId, Program};
use gainsay::vm::Value;

use crate::cli_error::CliError;
use crate::exit::Exit;

/// The constructors of answers.
#[derive(Debug)]
pub(super) struct AnswerConstructors {
    some: CtorId,
    none: CtorId,
    ok: CtorId,
    err: CtorId,
    http_response: CtorId,
    connection: CtorId,
}

impl AnswerConstructors {
    /// The constructors of a program.
    pub(super) fn of(program: &Program) -> Result<Self, CliError> {
        Self::find(program).ok_or_else(|| {
            let message = "the standard library lacks a type that its effects use";
            CliError::new(Exit::Internal, message).with_help("reinstall gainsay")
        })
    }

    fn find(program: &Program) -> Option<Self> {
        let declared = |name: &str| {
            // By module, too: the program may declare a type of the same name.
            let found = program.ctors.iter().position(|ctor| {
                let module = program.module(program.nominal(ctor.ty).module);
                &*ctor.name == name && module.is_std && &*module.name == "effects"
            });
            found.map(|at| CtorId(at as u32))
        };
        Some(Self {
            some: program.lang.some?,
            none: program.lang.none?,
            ok: program.lang.ok?,
            err: program.lang.err?,
            http_response: declared("HttpResponse")?,
            connection: declared("Connection")?,
        })
    }

    /// `Some(value)` or `None`.
    pub(super) fn option(&self, value: Option<Value>) -> Value {
        match value {
            Some(value) => Value::data(self.some, vec![value]),
            None => Value::data(self.none, Vec::new()),
        }
    }

    /// `Ok(value)` or `Err(reason)`.
    pub(super) fn result(&self, value: Result<Value, String>) -> Value {
        match value {
            Ok(value) => Value::data(self.ok, vec![value]),
            Err(reason) => Value::data(self.err, vec![Value::str(reason)]),
        }
    }

    /// `Ok(())` or `Err(reason)`.
    pub(super) fn unit_result(&self, done: Result<(), String>) -> Value {
        self.result(done.map(|()| Value::UNIT))
    }

    /// An `HttpResponse`.
    pub(super) fn response(
        &self,
        status: u16,
        headers: Vec<(String, String)>,
        body: String,
    ) -> Value {
        let header = |(name, text): (String, String)| {
            Value::tuple(vec![Value::str(name), Value::str(text)])
        };
        let headers: Vec<Value> = headers.into_iter().map(header).collect();
        // In the order in which `std/effects.say` declares them.
        let fields = vec![Value::Int(status.into()), Value::list(headers), Value::str(body)];
        Value::data(self.http_response, fields)
    }

    /// A `Connection`.
    pub(super) fn connection(&self, number: usize) -> Value {
        Value::data(self.connection, vec![Value::Int(number as i64)])
    }
}
