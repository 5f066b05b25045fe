//! `Http`: web requests. This is the only file that depends on `ureq`.

use std::time::Duration;

use gainsay::vm::Value;
use ureq::http::Request;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, AsSendBody};

use super::answer_values::AnswerConstructors;
use super::{OperationArguments, OperationError, OperationHandler, RealWorld, text};
use crate::cli_error::io_error_reason;
use crate::output;

/// The time limit of a request, from the first byte to the last.
const TIMEOUT: Duration = Duration::from_secs(30);

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler {
        name: "Http.get",
        run: |world, args| send_without_body(world, "GET", args),
    },
    OperationHandler {
        name: "Http.head",
        run: |world, args| send_without_body(world, "HEAD", args),
    },
    OperationHandler {
        name: "Http.delete",
        run: |world, args| send_without_body(world, "DELETE", args),
    },
    OperationHandler {
        name: "Http.post",
        run: |world, args| send_with_body(world, "POST", args),
    },
    OperationHandler {
        name: "Http.put",
        run: |world, args| send_with_body(world, "PUT", args),
    },
    OperationHandler {
        name: "Http.patch",
        run: |world, args| send_with_body(world, "PATCH", args),
    },
];

/// The HTTP client; created for the first request, because it reads certificates and settings.
#[derive(Debug, Default)]
pub(super) struct HttpClient(Option<Agent>);

impl HttpClient {
    fn agent(&mut self) -> &Agent {
        self.0.get_or_insert_with(|| {
            Agent::config_builder()
                .timeout_global(Some(TIMEOUT))
                // An error status is an answer, not a failure.
                .http_status_as_error(false)
                // Trusts what the system trusts, including a company's own certificate authority.
                .tls_config(
                    TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build(),
                )
                .user_agent(concat!("gainsay/", env!("CARGO_PKG_VERSION")))
                .build()
                .into()
        })
    }
}

fn send_without_body(
    world: &mut RealWorld,
    method: &str,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    // What was printed must be visible while the program waits.
    output::flush()?;
    let request = Request::builder().method(method).uri(args.text(0)?).body(());
    let reply = fetch(world.client.agent(), request, world.max_text_bytes);
    Ok(response_value(&world.answers, reply))
}

fn send_with_body(
    world: &mut RealWorld,
    method: &str,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    output::flush()?;
    let request = Request::builder()
        .method(method)
        .uri(args.text(0)?)
        .header("content-type", "text/plain; charset=utf-8")
        .body(args.text(1)?.to_owned());
    let reply = fetch(world.client.agent(), request, world.max_text_bytes);
    Ok(response_value(&world.answers, reply))
}

fn response_value(answers: &AnswerConstructors, reply: Result<HttpReply, String>) -> Value {
    answers.result(reply.map(|it| answers.response(it.status, it.headers, it.body)))
}

/// The response of a server.
#[derive(Debug, PartialEq, Eq)]
struct HttpReply {
    status: u16,
    /// Names in lower case.
    headers: Vec<(String, String)>,
    body: String,
}

fn fetch(
    agent: &Agent,
    request: Result<Request<impl AsSendBody>, ureq::http::Error>,
    longest: u64,
) -> Result<HttpReply, String> {
    let request = request.map_err(|error| describe_error(&error.into()))?;
    let mut response = agent.run(request).map_err(|error| describe_error(&error))?;
    let body = text::read_all(response.body_mut().as_reader(), longest)?;
    let headers = response.headers().iter().map(|(name, value)| {
        // Lossy, because a header in some old encoding must not lose the whole response.
        (name.to_string(), String::from_utf8_lossy(value.as_bytes()).into_owned())
    });
    Ok(HttpReply { status: response.status().as_u16(), headers: headers.collect(), body })
}

/// Why there is no response, in words that do not depend on the library or platform.
fn describe_error(error: &ureq::Error) -> String {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the library may add kinds at any time")]
    let text = match error {
        // Resolver and certificate errors have no kind of their own.
        ureq::Error::Io(error) if error.to_string().contains("lookup address") => {
            "no such host"
        }
        ureq::Error::Io(error) if error.to_string().contains("peer certificate") => {
            "the certificate of the host is not trusted"
        }
        ureq::Error::Io(error) => return io_error_reason(error),
        ureq::Error::HostNotFound => "no such host",
        ureq::Error::Timeout(_) => "timed out",
        ureq::Error::BadUri(_) | ureq::Error::Http(_) => "invalid URL",
        ureq::Error::Protocol(_) => "invalid HTTP response",
        ureq::Error::TooManyRedirects => "too many redirects",
        ureq::Error::ConnectionFailed => "connection failed",
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => "secure connection failed",
        other => return other.to_string().to_lowercase(),
    };
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;
    use std::thread;

    use ureq::http::Request;

    use super::{HttpClient, HttpReply, fetch};

    fn get(url: &str) -> Result<HttpReply, String> {
        let request = Request::builder().method("GET").uri(url).body(());
        fetch(HttpClient::default().agent(), request, 100)
    }

    /// The result of a request to a server that answers with these bytes.
    fn reply_from_server(bytes: &'static [u8]) -> Result<HttpReply, String> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let server = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let _ = stream.read(&mut [0; 4096]).unwrap();
            let _ = stream.write_all(bytes);
        });
        let reply = get(&format!("http://127.0.0.1:{port}/"));
        server.join().unwrap();
        reply
    }

    #[test]
    fn every_status_is_an_answer() {
        let reply =
            reply_from_server(b"HTTP/1.1 500 Oh\r\nContent-Length: 2\r\nX-A: b\r\n\r\nno")
                .unwrap();
        assert_eq!((reply.status, reply.body.as_str()), (500, "no"));
        assert!(reply.headers.contains(&("x-a".to_owned(), "b".to_owned())));
    }

    #[test]
    fn errors_have_plain_reasons() {
        let why = |url: &str| get(url).unwrap_err();
        for url in ["", "not a url", "/path", "http://", "example"] {
            assert_eq!(why(url), "invalid URL", "{url}");
        }
        assert_eq!(why("ftp://127.0.0.1/"), "invalid URL");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        assert_eq!(why(&url), "connection refused");
        assert_eq!(
            reply_from_server(b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\xff"),
            Err("not valid UTF-8".to_owned()),
        );
        let long = reply_from_server(b"HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n\
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
        assert!(long.unwrap_err().contains("100 bytes"));
        let early = Err("connection closed unexpectedly".to_owned());
        assert_eq!(
            reply_from_server(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort"),
            early
        );
        assert_eq!(reply_from_server(b""), early);
        let nonsense = Err("invalid HTTP response".to_owned());
        assert_eq!(reply_from_server(b"nonsense\r\n\r\n"), nonsense);
    }
}
