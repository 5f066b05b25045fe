//! Terminal captures for the README: `cargo xtask pictures` runs the command on examples and
//! writes what a terminal shows as SVG.

use std::fmt::Write as _;
use std::fs;

/// Each picture: its file in `docs/pictures`, and the command that it shows.
const PICTURES: [(&str, &[&str]); 2] = [
    ("failing_property.svg", &["test", "--seed", "1", "--no-cases", "examples/account.say"]),
    (
        "surviving_mutant.svg",
        &["mutate", "--why", "--operator", "comparison", "examples/shipping.say"],
    ),
];

/// A terminal of this width wraps longer lines.
const COLUMNS: usize = 100;

/// Pixels of a character cell in the font of the pictures.
const CELL: (f64, f64) = (8.4, 19.0);
const MARGIN: f64 = 16.0;

/// Writes all pictures.
pub(crate) fn write() -> Result<(), String> {
    let root = gainsay_ui::root();
    let folder = root.join("docs/pictures");
    fs::create_dir_all(&folder).map_err(|error| format!("cannot create a folder: {error}"))?;
    for (file, arguments) in PICTURES {
        let all: Vec<&str> = arguments.iter().copied().chain(["--color", "always"]).collect();
        let output = gainsay_ui::gainsay(&all, &root)
            .output()
            .map_err(|error| format!("cannot run gainsay: {error}"))?;
        let shown = String::from_utf8_lossy(&output.stdout);
        let text = format!("\u{1b}[1m$ gainsay {}\u{1b}[0m\n{shown}", arguments.join(" "));
        let path = folder.join(file);
        fs::write(&path, svg(&text))
            .map_err(|error| format!("cannot write {file}: {error}"))?;
        println!("docs/pictures/{file}");
    }
    Ok(())
}

/// How a character is drawn, as SGR sequences set it.
#[derive(Debug, Copy, Clone, Default, PartialEq, Eq)]
struct TextStyling {
    is_bold: bool,
    color: Option<&'static str>,
}

impl TextStyling {
    fn apply(&mut self, code: &str) {
        match code {
            "" | "0" => *self = Self::default(),
            "1" => self.is_bold = true,
            "2" => self.color = Some("#8b949e"),
            "31" | "91" => self.color = Some("#ff7b72"),
            "32" | "92" => self.color = Some("#7ee787"),
            "33" | "93" => self.color = Some("#e3b341"),
            "34" | "94" => self.color = Some("#79c0ff"),
            "36" | "96" => self.color = Some("#76e3ea"),
            _ => {}
        }
    }
}

/// The text as lines of characters with their styling, wrapped as a terminal does.
fn lines(text: &str) -> Vec<Vec<(char, TextStyling)>> {
    let mut lines = vec![Vec::new()];
    let mut styling = TextStyling::default();
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\u{1b}' => {
                let sequence: String = rest.by_ref().take_while(|it| *it != 'm').collect();
                sequence.trim_start_matches('[').split(';').for_each(|it| styling.apply(it));
            }
            '\n' => lines.push(Vec::new()),
            char => {
                if lines.last().is_some_and(|line| line.len() == COLUMNS) {
                    lines.push(Vec::new());
                }
                if let Some(line) = lines.last_mut() {
                    line.push((char, styling));
                }
            }
        }
    }
    while lines.last().is_some_and(Vec::is_empty) {
        lines.pop();
    }
    lines
}

fn svg(text: &str) -> String {
    let lines = lines(text);
    let width = CELL.0 * COLUMNS as f64 + 2.0 * MARGIN;
    let height = CELL.1 * lines.len() as f64 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"ui-monospace, 'DejaVu Sans \
         Mono', Menlo, Consolas, monospace\" font-size=\"14\" fill=\"#e6edf3\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"#0d1117\"/>\n"
    );
    for (number, line) in lines.iter().enumerate() {
        let y = MARGIN + CELL.1 * (number as f64 + 0.75);
        for (column, run) in runs(line) {
            let x = MARGIN + CELL.0 * column as f64;
            let styling = run[0].1;
            let weight = if styling.is_bold { " font-weight=\"bold\"" } else { "" };
            let color = styling.color.map(|it| format!(" fill=\"{it}\"")).unwrap_or_default();
            let length = CELL.0 * run.len() as f64;
            let text: String = run.iter().map(|it| it.0).collect();
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\" \
                 xml:space=\"preserve\"{weight}{color}>{}</text>",
                escaped(&text)
            );
        }
    }
    svg + "</svg>\n"
}

/// Stretches of one styling, without those that are blank, each with its column.
fn runs(line: &[(char, TextStyling)]) -> Vec<(usize, &[(char, TextStyling)])> {
    let mut column = 0;
    let mut runs = Vec::new();
    for run in line.chunk_by(|a, b| a.1 == b.1) {
        if run.iter().any(|it| it.0 != ' ') {
            runs.push((column, run));
        }
        column += run.len();
    }
    runs
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{COLUMNS, lines, svg};

    #[test]
    fn colors_and_markup_are_translated() {
        let svg = svg("\u{1b}[31mFAIL\u{1b}[0m a < b\n");
        assert!(svg.contains("fill=\"#ff7b72\">FAIL</text>"), "{svg}");
        assert!(svg.contains("> a &lt; b</text>"), "{svg}");
    }

    #[test]
    fn long_lines_wrap() {
        assert_eq!(lines(&"x".repeat(COLUMNS + 1)).len(), 2);
    }
}
