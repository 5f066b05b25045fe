//! Maps names of claims and failures to names of folders and files.
//!
//! Words of lower case letters, digits and `_` with single spaces between them (for failures:
//! single hyphens) become `words-with-hyphens`; this is injective. Any other name keeps what it can
//! and gets its hash as a suffix, so that it stays distinct on file systems that ignore case, or
//! forbid long names or `:`.

use super::CASES_FOLDER;
use super::claim_name::ClaimName;

/// Maximum length of a name; longer ones are cut.
const MAX_LENGTH: usize = 60;

/// Names that Windows takes for a device, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com", "lpt"];

/// The folder of the cases of a claim.
pub(super) fn folder_of(claim: &ClaimName) -> String {
    let module = slug(&claim.module, '.');
    let name = slug(&claim.name, ' ');
    format!("{CASES_FOLDER}/{module}/{}.{name}", claim.kind_name())
}

/// The file name of a failure; from the second attempt on with a number.
pub(super) fn file_of(failure: &str, attempt: usize) -> String {
    let name = slug(failure, '-');
    if attempt < 2 { format!("{name}.case") } else { format!("{name}-{attempt}.case") }
}

/// A name for a file system. Single separators become `-`; dots between module segments stay.
fn slug(name: &str, separator: char) -> String {
    let stands_for = if separator == '.' { '.' } else { '-' };
    let is_word = |it: &str| {
        !it.is_empty() && it.bytes().all(|it| matches!(it, b'a'..=b'z' | b'0'..=b'9' | b'_'))
    };
    let first = name.split(separator).next().unwrap_or_default();
    // Also with a number, as in `com1`.
    let is_device = DEVICES.iter().any(|device| {
        first
            .strip_prefix(device)
            .is_some_and(|rest| rest.bytes().all(|it| it.is_ascii_digit()))
    });
    if name.split(separator).all(is_word) && name.len() <= MAX_LENGTH && !is_device {
        return name.replace(separator, &stands_for.to_string());
    }
    let mut slug = String::new();
    for letter in name.chars().flat_map(char::to_lowercase) {
        // Leave room for the suffix: a hyphen and 8 hex digits.
        if slug.len() >= MAX_LENGTH - 9 {
            break;
        }
        match letter {
            'a'..='z' | '0'..='9' | '_' => slug.push(letter),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    let slug = slug.trim_end_matches('-');
    let slug = if slug.is_empty() { "unnamed" } else { slug };
    format!("{slug}-{:08x}", hash(name))
}

/// FNV-1a (Fowler, Noll and Vo), folded from 64 to 32 bits.
fn hash(text: &str) -> u32 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in text.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    (hash ^ (hash >> 32)) as u32
}

#[cfg(test)]
mod tests {
    use super::{MAX_LENGTH, file_of, folder_of, slug};
    use crate::report::ClaimType;
    use crate::saved_cases::ClaimName;

    #[test]
    fn ordinary_names_stay_readable() {
        let claim = ClaimName::new("bank.ledger", ClaimType::Test, "transfer keeps the sum");
        assert_eq!(folder_of(&claim), "gainsay-cases/bank.ledger/test.transfer-keeps-the-sum");
        let claim = ClaimName::new("ledger", ClaimType::Property, "byte_round_trip");
        assert_eq!(folder_of(&claim), "gainsay-cases/ledger/property.byte_round_trip");
        assert_eq!(file_of("observe-keeps_it-1", 1), "observe-keeps_it-1.case");
        assert_eq!(file_of("observe-1", 2), "observe-1-2.case");
    }

    #[test]
    fn odd_names_have_distinct_slugs() {
        let odd = [
            "",
            " ",
            "-",
            "a b",
            "a-b",
            "a  b",
            "A b",
            "a b ",
            "a.b",
            "a:b",
            "a/b",
            "../a",
            "..",
            ".",
            "con",
            "CON",
            "com1",
            "nul",
            "größe",
            "groesse",
            "日本",
            "日本語",
            "a\nb",
            "a\0b",
        ];
        let long: Vec<String> =
            (0..3).map(|at| format!("{}{at}", "long ".repeat(100))).collect();
        let names: Vec<&str> = odd.into_iter().chain(long.iter().map(String::as_str)).collect();
        let mut slugs: Vec<String> = names.iter().map(|it| slug(it, ' ')).collect();
        for slug in &slugs {
            let is_fine = |it: char| matches!(it, 'a'..='z' | '0'..='9' | '_' | '-');
            assert!(slug.len() <= MAX_LENGTH && slug.chars().all(is_fine), "{slug}");
            assert_ne!(*slug, "con");
        }
        slugs.sort();
        slugs.dedup();
        assert_eq!(slugs.len(), names.len());
        assert_eq!(slug("a.b", '.'), "a.b");
        assert!(slug("../../etc", '.').starts_with("etc-"));
    }
}
