//! The printer: decides which groups fit on a line and prints the commands.
//!
//! After Oppen, "Prettyprinting" (1980), with the groups of Wadler, "A prettier printer" (2003): a
//! group is printed on one line if it fits together with what follows up to the next possible line
//! break; otherwise all of its own breaks are taken. One pass with bounded lookahead.

use super::commands::{GroupLayout, HuggedPart, LayoutCommand, LayoutCommands};

/// The maximum line width.
const WIDTH: usize = 100;

/// Spaces per indentation level.
const INDENT: usize = 2;

/// Prints the commands.
pub(super) fn print(commands: &LayoutCommands<'_>) -> String {
    let mut printer = Printer {
        commands: &commands.commands,
        flat_widths: flat_widths(&commands.commands),
        out: String::new(),
        column: 0,
        indent: 0,
        pending_newlines: 0,
        group_layouts: Vec::new(),
        pending_comment: None,
    };
    for at in 0..commands.commands.len() {
        printer.print_command(at);
    }
    printer.end_line();
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer<'c, 't> {
    commands: &'c [LayoutCommand<'t>],
    /// For each command, the total flat width of the commands before it, so that the width of any
    /// range is one subtraction.
    flat_widths: Vec<usize>,
    out: String,
    column: usize,
    indent: usize,
    /// Line breaks to print before the next text.
    pending_newlines: usize,
    /// For each open group whether it is broken: only `IfFits` and `Broken` occur.
    group_layouts: Vec<GroupLayout>,
    /// A comment to print before the next line break.
    pending_comment: Option<&'t str>,
}

impl<'t> Printer<'_, 't> {
    fn print_command(&mut self, at: usize) {
        match self.commands[at] {
            LayoutCommand::Text(text) => self.text(text),
            LayoutCommand::Space => self.space(),
            LayoutCommand::Line if self.is_broken() => self.end_line(),
            LayoutCommand::Line => self.space(),
            LayoutCommand::SoftLine if self.is_broken() => self.end_line(),
            LayoutCommand::SoftLine | LayoutCommand::Nothing => {}
            LayoutCommand::LineUnlessBroken if self.is_broken() => self.space(),
            LayoutCommand::LineUnlessBroken | LayoutCommand::HardLine => self.end_line(),
            LayoutCommand::BlankLine if self.pending_newlines > 0 => self.pending_newlines = 2,
            LayoutCommand::BlankLine => {}
            LayoutCommand::TrailingComma if self.is_broken() => self.text(","),
            LayoutCommand::TrailingComma => {}
            LayoutCommand::TrailingComment(text) => {
                if self.pending_comment.is_some() {
                    self.end_line();
                }
                self.pending_comment = Some(text);
            }
            LayoutCommand::CommentLine(text) => {
                self.end_line();
                self.text(text);
                self.end_line();
            }
            LayoutCommand::Group { end, layout, hug } => {
                let stays = match layout {
                    GroupLayout::IfFits => {
                        self.fits(at, end as usize) || self.stays_hugged(at, layout, hug)
                    }
                    GroupLayout::LinePerIfBranch => self.if_branches_fit(at, end as usize),
                    GroupLayout::BrokenInHug => self.stays_hugged(at, layout, hug),
                    GroupLayout::Broken => false,
                };
                self.group_layouts.push(if stays {
                    GroupLayout::IfFits
                } else {
                    GroupLayout::Broken
                });
            }
            LayoutCommand::GroupEnd => {
                self.group_layouts.pop();
            }
            LayoutCommand::Indent if self.is_broken() => self.indent += INDENT,
            LayoutCommand::Dedent if self.is_broken() => self.indent -= INDENT,
            LayoutCommand::Indent | LayoutCommand::Dedent => {}
        }
    }

    fn is_broken(&self) -> bool {
        self.group_layouts.last().is_none_or(|layout| *layout == GroupLayout::Broken)
    }

    fn text(&mut self, text: &str) {
        // A comma still belongs before a pending comment: `a, // note`.
        if text != "," && self.pending_comment.is_some() {
            self.end_line();
        }
        self.start_line();
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn space(&mut self) {
        if self.pending_comment.is_none() && self.pending_newlines == 0 && !self.out.is_empty()
        {
            self.out.push(' ');
            self.column += 1;
        }
    }

    fn end_line(&mut self) {
        if let Some(comment) = self.pending_comment.take() {
            self.start_line();
            if !self.out.is_empty() && !self.out.ends_with('\n') {
                self.out.push(' ');
            }
            self.out.push_str(comment);
        }
        self.pending_newlines = self.pending_newlines.max(1);
    }

    /// Prints the pending line breaks and the indentation.
    fn start_line(&mut self) {
        if self.pending_newlines == 0 {
            return;
        }
        // A space before a break that was taken after all.
        let trimmed = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed);
        // No blank line after an opening bracket.
        let after_open = self.out.ends_with(['{', '(', '[']);
        let newlines = if after_open { 1 } else { self.pending_newlines };
        self.pending_newlines = 0;
        if self.out.is_empty() {
            return;
        }
        for _ in 0..newlines {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', self.indent));
        self.column = self.indent;
    }

    /// Whether a group stays unbroken although its hugged part breaks: everything before that part
    /// fits, and so does the part up to its first possible line break.
    fn stays_hugged(&self, group: usize, layout: GroupLayout, hug: HuggedPart) -> bool {
        let (start, end) = match hug {
            HuggedPart::Nothing => return false,
            HuggedPart::Part { start, end } => (start as usize, end as usize),
            HuggedPart::LongPart { start, end } => {
                let (start, end) = (start as usize, end as usize);
                let own_line =
                    self.indent + INDENT + self.flat_widths[end] - self.flat_widths[start];
                if layout == GroupLayout::IfFits && own_line <= WIDTH {
                    return false;
                }
                (start, end)
            }
        };
        // The search stops after one line width, which keeps the lookahead bounded.
        let first_end = (start..end).find(|at| {
            is_line_end(&self.commands[*at])
                || self.flat_widths[*at] - self.flat_widths[start] > WIDTH
        });
        first_end.is_some_and(|at| {
            self.next_column() + self.flat_widths[at] - self.flat_widths[group] <= WIDTH
        })
    }

    /// Whether every branch of an `if` chain fits on a line of its own.
    fn if_branches_fit(&self, start: usize, end: usize) -> bool {
        let mut from = start;
        let mut column = self.next_column();
        for at in start..=end {
            if at == end || matches!(self.commands[at], LayoutCommand::LineUnlessBroken) {
                if column + self.flat_widths[at] - self.flat_widths[from] > WIDTH {
                    return false;
                }
                from = at;
                column = self.indent;
            }
        }
        true
    }

    /// The column where the next text starts.
    fn next_column(&self) -> usize {
        if self.pending_newlines > 0 { self.indent } else { self.column }
    }

    /// Whether a group fits together with the rest of its line. The line continues to the next
    /// break of an enclosing broken group, or to the first possible break in a later group.
    fn fits(&self, start: usize, end: usize) -> bool {
        let mut width = self.next_column() + self.flat_widths[end] - self.flat_widths[start];
        let mut around = self.group_layouts.iter().rev();
        let mut layout = GroupLayout::IfFits;
        let mut n_inner = 0_usize;
        for command in &self.commands[end..] {
            if width > WIDTH {
                return false;
            }
            match command {
                LayoutCommand::Text(text) => width += text.chars().count(),
                LayoutCommand::Space => width += 1,
                LayoutCommand::Line if n_inner == 0 && layout == GroupLayout::IfFits => {
                    width += 1
                }
                LayoutCommand::SoftLine if n_inner == 0 && layout == GroupLayout::IfFits => {}
                LayoutCommand::TrailingComma
                    if n_inner == 0 && layout == GroupLayout::Broken =>
                {
                    width += 1
                }
                LayoutCommand::Line
                | LayoutCommand::SoftLine
                | LayoutCommand::LineUnlessBroken
                | LayoutCommand::HardLine
                | LayoutCommand::BlankLine
                | LayoutCommand::CommentLine(_)
                | LayoutCommand::TrailingComment(_) => break,
                LayoutCommand::Group { .. } => n_inner += 1,
                LayoutCommand::GroupEnd if n_inner > 0 => n_inner -= 1,
                // The first unmatched `GroupEnd` closes the group itself; each later one leaves an
                // enclosing group, whose layout decides what its breaks print.
                LayoutCommand::GroupEnd => {
                    layout = *around.next().unwrap_or(&GroupLayout::Broken)
                }
                LayoutCommand::TrailingComma
                | LayoutCommand::Indent
                | LayoutCommand::Dedent
                | LayoutCommand::Nothing => {}
            }
        }
        width <= WIDTH
    }
}

/// Whether a line may end at a command.
fn is_line_end(command: &LayoutCommand<'_>) -> bool {
    matches!(
        command,
        LayoutCommand::Line
            | LayoutCommand::SoftLine
            | LayoutCommand::LineUnlessBroken
            | LayoutCommand::HardLine
            | LayoutCommand::CommentLine(_)
            | LayoutCommand::TrailingComment(_)
    )
}

fn flat_widths(commands: &[LayoutCommand<'_>]) -> Vec<usize> {
    let mut widths = Vec::with_capacity(commands.len() + 1);
    let mut width = 0;
    for command in commands {
        widths.push(width);
        width += match command {
            LayoutCommand::Text(text) => text.chars().count(),
            LayoutCommand::Space | LayoutCommand::Line => 1,
            LayoutCommand::SoftLine
            | LayoutCommand::LineUnlessBroken
            | LayoutCommand::HardLine
            | LayoutCommand::BlankLine
            | LayoutCommand::TrailingComma
            | LayoutCommand::TrailingComment(_)
            | LayoutCommand::CommentLine(_)
            | LayoutCommand::Group { .. }
            | LayoutCommand::GroupEnd
            | LayoutCommand::Indent
            | LayoutCommand::Dedent
            | LayoutCommand::Nothing => 0,
        };
    }
    widths.push(width);
    widths
}
