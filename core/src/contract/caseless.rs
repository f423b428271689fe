//! Texts compared without regard to case, as far as letters have one.

use alloc::string::String;

/// A text whose letters have one case: upper, then lower, which brings `ß` to `ss` and both small sigmas to one. The `ı` without
/// dot stays apart from `i`.
pub(crate) fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if c == 'ı' {
            out.push(c);
        } else {
            out.extend(c.to_uppercase().flat_map(char::to_lowercase));
        }
    }
    out
}

/// The same with every run of white space as one blank, and none at the ends.
pub(crate) fn folded_words(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&fold(word));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_have_one_case() {
        for (a, b) in
            [("NaN", "nan"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος"), ("ΟΔΟΣ", "οδοσ"), ("É", "é"), ("Ж", "ж")]
        {
            assert_eq!(fold(a), fold(b), "{a} {b}");
        }
        assert_ne!(fold("ı"), fold("i"));
        assert_eq!(folded_words(" Total:\t\u{a0}$NaN\n"), "total: $nan");
    }
}
