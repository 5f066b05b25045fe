//! Domains as text, for reports on how a refinement was understood.

use std::fmt::{self, Display, Formatter};

use num_traits::One as _;

use super::{
    CodePointSet, Domain, FloatSet, IntSet, LengthRange, TextSet, by_simplicity, from_order_key,
};

impl Display for Domain {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Domain::Any => f.write_str("any"),
            Domain::Empty => f.write_str("none"),
            Domain::Int(ints) => write!(f, "{ints}"),
            Domain::Float(floats) => write!(f, "{floats}"),
            Domain::Bool(truth) => write!(f, "{truth}"),
            Domain::Char(codes) => write!(f, "{codes}"),
            Domain::Text(texts) => write!(f, "{texts}"),
            Domain::Container(lens, item, value) => {
                write!(f, "{lens} of {item}")?;
                if **value == Domain::Any { Ok(()) } else { write!(f, " to {value}") }
            }
            Domain::Tuple(parts) => {
                f.write_str("(")?;
                list(f, ", ", parts.iter())?;
                f.write_str(")")
            }
            Domain::Constructors(cases) => {
                f.write_str("{")?;
                let mut is_first = true;
                for (tag, fields) in cases.iter().enumerate() {
                    let Some(fields) = fields else { continue };
                    f.write_str(if is_first { "" } else { " | " })?;
                    is_first = false;
                    write!(f, "#{tag}")?;
                    if fields.iter().any(|it| *it != Domain::Any) {
                        f.write_str("(")?;
                        list(f, ", ", fields.iter())?;
                        f.write_str(")")?;
                    }
                }
                f.write_str("}")
            }
            Domain::OneOf(domains) => list(f, " or ", domains.iter()),
        }
    }
}

impl Display for IntSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (at, piece) in by_simplicity(self).iter().enumerate() {
            f.write_str(if at == 0 { "" } else { " or " })?;
            let (first, last) = (piece.first(), piece.last());
            if first.is_some() && first == last {
                first.iter().try_for_each(|it| write!(f, "{it}"))?;
                continue;
            }
            first.iter().try_for_each(|it| write!(f, "{it}"))?;
            f.write_str("..")?;
            last.iter().try_for_each(|it| write!(f, "{it}"))?;
            if !piece.step.is_one() {
                write!(f, " ({}", piece.residue)?;
                if !piece.width.is_one() {
                    write!(f, "..{}", &piece.residue + &piece.width - 1)?;
                }
                write!(f, " mod {})", piece.step)?;
            }
        }
        Ok(())
    }
}

impl Display for FloatSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ranges = self.order_keys.list().iter();
        let ranges =
            ranges.map(|(a, b)| format!("{:?}..{:?}", from_order_key(*a), from_order_key(*b)));
        list(f, " or ", ranges.chain(self.nan.then(|| "NaN".to_owned())))
    }
}

impl Display for CodePointSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let ranges = self.chars();
        if ranges.len() > 4 {
            return write!(f, "{} chars", self.0.count());
        }
        list(f, " or ", ranges.iter().map(|(a, b)| format!("{a:?}..{b:?}")))
    }
}

impl Display for LengthRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.max {
            Some(max) if max == self.min => write!(f, "{max}"),
            Some(max) => write!(f, "{}..{max}", self.min),
            None => write!(f, "{}..", self.min),
        }
    }
}

impl Display for TextSet {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.listed {
            Some(words) => list(f, " or ", words.iter().map(|it| format!("{it:?}"))),
            None => write!(f, "{} of {}", self.lens, self.chars),
        }
    }
}

fn list<T: Display>(
    f: &mut Formatter<'_>,
    between: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    for (at, item) in items.enumerate() {
        f.write_str(if at == 0 { "" } else { between })?;
        write!(f, "{item}")?;
    }
    Ok(())
}
