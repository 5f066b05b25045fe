//! "Did you mean" suggestions: the valid name closest to a misspelt one.

/// Longer names get no suggestion: they are not typos, and edit distance is quadratic in length.
const MAX_NAME_LENGTH: usize = 100;

/// The candidate closest to `name`, if it is close enough to be a typo.
///
/// Ties go to the alphabetically first candidate, so that the result does not depend on the order
/// in which scopes are searched.
pub fn closest_name<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let length = name.chars().count();
    if length > MAX_NAME_LENGTH {
        return None;
    }
    // One-letter names are all one edit apart, so only a difference in case counts for them.
    let allowed = if length <= 1 { 0 } else { (length / 3).max(1) };
    candidates
        .into_iter()
        .filter(|it| *it != name && it.chars().count().abs_diff(length) <= allowed)
        .map(|it| (edit_distance(name, it), it))
        .filter(|(distance, _)| *distance <= allowed)
        .min()
        .map(|(_, it)| it)
}

fn edit_distance(left: &str, right: &str) -> usize {
    // A difference in case alone is the most likely typo, so it ranks before any edit.
    if left.eq_ignore_ascii_case(right) {
        return 0;
    }
    strsim::osa_distance(left, right)
}

#[cfg(test)]
mod tests {
    use super::closest_name;

    #[test]
    fn a_slip_is_found_and_a_stranger_is_not() {
        assert_eq!(closest_name("lenght", ["length", "width"]), Some("length"));
        assert_eq!(closest_name("Foo", ["foo", "Fox"]), Some("foo"));
        assert_eq!(closest_name("banana", ["apple", "pear"]), None);
    }

    #[test]
    fn a_name_that_nobody_types_is_compared_with_none() {
        let long = "a".repeat(1_000_000);
        assert_eq!(closest_name(&long, [&long[1..]]), None);
    }
}
