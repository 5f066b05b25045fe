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
    /// A line end, or a space if the group is broken.
    Rung,
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
        hug: Hug,
    },
    GroupEnd,
    /// One level in, if the group is broken.
    Indent,
    /// One level out, if the group is broken.
    Dedent,
    /// Nothing: a place that was reserved and not needed.
    Nothing,
}

/// Whether a group may stay on one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Layout {
    /// If it fits.
    Fitting,
    /// If what stands between its rungs fits on a line each.
    Rungs,
    /// Only up to the part it hugs: a line end is certain in that part.
    Bent,
    /// Never.
    Broken,
}

/// Whether a group that does not fit may stay together as long as one part of it breaks.
///
/// ```text
/// xs.map(|x| {
///   ..
/// })
/// ```
///
/// The answer may not depend on who broke that part, the author or the width: what the width
/// breaks today is the author's tomorrow, and must then look the same.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum Hug {
    /// No part of it is hugged.
    Nothing,
    /// The part between these commands.
    Part { start: u32, end: u32 },
    /// The part between these commands, unless it fits on a line of its own.
    LongPart { start: u32, end: u32 },
}

/// When a part is hugged.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Hugging {
    Never,
    /// Whenever the group does not fit.
    Always,
    /// If the part does not fit on a line of its own either.
    IfLong,
}

/// The commands for a file, in order.
#[derive(Default)]
pub(super) struct Commands<'t> {
    pub(super) list: Vec<Command<'t>>,
    open: Vec<u32>,
    /// Those of the open groups that are not broken yet.
    unbroken: Vec<u32>,
    /// Those of the open groups whose hugged part is being written.
    hugging: Vec<u32>,
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

    pub(super) fn rung(&mut self) {
        self.list.push(Command::Rung);
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
        if layout == Layout::Rungs {
            self.break_open_groups();
        }
        self.open.push(self.list.len() as u32);
        self.unbroken.push(self.list.len() as u32);
        self.list.push(Command::Group { end: 0, layout, hug: Hug::Nothing });
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
                    | Command::Rung
                    | Command::Verbatim(_)
                    | Command::OwnComment(_)
                    | Command::TrailingComment(_)
                    | Command::Group { layout: Layout::Broken | Layout::Bent, .. }
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

    /// Begins the part that the innermost group hugs.
    pub(super) fn start_hug(&mut self, hugging: Hugging) {
        let start = self.list.len() as u32;
        let open = *self.open.last().expect("a group is open where something is hugged");
        if let Command::Group { hug, .. } = &mut self.list[open as usize] {
            *hug = match hugging {
                Hugging::Never => return,
                Hugging::Always => Hug::Part { start, end: start },
                Hugging::IfLong => Hug::LongPart { start, end: start },
            };
            self.hugging.push(open);
        }
    }

    /// Ends the part that the innermost group hugs, if it hugs one.
    pub(super) fn end_hug(&mut self) {
        let now = self.list.len() as u32;
        let open = *self.open.last().expect("a group is open where something is hugged");
        if self.hugging.last() != Some(&open) {
            return;
        }
        self.hugging.pop();
        if let Command::Group { hug, .. } = &mut self.list[open as usize]
            && let Hug::Part { end, .. } | Hug::LongPart { end, .. } = hug
        {
            *end = now;
        }
    }

    /// Breaks the innermost group if a comment ends the line here.
    pub(super) fn break_at_comment(&mut self) {
        if self.comment_pending {
            self.break_group();
        }
    }

    /// Breaks the innermost group, hug or not.
    pub(super) fn break_group(&mut self) {
        self.break_open_groups();
        if let Some(open) = self.open.last()
            && let Command::Group { layout, .. } = &mut self.list[*open as usize]
        {
            *layout = Layout::Broken;
        }
    }

    fn settle_comment(&mut self) {
        if self.comment_pending {
            self.break_open_groups();
        }
    }

    fn break_open_groups(&mut self) {
        self.comment_pending = false;
        while let Some(start) = self.unbroken.pop() {
            let is_in_hug = self.hugging.binary_search(&start).is_ok();
            if let Command::Group { layout, .. } = &mut self.list[start as usize] {
                *layout = if is_in_hug { Layout::Bent } else { Layout::Broken };
            }
        }
    }
}
