//! `Http`: web requests. This is the one file that names `ureq`.

use std::time::Duration;

use gainsay::vm::Value;
use ureq::http::{Request, Response};
use ureq::{Agent, Body};

use super::{Arguments, Operation, Refused, World, text};
use crate::output;
use crate::trouble::reason;

/// How long a request may take from the first byte to the last.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(super) const OPERATIONS: &[Operation] = &[
    Operation { name: "Http.get", run: |world, args| ask(world, "GET", args) },
    Operation { name: "Http.head", run: |world, args| ask(world, "HEAD", args) },
    Operation { name: "Http.delete", run: |world, args| ask(world, "DELETE", args) },
    Operation { name: "Http.post", run: |world, args| send(world, "POST", args) },
    Operation { name: "Http.put", run: |world, args| send(world, "PUT", args) },
    Operation { name: "Http.patch", run: |world, args| send(world, "PATCH", args) },
];

/// Sends requests; made at the first one, because it reads certificates and settings.
#[derive(Debug, Default)]
pub(super) struct Client(Option<Agent>);

impl Client {
    fn agent(&mut self) -> &Agent {
        self.0.get_or_insert_with(|| {
            Agent::config_builder()
                .timeout_global(Some(TIMEOUT))
                // A status is an answer, not a failure to get one.
                .http_status_as_error(false)
                .user_agent(concat!("gainsay/", env!("CARGO_PKG_VERSION")))
                .build()
                .into()
        })
    }
}

fn ask(world: &mut World, method: &str, args: Arguments<'_>) -> Result<Value, Refused> {
    let request = Request::builder().method(method).uri(args.text(0)?).body(());
    let agent = world.client.agent();
    output::flush()?;
    let response = request.map_err(ureq::Error::from).and_then(|it| agent.run(it));
    Ok(answer(world, response))
}

fn send(world: &mut World, method: &str, args: Arguments<'_>) -> Result<Value, Refused> {
    let request = Request::builder()
        .method(method)
        .uri(args.text(0)?)
        .header("content-type", "text/plain; charset=utf-8")
        .body(args.text(1)?.to_owned());
    let agent = world.client.agent();
    output::flush()?;
    let response = request.map_err(ureq::Error::from).and_then(|it| agent.run(it));
    Ok(answer(world, response))
}

fn answer(world: &World, response: Result<Response<Body>, ureq::Error>) -> Value {
    let read = response.map_err(|error| why(&error)).and_then(|mut response| {
        let body = text::read_all(response.body_mut().as_reader(), world.longest_text)?;
        let headers = response.headers().iter().map(|(name, value)| {
            (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        });
        Ok(world.answers.response(response.status().as_u16(), headers.collect(), body))
    });
    world.answers.result(read)
}

/// Why there is no answer, in words that do not depend on the library or the platform.
fn why(error: &ureq::Error) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the library may add kinds at any time")]
    let text = match error {
        ureq::Error::Io(error) => return reason(error),
        ureq::Error::HostNotFound => "no such host",
        ureq::Error::Timeout(_) => "timed out",
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => "this is not a web address",
        ureq::Error::TooManyRedirects => "too many redirects",
        ureq::Error::ConnectionFailed => "the connection failed",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "no secure connection could be made",
        other => return other.to_string().to_lowercase(),
    };
    text.to_owned()
}
