//! The words that govern what follows, kind by kind.

use super::super::lexicon;
use super::super::sentence::{Start, QUOTATION};
use super::super::Stance;
use super::{Denial, Hold, Walk};

impl Walk<'_, '_> {
    /// Takes up what the word at `i` governs, if it governs anything.
    pub(super) fn govern(&mut self, i: usize) {
        if !self.s.has(i, lexicon::GOVERNING) || self.s.inside.get(i).is_some_and(|f| f & QUOTATION != 0) {
            return;
        }
        let word = self.s.word(i);
        if self.s.has(i, lexicon::RESUMES) {
            self.resume(i, word);
        }
        if self.s.has(i, lexicon::PLANS) {
            self.modal(i, word);
        }
        if self.s.has(i, lexicon::DENIES) {
            self.denial(i, word);
        }
        if self.s.has(i, lexicon::CONDITIONS) {
            self.condition(i, word);
        }
        if self.s.has(i, lexicon::PURPOSES) {
            self.purpose(i, word);
        }
        if self.s.has(i, lexicon::DEFINES) {
            self.general(i, word);
        }
        if self.s.has(i, lexicon::QUOTES) {
            self.telling(i, word);
            self.others(i, word);
        }
    }

    /// Whether “and I” follows “according to …”, and nobody is quoted otherwise.
    fn after_according(&self, i: usize, subject: &str) -> bool {
        let joined = matches!(self.s.before(i), "and" | "but");
        let own = matches!(subject, "i" | "i've") && self.s.has(i + 1, lexicon::FINITE);
        let quoted = (0..i).any(|at| self.s.has(at, lexicon::SAYING | lexicon::SAID));
        own && joined && !quoted && (0..i).any(|at| self.s.word(at) == "according")
    }

    /// The verb of a subject that holds a purpose or a `without`: "the attempt to read it was blocked".
    fn resume(&mut self, i: usize, word: &str) {
        let subject = matches!(word, "i" | "we" | "i've" | "we've") && !ASKED_BY.contains(&self.s.before(i));
        if subject && self.s.has(i + 1, lexicon::FINITE) {
            // What somebody else's telling is followed by, “…, according to the log, and I …”, is the agent's own.
            let told = self.state.mood == Some((Stance::Quotes, Hold::Sentence)) && self.after_according(i, word);
            if told || matches!(self.state.mood, Some((_, Hold::Phrase))) {
                self.state.mood = None;
            }
            if self.state.denial == Some(Denial::Aside) {
                self.state.denial = None;
            }
        }
        let ended =
            matches!(word, "failed" | "succeeded" | "passed" | "worked" | "ended" | "returned" | "exited" | "hung");
        if self.verb || self.first_phrase || !(self.s.has(i, lexicon::AUXILIARIES) || ended) {
            return;
        }
        if matches!(self.state.mood, Some((_, Hold::Phrase))) {
            self.state.mood = None;
        }
        if self.state.denial == Some(Denial::Aside) {
            self.state.denial = None;
        }
    }

    fn modal(&mut self, i: usize, word: &str) {
        let next = self.s.word(i + 1);
        let at = self.s.past_adverbs(i + 1);
        let after = self.s.word(at);
        let me = matches!(self.s.before(i), "i" | "we");
        if word.ends_with("'d") && self.s.has(at, lexicon::IS_PAST) {
            return self.set(i, Stance::Quotes, Hold::Clause);
        }
        if self.s.has(i, lexicon::MODALS) {
            let aside = me && matches!(after, "note" | "mention" | "add" | "say" | "stress" | "emphasize" | "point");
            let noted = word == "should" && next == "be" && self.s.word(i + 2) == "noted";
            if !aside && !noted {
                self.set(i, Stance::Plans, Hold::Clause);
            }
            return;
        }
        match word {
            "can" | "could" if next == "not" => self.deny(i, Denial::Verb),
            "can"
                if matches!(after, "confirm" | "see" | "report" | "say")
                    && matches!(self.s.before(i), "i" | "we" | "you") => {}
            "can" | "could" | "let's" | "lets" => self.set(i, Stance::Plans, Hold::Clause),
            "please" if !matches!(next, "note" | "be" | "remember") => {
                self.set(i, Stance::Instructs, Hold::Clause);
            }
            "let" if matches!(next, "me" | "us") => self.set(i, Stance::Plans, Hold::Clause),
            "feel" if next == "free" => self.set(i, Stance::Instructs, Hold::Clause),
            "need" | "needs" if self.gerund(i + 1) || next == "to" => self.set(i, Stance::Plans, Hold::Clause),
            "recommend" | "suggest" | "propose" | "advise" | "consider" | "plan" | "intend" | "want" | "wants"
                if self.verb_place(i) =>
            {
                self.set(i, Stance::Plans, Hold::Clause);
            }
            "recommended" | "suggested" | "proposed" | "planned" | "offered" | "considered" if self.gerund(i + 1) => {
                self.set(i + 1, Stance::Plans, Hold::Phrase);
            }
            "think" | "believe" | "assume" | "guess" | "suspect" | "expect" | "hope"
                if me || matches!(self.s.before(i), "you" | "they") =>
            {
                self.set(i, Stance::Supposes, Hold::Clause);
            }
            "appears" | "seems" | "appear" | "seem" | "looks"
                if matches!(next, "that" | "like") || (next == "to" && word != "looks") =>
            {
                self.set(i, Stance::Supposes, Hold::Clause);
            }
            "am" | "i'm" | "we're" | "are" if self.gerund(at) && (word != "are" || me) => {
                self.set(i, Stance::Plans, Hold::Clause);
            }
            _ if self.s.has(i, lexicon::HEDGES) => self.set(i, Stance::Supposes, Hold::Clause),
            _ => {}
        }
    }

    /// Whether a word that may be a noun stands where a verb does.
    fn verb_place(&self, i: usize) -> bool {
        self.before_has(i, lexicon::PRONOUNS) || i == self.s.first()
    }

    fn denial(&mut self, i: usize, word: &str) {
        let next = self.s.word(i + 1);
        let to = |this: &mut Self, at: usize| {
            if this.s.word(at) == "to" {
                this.plain_to = at;
            }
        };
        match word {
            "not" if matches!(next, "only" | "just" | "necessarily") || self.s.before(i) == "whether" => {}
            "not" => {
                self.deny(i, Denial::Verb);
                to(self, i + 2);
            }
            "never" if matches!(self.s.before(i), "is" | "are") => self.cover_clause(i, Stance::Supposes, Hold::Clause),
            "never" | "cannot" | "nor" | "neither" | "nobody" | "nowhere" => self.deny(i, Denial::Verb),
            "no" if next == "longer" || self.s.mark(i + 1) == "," || self.s.mark(i + 1) == ":" => {}
            "no" | "nothing" | "none" => self.negative(i, word),
            "without" | "lacking" | "except" => self.deny(i, Denial::Aside),
            "instead" if next == "of" => self.deny(i, Denial::Aside),
            "rather" if next == "than" => self.deny(i, Denial::Aside),
            "unable" | "fails" | "failed" | "failing" | "fail" | "refused" | "declined" | "forgot" | "neglected"
            | "yet"
                if next == "to" =>
            {
                self.deny(i, Denial::Verb);
                self.plain_to = i + 1;
            }
            "able" | "managed" | "had" | "went" | "proceeded" | "continued" | "started" | "began" | "helped" => {
                to(self, i + 1);
                to(self, i + 2);
            }
            "almost" | "nearly" if self.s.has(i + 1, lexicon::IS_PAST) => self.deny(i, Denial::Phrase),
            "skipped" | "skipping" | "skips" | "omitted" | "avoided" | "avoids" | "prevented" | "prevents" => {
                self.deny(i, Denial::Phrase);
            }
            _ if self.s.has(i, lexicon::NEGATED) => self.negated(i, word),
            _ => {}
        }
    }

    fn negated(&mut self, i: usize, word: &str) {
        if matches!(word, "won't" | "wouldn't" | "shouldn't" | "mustn't" | "needn't") {
            return;
        }
        self.deny(i, Denial::Verb);
        if self.s.word(i + 2) == "to" {
            self.plain_to = i + 2;
        }
    }

    /// `no`, `nothing`, `none`: as a subject or alone they deny what follows, as the object of an act the act itself.
    fn negative(&mut self, i: usize, word: &str) {
        if !self.verb {
            let held = if word == "no" { Denial::Phrase } else { Denial::Verb };
            return self.deny(i, held);
        }
        let act = (i.saturating_sub(2).max(self.part)..i)
            .rev()
            .find(|&at| self.s.has(at, lexicon::IS_PAST | lexicon::BASE | lexicon::PRESENT));
        if let Some(at) = act {
            if !self.s.has(at, lexicon::REPORTING) && self.out[at] == Stance::Asserts {
                self.out[at] = Stance::Denies;
            }
        }
        self.deny(i, Denial::Phrase);
    }

    fn condition(&mut self, i: usize, word: &str) {
        let next = self.s.word(i + 1);
        match word {
            "if" | "unless" | "lest" | "assuming" | "supposing" => self.supposes(i, word == "if"),
            "otherwise" if i == self.s.first() => self.set(i, Stance::Supposes, Hold::Sentence),
            "provided" if next == "that" => self.supposes(i, false),
            "whether" => self.asks(i),
            "case" if self.s.before(i) == "in" => self.supposes(i, false),
            "soon" | "long" if next == "as" && self.s.before(i) == "as" => self.timed(i + 2, false),
            "suppose" | "imagine" if i == self.s.first() => self.supposes(i, false),
            "dry" if next == "run" => self.cover_clause(i, Stance::Supposes, Hold::Clause),
            "dry-run" => self.cover_clause(i, Stance::Supposes, Hold::Clause),
            "whenever" => self.supposes(i, false),
            "once" | "when" | "until" | "till" | "after" => self.timed(i + 1, word == "when"),
            "before" if self.s.starts(i + 1) != Start::No && !matches!(next, "that" | "this") => {
                self.timed(i + 1, false);
                self.set_ahead(i, Stance::Supposes);
            }
            _ => {}
        }
    }

    /// A clause of time is a condition where it speaks of the present or what is to come. `present`: so it does too
    /// where its verb is not known and what it belongs to tells of nothing past.
    fn timed(&mut self, i: usize, present: bool) {
        let tense = self.s.tense(i);
        let unknown = tense.is_none() && present && !self.past && self.verb;
        if !self.gerund(i) && (tense == Some(false) || unknown) {
            self.supposes(i - 1, false);
        }
    }

    /// An indirect question; what governs it already goes on.
    fn asks(&mut self, i: usize) {
        if self.state.mood.is_none() {
            self.set(i, Stance::Supposes, Hold::Phrase);
            self.first_phrase = true;
        }
    }

    fn supposes(&mut self, i: usize, may_ask: bool) {
        let asked = may_ask && ASKING.contains(&self.s.before(i));
        if asked {
            self.asks(i);
        } else if self.past || self.part >= i {
            self.state.mood = Some((Stance::Supposes, Hold::Sentence));
        } else {
            self.cover_clause(i, Stance::Supposes, Hold::Sentence);
        }
    }

    fn purpose(&mut self, i: usize, word: &str) {
        let next = self.s.word(self.s.past_adverbs(i + 1));
        match word {
            "to" if i != self.plain_to
                && !self.ranges(i)
                && !self.discourse(i, next)
                && (self.s.has(self.s.past_adverbs(i + 1), lexicon::BASE) || matches!(next, "be" | "have" | "get")) =>
            {
                let stance = self.state.mood.map_or(Stance::Plans, |(stance, _)| stance);
                if self.state.mood.is_none() {
                    self.set_ahead(i, stance);
                }
            }
            "happy" | "glad" | "pleased" | "sorry" | "proud" | "relieved" if self.s.word(i + 1) == "to" => {
                let reports = ["report", "say", "confirm", "announce", "share", "tell", "inform", "see", "hear"];
                if reports.contains(&self.s.word(i + 2)) {
                    self.plain_to = i + 1;
                }
            }
            "checks" | "ensures" | "asserts" | "tests" | "verifies" | "guarantees" | "guarantee" | "assert"
                if self.s.word(i + 1) == "that" && !self.before_has(i, lexicon::RECORDS) =>
            {
                self.ensures();
            }
            _ if FAULTS.contains(&word) => {
                let at = i + 1 + usize::from(matches!(next, "was" | "is" | "in"));
                if matches!(self.s.word(at), "where" | "that" | "which" | "when") && self.state.mood.is_none() {
                    self.state.mood = Some((Stance::Supposes, Hold::Clause));
                }
            }
            "so" if self.s.word(i + 1) == "that" => self.set_ahead(i, Stance::Plans),
            "before" | "prior" if self.gerund(i + 1) || (word == "prior" && self.gerund(i + 2)) => {
                self.set_ahead(i, Stance::Plans);
            }
            "for" | "of" | "about" | "on" if self.gerund(i + 1) && self.s.before(i) != "instead" => {
                self.set_ahead(i, Stance::Supposes);
            }
            "from" if self.gerund(i + 1) => self.deny(i, Denial::Aside),
            _ => {}
        }
    }

    /// "To summarize", "To be clear": no purpose of an act.
    fn discourse(&self, i: usize, next: &str) -> bool {
        let certain = matches!(self.s.word(i + 2), "clear" | "sure" | "honest" | "fair" | "precise" | "exact");
        let sums_up = matches!(next, "summarize" | "summarise" | "recap" | "sum" | "conclude");
        i == self.s.first() && (sums_up || (next == "be" && certain))
    }

    /// "from cover to cover": no purpose.
    fn ranges(&self, i: usize) -> bool {
        (i.saturating_sub(3)..i).any(|at| self.s.word(at) == "from")
    }

    pub(super) fn before_has(&self, i: usize, classes: lexicon::Classes) -> bool {
        self.s.place_before(i).is_some_and(|at| self.s.has(at, classes))
    }

    /// What a test or a change is said to ensure is how things are to be, up to the end of the sentence.
    fn ensures(&mut self) {
        if self.state.mood.is_none() {
            self.state.mood = Some((Stance::Supposes, Hold::Sentence));
        }
    }

    fn gerund(&self, i: usize) -> bool {
        self.s.has(i, lexicon::GERUND)
    }

    /// A phrase governs only what follows it, never the clause that it hangs on.
    fn set_ahead(&mut self, i: usize, stance: Stance) {
        if self.state.mood.is_none() {
            self.state.mood = Some((stance, Hold::Phrase));
            self.first_phrase = i <= self.s.first();
            self.subject = i;
        }
    }

    fn general(&mut self, i: usize, word: &str) {
        let follows = i + 1 < self.s.len() && self.s.mark(i + 1).is_empty() && self.s.word(i + 1) != "of";
        let defines = follows
            && matches!(word, "means" | "denotes" | "signifies")
            && !matches!(self.s.before(i), "by" | "all" | "any");
        let always = word == "always" && !self.past;
        let default = word == "default" && self.s.before(i) == "by";
        if defines || always || default || self.s.has(i, lexicon::GENERAL) {
            self.cover_clause(i, Stance::Supposes, Hold::Clause);
        }
    }
}

/// Words before a subject that make its clause part of a question or a description.
const ASKED_BY: &[&str] = &["how", "if", "that", "what", "when", "where", "whether", "which", "who", "why"];

/// Nouns for something that went wrong; what is told of it is how things were, not what was done.
pub(super) const FAULTS: &[&str] = &[
    "bug",
    "bugs",
    "case",
    "cases",
    "crash",
    "error",
    "issue",
    "issues",
    "problem",
    "problems",
    "race",
    "regression",
    "scenario",
    "situation",
];

/// Verbs whose `if` asks rather than sets a condition.
const ASKING: &[&str] = &[
    "ask",
    "asked",
    "check",
    "checked",
    "checking",
    "checks",
    "clear",
    "confirm",
    "decide",
    "determine",
    "know",
    "see",
    "sure",
    "test",
    "tested",
    "unclear",
    "unsure",
    "verified",
    "verify",
    "wonder",
];
