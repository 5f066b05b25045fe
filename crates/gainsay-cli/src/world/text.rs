//! Text from outside: must be UTF-8, and no longer than the program's limit.

use std::io::{self, BufRead, Read};

use crate::cli_error::io_error_reason;

/// Reads everything, if it is UTF-8 and at most `longest` bytes.
pub(super) fn read_all(reader: impl Read, longest: u64) -> Result<String, String> {
    let mut bytes = Vec::new();
    reader
        // One byte more shows that the text is too long, and an endless one is not read to its end.
        .take(longest.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|error| io_error_reason(&error))?;
    decode(bytes, longest)
}

/// Decodes bytes, if they are UTF-8 and not too many.
pub(super) fn decode(bytes: Vec<u8>, longest: u64) -> Result<String, String> {
    if bytes.len() as u64 > longest {
        return Err(too_long(longest));
    }
    String::from_utf8(bytes).map_err(|_| "not valid UTF-8".to_owned())
}

/// The next line without its terminator; `None` at the end.
pub(super) fn read_line(
    reader: &mut impl BufRead,
    longest: u64,
) -> Result<Option<String>, String> {
    let mut line = Vec::new();
    // Two bytes more, because the terminator does not count.
    let read = reader.take(longest.saturating_add(2)).read_until(b'\n', &mut line);
    match read.map_err(|error: io::Error| io_error_reason(&error))? {
        0 => Ok(None),
        _ => {
            if line.last() == Some(&b'\n') {
                line.pop();
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
            }
            decode(line, longest).map(Some)
        }
    }
}

/// The message for a text that is too long.
pub(super) fn too_long(longest: u64) -> String {
    format!("larger than the {longest} bytes the program may hold")
}

#[cfg(test)]
mod tests {
    use super::{read_all, read_line};

    #[test]
    fn lines_end_in_either_way_and_the_last_needs_no_end() {
        let mut input = "a\r\n\nlast".as_bytes();
        let mut next = || read_line(&mut input, 10).unwrap();
        assert_eq!(next(), Some("a".to_owned()));
        assert_eq!(next(), Some(String::new()));
        assert_eq!(next(), Some("last".to_owned()));
        assert_eq!(next(), None);
    }

    #[test]
    fn endless_and_broken_texts_are_refused() {
        assert!(read_all(std::io::repeat(b'x'), 1000).unwrap_err().contains("1000 bytes"));
        assert!(read_line(&mut &b"12345678901\n"[..], 10).unwrap_err().contains("10 bytes"));
        assert_eq!(read_all(&b"\xff"[..], 10), Err("not valid UTF-8".to_owned()));
        assert_eq!(read_all(&b"1234567890"[..], 10), Ok("1234567890".to_owned()));
    }
}
