//! Whether a message of the person answers: a word of assent or of what the answer is about, in a part of a sentence that
//! takes nothing back.

use crate::readers::text::head;
use alloc::string::String;
use alloc::vec::Vec;

/// What is asked of a message.
pub(super) struct Asked<'w> {
    /// How the words of what was answered begin.
    pub(super) words: &'w [String],
    /// Leave is said to have been given, for which a choice is not enough.
    pub(super) leave: bool,
    /// A refusal is said, which a negation is.
    pub(super) refusal: bool,
}

/// The longest message that is read, and the most that are.
pub(super) const LONGEST: usize = 4_000;
pub(super) const MOST: usize = 64;

/// A message of so many words may be no more than an answer.
const SHORT: usize = 12;

/// Words of a person who agrees.
#[rustfmt::skip]
const YES: &[&str] = &[
    "absolutely", "accept", "accepted", "agree", "agreed", "allow", "allowed", "approve", "approved", "certainly", "confirm", "confirmed", "correct", "definitely", "exactly", "fine",
    "fits", "good", "great", "happy", "lgtm", "ok", "okay", "perfect", "proceed", "suits", "sure", "works", "y", "yeah", "yep", "yes", "yup",
];

/// Words of a person who chooses.
#[rustfmt::skip]
const CHOICE: &[&str] = &[
    "best", "better", "choose", "first", "former", "keep", "last", "latter", "let's", "like", "love", "option", "pick", "prefer", "rather", "second", "take", "third", "use", "want",
];

/// The same in several words.
#[rustfmt::skip]
const PHRASES: &[&str] = &[
    "do it", "do that", "feel free", "go ahead", "go for", "go on", "of course", "please do", "ship it", "so be it", "that one",
    "that's it", "that's right", "that's the one", "this one", "why not", "works for me",
];

/// Words that take back what stands beside them.
#[rustfmt::skip]
const AGAINST: &[&str] = &[
    "cannot", "decline", "disagree", "neither", "never", "no", "none", "nope", "nor", "not", "nothing", "refuse", "reject", "stop",
    "unless", "until", "wait",
];

/// What “no” does not take back.
const HARMLESS: &[&str] = &["need", "objection", "objections", "problem", "problems", "reason", "rush", "worries"];

/// Whether a message answers what is asked.
pub(super) fn answers(message: &str, asked: &Asked<'_>) -> bool {
    // “The one on the left, please.”
    let short = !asked.leave && message.split_whitespace().take(SHORT + 1).count() <= SHORT;
    let message = head(message, LONGEST).to_lowercase().replace('’', "'");
    let parts = message.split(['.', '!', '?', ';', ',', ':', '\n', '–', '—', '(', ')']);
    parts.flat_map(|part| part.split(" but ")).any(|part| {
        let words = words(part);
        match taken_back(&words) {
            None => says(part, &words, asked) || (short && words.contains(&"please")),
            Some(_) if asked.refusal => true,
            // “Purge what is not from this year” speaks for it, “I approve nothing” does not.
            Some(at) if asked.leave => names(words.get(..at.saturating_sub(1)).unwrap_or(&[]), asked),
            // “Blue not red.”
            Some(at) => says("", words.get(..at).unwrap_or(&[]), asked),
        }
    })
}

fn words(text: &str) -> Vec<&str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|w| !w.is_empty()).collect()
}

fn names(words: &[&str], asked: &Asked<'_>) -> bool {
    words.iter().any(|word| asked.words.iter().any(|begin| word.starts_with(begin.as_str())))
}

fn says(part: &str, words: &[&str], asked: &Asked<'_>) -> bool {
    let assents = |word: &&str| YES.contains(word) || (!asked.leave && CHOICE.contains(word));
    names(words, asked)
        || words.iter().any(assents)
        || PHRASES.iter().any(|phrase| part.contains(phrase))
        || part.contains(['👍', '✅', '👌'])
}

/// The first word of a part of a sentence that denies or puts off.
fn taken_back(words: &[&str]) -> Option<usize> {
    let word = |i: usize| words.get(i).copied().unwrap_or("");
    let against = |&i: &usize| {
        let (before, word, next) = (word(i.wrapping_sub(1)), word(i), word(i + 1));
        let harmless = match word {
            "no" => HARMLESS.contains(&next),
            "not" => matches!(before, "reason" | "why") || matches!(next, "bad" | "mind" | "only"),
            _ => false,
        };
        (AGAINST.contains(&word) && !harmless)
            || (word.ends_with("n't") && !matches!(next, "forget" | "hesitate" | "mind" | "worry"))
            || (matches!(word, "after" | "before" | "once" | "when") && matches!(next, "i" | "i've" | "we"))
            || (word == "hold" && matches!(next, "off" | "on"))
    };
    (0..words.len()).find(against)
}

/// Whether a short message only denies or puts off.
pub(super) fn refuses(message: &str) -> bool {
    taken_back(&words(&message.to_lowercase())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn leave(message: &str) -> bool {
        answers(message, &Asked { words: &["delet".to_string()], leave: true, refusal: false })
    }

    #[test]
    fn assent_and_the_word_for_the_thing() {
        for message in [
            "Yes.",
            "OK, but keep a copy",
            "go ahead and clean up",
            "Delete the old logs, please.",
            "No problem, sounds good",
            "Don't worry, that's right",
            "Not the first one. Deletion is fine.",
            "👍",
            "I see no reason not to delete them",
            "Delete all that is not from this year",
        ] {
            assert!(leave(message), "{message}");
        }
    }

    #[test]
    fn what_is_taken_back_or_about_something_else() {
        for message in [
            "Please move the piano to the hall, and tell everybody.",
            "Hold on. I do not approve of this.",
            "Don’t delete it!",
            "I will say yes once I have seen the list",
            "The second one looks odd",
            "Stop deleting things",
            "",
        ] {
            assert!(!leave(message), "{message}");
        }
    }

    #[test]
    fn a_choice_stands_before_what_is_taken_back() {
        let blue =
            |message: &str| answers(message, &Asked { words: &["blue".to_string()], leave: false, refusal: false });
        assert!(blue("I want blue not red") && blue("why not blue") && blue("Not red but blue"));
        assert!(!blue("I do not want blue"));
    }

    #[test]
    fn a_refusal_is_a_negation() {
        assert!(answers("No.", &Asked { words: &[], leave: false, refusal: true }));
        assert!(!answers("Hello there", &Asked { words: &[], leave: false, refusal: true }));
    }
}
