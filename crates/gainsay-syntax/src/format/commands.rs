//! What the printer is told.

/// One command.
#[derive(Debug, Clone)]
pub(super) enum Command<'t> {
    /// Text that is never broken.
    Text(&'t str),
    /// Text over several lines, printed as it is.
    Verbatim(&'t str),
    /// A space.
    Space,
    /// A space, or a line end if the group is broken.
    Line,
    /// Nothing, or a line end if the group is broken.
    SoftLine,
    /// A line end.
    HardLine,
    /// An empty line, if one is allowed here.
    Blank,
    /// A comma if the group is broken.
    TrailingComma,
    /// A comment that ends its line.
    TrailingComment(&'t str),
    /// A comment on a line of its own.
    OwnComment(&'t str),
    /// Opens a group; `end` is its [`Command::GroupEnd`].
    Group {
        end: u32,
        layout: Layout,
    },
    GroupEnd,
    Indent,
    Dedent,
    /// Nothing: a place that was reserved and not needed.
    Nothing,
}

/// Whether a group may stay on one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// If it fits.
    Fitting,
    /// Never.
    Broken,
}

/// The commands for a file, in order.
#[derive(Default)]
pub(super) struct Commands<'t> {
    pub(super) list: Vec<Command<'t>>,
    open: Vec<u32>,
    /// Those of the open groups that are not broken yet.
    unbroken: Vec<u32>,
    /// A comment ends the current line: whatever can break next must.
    comment_pending: bool,
}

/// A place among the commands.
#[derive(Copy, Clone)]
pub(super) struct Mark(usize);

impl<'t> Commands<'t> {
    pub(super) fn text(&mut self, text: &'t str) {
        if text != "," && self.comment_pending {
            self.break_open_groups();
        }
        self.list.push(Command::Text(text));
    }

    pub(super) fn verbatim(&mut self, text: &'t str) {
        self.break_open_groups();
        self.list.push(Command::Verbatim(text));
    }

    pub(super) fn space(&mut self) {
        self.list.push(Command::Space);
    }

    pub(super) fn line(&mut self) {
        self.list.push(Command::Line);
        self.settle_comment();
    }

    pub(super) fn soft_line(&mut self) {
        self.list.push(Command::SoftLine);
        self.settle_comment();
    }

    pub(super) fn hard_line(&mut self) {
        self.break_open_groups();
        self.list.push(Command::HardLine);
    }

    pub(super) fn blank(&mut self) {
        self.list.push(Command::Blank);
    }

    pub(super) fn trailing_comma(&mut self) {
        self.list.push(Command::TrailingComma);
    }

    /// The comment breaks only the groups that go on after it.
    pub(super) fn trailing_comment(&mut self, text: &'t str) {
        self.list.push(Command::TrailingComment(text));
        self.comment_pending = true;
    }

    pub(super) fn own_comment(&mut self, text: &'t str) {
        self.break_open_groups();
        self.list.push(Command::OwnComment(text));
    }

    pub(super) fn indent(&mut self) {
        self.list.push(Command::Indent);
    }

    pub(super) fn dedent(&mut self) {
        self.list.push(Command::Dedent);
    }

    pub(super) fn group(&mut self, layout: Layout) {
        self.open.push(self.list.len() as u32);
        self.unbroken.push(self.list.len() as u32);
        self.list.push(Command::Group { end: 0, layout });
        if layout == Layout::Broken {
            self.break_open_groups();
        }
    }

    pub(super) fn group_end(&mut self) {
        let at = self.list.len() as u32;
        self.list.push(Command::GroupEnd);
        let start = self.open.pop().expect("a group that ends was opened");
        if self.unbroken.last() == Some(&start) {
            self.unbroken.pop();
        }
        if let Command::Group { end, .. } = &mut self.list[start as usize] {
            *end = at;
        }
    }

    /// The place of the next command.
    pub(super) fn mark(&self) -> Mark {
        Mark(self.list.len())
    }

    /// Whether a line end is certain among the commands since a mark.
    pub(super) fn breaks_since(&self, mark: Mark) -> bool {
        self.list[mark.0..].iter().any(|command| {
            matches!(
                command,
                Command::HardLine
                    | Command::Verbatim(_)
                    | Command::OwnComment(_)
                    | Command::TrailingComment(_)
                    | Command::Group { layout: Layout::Broken, .. }
            )
        })
    }

    /// Forbids line ends among the commands since a mark, where none is certain.
    pub(super) fn flatten_since(&mut self, mark: Mark) {
        if self.breaks_since(mark) {
            return;
        }
        for command in &mut self.list[mark.0..] {
            if matches!(command, Command::Line) {
                *command = Command::Space;
            } else if matches!(command, Command::SoftLine | Command::TrailingComma) {
                *command = Command::Nothing;
            }
        }
    }

    /// Takes back the command at a mark.
    pub(super) fn erase(&mut self, mark: Mark) {
        self.list[mark.0] = Command::Nothing;
    }

    /// Takes back the indent right before one mark and the dedent at another.
    pub(super) fn erase_indent(&mut self, after_indent: Mark, dedent: Mark) {
        self.list[after_indent.0 - 1] = Command::Nothing;
        self.list[dedent.0] = Command::Nothing;
    }

    /// Puts a space in place of the command at a mark.
    pub(super) fn keep_together(&mut self, mark: Mark) {
        self.list[mark.0] = Command::Space;
    }

    fn settle_comment(&mut self) {
        if self.comment_pending {
            self.break_open_groups();
        }
    }

    fn break_open_groups(&mut self) {
        self.comment_pending = false;
        while let Some(start) = self.unbroken.pop() {
            if let Command::Group { layout, .. } = &mut self.list[start as usize] {
                *layout = Layout::Broken;
            }
        }
    }
}
