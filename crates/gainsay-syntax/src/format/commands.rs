//! What the printer is told.

/// One command.
#[derive(Debug, Clone)]
pub(super) enum LayoutCommand<'t> {
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
    LineUnlessBroken,
    /// A line end.
    HardLine,
    /// An empty line, if one is allowed here.
    BlankLine,
    /// A comma if the group is broken.
    TrailingComma,
    /// A comment that ends its line.
    TrailingComment(&'t str),
    /// A comment on a line of its own.
    CommentLine(&'t str),
    /// Opens a group; `end` is its [`LayoutCommand::GroupEnd`].
    Group {
        end: u32,
        layout: GroupLayout,
        hug: HuggedPart,
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
pub(super) enum GroupLayout {
    /// If it fits.
    IfFits,
    /// If what stands between its rungs fits on a line each.
    LinePerIfBranch,
    /// Only up to the part it hugs: a line end is certain in that part.
    BrokenInHug,
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
pub(super) enum HuggedPart {
    /// No part of it is hugged.
    Nothing,
    /// The part between these commands.
    Part { start: u32, end: u32 },
    /// The part between these commands, unless it fits on a line of its own.
    LongPart { start: u32, end: u32 },
}

/// When a part is hugged.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum HugPolicy {
    Never,
    /// Whenever the group does not fit.
    Always,
    /// If the part does not fit on a line of its own either.
    IfLong,
}

/// The commands for a file, in order.
#[derive(Default)]
pub(super) struct LayoutCommands<'t> {
    pub(super) commands: Vec<LayoutCommand<'t>>,
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
pub(super) struct CommandIndex(usize);

impl<'t> LayoutCommands<'t> {
    pub(super) fn text(&mut self, text: &'t str) {
        if text != "," && self.comment_pending {
            self.break_open_groups();
        }
        self.commands.push(LayoutCommand::Text(text));
    }

    pub(super) fn verbatim(&mut self, text: &'t str) {
        self.break_open_groups();
        self.commands.push(LayoutCommand::Verbatim(text));
    }

    pub(super) fn space(&mut self) {
        self.commands.push(LayoutCommand::Space);
    }

    pub(super) fn line(&mut self) {
        self.commands.push(LayoutCommand::Line);
        self.break_for_comment();
    }

    pub(super) fn soft_line(&mut self) {
        self.commands.push(LayoutCommand::SoftLine);
        self.break_for_comment();
    }

    pub(super) fn line_unless_broken(&mut self) {
        self.commands.push(LayoutCommand::LineUnlessBroken);
        self.break_for_comment();
    }

    pub(super) fn hard_line(&mut self) {
        self.break_open_groups();
        self.commands.push(LayoutCommand::HardLine);
    }

    pub(super) fn blank_line(&mut self) {
        self.commands.push(LayoutCommand::BlankLine);
    }

    pub(super) fn trailing_comma(&mut self) {
        self.commands.push(LayoutCommand::TrailingComma);
    }

    /// The comment breaks only the groups that go on after it.
    pub(super) fn trailing_comment(&mut self, text: &'t str) {
        self.commands.push(LayoutCommand::TrailingComment(text));
        self.comment_pending = true;
    }

    pub(super) fn comment_line(&mut self, text: &'t str) {
        self.break_open_groups();
        self.commands.push(LayoutCommand::CommentLine(text));
    }

    pub(super) fn indent(&mut self) {
        self.commands.push(LayoutCommand::Indent);
    }

    pub(super) fn dedent(&mut self) {
        self.commands.push(LayoutCommand::Dedent);
    }

    pub(super) fn group(&mut self, layout: GroupLayout) {
        if layout == GroupLayout::LinePerIfBranch {
            self.break_open_groups();
        }
        self.open.push(self.commands.len() as u32);
        self.unbroken.push(self.commands.len() as u32);
        self.commands.push(LayoutCommand::Group { end: 0, layout, hug: HuggedPart::Nothing });
        if layout == GroupLayout::Broken {
            self.break_open_groups();
        }
    }

    pub(super) fn group_end(&mut self) {
        let at = self.commands.len() as u32;
        self.commands.push(LayoutCommand::GroupEnd);
        let start = self.open.pop().expect("a group that ends was opened");
        if self.unbroken.last() == Some(&start) {
            self.unbroken.pop();
        }
        if let LayoutCommand::Group { end, .. } = &mut self.commands[start as usize] {
            *end = at;
        }
    }

    /// The place of the next command.
    pub(super) fn mark(&self) -> CommandIndex {
        CommandIndex(self.commands.len())
    }

    /// Whether a line end is certain among the commands since a mark.
    pub(super) fn breaks_since(&self, mark: CommandIndex) -> bool {
        self.commands[mark.0..].iter().any(|command| {
            matches!(
                command,
                LayoutCommand::HardLine
                    | LayoutCommand::LineUnlessBroken
                    | LayoutCommand::Verbatim(_)
                    | LayoutCommand::CommentLine(_)
                    | LayoutCommand::TrailingComment(_)
                    | LayoutCommand::Group {
                        layout: GroupLayout::Broken | GroupLayout::BrokenInHug,
                        ..
                    }
            )
        })
    }

    /// Forbids line ends among the commands since a mark, where none is certain.
    pub(super) fn flatten_since(&mut self, mark: CommandIndex) {
        if self.breaks_since(mark) {
            return;
        }
        for command in &mut self.commands[mark.0..] {
            if matches!(command, LayoutCommand::Line) {
                *command = LayoutCommand::Space;
            } else if matches!(command, LayoutCommand::SoftLine | LayoutCommand::TrailingComma)
            {
                *command = LayoutCommand::Nothing;
            }
        }
    }

    /// Begins the part that the innermost group hugs.
    pub(super) fn start_hug(&mut self, hugging: HugPolicy) {
        let start = self.commands.len() as u32;
        let open = *self.open.last().expect("a group is open where something is hugged");
        if let LayoutCommand::Group { hug, .. } = &mut self.commands[open as usize] {
            *hug = match hugging {
                HugPolicy::Never => return,
                HugPolicy::Always => HuggedPart::Part { start, end: start },
                HugPolicy::IfLong => HuggedPart::LongPart { start, end: start },
            };
            self.hugging.push(open);
        }
    }

    /// Ends the part that the innermost group hugs, if it hugs one.
    pub(super) fn end_hug(&mut self) {
        let now = self.commands.len() as u32;
        let open = *self.open.last().expect("a group is open where something is hugged");
        if self.hugging.last() != Some(&open) {
            return;
        }
        self.hugging.pop();
        if let LayoutCommand::Group { hug, .. } = &mut self.commands[open as usize]
            && let HuggedPart::Part { end, .. } | HuggedPart::LongPart { end, .. } = hug
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
            && let LayoutCommand::Group { layout, .. } = &mut self.commands[*open as usize]
        {
            *layout = GroupLayout::Broken;
        }
    }

    fn break_for_comment(&mut self) {
        if self.comment_pending {
            self.break_open_groups();
        }
    }

    fn break_open_groups(&mut self) {
        self.comment_pending = false;
        while let Some(start) = self.unbroken.pop() {
            let is_in_hug = self.hugging.binary_search(&start).is_ok();
            if let LayoutCommand::Group { layout, .. } = &mut self.commands[start as usize] {
                *layout =
                    if is_in_hug { GroupLayout::BrokenInHug } else { GroupLayout::Broken };
            }
        }
    }
}
