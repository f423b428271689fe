//! Stance: what the author does with every word of a sentence.
//!
//! One pass from left to right carries what governs the words: a plan, a purpose, a condition, somebody else's telling,
//! a denial. Each ends where its kind ends: a denial at the next clause, a plan at the next subject with a verb of its
//! own, a condition with its sentence. What is not sure ends later rather than earlier, so that a clause in doubt claims
//! nothing. A few forms look back: a condition behind its clause, "changed nothing", "X means Y".

mod govern;
mod others;

use super::lexicon;
use super::sentence::{Sentence, Start, PARENTHESIS, QUOTATION};
use super::{Stance, TokenKind};
use alloc::vec::Vec;

/// How long a mood governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hold {
    /// Up to the next comma, or the next verb that stands beside it: purposes, gerunds.
    Phrase,
    /// Up to the next clause with a subject and a sure verb: modals, orders, hedges.
    Clause,
    /// Up to the end of the sentence: conditions, quotations.
    Sentence,
}

/// How long a denial governs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denial {
    /// `not`, `never`, `nothing`, `unable to`: up to the next clause.
    Verb,
    /// `no`: up to the next comma too.
    Phrase,
    /// `without`, `instead of`: likewise, and it does not reach the verb of a subject that it belongs to.
    Aside,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    mood: Option<(Stance, Hold)>,
    denial: Option<Denial>,
}

/// What surrounds a sentence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The stance of a sentence that says nothing else.
    pub(super) ambient: Stance,
    /// It ends in a question mark.
    pub(super) asks: bool,
    /// It stands among things done, so that "Read the file" tells of the past.
    pub(super) done: bool,
}

/// The stance of each token of a sentence, added to `out`.
pub(super) fn read(sentence: Sentence<'_>, setting: Setting, out: &mut Vec<Stance>) {
    let base = out.len();
    out.resize(base + sentence.len(), setting.ambient);
    let Some(stances) = out.get_mut(base..) else { return };
    if setting.asks {
        stances.fill(Stance::Asks);
        return;
    }
    let mut walk = Walk::new(sentence, setting, stances);
    walk.opening();
    let telling = lexicon::GOVERNING | lexicon::JOINTS | lexicon::TURNING | lexicon::ARROW | lexicon::FINITE;
    let mut stance = walk.stance();
    for i in 0..sentence.len() {
        if !sentence.has(i, telling) {
            // Nothing ends, governs or is a verb here.
            walk.out[i] = stance;
            continue;
        }
        walk.boundary(i);
        walk.govern(i);
        walk.settle(i);
        stance = walk.stance();
    }
    if !sentence.inside.iter().any(|inside| inside & QUOTATION != 0) {
        return;
    }
    for (stance, inside) in stances.iter_mut().zip(sentence.inside) {
        if inside & QUOTATION != 0 {
            *stance = Stance::Quotes;
        }
    }
}

struct Walk<'s, 'o> {
    s: Sentence<'s>,
    setting: Setting,
    out: &'o mut [Stance],
    state: State,
    /// The state outside of the parentheses that are open.
    outer: Option<State>,
    /// Where the present clause starts.
    part: usize,
    /// Where the words start that a governor found now also governs: its subject.
    subject: usize,
    /// A verb was seen since then.
    verb: bool,
    /// A past verb that is no participle of a present passive was seen in this clause.
    past: bool,
    /// The `to` at this place states no purpose: "failed to", "managed to".
    plain_to: usize,
    /// The phrase that governs does not belong to a subject whose verb is still to come.
    first_phrase: bool,
}

impl<'s, 'o> Walk<'s, 'o> {
    fn new(s: Sentence<'s>, setting: Setting, out: &'o mut [Stance]) -> Self {
        let plain_to = usize::MAX;
        let state = State::default();
        Walk {
            s,
            setting,
            out,
            state,
            outer: None,
            part: 0,
            subject: 0,
            verb: false,
            past: false,
            plain_to,
            first_phrase: false,
        }
    }

    /// What the first words say about the whole sentence.
    fn opening(&mut self) {
        let first = self.s.first();
        if let Some(mark) = first.checked_sub(1).map(|_| self.s.mark(0)) {
            match mark {
                "☐" | "⬜" | "🔲" | "⏳" | "🚧" | "⏭" => self.set(0, Stance::Plans, Hold::Sentence),
                "❌" | "✗" | "✘" | "🚫" => self.set(0, Stance::Supposes, Hold::Sentence),
                _ => {}
            }
        }
        let word = self.s.word(first);
        let next = self.s.tokens.get(first + 1);
        let numbered = next.is_some_and(|t| t.kind == TokenKind::Number || t.text.chars().count() == 1);
        if matches!(word, "option" | "alternative" | "variant") && numbered {
            self.set(first, Stance::Plans, Hold::Sentence);
        } else if matches!(word, "should" | "had" | "were") && self.s.starts(first + 1) >= Start::Weak
            || (matches!(word, "should" | "had" | "were") && self.s.word(first + 1) == "the")
        {
            self.set(first, Stance::Supposes, Hold::Sentence);
        }
        if let Some(text) = self.s.label() {
            self.label(first, text);
        } else if self.s.commands(first, self.setting.done) {
            self.set(first, Stance::Instructs, Hold::Clause);
        }
    }

    /// "Next: …", "**Expected** – …" plan, and what stands behind an order is what it would do; behind any other label
    /// a sentence starts anew.
    fn label(&mut self, first: usize, text: usize) {
        let label = first..text - 1;
        let named = label.len() <= 4 && !label.clone().any(|i| self.s.has(i, lexicon::PRONOUNS));
        let next = self.s.word(first) == "next";
        let planned = named && (next || label.clone().any(|i| self.s.has(i, lexicon::PLANNED)));
        let told = label.clone().any(|i| self.s.has(i, lexicon::IS_PAST) && !self.s.has(i, lexicon::PLANNED));
        if planned && !told {
            self.set(first, Stance::Plans, Hold::Sentence);
        } else if self.s.commands(first, self.setting.done) {
            self.set(first, Stance::Instructs, Hold::Sentence);
        }
    }

    fn set(&mut self, from: usize, stance: Stance, hold: Hold) {
        if matches!(self.state.mood, Some((_, Hold::Sentence))) && hold != Hold::Sentence {
            return;
        }
        self.state.mood = Some((stance, hold));
        self.cover_subject(from);
    }

    fn deny(&mut self, from: usize, denial: Denial) {
        self.state.denial = Some(denial);
        if denial == Denial::Verb {
            self.cover_subject(from);
        }
    }

    /// The subject of a governed verb is governed with it: "the 12 tests would pass".
    fn cover_subject(&mut self, to: usize) {
        if self.verb || self.subject >= to {
            return;
        }
        let stance = self.stance();
        if let Some(words) = self.out.get_mut(self.subject..to) {
            words.iter_mut().filter(|s| **s == Stance::Asserts).for_each(|s| *s = stance);
        }
        self.subject = to;
    }

    /// The whole clause so far, and what follows in it, states no event.
    fn cover_clause(&mut self, i: usize, stance: Stance, hold: Hold) {
        if let Some(words) = self.out.get_mut(self.part..i) {
            words.iter_mut().filter(|s| **s == Stance::Asserts).for_each(|s| *s = stance);
        }
        self.part = i;
        self.subject = i;
        self.set(i, stance, hold);
    }

    fn stance(&self) -> Stance {
        match (self.setting.ambient, self.state.mood, self.state.denial) {
            (_, Some((mood, _)), _) => mood,
            (Stance::Asserts, None, Some(_)) => Stance::Denies,
            (ambient, None, _) => ambient,
        }
    }

    fn settle(&mut self, i: usize) {
        self.out[i] = self.stance();
        if self.s.is_verb(i) {
            self.verb = true;
            let present = matches!(self.s.before(i), "is" | "are" | "be" | "gets" | "get" | "being" | "will");
            self.past |= !present
                && (self.s.has(i, lexicon::IS_PAST) || matches!(self.s.word(i), "was" | "were" | "did" | "had"));
        }
    }

    fn next_clause(&mut self, i: usize) {
        self.part = i;
        self.subject = i;
        self.verb = false;
        self.past = false;
    }

    /// Ends what does not reach beyond the mark or conjunction at `i`.
    fn boundary(&mut self, i: usize) {
        if self.s.has(i, lexicon::JOINTS) {
            self.conjunction(i);
        } else if self.s.has(i, lexicon::TURNING) {
            self.mark(i, self.s.mark(i));
        } else if self.s.has(i, lexicon::ARROW) {
            self.state.denial = None;
            self.next_clause(i + 1);
        }
    }

    fn mark(&mut self, i: usize, mark: &str) {
        match mark {
            "|" => {
                self.state = State::default();
                self.next_clause(i + 1);
                self.restart(i + 1);
            }
            ";" => self.semicolon(i),
            ":" => {
                self.state.denial = None;
                self.next_clause(i + 1);
                self.restart(i + 1);
            }
            "," => self.comma(i),
            "(" if self.inside(i + 1) => {
                self.outer = self.outer.or(Some(self.state));
                self.state.denial = None;
            }
            ")" => {
                if let Some(outer) = self.outer.take() {
                    self.state = outer;
                }
            }
            _ if self.s.is_dash(i) => {
                self.state.denial = None;
                self.yield_to(self.s.starts(i + 1), Start::Strong);
                self.next_clause(i + 1);
                self.restart(i + 1);
            }
            _ => {}
        }
    }

    fn inside(&self, i: usize) -> bool {
        self.s.inside.get(i).is_some_and(|f| f & PARENTHESIS != 0)
    }

    /// Behind a label, a dash or a semicolon an order may stand.
    fn restart(&mut self, i: usize) {
        if self.state.mood.is_none() && self.s.commands(i, self.setting.done) {
            self.set(i, Stance::Instructs, Hold::Clause);
        }
    }

    fn semicolon(&mut self, i: usize) {
        self.state.denial = None;
        let starts = self.s.starts(i + 1) != Start::No || self.s.has(self.s.past_adverbs(i + 1), lexicon::IS_PAST);
        if starts {
            self.state.mood = None;
        }
        self.next_clause(i + 1);
        self.restart(i + 1);
    }

    fn comma(&mut self, i: usize) {
        let starts = self.s.starts(i + 1);
        if matches!(self.state.denial, Some(Denial::Phrase | Denial::Aside)) || starts != Start::No {
            self.state.denial = None;
        }
        let past = self.s.has(self.s.past_adverbs(i + 1), lexicon::IS_PAST);
        match self.state.mood {
            Some((_, Hold::Phrase)) if starts != Start::No || past => self.state.mood = None,
            Some((_, Hold::Clause)) if starts == Start::Strong => self.state.mood = None,
            _ => {}
        }
        if starts != Start::No {
            self.next_clause(i + 1);
        }
    }

    fn conjunction(&mut self, i: usize) {
        let word = self.s.word(i);
        let contrast = matches!(word, "but" | "because" | "since" | "so" | "although" | "though" | "while" | "whereas");
        if !contrast && !matches!(word, "and" | "then" | "as") {
            return;
        }
        let purpose = word == "so" && self.s.word(i + 1) == "that";
        let starts = self.s.starts(i + 1);
        if contrast && !purpose {
            self.state.denial = None;
        }
        let past = self.s.has(self.s.past_adverbs(i + 1), lexicon::IS_PAST);
        let phrase = starts == Start::Weak && matches!(self.state.denial, Some(Denial::Phrase | Denial::Aside));
        if starts == Start::Strong || phrase || (past && word == "and" && !self.is_passive(i)) {
            self.state.denial = None;
        }
        if word != "as" {
            self.yield_to(starts, Start::Strong);
            if past && !self.is_passive(i) && matches!(self.state.mood, Some((_, Hold::Phrase))) {
                self.state.mood = None;
            }
        }
        if starts != Start::No || (past && !self.is_passive(i)) {
            self.next_clause(i);
        }
    }

    /// Whether the verb before a conjunction is a participle behind a form of `be`: "was not built and pushed".
    fn is_passive(&self, i: usize) -> bool {
        let from = i.saturating_sub(5).max(self.part);
        let be =
            |at: usize| matches!(self.s.word(at), "was" | "were" | "be" | "been" | "is" | "are" | "wasn't" | "weren't");
        (from..i).any(be)
    }

    /// A plan or a purpose ends where a clause starts that has a verb of its own.
    fn yield_to(&mut self, starts: Start, least: Start) {
        let held = matches!(self.state.mood, Some((_, Hold::Sentence)) | None);
        let phrase = matches!(self.state.mood, Some((_, Hold::Phrase)));
        if !held && (starts >= least || (phrase && starts != Start::No)) {
            self.state.mood = None;
        }
    }
}

#[cfg(test)]
mod tests;
