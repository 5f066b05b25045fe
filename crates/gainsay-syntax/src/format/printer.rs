//! Commands to text: which groups fit on a line.
//!
//! After Oppen, "Prettyprinting" (1980), with the groups of Wadler, "A prettier printer"
//! (2003): a group is printed on one line if it and what follows up to the next possible line
//! end fit, otherwise all of its own lines break. One pass, with a bounded look ahead.

use super::commands::{GroupLayout, HuggedPart, LayoutCommand, LayoutCommands};

/// The width of a line.
const WIDTH: usize = 100;

/// The indent of a level.
const INDENT: usize = 2;

/// The text the commands describe.
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
    /// The width of all commands before each one, were everything on one line.
    flat_widths: Vec<usize>,
    out: String,
    column: usize,
    indent: usize,
    /// Line ends to print before the next text.
    pending_newlines: usize,
    /// For each open group whether it is broken.
    group_layouts: Vec<GroupLayout>,
    /// A comment to print before the next line end.
    pending_comment: Option<&'t str>,
}

impl<'t> Printer<'_, 't> {
    fn print_command(&mut self, at: usize) {
        match self.commands[at] {
            LayoutCommand::Text(text) => self.text(text),
            LayoutCommand::Verbatim(text) => self.verbatim(text),
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
        if text != "," && self.pending_comment.is_some() {
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

    /// Prints the line ends that are due, and the indent.
    fn start_line(&mut self) {
        if self.pending_newlines == 0 {
            return;
        }
        let trimmed = self.out.trim_end_matches(' ').len();
        self.out.truncate(trimmed);
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

    /// Whether a group stays together although a part of it breaks: all before that part fits,
    /// and so does the part up to its first possible line end.
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
        let first_end = (start..end).find(|at| {
            is_line_end(&self.commands[*at])
                || self.flat_widths[*at] - self.flat_widths[start] > WIDTH
        });
        first_end.is_some_and(|at| {
            self.next_column() + self.flat_widths[at] - self.flat_widths[group] <= WIDTH
        })
    }

    /// Whether all rungs of a ladder fit on a line each.
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

    /// The column of the next text.
    fn next_column(&self) -> usize {
        if self.pending_newlines > 0 { self.indent } else { self.column }
    }

    /// Whether a group and the rest of its line fit. The line goes on to the next line end of a
    /// group around it that is broken, or to the first one in a group after it.
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
                | LayoutCommand::Verbatim(_)
                | LayoutCommand::CommentLine(_)
                | LayoutCommand::TrailingComment(_) => break,
                LayoutCommand::Group { .. } => n_inner += 1,
                LayoutCommand::GroupEnd if n_inner > 0 => n_inner -= 1,
                // The first one is the end of the group itself.
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
            | LayoutCommand::Verbatim(_)
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
            LayoutCommand::Verbatim(_)
            | LayoutCommand::SoftLine
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
