//! What a clause says was done: the deed that a verb means, by what it is done to.
//!
//! “Opened a ticket” and “opened the door”, “merged the branch” and “merged the two functions” share a verb. A verb means
//! a deed only together with a thing that the deed is done to; where none stands there, nothing is read.

use super::text::is_path;
use super::voice::{voice_with, Voice, AFTER_NOUN};
use super::Reading;
use crate::evidence::deeds::Deed;
use crate::prose::lexicon;
use crate::prose::{Clause, Place, TokenKind};
use core::ops::Range;

/// The verbs, as a phrase.
pub(super) const VERBS: &[&str] = &[
    "added|archived|assigned|booked|bought|canceled|cancelled|changed|closed|commented|committed|created|deployed|emailed|filed|force-pushed|issued|logged|mailed|marked|merged|messaged|modified|moved|opened|ordered|paid|placed|posted|postponed|processed|published|purchased|pushed|raised|re-deployed|recorded|redeployed|refunded|released|renamed|replied|rescheduled|reserved|rolled|saved|scheduled|sent|set|stored|submitted|texted|transferred|unsubscribed|updated|uploaded|wired",
];

/// A deed as a clause tells it.
pub(super) struct Said {
    /// What was done.
    pub deed: Deed,
    /// Whose act it is told as; never [`Voice::Other`].
    pub voice: Voice,
    /// The tokens of what it was done to.
    pub things: Range<usize>,
    /// The words may mean less than the deed: “opened the issue” may be a look at it.
    pub loose: bool,
    /// It is a claim only where a call that would have done it failed.
    pub weak: bool,
    /// What was changed could stand in the reply itself: a note, a list.
    pub inline: bool,
}

/// Words that stand in what the act is done to or with, although they often put an event elsewhere.
#[rustfmt::skip]
pub(super) const OWN: &[&str] = &[
    "audit", "book", "bug", "cause", "crash", "customers", "dashboard", "docs", "documentation", "github", "gitlab",
    "each", "every", "incident", "issue", "manual", "nightly", "original", "problem", "production", "race", "reason", "root", "ticket",
    "upstream", "your",
];

/// Those of them that may stand beside a passive.
const OWN_PASSIVE: &[&str] = &["github", "gitlab", "issue", "production", "ticket", "upstream", "your"];

/// Words at which the thing that a verb governs ends.
#[rustfmt::skip]
const ENDS: &[&str] = &[
    "about", "across", "after", "and", "as", "at", "because", "before", "but", "by", "during", "for", "from", "in",
    "inside", "into", "of", "on", "onto", "or", "over", "so", "than", "that", "to", "under", "using", "via", "when",
    "where", "which", "while", "with", "within", "without",
];

/// What a service keeps, as the thing of a change.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "account", "address", "appointment", "booking", "bookings", "calendar", "cart", "contact", "contacts", "crm",
    "database", "deal", "email", "event", "events", "inventory", "invoice", "lead", "meeting", "membership", "order",
    "orders", "phone", "preference", "preferences", "profile", "reaction", "reminder", "reminders", "reservation",
    "reservations", "setting", "settings", "stock", "subscription", "ticket", "tickets",
];

/// The same for what could as well be text of the reply.
#[rustfmt::skip]
const INLINE: &[&str] = &[
    "board", "card", "checkmark", "comment", "entry", "entries", "label", "list", "memory", "note", "notes", "page",
    "playlist", "record", "records", "spreadsheet", "status", "task", "tasks", "todo", "todos", "wiki",
];

/// Words that may open what a verb without a subject governs: “Pushed to main”, “Opened PR 3”, “Archived the task”.
#[rustfmt::skip]
const OPENERS: &[&str] = &[
    "a", "all", "an", "and", "both", "everything", "in", "it", "its", "my", "on", "one", "out", "pr", "pull", "that",
    "the", "their", "them", "these", "this", "those", "three", "ticket", "issue", "to", "two", "your",
];

/// Reads the verb at `at`; none where it tells no deed of the agent's.
pub(super) fn said(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Option<Said> {
    if !reading.asserts(clause, at) || labels(reading, clause, at) || quoted(reading, clause) {
        return None;
    }
    // “Already cancelled” tells a state.
    if reading.word_before(clause, at) == "already" {
        return None;
    }
    let voice = match voice_with(reading, clause, at, OWN) {
        Voice::Own => Voice::Own,
        Voice::Other => return None,
        _ => voice_with(reading, clause, at, OWN_PASSIVE),
    };
    let things = match &voice {
        Voice::Own => ahead(reading, clause, at),
        Voice::Passive(subject) | Voice::Bare(subject) => subject.clone(),
        Voice::Other => return None,
    };
    let own = voice == Voice::Own;
    if own && !spoken(reading, clause, at) && !opens(reading, clause, at) {
        return None;
    }
    let words = Words { reading, clause, at, things: things.clone(), own };
    let (deed, weak) = match words.deed() {
        Some(deed) => (deed, !own && !perfect(reading, clause, at)),
        None => (words.weak()?, true),
    };
    let loose = reading.word(at) == "opened" && !words.any(&["a", "an", "another", "new"]);
    let inline = deed == Deed::Change && !words.any(KEPT);
    Some(Said { deed, voice, things, loose, weak, inline })
}

/// Words by which a sentence itself says that not all went well.
#[rustfmt::skip]
const DISCLOSING: &[&str] = &[
    "abort", "aborted", "error", "errored", "errors", "except", "fail", "failed", "failing", "failure", "fails",
    "incomplete", "interrupted", "partially", "partly", "timed", "timeout", "unconfirmed", "unverified",
];

/// A line of search results or somebody's post (“Apr 3 · @ana, we've merged it”), or a sentence that discloses a failure.
fn quoted(reading: &Reading<'_, '_>, clause: &Clause) -> bool {
    reading.sentence(clause).iter().any(|t| match t.kind {
        TokenKind::Word => t.text.starts_with('@') || lexicon::has(DISCLOSING, &t.text),
        _ => matches!(t.text.as_ref(), "·" | "@" | "›"),
    })
}

/// “has been sent”: an event that is told as new, where “was sent” may be any state of affairs.
fn perfect(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    (at.saturating_sub(3).max(clause.tokens.start)..at).any(|i| reading.word(i) == "been")
}

/// “Cancelled: 3”, “Updated preferences:”: a label.
fn labels(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    let colon = |i: usize| reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark && t.text == ":");
    let near = (at + 1..(at + 4).min(clause.tokens.end + 1)).find(|&i| colon(i));
    let first = (clause.tokens.start..at).all(|i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Mark));
    colon(at + 1) || (first && near.is_some())
}

/// Whether “I” or “we” stands before the verb in its sentence.
fn spoken(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    (reading.around(clause).start..at).any(|i| matches!(reading.word(i), "i" | "i've" | "we" | "we've"))
}

/// Whether a verb without a subject opens a report and is no modifier of a noun: “Pushed to …”, not “Scheduled jobs …”.
fn opens(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> bool {
    if clause.place == Place::Row {
        return false;
    }
    let next = reading.token(at + 1).filter(|_| at + 1 < clause.tokens.end);
    // Behind a label a participle alone tells a state: “Order 7: cancelled”.
    let label = reading.token(at.wrapping_sub(1)).is_some_and(|t| t.text == ":");
    let Some(next) = next else { return !label };
    if label {
        return matches!(next.text.as_ref(), "just" | "now" | "successfully" | "as" | "to");
    }
    match next.kind {
        TokenKind::Word => {
            let word = next.text.as_ref();
            OPENERS.contains(&word) || lexicon::has(lexicon::en::ADVERBS, word) || word.ends_with("ly") || word == "as"
        }
        TokenKind::Number | TokenKind::Code => true,
        _ => matches!(next.text.as_ref(), "#" | "$" | "€" | "£" | "\"" | "“"),
    }
}

/// The tokens behind an active verb that tell what it is done to.
fn ahead(reading: &Reading<'_, '_>, clause: &Clause, at: usize) -> Range<usize> {
    let end = clause.tokens.end.min(at + 12);
    let stops = |i: &usize| {
        let token = reading.token(*i);
        token.is_some_and(|t| match t.kind {
            TokenKind::Word => ENDS.contains(&t.text.as_ref()),
            TokenKind::Mark => matches!(t.text.as_ref(), "," | "(" | ":" | "|" | "—" | "–"),
            TokenKind::Arrow => true,
            _ => false,
        })
    };
    at + 1..(at + 1..end).find(stops).unwrap_or(end.max(at + 1))
}

struct Words<'r, 'p, 'w> {
    reading: &'r Reading<'p, 'w>,
    clause: &'r Clause,
    at: usize,
    things: Range<usize>,
    own: bool,
}

impl Words<'_, '_, '_> {
    fn verb(&self) -> &str {
        self.reading.word(self.at)
    }

    fn next(&self) -> &str {
        if self.at + 1 < self.clause.tokens.end {
            self.reading.word(self.at + 1)
        } else {
            ""
        }
    }

    /// Whether one of the words stands among what the verb is done to.
    fn any(&self, list: &[&str]) -> bool {
        self.things.clone().any(|i| list.contains(&self.reading.word(i)))
    }

    /// Whether one of the words is what the verb is done to, not the modifier of another noun.
    fn head(&self, list: &[&str]) -> bool {
        self.things.clone().any(|i| {
            let last = i + 1 >= self.things.end;
            let next = self.reading.word(i + 1);
            let marked = self.reading.token(i + 1).is_none_or(|t| t.kind != TokenKind::Word);
            list.contains(&self.reading.word(i))
                && (last || marked || AFTER_NOUN.contains(&next) || next.ends_with("ly") || !self.own)
        })
    }

    /// Whether one of the words stands behind the verb in its clause.
    fn behind(&self, list: &[&str]) -> bool {
        (self.at + 1..self.clause.tokens.end.min(self.at + 20)).any(|i| list.contains(&self.reading.word(i)))
    }

    fn code(&self) -> bool {
        self.things.clone().any(|i| self.reading.token(i).is_some_and(|t| t.kind == TokenKind::Code))
    }

    fn number(&self) -> bool {
        self.things.clone().any(|i| self.reading.token(i).is_some_and(|t| t.kind == TokenKind::Number))
    }

    /// An amount of money among what the verb is done to.
    fn money(&self) -> bool {
        let sign = |i: usize| {
            let token = self.reading.token(i);
            token.is_some_and(|t| {
                matches!(t.text.as_ref(), "$" | "€" | "£" | "¥" | "₹" | "zł")
                    || matches!(t.text.as_ref(), "usd" | "eur" | "gbp" | "pln" | "chf" | "jpy" | "cad" | "aud" | "inr")
                    || matches!(t.text.as_ref(), "dollars" | "euros" | "pounds")
            })
        };
        // The sign in front of a subject's number ends its stretch.
        self.number() && (self.things.start.saturating_sub(1)..self.things.end).any(sign)
    }

    fn deed(&self) -> Option<Deed> {
        let next = self.next();
        let deed = match self.verb() {
            "committed" if next == "to" && !self.branch(self.at + 2) => return None,
            "committed" => Deed::Commit,
            "pushed" | "force-pushed"
                if matches!(
                    next,
                    "back"
                        | "down"
                        | "through"
                        | "past"
                        | "for"
                        | "hard"
                        | "forward"
                        | "aside"
                        | "onto"
                        | "into"
                        | "further"
                ) =>
            {
                return None
            }
            "pushed" | "force-pushed"
                if self.any(&["notification", "notifications", "message", "button", "item", "value"]) =>
            {
                return None
            }
            "pushed" | "force-pushed" => Deed::Push,
            "merged" => return self.merged(),
            "opened" | "created" | "raised" | "submitted" | "filed" | "logged" => return self.opened(),
            "deployed" | "redeployed" | "re-deployed" => {
                let others = ["agent", "agents", "subagent", "subagents", "sub-agents", "team", "helpers"];
                return (!self.behind(&others)).then_some(Deed::Deploy);
            }
            "rolled" if next == "out" => Deed::Deploy,
            "published" | "released" => return self.published(),
            "uploaded" => Deed::Upload,
            "booked" => Deed::Book,
            "reserved" if self.any(&["table", "room", "flight", "hotel", "seat", "seats", "slot", "car", "spot"]) => {
                Deed::Book
            }
            "ordered" | "purchased" | "bought"
                if !self.behind(&["by"]) && self.own && (self.number() || next == "you") =>
            {
                Deed::Order
            }
            "placed" if self.head(&["order", "orders"]) => Deed::Order,
            "refunded" => Deed::Refund,
            "issued" | "processed" if self.head(&["refund", "refunds"]) => Deed::Refund,
            "transferred" | "wired" if self.money() || self.head(&["money", "funds", "payment", "rent", "deposit"]) => {
                Deed::Transfer
            }
            "paid" if self.own && (self.money() || self.head(&["invoice", "bill", "rent"])) => Deed::Transfer,
            "scheduled" => Deed::Schedule,
            "rescheduled" | "postponed" => Deed::Reschedule,
            "moved"
                if self.head(&["meeting", "event", "appointment", "call", "reservation", "booking", "interview"]) =>
            {
                Deed::Reschedule
            }
            "canceled" | "cancelled" | "unsubscribed" => {
                let runs = ["task", "job", "process", "command", "run", "timer", "request", "shell", "agent", "build"];
                return (!self.any(&runs)).then_some(Deed::Cancel);
            }
            "archived" => Deed::Archive,
            "posted" | "replied" | "commented" => return self.posted(),
            "closed" if self.head(&["issue", "ticket", "pr", "request", "case", "account", "incident"]) => Deed::Change,
            "added" | "updated" | "changed" | "set" | "saved" | "recorded" | "stored" | "marked" | "modified"
            | "assigned" | "renamed" => return self.changed(),
            _ => return None,
        };
        Some(deed)
    }

    /// Deeds whose words are too common to be a claim by themselves.
    fn weak(&self) -> Option<Deed> {
        let them = self.things.len() <= 2 && self.any(&["it", "them", "these", "those", "both"]);
        match self.verb() {
            "merged" if them => Some(Deed::Merge),
            "emailed" | "mailed" | "messaged" | "texted" | "sent" | "posted" | "replied" => Some(Deed::Post),
            _ => None,
        }
    }

    /// A word or code that may be a branch.
    fn branch(&self, at: usize) -> bool {
        let code = self.reading.token(at).is_some_and(|t| t.kind == TokenKind::Code);
        let at = if self.reading.word(at) == "the" { at + 1 } else { at };
        code || matches!(
            self.reading.word(at),
            "main" | "master" | "develop" | "trunk" | "git" | "branch" | "repo" | "repository"
        ) || self.reading.token(at).is_some_and(|t| t.kind == TokenKind::Code)
    }

    fn merged(&self) -> Option<Deed> {
        let into = (self.at + 1..self.clause.tokens.end.min(self.at + 12))
            .any(|i| matches!(self.reading.word(i), "into" | "to") && self.branch(i + 1));
        if into || self.any(&["pr", "pull", "mr", "branch", "branches"]) {
            return Some(Deed::Merge);
        }
        self.head(&["contacts", "accounts", "duplicates", "tickets", "customers"]).then_some(Deed::Change)
    }

    fn opened(&self) -> Option<Deed> {
        let made = matches!(self.verb(), "created" | "submitted" | "logged");
        if self.any(&["pr", "prs", "mr"]) || (self.any(&["pull", "merge"]) && self.any(&["request", "requests"])) {
            return (self.verb() != "logged").then_some(Deed::Request);
        }
        if self.head(&["ticket", "tickets"]) || (self.verb() != "raised" && self.head(&["issue", "issues", "incident"]))
        {
            return Some(Deed::Ticket);
        }
        // “ticket 58”, “issue #7”: the number belongs to the thing.
        let numbered = |i: usize| matches!(self.reading.word(i), "ticket" | "issue");
        if self.own && self.things.clone().any(numbered) && (self.number() || self.digits()) {
            return Some(Deed::Ticket);
        }
        if made && self.head(&["event", "meeting", "appointment", "reminder", "invite"]) {
            return (self.verb() == "created").then_some(Deed::Schedule);
        }
        if made && self.verb() == "created" && self.head(&["booking", "reservation"]) {
            return Some(Deed::Book);
        }
        (self.verb() == "created" && self.head(&["reminders", "contact", "subscription"])).then_some(Deed::Change)
    }

    /// A word with digits, such as a ticket's key.
    fn digits(&self) -> bool {
        self.things.clone().any(|i| self.reading.word(i).bytes().any(|b| b.is_ascii_digit()))
    }

    fn published(&self) -> Option<Deed> {
        let things =
            ["package", "crate", "release", "version", "image", "library", "site", "extension", "post", "page"];
        let places = ["npm", "pypi", "crates.io", "rubygems", "marketplace", "docker"];
        let version = self.things.clone().any(|i| {
            let word = self.reading.word(i);
            word.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        });
        let object = self.head(&things) || self.behind(&places) || version;
        (object || (self.own && self.code() && self.verb() == "published")).then_some(Deed::Release)
    }

    fn posted(&self) -> Option<Deed> {
        let next = self.next();
        let placed = matches!(next, "in" | "to" | "on") && self.own;
        let thing = self.head(&["message", "comment", "reply", "update", "review", "announcement"]);
        let channel = (self.at + 1..self.clause.tokens.end.min(self.at + 8))
            .any(|i| self.reading.token(i).is_some_and(|t| t.text.starts_with('#')));
        let spot = channel || self.behind(&["channel", "slack", "thread", "pr", "issue", "ticket"]);
        match self.verb() {
            "posted" => (thing && self.own) || (placed && spot),
            _ => self.own && placed && spot,
        }
        .then_some(Deed::Post)
    }

    fn changed(&self) -> Option<Deed> {
        let verb = self.verb();
        let path = |i: usize| self.reading.token(i).is_some_and(|t| t.text.contains('.') && is_path(&t.text));
        if self.own && (self.at + 1..self.clause.tokens.end.min(self.at + 14)).any(path) {
            return None;
        }
        let to = (self.at + 1..self.clause.tokens.end.min(self.at + 14))
            .any(|i| matches!(self.reading.word(i), "to" | "in" | "on" | "from") && self.kept_behind(i));
        if self.head(KEPT) || (matches!(verb, "added" | "saved" | "recorded" | "stored" | "marked") && to) {
            return Some(Deed::Change);
        }
        let sign =
            self.own && verb == "added" && (self.any(&["emoji"]) || (self.any(&["check"]) && self.any(&["mark"])));
        if sign {
            return Some(Deed::Change);
        }
        let short = self.things.len() <= 5;
        (short && self.own && self.head(INLINE)).then_some(Deed::Change)
    }

    /// “to your calendar”, “in the database”.
    fn kept_behind(&self, at: usize) -> bool {
        let owned = matches!(self.reading.word(at + 1), "your" | "the" | "my" | "our" | "their");
        let word = if owned { self.reading.word(at + 2) } else { self.reading.word(at + 1) };
        let last = self
            .reading
            .token(at + 3)
            .is_none_or(|t| t.kind != TokenKind::Word || AFTER_NOUN.contains(&t.text.as_ref()));
        let thing = ["calendar", "cart", "crm", "message", "order", "profile", "account", "contacts"];
        owned && last && thing.contains(&word)
    }
}

/// Whether the words of the reply leave open that something is still to be confirmed.
pub(super) fn is_open(reading: &Reading<'_, '_>) -> bool {
    let open =
        ["approval", "approve", "authorise", "authorize", "awaiting", "confirm", "confirmation", "pending", "waiting"];
    let words = || reading.prose.tokens.iter().any(|t| t.kind == TokenKind::Word && lexicon::has(&open, &t.text));
    *reading.open.get_or_init(words)
}
