//! The documentation of each diagnostic, from `docs/errors`.

include!(concat!(env!("OUT_DIR"), "/pages.rs"));

/// The page of a diagnostic, by its slug.
pub(crate) fn page(slug: &str) -> Option<&'static str> {
    PAGES.iter().find(|(name, _)| *name == slug).map(|(_, text)| *text)
}

#[cfg(test)]
mod tests {
    use gainsay::source::codes;

    use super::PAGES;

    #[test]
    fn every_page_belongs_to_a_code() {
        for (slug, text) in PAGES {
            let code = codes::ALL.iter().find(|code| code.slug == *slug);
            let code = code.unwrap_or_else(|| panic!("no code is called {slug}"));
            assert!(text.starts_with(&format!("# {}: {slug}", code.name())), "{slug}");
        }
    }
}
