//! `Http` and `Tcp` against local servers.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};

use crate::CommandFolder;
use crate::run::main_of;

/// Starts a server that handles some connections with `answer`; returns its port.
fn serve(
    n_connections: usize,
    answer: impl Fn(TcpStream) + Send + 'static,
) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = thread::spawn(move || {
        for _ in 0..n_connections {
            answer(listener.accept().unwrap().0);
        }
    });
    (port, thread)
}

/// Responds with the request itself.
fn echo_request(stream: TcpStream) {
    let mut reader = BufReader::new(&stream);
    let mut head = String::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let request = head.lines().next().unwrap();
    let text = format!("{request} {}", String::from_utf8(body).unwrap());
    let shown = if request.starts_with("HEAD") { "" } else { &text };
    let status = if request.contains("/missing") { "404 Not Found" } else { "200 OK" };
    let mut writer = &stream;
    write!(
        writer,
        "HTTP/1.1 {status}\r\nX-Probe: yes\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{shown}",
        text.len(),
    )
    .unwrap();
}

#[test]
fn web_requests_are_answered() {
    let (port, server) = serve(7, echo_request);
    let call = |call: &str| {
        let call = call.replace("URL", &format!("http://127.0.0.1:{port}"));
        format!("  Console.print({call}.map(|r| show(r.status) ++ \" \" ++ r.body).unwrap())\n")
    };
    let body = [
        call("Http.get(\"URL/a\")"),
        call("Http.head(\"URL/b\")"),
        call("Http.delete(\"URL/c\")"),
        call("Http.post(\"URL/d\", \"one\")"),
        call("Http.put(\"URL/e\", \"two\")"),
        call("Http.patch(\"URL/f\", \"dreißig\")"),
        format!(
            "  Console.print(Http.get(\"http://127.0.0.1:{port}/missing\")\
             .map(|r| show(r.status) ++ show(r.headers.contains((\"x-probe\", \"yes\")))).unwrap())"
        ),
    ];
    let place = CommandFolder::with("a.say", &main_of(&body.concat()));
    place.gainsay(&["run", "a.say"]).exits(0).prints(
        "200 GET /a HTTP/1.1 \n200 \n200 DELETE /c HTTP/1.1 \n200 POST /d HTTP/1.1 one\n\
         200 PUT /e HTTP/1.1 two\n200 PATCH /f HTTP/1.1 dreißig\n404true\n",
    );
    server.join().unwrap();
}

#[test]
fn web_requests_that_fail_say_why() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = listener.local_addr().unwrap().port();
    drop(listener);
    let body = format!(
        "  Console.print(show(Http.get(\"http://127.0.0.1:{closed}/\").map(|r| r.status)))\n  \
         Console.print(show(Http.get(\"not a url\").map(|r| r.status)))\n  \
         Console.print(show(Http.get(\"ftp://127.0.0.1/\").is_err()))\n  \
         Console.print(show(Http.post(\"\", \"x\").is_err()))"
    );
    let place = CommandFolder::with("a.say", &main_of(&body));
    place
        .gainsay(&["run", "a.say"])
        .exits(0)
        .prints("Err(\"connection refused\")\nErr(\"invalid URL\")\ntrue\ntrue\n");
}

#[test]
fn a_message_is_sent_and_answered() {
    let (port, server) = serve(2, |mut stream| {
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        stream.write_all(text.to_uppercase().as_bytes()).unwrap();
    });
    let body = format!(
        "  Console.print(show(Tcp.send(\"127.0.0.1\", {port}, \"hello\")))\n  \
         Console.print(show(Tcp.ping(\"127.0.0.1\", {port})))\n  \
         Console.print(show(Tcp.ping(\"127.0.0.1\", 99999)))"
    );
    let place = CommandFolder::with("a.say", &main_of(&body));
    place
        .gainsay(&["run", "a.say"])
        .exits(0)
        .prints("Ok(\"HELLO\")\nOk(())\nErr(\"a port must be from 0 to 65535\")\n");
    server.join().unwrap();
}

#[test]
fn a_connection_carries_lines_both_ways() {
    let (port, server) = serve(1, |stream| {
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let first = lines.next().unwrap().unwrap();
        (&stream).write_all(format!("got {first}\r\nbye").as_bytes()).unwrap();
    });
    let body = format!(
        "  let c = Tcp.connect(\"127.0.0.1\", {port})?\n  \
         Console.print(show(Tcp.write_line(c, \"hi\")))\n  \
         Console.print(show(Tcp.read_line(c)))\n  \
         Console.print(show(Tcp.read_line(c)))\n  \
         Console.print(show(Tcp.read_line(c)))\n  \
         Console.print(show(Tcp.close(c)))\n  \
         Console.print(show(Tcp.close(c)))\n  \
         Console.print(show(Tcp.read_line(c)))"
    );
    let place = CommandFolder::with("a.say", &main_of(&body));
    place.gainsay(&["run", "a.say"]).exits(0).prints(
        "Ok(())\nOk(Some(\"got hi\"))\nOk(Some(\"bye\"))\nOk(None)\nOk(())\n\
         Err(\"the connection is not open\")\nErr(\"the connection is not open\")\n",
    );
    server.join().unwrap();
}
