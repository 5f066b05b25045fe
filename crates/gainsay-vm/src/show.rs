//! Rendering of values as source text that parses back to an equal value, on one line or several.

use gainsay_core::{CtorId, Field, Program, Shape};

use crate::value::{ListIter, Value, ValueTableIter};

/// Renders a value as source text that parses back to an equal value; functions are `<function>`.
pub fn show(program: &Program, value: &Value) -> String {
    show_within(program, value, usize::MAX).unwrap_or_default()
}

/// Like [`show`]; `None` if the text would exceed `max_len` bytes.
pub fn show_within(program: &Program, value: &Value, max_len: usize) -> Option<String> {
    let mut printer = ValuePrinter::new(program, max_len);
    printer.print_flat(ShownPiece::Value(value)).then_some(printer.text)
}

/// Like [`show`], truncated with `..` after about `max_len` bytes.
pub fn show_brief(program: &Program, value: &Value, max_len: usize) -> String {
    let mut printer = ValuePrinter::new(program, max_len);
    printer.print_truncated(ShownPiece::Value(value));
    printer.text
}

/// Like [`show_brief`], with a custom text for each function.
pub fn show_with(
    program: &Program,
    value: &Value,
    max_len: usize,
    functions: &FunctionNames<'_>,
) -> String {
    let functions = Some(functions);
    let mut printer = ValuePrinter { functions, ..ValuePrinter::new(program, max_len) };
    printer.print_truncated(ShownPiece::Value(value));
    printer.text
}

/// Like [`show`], broken into indented lines where a part does not fit into `width` columns.
pub fn show_pretty(program: &Program, value: &Value, width: usize) -> String {
    let mut printer = ValuePrinter::new(program, usize::MAX);
    printer.print_broken(ShownPiece::Value(value), width);
    printer.text
}

/// A unit of printing: a value, or an entry of a map.
#[derive(Copy, Clone)]
enum ShownPiece<'a> {
    Value(&'a Value),
    Entry(&'a Value, &'a Value),
}

/// An open group and its remaining items.
struct OpenGroup<'a> {
    items: GroupItems<'a>,
    close: &'static str,
    n_done: usize,
}

/// The items of a group.
enum GroupItems<'a> {
    Fields(&'a [Value], &'a [Field]),
    List(ListIter<'a>),
    Entries(ValueTableIter<'a>),
    Keys(ValueTableIter<'a>),
    Entry(Option<&'a Value>, Option<&'a Value>),
}

impl<'a> Iterator for GroupItems<'a> {
    type Item = (Option<&'a str>, ShownPiece<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Fields(values, fields) => {
                let (value, rest) = values.split_first()?;
                *values = rest;
                // Tuples pass no fields and so have no names.
                let name = fields.first().and_then(|field| field.name.as_deref());
                *fields = fields.get(1..).unwrap_or(&[]);
                Some((name, ShownPiece::Value(value)))
            }
            Self::List(items) => items.next().map(|item| (None, ShownPiece::Value(item))),
            Self::Entries(entries) => {
                entries.next().map(|(key, value)| (None, ShownPiece::Entry(key, value)))
            }
            Self::Keys(entries) => {
                entries.next().map(|(key, _)| (None, ShownPiece::Value(key)))
            }
            Self::Entry(key, value) => {
                let next = key.take().or_else(|| value.take());
                next.map(|value| (None, ShownPiece::Value(value)))
            }
        }
    }
}

/// The text of a function, if it has one.
type FunctionNames<'a> = dyn Fn(&Value) -> Option<String> + 'a;

struct ValuePrinter<'a> {
    program: &'a Program,
    text: String,
    max_len: usize,
    /// Provides the text of functions.
    functions: Option<&'a FunctionNames<'a>>,
}

impl<'a> ValuePrinter<'a> {
    fn new(program: &'a Program, max_len: usize) -> Self {
        Self { program, text: String::new(), max_len, functions: None }
    }

    /// Prints on one line, truncated where it does not fit.
    fn print_truncated(&mut self, piece: ShownPiece<'a>) {
        if !self.print_flat(piece) {
            // `floor_char_boundary` keeps the cut from splitting a character.
            self.text.truncate(self.text.floor_char_boundary(self.max_len));
            self.text.push_str("..");
        }
    }

    /// Prints on one line; returns whether it fit.
    fn print_flat(&mut self, piece: ShownPiece<'a>) -> bool {
        let mut groups: Vec<OpenGroup<'a>> = Vec::new();
        groups.extend(self.open(piece));
        while let Some(group) = groups.last_mut() {
            // Checked per item, so that a huge value costs no more than the text that is kept.
            if self.text.len() > self.max_len {
                return false;
            }
            let Some((name, piece)) = group.items.next() else {
                self.text.push_str(group.close);
                groups.pop();
                continue;
            };
            if group.n_done > 0 {
                self.text.push_str(", ");
            }
            group.n_done += 1;
            self.name(name);
            groups.extend(self.open(piece));
        }
        self.text.len() <= self.max_len
    }

    /// Prints a group on one line if it fits, and else each item on its own line.
    fn print_broken(&mut self, piece: ShownPiece<'a>, width: usize) {
        let mut groups: Vec<OpenGroup<'a>> = Vec::new();
        groups.extend(self.fit_or_open(piece, width));
        while let Some(group) = groups.last_mut() {
            let (n_done, close) = (group.n_done, group.close);
            let next = group.items.next();
            group.n_done += 1;
            let Some((name, piece)) = next else {
                groups.pop();
                if n_done > 0 {
                    self.new_line(groups.len());
                }
                // On several lines, the spaces inside `{ .. }` are replaced by the line breaks.
                self.text.push_str(close.trim_start());
                continue;
            };
            if n_done > 0 {
                self.text.push(',');
            } else {
                self.text.truncate(self.text.trim_end().len());
            }
            self.new_line(groups.len());
            self.name(name);
            groups.extend(self.fit_or_open(piece, width));
        }
    }

    fn new_line(&mut self, indent: usize) {
        self.text.push('\n');
        // Deeper indentation would make the text quadratic in the nesting depth.
        self.text.extend(std::iter::repeat_n("  ", indent.min(40)));
    }

    fn fit_or_open(&mut self, piece: ShownPiece<'a>, width: usize) -> Option<OpenGroup<'a>> {
        let start = self.text.rfind('\n').map_or(0, |at| at + 1);
        let column = self.text.len() - start;
        // One column is left for the comma or bracket that follows.
        let max_len = width.saturating_sub(column + 1);
        let mut line = Self { functions: self.functions, ..Self::new(self.program, max_len) };
        if line.print_flat(piece) {
            self.text.push_str(&line.text);
            return None;
        }
        self.open(piece)
    }

    fn name(&mut self, name: Option<&str>) {
        if let Some(name) = name {
            self.text.push_str(name);
            self.text.push_str(": ");
        }
    }

    /// Prints a value without parts, or the opening of one with parts.
    fn open(&mut self, piece: ShownPiece<'a>) -> Option<OpenGroup<'a>> {
        let (items, close) = match piece {
            ShownPiece::Entry(key, value) => {
                self.text.push('(');
                (GroupItems::Entry(Some(key), Some(value)), ")")
            }
            ShownPiece::Value(value) => self.open_value(value)?,
        };
        Some(OpenGroup { items, close, n_done: 0 })
    }

    fn open_value(&mut self, value: &'a Value) -> Option<(GroupItems<'a>, &'static str)> {
        let (open, items, close) = match value {
            Value::Tuple(fields) => ("(", GroupItems::Fields(fields.as_slice(), &[]), ")"),
            Value::List(list) => ("[", GroupItems::List(list.iter()), "]"),
            Value::Map(table) => ("Map.of([", GroupItems::Entries(table.iter()), "])"),
            Value::Set(table) => ("Set.of([", GroupItems::Keys(table.iter()), "])"),
            Value::Data(ctor, fields) => return self.open_data(*ctor, fields.as_slice()),
            Value::Int(int) => return self.leaf(&int.to_string()),
            Value::Big(big) => return self.leaf(&big.get().to_string()),
            Value::Float(float) => return self.leaf(&float_text(*float)),
            Value::Bool(bool) => return self.leaf(if *bool { "true" } else { "false" }),
            Value::Char(char) => return self.quoted('\'', std::iter::once(*char)),
            Value::Str(text) => return self.quoted('"', text.as_str().chars()),
            Value::Closure(..) => {
                let text = self.functions.and_then(|functions| functions(value));
                return self.leaf(text.as_deref().unwrap_or("<function>"));
            }
        };
        self.text.push_str(open);
        Some((items, close))
    }

    fn open_data(
        &mut self,
        ctor: CtorId,
        values: &'a [Value],
    ) -> Option<(GroupItems<'a>, &'static str)> {
        let ctor = self.program.ctor(ctor);
        self.text.push_str(&ctor.name);
        let items = GroupItems::Fields(values, &ctor.fields);
        match self.program.nominal(ctor.ty).shape {
            Shape::Record if values.is_empty() => self.leaf(" {}"),
            Shape::Record => {
                self.text.push_str(" { ");
                Some((items, " }"))
            }
            // An event of a specification without fields is written like a call: `Stack.pop()`.
            Shape::Sum if values.is_empty() && ctor.name.contains('.') => self.leaf("()"),
            Shape::Sum if values.is_empty() => None,
            Shape::Sum => {
                self.text.push('(');
                Some((items, ")"))
            }
        }
    }

    fn leaf<T>(&mut self, text: &str) -> Option<T> {
        self.text.push_str(text);
        None
    }

    fn quoted<T>(&mut self, quote: char, chars: impl Iterator<Item = char>) -> Option<T> {
        self.text.push(quote);
        for char in chars {
            match char {
                // The other kind of quote needs no escape.
                '\'' | '"' if char != quote => self.text.push(char),
                _ => self.text.extend(char.escape_debug()),
            }
            if self.text.len() > self.max_len {
                break;
            }
        }
        self.text.push(quote);
        None
    }
}

/// The shortest text that parses back to the same float.
fn float_text(float: f64) -> String {
    if float.is_nan() {
        "Float.nan".to_owned()
    } else if float.is_infinite() {
        let sign = if float < 0.0 { "-" } else { "" };
        format!("{sign}Float.infinity")
    } else {
        format!("{float:?}")
    }
}
