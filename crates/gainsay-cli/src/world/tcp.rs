//! `Tcp`: plain text connections.

use std::io::{BufReader, Write as _};
use std::net::{Shutdown, TcpStream, ToSocketAddrs as _};
use std::time::Duration;

use gainsay::vm::Value;

use super::{
    OperationArguments, OperationError, OperationHandler, RealWorld, text, type_mismatch,
};
use crate::cli_error::io_error_reason;
use crate::output;

/// The time limit for connecting.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time limit for reading.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(30);

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Tcp.send", run: send },
    OperationHandler { name: "Tcp.ping", run: ping },
    OperationHandler { name: "Tcp.connect", run: connect },
    OperationHandler { name: "Tcp.read_line", run: read_line },
    OperationHandler { name: "Tcp.write_line", run: write_line },
    OperationHandler { name: "Tcp.close", run: close },
];

/// The open connections, by number. Numbers are not reused, so that a closed connection never
/// becomes another one.
#[derive(Debug, Default)]
pub(super) struct TcpConnections(Vec<Option<BufReader<TcpStream>>>);

impl TcpConnections {
    fn open(&mut self, stream: TcpStream) -> usize {
        self.0.push(Some(BufReader::new(stream)));
        self.0.len() - 1
    }

    fn slot(&mut self, connection: &Value) -> Option<&mut Option<BufReader<TcpStream>>> {
        let number = connection.fields().first()?.as_int()?;
        // The constructor is public, so a program may make a number up.
        self.0.get_mut(usize::try_from(number).ok()?)
    }

    fn get(&mut self, connection: &Value) -> Result<&mut BufReader<TcpStream>, String> {
        let slot = self.slot(connection).and_then(Option::as_mut);
        slot.ok_or_else(|| "the connection is not open".to_owned())
    }
}

fn send(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::flush()?;
    let (message, longest) = (args.text(2)?, world.max_text_bytes);
    let answer = dial(args.text(0)?, args.value(1)?).and_then(|stream| {
        let mut writer = &stream;
        writer.write_all(message.as_bytes()).map_err(|error| io_error_reason(&error))?;
        // The peer may wait for the end of the message before it answers.
        stream.shutdown(Shutdown::Write).map_err(|error| io_error_reason(&error))?;
        text::read_all(&stream, longest)
    });
    Ok(world.answers.result(answer.map(Value::str)))
}

fn ping(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::flush()?;
    let reached = dial(args.text(0)?, args.value(1)?);
    Ok(world.answers.unit_result(reached.map(drop)))
}

fn connect(
    world: &mut RealWorld,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    output::flush()?;
    let stream = dial(args.text(0)?, args.value(1)?);
    let connection = stream.map(|stream| world.connections.open(stream));
    Ok(world.answers.result(connection.map(|number| world.answers.connection(number))))
}

fn read_line(
    world: &mut RealWorld,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    output::flush()?;
    let longest = world.max_text_bytes;
    let line = world
        .connections
        .get(args.value(0)?)
        .and_then(|connection| text::read_line(connection, longest));
    Ok(world.answers.result(line.map(|line| world.answers.option(line.map(Value::str)))))
}

fn write_line(
    world: &mut RealWorld,
    args: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    // Written in one piece: the terminator in a packet of its own would be delayed by Nagle's
    // algorithm.
    let line = format!("{}\n", args.text(1)?);
    let written = world.connections.get(args.value(0)?).and_then(|connection| {
        connection.get_mut().write_all(line.as_bytes()).map_err(|error| io_error_reason(&error))
    });
    Ok(world.answers.unit_result(written))
}

fn close(world: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    let slot =
        world.connections.slot(args.value(0)?).ok_or_else(|| type_mismatch("a connection"))?;
    // Dropping the stream closes it; the empty slot keeps the number taken.
    let closed = slot.take().map(drop).ok_or_else(|| "the connection is not open".to_owned());
    Ok(world.answers.unit_result(closed))
}

/// Connects to the first address of the host that accepts.
fn dial(host: &str, port: &Value) -> Result<TcpStream, String> {
    let port = port.as_int().and_then(|port| u16::try_from(port).ok());
    let port = port.ok_or_else(|| "a port must be from 0 to 65535".to_owned())?;
    let addresses =
        (host, port).to_socket_addrs().map_err(|_| format!("no such host `{host}`"))?;
    let mut why = format!("`{host}` has no address");
    // A host may have an address that cannot be reached from here, such as one of IPv6.
    for address in addresses {
        match TcpStream::connect_timeout(&address, CONNECT_TIMEOUT).and_then(with_timeouts) {
            Ok(stream) => return Ok(stream),
            Err(error) => why = io_error_reason(&error),
        }
    }
    Err(why)
}

fn with_timeouts(stream: TcpStream) -> std::io::Result<TcpStream> {
    // A peer that falls silent must not hang the program forever.
    stream.set_read_timeout(Some(SILENCE_TIMEOUT))?;
    stream.set_write_timeout(Some(SILENCE_TIMEOUT))?;
    Ok(stream)
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;

    use gainsay::vm::Value;

    use super::dial;

    #[test]
    fn invalid_hosts_and_ports_are_reported() {
        let refused = |host, port: i64| dial(host, &Value::Int(port)).map(drop).unwrap_err();
        assert_eq!(refused("127.0.0.1", 70_000), "a port must be from 0 to 65535");
        assert_eq!(refused("127.0.0.1", -1), "a port must be from 0 to 65535");
        assert_eq!(refused("no host", 80), "no such host `no host`");
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = i64::from(listener.local_addr().unwrap().port());
        assert!(dial("127.0.0.1", &Value::Int(port)).is_ok());
        drop(listener);
        assert_eq!(refused("127.0.0.1", port), "connection refused");
    }
}
