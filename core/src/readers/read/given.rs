//! What texts give of a page: marks of a probe document, and messages of a person that hold more than a request.

use alloc::vec::Vec;

/// Words of a probe document in each of its forms, in lower case.
const DOCUMENT: &[&str] = &["occam-sentinel", "probe document", "sentinel:"];

/// How a probe document names its session, in all forms.
const SESSION: &str = "for session ";

/// How long a sentinel is, in characters.
const LENGTH: core::ops::RangeInclusive<usize> = 22..=43;

/// Words that tell of a text which was handed over.
#[rustfmt::skip]
const HANDED: &[&str] = &[
    "above", "attached", "attachment", "attachments", "below", "copied", "downloaded", "excerpt", "forwarded", "here's", "here’s",
    "pasted", "pasting", "pdf", "posted", "print-out", "printout", "quoted", "saved", "screenshot", "screenshots", "sent", "transcript",
    "upload", "uploaded",
];

/// Pairs of words that do.
#[rustfmt::skip]
const PAIRS: &[(&str, &str)] = &[
    ("a", "copy"), ("content", "is"), ("contents", "are"), ("here", "are"), ("here", "is"), ("my", "copy"), ("that", "is"),
    ("that", "was"), ("the", "copy"), ("the", "image"), ("the", "photo"), ("the", "picture"), ("these", "are"), ("this", "is"),
    ("your", "context"),
];

/// Words with which a request begins.
#[rustfmt::skip]
const REQUESTS: &[&str] = &[
    "access", "answer", "are", "browse", "call", "can", "check", "confirm", "copy", "could", "describe", "did", "do", "does", "examine",
    "explain", "extract", "fetch", "find", "get", "give", "go", "have", "help", "how", "inspect", "is", "let", "let's", "list", "load",
    "look", "make", "name", "open", "print", "quote", "read", "repeat", "reply", "report", "return", "review", "say", "see", "send",
    "show", "study", "summarise", "summarize", "take", "tell", "test", "try", "use", "verify", "view", "visit", "what", "what's", "when",
    "where", "which", "who", "why", "will", "would", "write",
];

/// Words that may stand in front of one.
const FILLERS: &[&str] = &[
    "again", "also", "and", "finally", "first", "hello", "hey", "hi", "just", "kindly", "next", "now", "please", "so",
    "then", "to",
];

/// Words that may stand behind an address in a request. What begins in another way may be what stands there: “http://… open nine
/// to five”.
#[rustfmt::skip]
const BEHIND: &[&str] = &[
    "about", "after", "and", "as", "at", "before", "by", "carefully", "completely", "contain", "down", "for", "from", "fully", "have",
    "hold", "in", "into", "it", "look", "mean", "mention", "offer", "on", "once", "online", "or", "over", "reachable", "say", "state",
    "still", "suggest", "there", "twice", "up", "using", "via", "with", "work", "yet", "you",
];

/// Words of a message beside a request, which say nothing of a page.
#[rustfmt::skip]
const COURTESIES: &[&str] = &[
    "bye", "cheers", "good", "great", "it", "no", "ok", "okay", "sure", "thank", "thanks", "that", "this", "yes", "you",
];

/// Marks of a text that is more than what a person types as a request: tags, tables, objects, quotations, headings.
const MARKS: &[char] = &['<', '>', '{', '}', '|', '#'];

/// A longer sentence may hold more than a request, however it begins.
const LONG: usize = 25;

/// So many words between quotation marks may be those of a page.
const QUOTED: usize = 3;

/// Whether a text bears the marks of a probe document, or holds a word that may be a sentinel.
pub(super) fn is_document(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    DOCUMENT.iter().any(|mark| memchr::memmem::find(lower.as_bytes(), mark.as_bytes()).is_some())
        || holds_sentinel(text)
}

/// Whether a word of a text may be a sentinel: as long as one, of base64url, in small and capital letters and digits.
fn holds_sentinel(text: &str) -> bool {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')));
    words.filter(|word| LENGTH.contains(&word.len())).any(|word| {
        let has = |kind: fn(&u8) -> bool| word.as_bytes().iter().any(kind);
        has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit)
    })
}

/// The sessions that the probe documents in a text say they are for, the first few of them.
pub(super) fn sessions(text: &str) -> impl Iterator<Item = &str> {
    memchr::memmem::find_iter(text.as_bytes(), SESSION).take(4).filter_map(move |at| {
        let rest = text.get(at + SESSION.len()..)?.trim_start_matches(['`', '*']);
        let rest = rest.strip_prefix("<code>").unwrap_or(rest);
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-'))).unwrap_or(rest.len());
        // The plain text ends its sentence behind the id.
        let id = rest.get(..end)?;
        Some(id.strip_suffix('.').unwrap_or(id)).filter(|id| !id.is_empty())
    })
}

/// Whether a message says that it, or something with it, holds a text that was handed over.
pub(super) fn hands_over(text: &str) -> bool {
    let mut before = "";
    let mut says = |word| {
        let pair = PAIRS.iter().any(|(a, b)| before.eq_ignore_ascii_case(a) && is(word, b));
        before = word;
        pair || HANDED.iter().any(|known| is(word, known))
    };
    // A closing tag is of a page, and of no request.
    text.contains("</") || words(text).any(&mut says) || is_document(&without_addresses(text))
}

/// Whether a message is a request and nothing more: every sentence asks or is mere courtesy, and no more than a few words are
/// quoted. Words of other languages than English leave it open.
pub(super) fn only_asks(text: &str) -> bool {
    let quoted = text.split(['"', '“', '”', '«', '»', '`']).skip(1).step_by(2);
    if quoted.into_iter().any(|part| words(part).count() >= QUOTED) {
        return false;
    }
    let mut before = "";
    let tells = |token| tells(core::mem::replace(&mut before, token), token);
    if text.split_whitespace().any(tells) {
        return false;
    }
    let mut sentence: Vec<&str> = Vec::new();
    for line in text.lines() {
        for token in line.split_whitespace() {
            if !is_address(token) {
                sentence.extend(words(token));
            }
            let end = token.trim_end_matches([')', '"', '”', '*']).chars().next_back();
            if matches!(end, Some('.' | '!' | '?' | ':' | ';')) {
                let question = end == Some('?') && sentence.len() <= LONG;
                if !question && !asks(&sentence) {
                    return false;
                }
                sentence.clear();
            }
        }
        if !asks(&sentence) {
            return false;
        }
        sentence.clear();
    }
    true
}

/// Whether a token of a message tells what stands on a page, by itself or behind an address.
fn tells(before: &str, token: &str) -> bool {
    if is_address(token) {
        return token.ends_with(':');
    }
    let goes_on = is_address(before) && !before.ends_with(['.', '!', '?', ';']);
    let word = words(token).next().unwrap_or("");
    let asks = || {
        let known = FILLERS.iter().chain(COURTESIES).chain(BEHIND);
        !token.starts_with(['(', '[']) && known.into_iter().any(|known| is(word, known))
    };
    token.contains(MARKS) || (goes_on && !asks())
}

/// Whether the words of a sentence ask for something, or are mere courtesy.
fn asks(sentence: &[&str]) -> bool {
    let first = sentence.iter().find(|word| !FILLERS.iter().any(|filler| is(word, filler)));
    let wish = |word: &&str| REQUESTS.iter().any(|request| is(word, request));
    let courtesy = |word: &&str| COURTESIES.iter().chain(FILLERS).any(|known| is(word, known));
    sentence.iter().all(courtesy) || (sentence.len() <= LONG && first.is_some_and(wish))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let outer = |c: char| !c.is_alphanumeric();
    text.split_whitespace().map(move |word| word.trim_matches(outer)).filter(|word| !word.is_empty())
}

fn is(word: &str, known: &str) -> bool {
    word.eq_ignore_ascii_case(known)
}

fn is_address(token: &str) -> bool {
    token.contains("://")
}

fn without_addresses(text: &str) -> alloc::string::String {
    text.split_whitespace().filter(|token| !is_address(token)).flat_map(|token| [token, " "]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,80}", id in "for session [a-zé.<>`]{0,20}") {
            let _ = (only_asks(&text), hands_over(&text), is_document(&text), sessions(&text).count());
            prop_assert!(sessions(&id).all(|id| !id.is_empty()));
        }
    }

    #[test]
    fn a_bare_request_gives_nothing() {
        for text in [
            "Read http://harbour.test/a.",
            "Please open http://harbour.test/a and tell me what it says.",
            "Now http://harbour.test/a",
            "Hi! Can you read http://harbour.test/a?",
            "Fetch http://harbour.test/a. Then report the sentinel on it. Thanks!",
            "Read http://harbour.test/a, then http://harbour.test/b, and compare them.",
            "Is http://harbour.test/a up? Read http://harbour.test/a please.",
            "What does http://harbour.test/a say about \"fees\"?",
        ] {
            assert!(only_asks(text) && !hands_over(text), "{text}");
        }
    }

    #[test]
    fn what_may_hold_a_page_is_no_bare_request() {
        for text in [
            "http://harbour.test/a says: the harbour opens at nine.",
            "Summarise \"the harbour opens at nine\" from http://harbour.test/a.",
            "Read this:\nThe harbour opens at nine.",
            "Lies http://harbour.test/a und nenne den Wert darauf.",
            "Is this right? The harbour opens at nine.",
            "http://harbour.test/a: open 9 to 5.",
            "Read http://harbour.test/a\n<p>nine</p>",
            "http://harbour.test/a → 42",
            "Read http://harbour.test/a - open nine to five",
            "Read http://harbour.test/a (open nine to five)",
            "Read http://harbour.test/a, which states that it is open nine to five.",
            "Please read the page http://harbour.test/a whose text is open nine to five",
        ] {
            assert!(!only_asks(text), "{text}");
        }
        for text in
            ["I pasted it.", "Here is the page.", "See the attachment!", "Value e-jPUfHCPr-WmQWy1B82PQ, is it right?"]
        {
            assert!(hands_over(text), "{text}");
        }
    }

    #[test]
    fn a_document_says_whose_it_is() {
        assert_eq!(sessions("Probe document for session a.b.\nIt").collect::<Vec<_>>(), ["a.b"]);
        assert_eq!(sessions("made for session <code>s-1</code>. It").collect::<Vec<_>>(), ["s-1"]);
        assert_eq!(sessions("for session `s_1`").collect::<Vec<_>>(), ["s_1"]);
        assert_eq!(sessions("for session é, for session ").count(), 0);
        for text in ["Sentinel: 7", "<meta name=\"occam-sentinel\">", "e-jPUfHCPr-WmQWy1B82PQ"] {
            assert!(is_document(text), "{text}");
        }
        for text in ["a.md", "0123456789abcdef0123456789abcdef", "src/components/HarbourFees.tsx"] {
            assert!(!is_document(text), "{text}");
        }
    }
}
