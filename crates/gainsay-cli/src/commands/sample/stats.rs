//! Statistics of generated values, as tables or JSON.

use std::collections::BTreeMap;

use gainsay::CheckedSample;
use gainsay::generate::ConditionWay;
use gainsay::source::SourceMap;
use gainsay::test::{
    CharClass, FloatClass, Histogram, HistogramBucket, HistogramMetric, SampleReport,
    Statistics, TextClass,
};
use serde::Serialize;

use crate::output;
use crate::report::claims::bar;
use crate::report::{line, pluralize};
use crate::reporter::Reporter;

#[derive(Debug, Serialize)]
struct StatsRecord {
    values: u64,
    different: u64,
    tables: Vec<TableRecord>,
    given_up: Vec<LocationCountRecord>,
    filters: Vec<LocationCountRecord>,
    ways: Vec<WayRecord>,
}

/// How values were found that satisfy a predicate.
#[derive(Debug, Serialize)]
struct WayRecord {
    way: &'static str,
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_ends: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kept: Option<f64>,
}

#[derive(Debug, Serialize)]
struct TableRecord {
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
    place: String,
    rows: Vec<RowRecord>,
}

#[derive(Debug, Serialize)]
struct RowRecord {
    name: String,
    times: u64,
}

#[derive(Debug, Serialize)]
struct LocationCountRecord {
    file: String,
    line: u32,
    column: u32,
    source: String,
    times: u64,
}

/// Writes the statistics: tables for people, one object for programs.
pub(super) fn write(
    statistics: &Statistics,
    report: &SampleReport,
    sampling: &CheckedSample,
    reporter: &Reporter,
) {
    let record = StatsRecord {
        values: statistics.n_values(),
        different: statistics.n_distinct(),
        tables: statistics.histograms().map(table_record).collect(),
        given_up: report
            .places
            .iter()
            .map(|(span, n)| location_record(sampling, *span, *n))
            .collect(),
        filters: report
            .filtered
            .iter()
            .map(|it| location_record(sampling, it.span, it.n_rejected))
            .collect(),
        ways: way_records(sampling, report),
    };
    let text = if reporter.is_human() {
        render_tables(&record)
    } else {
        let text = serde_json::to_string(&line("sample-stats", record));
        text.expect("records have text keys") + "\n"
    };
    // Output errors are reported once, when the command ends.
    let _ = output::write(text.as_bytes());
}

/// The predicates that a solver found values for, and the condition of a query that got another way.
fn way_records(sampling: &CheckedSample, report: &SampleReport) -> Vec<WayRecord> {
    let narrowed = report.narrowed.iter().map(|it| WayRecord {
        way: "narrowed",
        source: one_line(sampling, it.span),
        dead_ends: Some(it.counts.n_dead_ends as f64 / it.counts.n_found.max(1) as f64),
        kept: None,
    });
    let mut records: Vec<WayRecord> = narrowed.collect();
    let n_tried = (report.n_drawn + report.n_given_up).max(1);
    let other = match report.condition {
        Some((span, ConditionWay::Solved)) => Some(("solved", span, None)),
        Some((span, ConditionWay::Filtered)) => {
            Some(("filtered", span, Some(report.n_drawn as f64 / n_tried as f64)))
        }
        Some((_, ConditionWay::Narrowed)) | None => None,
    };
    records.extend(other.map(|(way, span, kept)| WayRecord {
        way,
        source: one_line(sampling, span),
        dead_ends: None,
        kept,
    }));
    records
}

fn one_line(sampling: &CheckedSample, span: gainsay::source::Span) -> String {
    let text = sampling.checked.files.text(sampling.original_span(span));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn location_record(
    sampling: &CheckedSample,
    span: gainsay::source::Span,
    times: u64,
) -> LocationCountRecord {
    let original = sampling.original_span(span);
    let files: &SourceMap = &sampling.checked.files;
    let file = files.get(original.file);
    let at = file.position(original.start);
    LocationCountRecord {
        file: file.name.clone(),
        line: at.line,
        column: at.column,
        source: one_line(sampling, span),
        times,
    }
}

fn table_record(counts: &Histogram) -> TableRecord {
    let mut rows: Vec<RowRecord> = Vec::new();
    let mut merged: BTreeMap<(i64, String), u64> = BTreeMap::new();
    for (bucket, times) in &counts.rows {
        if let HistogramBucket::Bits(bits) = bucket {
            *merged.entry(magnitude_bucket(*bits)).or_default() += times;
        } else {
            rows.push(RowRecord { name: bucket_name(bucket), times: *times });
        }
    }
    rows.extend(merged.into_iter().map(|((_, name), times)| RowRecord { name, times }));
    let of = match &counts.measure {
        HistogramMetric::Constructors(ty) => Some(ty.clone()),
        HistogramMetric::Sizes
        | HistogramMetric::Depths
        | HistogramMetric::Integers
        | HistogramMetric::Floats => None,
        HistogramMetric::Truth | HistogramMetric::Characters | HistogramMetric::Texts => None,
        HistogramMetric::TextLengths | HistogramMetric::Lengths => None,
    };
    TableRecord { what: measure_name(&counts.measure), of, place: counts.place.clone(), rows }
}

fn measure_name(measure: &HistogramMetric) -> &'static str {
    match measure {
        HistogramMetric::Sizes => "sizes",
        HistogramMetric::Depths => "depths",
        HistogramMetric::Constructors(_) => "constructors",
        HistogramMetric::Integers => "integers",
        HistogramMetric::Floats => "floats",
        HistogramMetric::Truth => "booleans",
        HistogramMetric::Characters => "characters",
        HistogramMetric::Texts => "strings",
        HistogramMetric::TextLengths => "lengths of strings",
        HistogramMetric::Lengths => "lengths",
    }
}

fn bucket_name(bucket: &HistogramBucket) -> String {
    match bucket {
        HistogramBucket::Constructor(_, name) => name.clone(),
        HistogramBucket::Bits(bits) => magnitude_bucket(*bits).1,
        HistogramBucket::Bool(it) => it.to_string(),
        HistogramBucket::Float(class) => float_class_name(*class).to_owned(),
        HistogramBucket::Char(class) => char_class_name(*class).to_owned(),
        HistogramBucket::Text(class) => text_class_name(*class).to_owned(),
    }
}

fn float_class_name(class: FloatClass) -> &'static str {
    match class {
        FloatClass::Nan => "nan",
        FloatClass::Infinite => "infinite",
        FloatClass::Zero => "zero",
        FloatClass::Subnormal => "subnormal",
        FloatClass::Huge => "beyond 2^53",
        FloatClass::Whole => "whole",
        FloatClass::Fraction => "with a fraction",
    }
}

fn char_class_name(class: CharClass) -> &'static str {
    match class {
        CharClass::Control => "control",
        CharClass::Digit => "digit",
        CharClass::Letter => "letter",
        CharClass::AsciiSymbol => "other ASCII",
        CharClass::BasicPlane => "up to U+FFFF",
        CharClass::BeyondBasicPlane => "from U+10000",
    }
}

fn text_class_name(class: TextClass) -> &'static str {
    match class {
        TextClass::Empty => "empty",
        TextClass::Words => "letters and digits",
        TextClass::Printable => "printable ASCII",
        TextClass::Ascii => "ASCII with control",
        TextClass::BasicPlane => "up to U+FFFF",
        TextClass::BeyondBasicPlane => "from U+10000",
    }
}

/// Larger numbers share buckets.
const MAX_EXACT_BITS: i64 = 16;

/// The rank and name of the bucket for numbers with this many binary digits.
fn magnitude_bucket(bits: i64) -> (i64, String) {
    let size = bits.abs();
    let coarse = match size {
        ..=MAX_EXACT_BITS => {
            let (low, high) = (1_i64 << (size - 1).max(0), (1_i64 << size) - 1);
            let name = match (bits.signum(), low == high) {
                (0, _) => "0".to_owned(),
                (1, true) => low.to_string(),
                (1, false) => format!("{low}..{high}"),
                (_, true) => format!("-{low}"),
                (_, false) => format!("-{high}..-{low}"),
            };
            return (bits, name);
        }
        17..=32 => MAX_EXACT_BITS,
        33..=63 => 32,
        _ => 63,
    };
    // Coarse buckets are open toward the larger numbers.
    let name = if bits < 0 { format!("to -2^{coarse}") } else { format!("from 2^{coarse}") };
    (bits.signum() * (coarse + 1), name)
}

/// The tables, with bars.
fn render_tables(record: &StatsRecord) -> String {
    let mut text =
        format!("{}, {} distinct\n", pluralize(record.values, "value"), record.different);
    for table in &record.tables {
        let of = table.of.as_ref().map_or_else(String::new, |it| format!(" of {it}"));
        let at = if table.place.is_empty() { "" } else { " at " };
        text += &format!("\n{}{of}{at}{}\n", table.what, table.place);
        let all: u64 = table.rows.iter().map(|row| row.times).sum();
        let width = table.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        for RowRecord { name, times } in &table.rows {
            let share = *times as f64 / all.max(1) as f64;
            let line = format!("  {name:>width$}  {:5.1} %  {}", share * 100.0, bar(share));
            text += line.trim_end();
            text.push('\n');
        }
    }
    text += &render_locations("gave up", &record.given_up);
    text += &render_locations("rejected by filters", &record.filters);
    text + &render_ways(&record.ways)
}

fn render_ways(ways: &[WayRecord]) -> String {
    let mut text = String::new();
    for WayRecord { way, source, dead_ends, kept } in ways {
        let gap = if text.is_empty() { "\n" } else { "" };
        text += &format!("{gap}{way}: `{source}`");
        if let Some(dead_ends) = dead_ends {
            text += &format!(", {dead_ends:.1} dead ends per value");
        }
        if let Some(kept) = kept {
            text += &format!(", {:.1} % kept", kept * 100.0);
        }
        text.push('\n');
    }
    text
}

fn render_locations(title: &str, places: &[LocationCountRecord]) -> String {
    if places.is_empty() {
        return String::new();
    }
    let mut text = format!("\n{title}\n");
    for LocationCountRecord { file, line, column, source, times } in places {
        text += &format!("  {times:6}  {file}:{line}:{column}  {source}\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::magnitude_bucket;

    #[test]
    fn numbers_are_told_by_their_binary_digits() {
        let names = [0, 1, 2, 4, -1, -3, 17, -40, 64, 200].map(|it| magnitude_bucket(it).1);
        assert_eq!(names[..6], ["0", "1", "2..3", "8..15", "-1", "-7..-4"]);
        assert_eq!(names[6..], ["from 2^16", "to -2^32", "from 2^63", "from 2^63"]);
    }
}
