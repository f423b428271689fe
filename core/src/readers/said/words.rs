//! Which deed a verb means, by the things it is done to.

use super::super::text::is_path;
use super::super::voice::AFTER_NOUN;
use super::super::Reading;
use crate::evidence::deeds::Deed;
use crate::prose::{Clause, TokenKind};
use core::ops::Range;

/// Things of a service that are no text, as the thing of a change.
#[rustfmt::skip]
const KEPT: &[&str] = &[
    "account", "booking", "bookings", "calendar", "cart", "crm", "database", "inventory", "membership", "password",
    "preference", "preferences", "reservation", "reservations", "seat", "setting", "settings", "stock", "subscription",
];

/// The same for what could as well be text of the reply.
#[rustfmt::skip]
const INLINE: &[&str] = &[
    "address", "appointment", "board", "card", "checkmark", "comment", "contact", "contacts", "deal", "email",
    "entries", "entry", "event", "events", "invoice", "label", "lead", "list", "meeting", "memory", "note", "notes",
    "order", "orders", "page", "phone", "playlist", "profile", "reaction", "record", "records", "reminder",
    "reminders", "spreadsheet", "status", "task", "tasks", "ticket", "tickets", "todo", "todos", "wiki",
];

/// What is committed and pushed.
#[rustfmt::skip]
const CHANGES: &[&str] = &[
    "both", "branch", "branches", "change", "changes", "code", "commit", "commits", "everything", "file", "files",
    "fix", "fixes", "image", "images", "it", "migration", "patch", "refactor", "release", "repo", "repository",
    "results", "tag", "tags", "them", "these", "this", "those", "update", "updates", "version", "work",
];

/// What is deployed.
#[rustfmt::skip]
const DEPLOYED: &[&str] = &[
    "api", "app", "application", "backend", "branch", "bot", "build", "change", "changes", "chart", "code", "config",
    "configuration", "container", "contract", "contracts", "dashboard", "everything", "feature", "fix", "frontend",
    "function", "functions", "image", "infrastructure", "it", "job", "manifest", "manifests", "model", "page",
    "project", "release", "resources", "server", "service", "services", "site", "stack", "them", "this", "update",
    "version", "website", "worker", "workflow",
];

/// Things whose verb means one deed, whoever tells it.
#[rustfmt::skip]
const PLAIN: &[(&[&str], Deed, &[&str])] = &[
    (&["reserved"], Deed::Book, &["car", "flight", "hotel", "room", "seat", "seats", "slot", "spot", "table"]),
    (&["placed"], Deed::Order, &["order", "orders"]),
    (&["issued", "processed"], Deed::Refund, &["refund", "refunds"]),
    (&["transferred", "wired"], Deed::Transfer, &["deposit", "funds", "money", "payment", "rent"]),
    (&["paid"], Deed::Transfer, &["bill", "invoice", "rent"]),
    (&["moved"], Deed::Reschedule, &["appointment", "booking", "call", "event", "interview", "meeting", "reservation"]),
    (&["logged"], Deed::Change, &["check-in", "expense", "expenses", "hours", "meal", "mood", "visit", "workout"]),
    (&["downgraded", "extended", "paused", "renewed", "upgraded"], Deed::Change, &["membership", "subscription", "trial"]),
    (&["waived"], Deed::Change, &["charge", "fee", "fees"]),
    (&["closed"], Deed::Change, &["account", "case", "incident", "issue", "pr", "request", "ticket"]),
];

/// Number words in front of what was bought.
const COUNTS: &[&str] = &["eight", "five", "four", "nine", "seven", "six", "ten", "three", "two"];

/// Things of other kinds that are cancelled: what runs, and what stands in a formula.
#[rustfmt::skip]
const RUNS: &[&str] = &[
    "agent", "build", "command", "effects", "factor", "factors", "job", "out", "process", "request", "run", "shell",
    "task", "term", "terms", "timer", "units",
];

/// What is sent to a person.
#[rustfmt::skip]
const MAILED: &[&str] = &[
    "document", "email", "emails", "invitation", "invitations", "invite", "invites", "letter", "link", "mail",
    "message", "messages", "notice", "quote", "reminder", "report", "summary",
];

/// A verb with what stands around it.
pub(super) struct Words<'r, 'p, 'w> {
    pub(super) reading: &'r Reading<'p, 'w>,
    pub(super) clause: &'r Clause,
    /// The verb.
    pub(super) at: usize,
    /// What it is done to.
    pub(super) things: Range<usize>,
    /// The agent tells it as its own act.
    pub(super) own: bool,
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

    /// Whether nothing that could be a thing stands behind the verb: “pushed”, “pushed to …”, “committed and …”.
    fn alone(&self) -> bool {
        self.own && self.things.is_empty()
    }

    /// Whether one of the words stands among what the verb is done to.
    pub(super) fn any(&self, list: &[&str]) -> bool {
        self.things.clone().any(|i| list.contains(&self.reading.word(i)))
    }

    /// Whether one of the words is what the verb is done to: no modifier of another noun, nothing “of” another thing.
    fn head(&self, list: &[&str]) -> bool {
        self.things.clone().any(|i| {
            let next = if i + 1 < self.clause.tokens.end { self.reading.word(i + 1) } else { "" };
            let last = i + 1 >= self.things.end;
            let marked = self.reading.token(i + 1).is_none_or(|t| t.kind != TokenKind::Word);
            list.contains(&self.reading.word(i))
                && (next != "of" || self.sum(i + 2))
                && (last || marked || AFTER_NOUN.contains(&next) || next.ends_with("ly") || !self.own)
        })
    }

    /// Whether a sum of money or a number stands at `at`: “a refund of $20”.
    fn sum(&self, at: usize) -> bool {
        let sign = |t: &crate::prose::Token<'_>| matches!(t.text.as_ref(), "$" | "€" | "£");
        self.reading.token(at).is_some_and(|t| t.kind == TokenKind::Number || sign(t))
    }

    /// Whether one of the words stands behind the verb in its clause.
    fn behind(&self, list: &[&str]) -> bool {
        (self.at + 1..self.clause.tokens.end.min(self.at + 20)).any(|i| list.contains(&self.reading.word(i)))
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.things.clone().any(|i| self.reading.token(i).is_some_and(|t| t.kind == kind))
    }

    /// An amount of money among what the verb is done to; the sign in front of a subject's number ends its stretch.
    fn money(&self) -> bool {
        const SIGNS: &[&str] = &[
            "$", "aud", "cad", "chf", "dollars", "eur", "euros", "gbp", "inr", "jpy", "pln", "pounds", "usd", "zł",
            "£", "¥", "€", "₹",
        ];
        let sign = |i: usize| self.reading.token(i).is_some_and(|t| SIGNS.contains(&t.text.as_ref()));
        self.is(TokenKind::Number) && (self.things.start.saturating_sub(1)..self.things.end).any(sign)
    }

    /// Whether the verb's thing could stand in the reply itself.
    pub(super) fn inline(&self, deed: Deed) -> bool {
        match deed {
            Deed::Change => !self.any(KEPT) && !self.behind(&["calendar", "cart", "crm"]),
            Deed::Schedule | Deed::Ticket | Deed::Book => self.verb() == "created",
            _ => false,
        }
    }

    pub(super) fn deed(&self) -> Option<Deed> {
        let (verb, next) = (self.verb(), self.next());
        let plain = PLAIN.iter().find(|(verbs, _, things)| verbs.contains(&verb) && self.head(things));
        if let Some((_, deed, _)) = plain {
            return Some(*deed);
        }
        let deed = match verb {
            "committed" if self.committed() => Deed::Commit,
            "pushed" | "force-pushed" if self.pushed() => Deed::Push,
            "merged" => return self.merged(),
            "opened" | "created" | "raised" | "submitted" | "filed" | "logged" => return self.opened(),
            "deployed" | "redeployed" | "re-deployed" if self.deployed() => Deed::Deploy,
            "rolled" if next == "out" => Deed::Deploy,
            "published" | "released" => return self.published(),
            "uploaded" => Deed::Upload,
            "booked" => Deed::Book,
            "ordered" | "purchased" | "bought" if self.own && !self.behind(&["by"]) => {
                let few = verb != "ordered" && COUNTS.contains(&next);
                let thing = self.is(TokenKind::Number) || next == "you" || few || self.head(&["replacement"]);
                return thing.then_some(Deed::Order);
            }
            "removed" | "deleted" if self.own && self.off_account() => Deed::Change,
            "refunded" => Deed::Refund,
            "transferred" | "wired" if self.money() => Deed::Transfer,
            "paid" if self.own && self.money() && !self.behind(&["attention"]) => Deed::Transfer,
            "scheduled" => Deed::Schedule,
            "rescheduled" | "postponed" => Deed::Reschedule,
            "canceled" | "cancelled" | "unsubscribed" if !self.any(RUNS) && !self.any(&["my", "our"]) => Deed::Cancel,
            "archived" => Deed::Archive,
            "posted" | "replied" | "commented" => return self.posted(),
            "added" | "updated" | "changed" | "set" | "saved" | "recorded" | "stored" | "marked" | "modified"
            | "assigned" | "renamed" => return self.changed(),
            _ => return None,
        };
        Some(deed)
    }

    /// Deeds whose words are too common to be a claim by themselves.
    pub(super) fn weak(&self) -> Option<Deed> {
        let them = self.things.len() <= 2 && self.any(&["it", "them", "these", "those", "both"]);
        match self.verb() {
            "merged" if them => Some(Deed::Merge),
            "deployed" | "redeployed" => Some(Deed::Deploy),
            "pushed" => Some(Deed::Push),
            "sent" if self.head(MAILED) => Some(Deed::Post),
            "emailed" | "mailed" | "messaged" | "texted" | "posted" | "replied" => Some(Deed::Post),
            _ => None,
        }
    }

    /// Whether what stands at `at` may be a branch.
    fn branch(&self, at: usize) -> bool {
        let at = if matches!(self.reading.word(at), "the" | "your" | "our") { at + 1 } else { at };
        let file = |text: &str| {
            text.rsplit_once('.').is_some_and(|(_, end)| end.starts_with(char::is_alphabetic)) && is_path(text)
        };
        let code = self.reading.token(at).is_some_and(|t| t.kind == TokenKind::Code && !file(&t.text));
        let names = ["branch", "develop", "git", "main", "master", "repo", "repository", "trunk"];
        code || names.contains(&self.reading.word(at)) || self.reading.word(at + 1) == "branch"
    }

    /// Whether a branch, a remote or a host of repositories is named behind “to”.
    fn to_remote(&self) -> bool {
        let remotes = ["github", "gitlab", "origin", "production", "remote", "staging", "upstream"];
        (self.at + 1..self.clause.tokens.end.min(self.at + 14)).any(|i| {
            let named = remotes.contains(&self.reading.word(i + 1)) || remotes.contains(&self.reading.word(i + 2));
            self.reading.word(i) == "to" && (self.branch(i + 1) || named)
        })
    }

    fn committed(&self) -> bool {
        let kept = self.behind(&["heart", "memory", "paper"]);
        let to = self.next() == "to" && !self.branch(self.at + 2);
        !kept
            && !to
            && (self.alone() || self.head(CHANGES) || self.is(TokenKind::Code) || self.to_remote() || !self.own)
    }

    fn pushed(&self) -> bool {
        let away = ["aside", "back", "down", "for", "forward", "further", "hard", "into", "onto", "past", "through"];
        if away.contains(&self.next()) {
            return false;
        }
        self.alone()
            || self.head(CHANGES)
            || self.to_remote()
            || (self.is(TokenKind::Code) && !self.behind(&["into", "onto"]))
    }

    fn deployed(&self) -> bool {
        let others = ["agent", "agents", "subagent", "subagents", "sub-agents", "team", "helpers"];
        let thing = self.alone() || self.head(DEPLOYED) || self.is(TokenKind::Code) || self.is(TokenKind::Number);
        !self.behind(&others) && (thing || self.to_remote())
    }

    fn merged(&self) -> Option<Deed> {
        let into = (self.at + 1..self.clause.tokens.end.min(self.at + 12))
            .any(|i| matches!(self.reading.word(i), "into" | "to") && self.branch(i + 1));
        if into || self.any(&["pr", "pull", "mr"]) || self.head(&["branch", "branches"]) {
            return Some(Deed::Merge);
        }
        self.head(&["contacts", "accounts", "duplicates", "tickets", "customers"]).then_some(Deed::Change)
    }

    fn opened(&self) -> Option<Deed> {
        let verb = self.verb();
        if self.any(&["pr", "prs", "mr"]) || (self.any(&["pull", "merge"]) && self.any(&["request", "requests"])) {
            return (verb != "logged").then_some(Deed::Request);
        }
        if self.head(&["ticket", "tickets"]) || (verb != "raised" && self.head(&["issue", "issues", "incident"])) {
            return Some(Deed::Ticket);
        }
        if verb == "logged" && self.head(&["bug", "issue"]) && self.behind(&["github", "jira", "linear", "tracker"]) {
            return Some(Deed::Ticket);
        }
        let complains = verb != "logged" && self.own && self.any(&["a", "an", "another", "new"]);
        if complains && self.head(&["complaint", "dispute"]) {
            return Some(Deed::Ticket);
        }
        // “ticket 12”, “issue #7”, “ticket AB-7”: the number belongs to the thing.
        let digits = |i: usize| self.reading.word(i).bytes().any(|b| b.is_ascii_digit());
        let numbered = self.is(TokenKind::Number) || self.things.clone().any(digits);
        if self.own && numbered && self.any(&["ticket", "issue"]) {
            return Some(Deed::Ticket);
        }
        if verb != "created" {
            return None;
        }
        if self.head(&["appointment", "event", "invite", "meeting", "reminder", "reminders"]) {
            return Some(Deed::Schedule);
        }
        if self.head(&["booking", "reservation"]) {
            return Some(Deed::Book);
        }
        self.head(&["contact", "subscription"]).then_some(Deed::Change)
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
        (object || (self.own && self.is(TokenKind::Code) && self.verb() == "published")).then_some(Deed::Release)
    }

    fn posted(&self) -> Option<Deed> {
        let placed = matches!(self.next(), "in" | "to" | "on") && self.own;
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
        let mark = self.any(&["check"]) && self.any(&["mark"]);
        if self.own && verb == "added" && (mark || self.any(&["emoji"])) {
            return Some(Deed::Change);
        }
        let short = self.things.len() <= 5;
        ((short || !self.own) && self.head(INLINE)).then_some(Deed::Change)
    }

    /// “from your account”, “from the cart”.
    fn off_account(&self) -> bool {
        let kept = ["account", "calendar", "cart", "profile"];
        (self.at + 1..self.clause.tokens.end.min(self.at + 14)).any(|i| {
            let owned = matches!(self.reading.word(i + 1), "the" | "your");
            let last = i + 3 >= self.clause.tokens.end || AFTER_NOUN.contains(&self.reading.word(i + 3));
            self.reading.word(i) == "from" && owned && kept.contains(&self.reading.word(i + 2)) && last
        })
    }

    /// “to your calendar”, “in the shopping list”.
    fn kept_behind(&self, at: usize) -> bool {
        let things = [
            "account",
            "calendar",
            "cart",
            "contacts",
            "crm",
            "favorites",
            "favourites",
            "list",
            "message",
            "notes",
            "order",
            "playlist",
            "profile",
            "todos",
            "watchlist",
            "wishlist",
        ];
        let owned = matches!(self.reading.word(at + 1), "your" | "the" | "my" | "our" | "their");
        // One word may stand between: “your shopping list”.
        let Some(thing) = [at + 2, at + 3].into_iter().find(|&i| things.contains(&self.reading.word(i))) else {
            return false;
        };
        let next = self.reading.token(thing + 1).filter(|_| thing + 1 < self.clause.tokens.end);
        let last = next.is_none_or(|t| t.kind != TokenKind::Word || AFTER_NOUN.contains(&t.text.as_ref()));
        owned && last && thing < self.clause.tokens.end
    }
}
