//! `Terminal`: the screen as a grid of cells. This is the only file that depends on `crossterm`.
//!
//! Changes to the terminal's state are tracked in statics, so that every way to end the process
//! (return, fault, Ctrl-C, panic) can restore it.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{Color, ResetColor, SetForegroundColor};
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{Command, QueueableCommand as _};
use gainsay::vm::Value;

use super::{OperationArguments, OperationError, OperationHandler, RealWorld};
use crate::output;

static RAW: AtomicBool = AtomicBool::new(false);
static CURSOR_HIDDEN: AtomicBool = AtomicBool::new(false);
static COLOURED: AtomicBool = AtomicBool::new(false);

pub(super) const OPERATIONS: &[OperationHandler] = &[
    OperationHandler { name: "Terminal.read_key", run: read_key },
    OperationHandler { name: "Terminal.size", run: size },
    OperationHandler { name: "Terminal.clear", run: clear },
    OperationHandler { name: "Terminal.move_to", run: move_to },
    OperationHandler { name: "Terminal.print", run: print },
    OperationHandler { name: "Terminal.hide_cursor", run: hide_cursor },
    OperationHandler { name: "Terminal.show_cursor", run: show_cursor },
    OperationHandler { name: "Terminal.flush", run: flush },
    OperationHandler { name: "Terminal.enable_raw_mode", run: enable_raw_mode },
    OperationHandler { name: "Terminal.disable_raw_mode", run: disable_raw_mode },
    OperationHandler { name: "Terminal.set_color", run: set_color },
    OperationHandler { name: "Terminal.reset_color", run: reset_color },
];

/// Restores the terminal to its state before the program.
pub(crate) fn restore() {
    // `swap`, because several exits may run concurrently, and each change must be undone once.
    if RAW.swap(false, Ordering::Relaxed) {
        let _ = terminal::disable_raw_mode();
    }
    let mut undo = Vec::new();
    if COLOURED.swap(false, Ordering::Relaxed) {
        let _ = undo.queue(ResetColor);
    }
    if CURSOR_HIDDEN.swap(false, Ordering::Relaxed) {
        let _ = undo.queue(Show);
    }
    if !undo.is_empty() {
        // Best effort: a panic or Ctrl-C may happen while another thread holds the lock of stdout.
        output::flush_if_unlocked();
        let _ = io::stdout().write_all(&undo).and_then(|()| io::stdout().flush());
    }
}

fn queue(command: impl Command) -> Result<Value, OperationError> {
    let mut bytes = Vec::new();
    bytes
        .queue(command)
        .map_err(|error| OperationError::Failed(crate::cli_error::io_error_reason(&error)))?;
    // Through the same buffer as printed text: the order of both is what the user sees.
    output::write(&bytes)?;
    Ok(Value::UNIT)
}

fn clear(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    queue(Clear(ClearType::All))?;
    queue(MoveTo(0, 0))
}

fn move_to(_: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    let cell = |int: i64| int.clamp(0, u16::MAX.into()) as u16;
    queue(MoveTo(cell(args.clamped(0)?), cell(args.clamped(1)?)))
}

fn print(_: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::write(args.text(0)?.as_bytes())?;
    Ok(Value::UNIT)
}

fn hide_cursor(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    // Before the command is queued: undoing what has not happened is harmless.
    CURSOR_HIDDEN.store(true, Ordering::Relaxed);
    queue(Hide)
}

fn show_cursor(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    CURSOR_HIDDEN.store(false, Ordering::Relaxed);
    queue(Show)
}

fn flush(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::flush()?;
    Ok(Value::UNIT)
}

/// Without a terminal there is nothing to switch, and keys arrive unbuffered anyway.
fn enable_raw_mode(
    _: &mut RealWorld,
    _: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    if io::stdin().is_terminal() && terminal::enable_raw_mode().is_ok() {
        RAW.store(true, Ordering::Relaxed);
    }
    Ok(Value::UNIT)
}

fn disable_raw_mode(
    _: &mut RealWorld,
    _: OperationArguments<'_>,
) -> Result<Value, OperationError> {
    if RAW.swap(false, Ordering::Relaxed) {
        let _ = terminal::disable_raw_mode();
    }
    Ok(Value::UNIT)
}

fn set_color(_: &mut RealWorld, args: OperationArguments<'_>) -> Result<Value, OperationError> {
    let name = args.text(0)?;
    let found = COLOURS.iter().find(|(it, _)| *it == name);
    let Some((_, colour)) = found else {
        return Err(OperationError::Failed(format!("unknown color `{name}`")));
    };
    COLOURED.store(true, Ordering::Relaxed);
    queue(SetForegroundColor(*colour))
}

fn reset_color(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    COLOURED.store(false, Ordering::Relaxed);
    queue(ResetColor)
}

/// The columns and rows of the terminal, or the usual ones if there is none.
pub(crate) fn dimensions() -> (u16, u16) {
    let size_in_cells =
        terminal::size().ok().filter(|(columns, rows)| *columns > 0 && *rows > 0);
    size_in_cells.unwrap_or((80, 24))
}

fn size(_: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    let (columns, rows) = dimensions();
    Ok(Value::tuple(vec![Value::Int(columns.into()), Value::Int(rows.into())]))
}

fn read_key(world: &mut RealWorld, _: OperationArguments<'_>) -> Result<Value, OperationError> {
    output::flush()?;
    let key = if io::stdin().is_terminal() { pressed_key() } else { piped_key() };
    match key {
        Ok(key) => Ok(world.answers.option(key.map(Value::str))),
        Err(error) => {
            let why = crate::cli_error::io_error_reason(&error);
            Err(OperationError::Failed(format!("cannot read a key: {why}")))
        }
    }
}

/// The next key press; the terminal is in raw mode at least until then.
fn pressed_key() -> io::Result<Option<String>> {
    // Set before switching: an interrupt in between then restores rather than leaves raw mode.
    let was_raw = RAW.swap(true, Ordering::Relaxed);
    if !was_raw {
        terminal::enable_raw_mode()?;
    }
    let key = loop {
        match event::read() {
            // Some systems report a key twice, when it is pressed and when it is released.
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                if let Some(name) = key_name(key) {
                    break Ok(Some(name));
                }
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    if !was_raw {
        RAW.store(false, Ordering::Relaxed);
        terminal::disable_raw_mode()?;
    }
    key
}

/// The next character of an input that is not a keyboard.
fn piped_key() -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    for byte in io::stdin().lock().bytes() {
        bytes.push(byte?);
        if let Ok(text) = std::str::from_utf8(&bytes) {
            return Ok(Some(if text == "\n" { "enter".to_owned() } else { text.to_owned() }));
        }
        // The longest encoding of a character in UTF-8.
        if bytes.len() == 4 {
            break;
        }
    }
    if bytes.is_empty() { Ok(None) } else { Err(io::Error::other("not valid UTF-8")) }
}

/// The name of a key: the character itself, or a word, after its modifiers.
fn key_name(key: KeyEvent) -> Option<String> {
    let named = KEYS.iter().find(|(code, _)| *code == key.code).map(|(_, name)| *name);
    let name = match (named, key.code) {
        (Some(name), _) => name.to_owned(),
        (None, KeyCode::Char(char)) => char.to_string(),
        (None, KeyCode::F(number)) => format!("f{number}"),
        (None, _) => return None,
    };
    let mut prefix = String::new();
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        prefix.push_str("ctrl-");
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        prefix.push_str("alt-");
    }
    Some(prefix + &name)
}

const KEYS: &[(KeyCode, &str)] = &[
    (KeyCode::Enter, "enter"),
    (KeyCode::Esc, "esc"),
    (KeyCode::Tab, "tab"),
    (KeyCode::BackTab, "shift-tab"),
    (KeyCode::Backspace, "backspace"),
    (KeyCode::Delete, "delete"),
    (KeyCode::Insert, "insert"),
    (KeyCode::Up, "up"),
    (KeyCode::Down, "down"),
    (KeyCode::Left, "left"),
    (KeyCode::Right, "right"),
    (KeyCode::Home, "home"),
    (KeyCode::End, "end"),
    (KeyCode::PageUp, "page-up"),
    (KeyCode::PageDown, "page-down"),
];

const COLOURS: &[(&str, Color)] = &[
    ("black", Color::Black),
    ("red", Color::Red),
    ("green", Color::Green),
    ("yellow", Color::Yellow),
    ("blue", Color::Blue),
    ("magenta", Color::Magenta),
    ("cyan", Color::Cyan),
    ("white", Color::White),
    ("grey", Color::Grey),
    ("dark_red", Color::DarkRed),
    ("dark_green", Color::DarkGreen),
    ("dark_yellow", Color::DarkYellow),
    ("dark_blue", Color::DarkBlue),
    ("dark_magenta", Color::DarkMagenta),
    ("dark_cyan", Color::DarkCyan),
    ("dark_grey", Color::DarkGrey),
];

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::key_name;

    #[test]
    fn keys_are_named_after_their_modifiers() {
        let name = |code, modifiers| key_name(KeyEvent::new(code, modifiers));
        assert_eq!(name(KeyCode::Char('c'), KeyModifiers::CONTROL), Some("ctrl-c".to_owned()));
        assert_eq!(name(KeyCode::Char('A'), KeyModifiers::SHIFT), Some("A".to_owned()));
        assert_eq!(name(KeyCode::F(5), KeyModifiers::NONE), Some("f5".to_owned()));
        assert_eq!(name(KeyCode::Up, KeyModifiers::ALT), Some("alt-up".to_owned()));
        assert_eq!(name(KeyCode::CapsLock, KeyModifiers::NONE), None);
    }
}
