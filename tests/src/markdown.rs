//! The fenced blocks of a Markdown document.

/// A fenced block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencedBlock {
    /// The line of its opening fence, from 1.
    pub line: usize,
    /// The words after the fence: `say`, `fails`, ...
    pub words: Vec<String>,
    /// The value of `title="..."` after the fence.
    pub title: Option<String>,
    /// The text between the fences.
    pub text: String,
}

impl FencedBlock {
    /// Whether the fence has a word.
    pub fn says(&self, word: &str) -> bool {
        self.words.iter().any(|it| it == word)
    }

    /// The language of the block, its first word.
    pub fn language(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }
}

/// The fenced blocks of a document, in order. A fence may be indented, as in a list; then its
/// indentation is removed from the block's lines.
pub fn blocks(document: &str) -> Vec<FencedBlock> {
    let mut found = Vec::new();
    let mut open: Option<(FencedBlock, String, usize)> = None;
    for (number, line) in (1..).zip(document.lines()) {
        let trimmed = line.trim_start();
        match &mut open {
            Some((block, fence, indentation)) => {
                if trimmed.trim_end() == fence.as_str() {
                    found.extend(open.take().map(|(block, _, _)| block));
                } else {
                    let spaces = line.len() - trimmed.len();
                    block.text.push_str(&line[spaces.min(*indentation)..]);
                    block.text.push('\n');
                }
            }
            None => {
                let n_ticks = trimmed.chars().take_while(|it| *it == '`').count();
                if n_ticks >= 3 {
                    let block = opened(number, &trimmed[n_ticks..]);
                    open = Some((block, "`".repeat(n_ticks), line.len() - trimmed.len()));
                }
            }
        }
    }
    found
}

/// An empty block with the attributes of its opening fence.
fn opened(line: usize, info: &str) -> FencedBlock {
    let (before, title, after) = match info.split_once("title=\"") {
        Some((before, rest)) => match rest.split_once('"') {
            Some((title, after)) => (before, Some(title.to_owned()), after),
            None => (before, Some(rest.to_owned()), ""),
        },
        None => (info, None, ""),
    };
    let words = [before, after].join(" ");
    let words = words.split([' ', ',']).filter(|it| !it.is_empty()).map(str::to_owned);
    FencedBlock { line, words: words.collect(), title, text: String::new() }
}

#[cfg(test)]
mod tests {
    use super::blocks;

    #[test]
    fn blocks_have_words_and_titles() {
        let found = blocks(
            "a\n```say run title=\"a.say\"\nfn f() {}\n```\n\n- x\n  ```output\n  1\n  ```\n",
        );
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].line, 2);
        assert!(found[0].says("run") && found[0].language() == "say");
        assert_eq!(found[0].title.as_deref(), Some("a.say"));
        assert_eq!(found[1].text, "1\n");
    }

    #[test]
    fn a_longer_fence_may_hold_a_shorter_one() {
        let found = blocks("````md\n```say\n```\n````\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].text, "```say\n```\n");
    }
}
