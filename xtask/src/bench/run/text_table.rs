//! Tables that are printed row by row, and number formatting.

/// Columns of fixed widths: text left-aligned, figures right-aligned.
pub(in crate::bench) struct TextTable<const N: usize> {
    columns: [(&'static str, ColumnAlign); N],
}

/// The alignment and width of a column.
#[derive(Copy, Clone)]
pub(in crate::bench) enum ColumnAlign {
    Left(usize),
    Right(usize),
}

impl<const N: usize> TextTable<N> {
    /// Columns with these titles.
    pub(in crate::bench) const fn new(columns: [(&'static str, ColumnAlign); N]) -> Self {
        Self { columns }
    }

    /// The titles.
    pub(in crate::bench) fn titles(&self) -> String {
        self.row(self.columns.map(|(title, _)| title.to_owned()))
    }

    /// A row of texts.
    pub(in crate::bench) fn row(&self, texts: [String; N]) -> String {
        let mut row = String::new();
        for ((_, align), text) in self.columns.iter().zip(texts) {
            let gap = if row.is_empty() { "" } else { " " };
            row += &match align {
                ColumnAlign::Left(width) => format!("{gap}{text:width$}"),
                ColumnAlign::Right(width) => format!("{gap}{text:>width$}"),
            };
        }
        row.trim_end().to_owned()
    }
}

/// A large number with thousands separators.
pub(in crate::bench) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A non-negative number, to about three digits.
pub(in crate::bench) fn brief(number: f64) -> String {
    match number {
        100.0.. => grouped(number),
        10.0.. => format!("{number:.1}"),
        0.1.. => format!("{number:.2}"),
        _ => format!("{number:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ColumnAlign, TextTable, brief, grouped};

    #[test]
    fn rows_are_as_wide_as_their_columns() {
        let columns = TextTable::new([
            ("work", ColumnAlign::Left(6)),
            ("cases /s", ColumnAlign::Right(9)),
            ("budget", ColumnAlign::Left(8)),
        ]);
        assert_eq!(columns.titles(), "work    cases /s budget");
        let row = columns.row(["W1".to_owned(), grouped(1_234_567.0), String::new()]);
        assert_eq!(row, "W1     1,234,567");
    }

    #[test]
    fn figures_keep_about_three_digits() {
        let figures = [0.0342, 0.842, 12.34, 123.4, 12_345.6].map(brief);
        assert_eq!(figures, ["0.034", "0.84", "12.3", "123", "12,346"]);
    }
}
