//! The words and acts of others, and what was so before.

use super::super::lexicon;
use super::super::Stance;
use super::{Hold, Walk};

impl Walk<'_, '_> {
    /// "The README says", "you wrote", "according to".
    pub(super) fn telling(&mut self, i: usize, word: &str) {
        let before = self.s.before(i);
        let aside = i >= 2 && matches!(self.s.word(i - 2), "as" | "like");
        if word == "according" && self.s.word(i + 1) == "to" {
            self.set(i, Stance::Quotes, Hold::Sentence);
        } else if word == "as" {
            self.as_told(i);
        } else if self.s.has(i, lexicon::SAYING) && !before.is_empty() && !self.before_has(i, lexicon::RECORDS) {
            let verb = !self.before_has(i, lexicon::DETERMINERS) || self.before_has(i, lexicon::PRONOUN_LIKE);
            if verb {
                self.set(i, Stance::Quotes, Hold::Sentence);
            }
        } else if self.s.has(i, lexicon::SAID)
            && !aside
            && !matches!(self.s.word(i + 1), "for" | "me" | "about")
            && matches!(before, "you" | "you've" | "user" | "customer")
        {
            self.set(i, Stance::Quotes, Hold::Sentence);
        }
    }

    /// "The rows were removed, as the page notes": what a text tells is told by it.
    fn as_told(&mut self, i: usize) {
        let noun = i + 1 + usize::from(self.s.has(i + 1, lexicon::DETERMINERS));
        let verb = self.s.word(self.s.past_adverbs(noun + 1));
        if TEXTS.contains(&self.s.word(noun)) && TELLING.contains(&verb) {
            self.cover_clause(i, Stance::Quotes, Hold::Clause);
        }
    }

    /// What others did, or what was so before.
    pub(super) fn others(&mut self, i: usize, word: &str) {
        let at = self.s.past_adverbs(i + 1);
        let after = self.s.word(at);
        match word {
            "you" | "you've" => {
                let verb = if matches!(after, "have" | "had") { self.s.past_adverbs(at + 1) } else { at };
                if self.s.has(verb, lexicon::IS_PAST) && !self.s.has(verb, lexicon::ANSWERED | lexicon::SAID) {
                    self.set(i, Stance::Quotes, Hold::Clause);
                }
            }
            "had" | "hadn't" if self.s.has(at, lexicon::IS_PAST) || after == "been" => {
                self.set(i, Stance::Quotes, Hold::Clause);
            }
            "already" => {
                let (before, next) = (i.checked_sub(1).map_or("", |b| self.s.word(b)), self.s.word(i + 1));
                let passive = matches!(before, "was" | "were" | "is" | "are") || next == "been";
                if passive || matches!(next, "exists" | "existed" | "exist") {
                    self.cover_clause(i, Stance::Quotes, Hold::Clause);
                }
            }
            "by" if self.outsider(i + 1) => self.cover_clause(i, Stance::Quotes, Hold::Clause),
            "previous" | "earlier" | "prior" | "last" | "another" | "other"
                if matches!(self.s.word(i + 1), "agent" | "assistant" | "session" | "conversation" | "turn") =>
            {
                self.cover_clause(i, Stance::Quotes, Hold::Clause);
            }
            "turn" | "session" if self.s.word(i + 1) == "before" => self.cover_clause(i, Stance::Quotes, Hold::Clause),
            _ if self.s.has(i, lexicon::OUTSIDERS) && !self.verb => {
                let verb = if matches!(after, "has" | "have") { self.s.past_adverbs(at + 1) } else { at };
                if self.s.has(verb, lexicon::IS_PAST) && self.s.word(verb) != "been" {
                    self.set(i, Stance::Quotes, Hold::Clause);
                }
            }
            _ => {}
        }
    }

    fn outsider(&self, i: usize) -> bool {
        let word = |at: usize| self.s.word(at);
        let apart = |at: usize| word(at).is_empty() || matches!(word(at), "and" | "or" | "of" | "in" | "on" | "from");
        let last =
            (i..i + 4).take_while(|&at| !apart(at)).find(|&at| self.s.has(at, lexicon::OUTSIDERS) || word(at) == "you");
        last.is_some_and(|at| apart(at + 1) || self.s.has(at + 1, lexicon::FUNCTION))
    }
}

/// Texts of others.
const TEXTS: &[&str] = &[
    "article",
    "author",
    "book",
    "changelog",
    "docs",
    "documentation",
    "guide",
    "page",
    "paper",
    "post",
    "publisher",
    "readme",
    "site",
    "source",
    "study",
    "website",
    "wiki",
];

/// Verbs with which they tell something.
const TELLING: &[&str] =
    &["describes", "explains", "mentions", "notes", "points", "reports", "says", "shows", "states", "tells", "writes"];
