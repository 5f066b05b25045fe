//! Commands to text: which groups fit on a line.
//!
//! After Oppen, "Prettyprinting" (1980), with the groups of Wadler, "A prettier printer"
//! (2003): a group is printed on one line if it and what follows up to the next possible line
//! end fit, otherwise all of its own lines break. One pass, with a bounded look ahead.

use super::commands::{Command, Commands, Hug, Layout};

/// The width of a line.
const WIDTH: usize = 100;

/// The indent of a level.
const INDENT: usize = 2;

/// The text the commands describe.
pub(super) fn print(commands: &Commands<'_>) -> String {
    let mut printer = Printer {
        commands: &commands.list,
        flat: flat_widths(&commands.list),
        out: String::new(),
        column: 0,
        indent: 0,
        newlines: 0,
        broken: Vec::new(),
        comment: None,
    };
    for at in 0..commands.list.len() {
        printer.step(at);
    }
    printer.end_line();
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'c, 't> {
    commands: &'c [Command<'t>],
    /// The width of all commands before each one, were everything on one line.
    flat: Vec<usize>,
    out: String,
    column: usize,
    indent: usize,
    /// Line ends to print before the next text.
    newlines: usize,
    /// For each open group whether it is broken.
    broken: Vec<Layout>,
    /// A comment to print before the next line end.
    comment: Option<&'t str>,
}

impl<'t> Printer<'_, 't> {
    fn step(&mut self, at: usize) {
        match self.commands[at] {
            Command::Text(text) => self.text(text),
            Command::Verbatim(text) => self.verbatim(text),
            Command::Space => self.space(),
            Command::Line if self.is_broken() => self.end_line(),
            Command::Line => self.space(),
            Command::SoftLine if self.is_broken() => self.end_line(),
            Command::SoftLine | Command::Nothing => {}
            Command::Rung if self.is_broken() => self.space(),
            Command::Rung | Command::HardLine => self.end_line(),
            Command::Blank if self.newlines > 0 => self.newlines = 2,
            Command::Blank => {}
            Command::TrailingComma if self.is_broken() => self.text(","),
            Command::TrailingComma => {}
            Command::TrailingComment(text) => {
                if self.comment.is_some() {
                    self.end_line();
                }
                self.comment = Some(text);
            }
            Command::OwnComment(text) => {
                self.end_line();
                self.text(text);
                self.end_line();
            }
            Command::Group { end, layout, hug } => {
                let stays = match layout {
                    Layout::Fitting => {
                        self.fits(at, end as usize) || self.hugs(at, layout, hug)
                    }
                    Layout::Rungs => self.rungs_fit(at, end as usize),
                    Layout::Bent => self.hugs(at, layout, hug),
                    Layout::Broken => false,
                };
                self.broken.push(if stays { Layout::Fitting } else { Layout::Broken });
            }
            Command::GroupEnd => {
                self.broken.pop();
            }
            Command::Indent if self.is_broken() => self.indent += INDENT,
            Command::Dedent if self.is_broken() => self.indent -= INDENT,
            Command::Indent | Command::Dedent => {}
        }
    }

    fn is_broken(&self) -> bool {
        self.broken.last().is_none_or(|layout| *layout == Layout::Broken)
    }

    fn text(&mut self, text: &str) {
        if text != "," && self.comment.is_some() {
            self.end_line();
        }
        self.start_line();
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn verbatim(&mut self, text: &str) {
        self.text("");
        for (number, line) in text.lines().enumerate() {
            if number > 0 {
                self.out.push('\n');
            }
            self.out.push_str(line.trim_end());
        }
    }

    fn space(&mut self) {
        if self.comment.is_none() && self.newlines == 0 && !self.out.is_empty() {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn end_line(&mut self) {
        if let Some(comment) = self.comment.take() {
            self.start_line();
            if !self.out.is_empty() && !self.out.ends_with('\n') {
                self.out.push(' ');
            }
            self.out.push_str(comment);
        }
        self.newlines = self.newlines.max(1);
    }

    /// Prints the line ends that are due, and the indent.
    fn start_line(&mut self) {
        if self.newlines == 0 {
            return;
        }
        let trimmed = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed);
        let after_open = self.out.ends_with(['{', '(', '[']);
        let newlines = if after_open { 1 } else { self.newlines };
        self.newlines = 0;
        if self.out.is_empty() {
            return;
        }
        for _ in 0..newlines {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.column = self.indent;
    }

    /// Whether a group stays together although a part of it breaks: all before that part fits,
    /// and so does the part up to its first possible line end.
    fn hugs(&self, group: usize, layout: Layout, hug: Hug) -> bool {
        let (start, end) = match hug {
            Hug::Nothing => return false,
            Hug::Part { start, end } => (start as usize, end as usize),
            Hug::LongPart { start, end } => {
                let (start, end) = (start as usize, end as usize);
                let own_line = self.indent + INDENT + self.flat[end] - self.flat[start];
                if layout == Layout::Fitting && own_line <= WIDTH {
                    return false;
                }
                (start, end)
            }
        };
        let first_end = (start..end).find(|at| {
            is_line_end(&self.commands[*at]) || self.flat[*at] - self.flat[start] > WIDTH
        });
        first_end
            .is_some_and(|at| self.next_column() + self.flat[at] - self.flat[group] <= WIDTH)
    }

    /// Whether all rungs of a ladder fit on a line each.
    fn rungs_fit(&self, start: usize, end: usize) -> bool {
        let mut from = start;
        let mut column = self.next_column();
        for at in start..=end {
            if at == end || matches!(self.commands[at], Command::Rung) {
                if column + self.flat[at] - self.flat[from] > WIDTH {
                    return false;
                }
                from = at;
                column = self.indent;
            }
        }
        true
    }

    /// The column of the next text.
    fn next_column(&self) -> usize {
        if self.newlines > 0 { self.indent } else { self.column }
    }

    /// Whether a group and the rest of its line fit. The line goes on to the next line end of a
    /// group around it that is broken, or to the first one in a group after it.
    fn fits(&self, start: usize, end: usize) -> bool {
        let mut width = self.next_column() + self.flat[end] - self.flat[start];
        let mut around = self.broken.iter().rev();
        let mut layout = Layout::Fitting;
        let mut n_inner = 0_usize;
        for command in &self.commands[end..] {
            if width > WIDTH {
                return false;
            }
            match command {
                Command::Text(text) => width += text.chars().count(),
                Command::Space => width += 1,
                Command::Line if n_inner == 0 && layout == Layout::Fitting => width += 1,
                Command::SoftLine if n_inner == 0 && layout == Layout::Fitting => {}
                Command::TrailingComma if n_inner == 0 && layout == Layout::Broken => {
                    width += 1
                }
                Command::Line
                | Command::SoftLine
                | Command::Rung
                | Command::HardLine
                | Command::Blank
                | Command::Verbatim(_)
                | Command::OwnComment(_)
                | Command::TrailingComment(_) => break,
                Command::Group { .. } => n_inner += 1,
                Command::GroupEnd if n_inner > 0 => n_inner -= 1,
                // The first one is the end of the group itself.
                Command::GroupEnd => layout = *around.next().unwrap_or(&Layout::Broken),
                Command::TrailingComma
                | Command::Indent
                | Command::Dedent
                | Command::Nothing => {}
            }
        }
        width <= WIDTH
    }
}

/// Whether a line may end at a command.
fn is_line_end(command: &Command<'_>) -> bool {
    matches!(
        command,
        Command::Line
            | Command::SoftLine
            | Command::Rung
            | Command::HardLine
            | Command::Verbatim(_)
            | Command::OwnComment(_)
            | Command::TrailingComment(_)
    )
}

fn flat_widths(commands: &[Command<'_>]) -> Vec<usize> {
    let mut widths = Vec::with_capacity(commands.len() + 1);
    let mut width = 0;
    for command in commands {
        widths.push(width);
        width += match command {
            Command::Text(text) => text.chars().count(),
            Command::Space | Command::Line => 1,
            Command::Verbatim(_)
            | Command::SoftLine
            | Command::Rung
            | Command::HardLine
            | Command::Blank
            | Command::TrailingComma
            | Command::TrailingComment(_)
            | Command::OwnComment(_)
            | Command::Group { .. }
            | Command::GroupEnd
            | Command::Indent
            | Command::Dedent
            | Command::Nothing => 0,
        };
    }
    widths.push(width);
    widths
}
