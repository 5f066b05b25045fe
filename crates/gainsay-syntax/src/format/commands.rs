//! The layout commands that the formatter emits and the printer executes, and the buffer that
//! collects them. Groups are marked as broken here as soon as a line break inside them is certain.

/// One command.
#[derive(Debug, Clone)]
pub(super) enum LayoutCommand<'t> {
    /// Text without line breaks.
    Text(&'t str),
    /// A space.
    Space,
    /// A space, or a line break if the group is broken.
    Line,
    /// Nothing, or a line break if the group is broken.
    SoftLine,
    /// A line break, or a space if the group is broken.
    LineUnlessBroken,
    /// A line break.
    HardLine,
    /// A blank line, if one is allowed here.
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
    /// Indents one level, if the group is broken.
    Indent,
    /// Dedents one level, if the group is broken.
    Dedent,
    /// A no-op: a reserved command that was not needed.
    Nothing,
}

/// When a group stays on one line.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum GroupLayout {
    /// If it fits.
    IfFits,
    /// If the text between its [`LayoutCommand::LineUnlessBroken`]s fits on a line each.
    LinePerIfBranch,
    /// Only up to its hugged part, which is certain to contain a line break.
    BrokenInHug,
    /// Never.
    Broken,
}

/// Which part of a group may break while the rest of the group stays unbroken.
///
/// ```text
/// xs.map(|x| {
///   ..
/// })
/// ```
///
/// The layout may not depend on whether the author or the line width broke that part: what the
/// width breaks now looks author-broken to the next run, and formatting must be idempotent.
#[derive(Debug, Copy, Clone, PartialEq, Eq)]
pub(super) enum HuggedPart {
    /// None.
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
    /// The open groups that are not broken yet.
    unbroken: Vec<u32>,
    /// The open groups whose hugged part is being emitted, ascending.
    hugging: Vec<u32>,
    /// A comment ends the current line, so the next possible line break must be taken.
    comment_pending: bool,
}

/// A position in the command buffer.
#[derive(Copy, Clone)]
pub(super) struct CommandIndex(usize);

impl<'t> LayoutCommands<'t> {
    pub(super) fn text(&mut self, text: &'t str) {
        // The comma of the item before the comment is printed ahead of it.
        if text != "," && self.comment_pending {
            self.break_open_groups();
        }
        self.commands.push(LayoutCommand::Text(text));
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

    /// Only the groups that continue after the comment break.
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
        // It is not there any more if it was broken meanwhile.
        if self.unbroken.last() == Some(&start) {
            self.unbroken.pop();
        }
        if let LayoutCommand::Group { end, .. } = &mut self.commands[start as usize] {
            *end = at;
        }
    }

    /// The position of the next command.
    pub(super) fn mark(&self) -> CommandIndex {
        CommandIndex(self.commands.len())
    }

    /// Whether the commands since a mark are certain to contain a line break.
    pub(super) fn breaks_since(&self, mark: CommandIndex) -> bool {
        self.commands[mark.0..].iter().any(|command| {
            matches!(
                command,
                LayoutCommand::HardLine
                    | LayoutCommand::LineUnlessBroken
                    | LayoutCommand::CommentLine(_)
                    | LayoutCommand::TrailingComment(_)
                    | LayoutCommand::Group {
                        layout: GroupLayout::Broken | GroupLayout::BrokenInHug,
                        ..
                    }
            )
        })
    }

    /// Turns the possible line breaks since a mark into spaces, unless one is certain.
    pub(super) fn flatten_since(&mut self, mark: CommandIndex) {
        // A comment or block inside would swallow what follows it on one line.
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

    /// Begins the hugged part of the innermost group.
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

    /// Ends the hugged part of the innermost group, if it has one.
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

    /// Breaks the innermost group, even in its hugged part.
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
        // Draining `unbroken` makes the total work linear: no group is marked twice.
        while let Some(start) = self.unbroken.pop() {
            // Groups are pushed to `hugging` in nesting order, so it is sorted.
            let is_in_hug = self.hugging.binary_search(&start).is_ok();
            if let LayoutCommand::Group { layout, .. } = &mut self.commands[start as usize] {
                *layout =
                    if is_in_hug { GroupLayout::BrokenInHug } else { GroupLayout::Broken };
            }
        }
    }
}
