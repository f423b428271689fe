//! Whether a selector is of CSS, or of a browser driver's own language, which another browser would read as something else.

/// Pseudo-classes that only Playwright knows.
const PSEUDO: &[&str] = &[
    ":has-text",
    ":text",
    ":text-is",
    ":text-matches",
    ":visible",
    ":nth-match",
    ":right-of",
    ":left-of",
    ":above",
    ":below",
    ":near",
    ":light",
];

/// Whether a selector needs Playwright: an engine before an equals sign, `>>`, XPath, quoted text, or a pseudo-class of its own.
pub(super) fn needs_playwright(selector: &str) -> bool {
    let selector = selector.trim();
    if selector.starts_with(['"', '\'', '/', '(']) || selector.starts_with("..") {
        return true;
    }
    let (mut quote, mut brackets, mut escaped, mut last) = (None, 0_usize, false, ' ');
    for (at, c) in selector.char_indices() {
        let plain = quote.is_none() && brackets == 0 && !escaped;
        if plain
            && (c == '=' || (c == '>' && last == '>') || (c == ':' && is_own(selector.get(at..).unwrap_or_default())))
        {
            return true;
        }
        match (quote, c) {
            _ if escaped => {}
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if open == c => quote = None,
            (None, '[') => brackets += 1,
            (None, ']') => brackets = brackets.saturating_sub(1),
            _ => {}
        }
        escaped = c == '\\' && !escaped;
        last = c;
    }
    false
}

fn is_own(rest: &str) -> bool {
    PSEUDO.iter().any(|pseudo| {
        let after = rest.strip_prefix(pseudo);
        after.is_some_and(|after| !after.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn css_is_css() {
        let selectors = [
            "#total",
            "button[type=submit]",
            "[data-x='a >> b']",
            "ul > li:nth-child(2)",
            "a:not([href*=\"=\"])",
            "p::first-line",
            "input:disabled",
            ":has(> img)",
            "a\\=b",
            "x-text:hover",
            "[title='text=a']",
            "*",
            "a:visited",
            ":nth-last-child(1)",
        ];
        for selector in selectors {
            assert!(!needs_playwright(selector), "{selector}");
        }
    }

    #[test]
    fn the_drivers_own_language_is_told() {
        let selectors = [
            "text=Total",
            "xpath=//a",
            "//a",
            "..",
            "(//a)[1]",
            "css=a",
            "role=button[name=\"x\"]",
            "a >> b",
            "a>>b",
            "\"Total\"",
            "button:has-text('x')",
            "a:visible",
            ":text('x')",
            "internal:role=a",
            "id=x",
            "li:nth-match(a, 2)",
        ];
        for selector in selectors {
            assert!(needs_playwright(selector), "{selector}");
        }
    }
}
