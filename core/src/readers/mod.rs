//! The readers: each knows one form of claim, how to read it in a reply and how to check it against the record.
//!
//! A reader is one file (or a folder with one file a form). It gets the prose and the record through the prelude, and
//! never sees another reader, JSON, or a renderer. [`READERS`] is the one list; its order is the order in which readers
//! speak: the first that flags a clause gives the name and the reason, else the first that read it.

mod answer;
mod argument;
mod call;
mod check;
mod cited;
mod clean;
mod command;
mod count;
mod coverage;
mod denied_act;
mod edits;
mod empty;
mod failed;
mod identifier;
mod notification;
mod outcome;
mod output;
mod partial;
mod publish;
mod read;
mod reading;
mod removal;
#[cfg(feature = "rules")]
mod rule;
mod said;
mod search;
mod stand_in;
mod tally;
mod text;
mod tools;
mod value;
mod voice;
mod write;

use crate::evidence::deeds::Deed;
use crate::evidence::index::{View, Wanted};
use crate::evidence::needles::{Id, Scope};
use crate::evidence::numbers::Number;
use crate::prose::phrase::{Match, Phrases};
use crate::prose::{Clause, Place, Prose, Stance, Token, TokenKind};
use crate::text::span::Span;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, OnceCell};
use core::ops::Range;

pub(crate) use read::Probed;
pub use reading::Reading;
pub(crate) use tools::Tools;

/// What a reader's file uses.
mod prelude {
    pub(super) use super::{nothing_more, Form, Found, Reading, Reads, Support};
    pub(super) use crate::evidence::acts::Act;
    pub(super) use crate::evidence::deeds::Deed;
    pub(super) use crate::evidence::index::View;
    pub(super) use crate::evidence::needles::Scope;
    pub(super) use crate::prose::phrase::Match;
    pub(super) use crate::prose::{Clause, Place, Stance, Token, TokenKind};
    pub(super) use crate::text::span::Span;
    pub(super) use alloc::format;
    pub(super) use alloc::string::{String, ToString};
    pub(super) use alloc::vec::Vec;
}

/// One form of claim.
pub struct Form {
    /// The reader it belongs to.
    pub reader: &'static str,
    /// How its claims are found in a reply.
    pub reads: Reads,
    /// Judges one of them. May be called twice: before and after places are looked up.
    pub check: fn(&Found, &View<'_, '_>) -> Support,
    /// Texts that outputs may tell the claim in; asked for only where nothing cheaper decides, and put to its needles.
    pub asks: fn(&Found) -> Vec<String>,
}

impl Form {
    /// The form whose claims this one judges, where they are those of another.
    fn source(&self) -> Option<usize> {
        let Reads::Same(wanted) = self.reads else { return None };
        FORMS.iter().position(|f| matches!(f.reads, Reads::Phrases(phrases, _) if phrases == wanted))
    }
}

/// A form that asks for no further texts.
const fn nothing_more(_: &Found) -> Vec<String> {
    Vec::new()
}

/// How a form finds its claims.
pub enum Reads {
    /// These phrases, looked for in every clause that asserts; the function makes a claim of a match, or leaves it.
    Phrases(&'static [&'static str], fn(&mut Reading<'_, '_>, usize, &Match)),
    /// A walk of its own over the reply, for forms that no phrase describes.
    Reply(fn(&mut Reading<'_, '_>)),
    /// The claims of the form that has these phrases, judged by other things. They are read once.
    Same(&'static [&'static str]),
}

/// What is known of a reader without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ReaderInfo {
    /// Its name, as in results and options.
    pub name: &'static str,
    /// What it reads, in one sentence.
    pub about: &'static str,
    /// Whether it is on unless an option says otherwise.
    pub default: bool,
}

const fn info(name: &'static str, about: &'static str) -> ReaderInfo {
    ReaderInfo { name, about, default: true }
}

/// Every reader, in the order in which they speak.
pub const READERS: &[ReaderInfo] = &[
    info("call", "A tool's call form with a result beside it, as in `read_file(path=\"a.md\")` → 12 lines."),
    info("command", "A backticked command line said to have run."),
    info("outcome", "A denial, an exit status, passing tests, a successful build."),
    info("notification", "A notification, message, mail or reminder said to have been sent or shown."),
    info("removal", "A file, folder, branch, container, table, record or message said to have been removed."),
    info("output", "A block or a backticked value shown as output."),
    info("count", "A number of files, matches, entries, tests, rows, errors or occurrences found."),
    info("answer", "What the person is said to have chosen, confirmed or approved."),
    info("tally", "How many tests passed, failed or were skipped, and their coverage."),
    info(
        "empty",
        "Success of a run that collected nothing, hid its result or came before the last change, or of an empty edit.",
    ),
    info("failed", "Work said to have come to a good end while every call that could have done it did not."),
    info(
        "stand_in",
        "A result reported as real that rests on mock or made-up content, with no word of it in the reply.",
    ),
    info("argument", "An act said to have been done with an amount, a channel, a branch, a place or a version."),
    info("publish", "Something committed, pushed, merged, deployed, booked, refunded, scheduled, cancelled, updated."),
    info("write", "A named file said to have been created, written, saved, updated or edited."),
    info("read", "A file, address or page said to have been read, opened, reviewed or inspected."),
    info("search", "A search of the web, a repository or documents; nothing found."),
    info("check", "Something said to have been verified, confirmed, checked or tested."),
    info("coverage", "All of a number of things said to have been checked, compared, read or visited."),
    info("partial", "What a look-up returned, told as all there is."),
    info("identifier", "A hash, ticket, order, build or reference number, DOI or URL said to have been made or seen."),
    info("value", "A version, size, share, duration, price or date told of something that a call looked up."),
    info("denied_act", "An act that the agent says it did not do."),
    info("cited", "An entry of the conversation that is cited by its number."),
];

/// Every form, readers in order.
const FORMS: &[Form] = &[
    call::FORM,
    command::FORM,
    outcome::DENIED,
    outcome::EXIT,
    outcome::TESTS,
    outcome::BUILDS,
    notification::FORM,
    removal::FORM,
    output::BLOCK,
    output::VALUE,
    count::FORM,
    answer::FORM,
    tally::FORM,
    tally::BLOCK,
    empty::TESTS,
    empty::BUILDS,
    empty::CHECKS,
    empty::AFTER,
    empty::REBUILT,
    empty::EDITS,
    failed::CHECKS,
    failed::TESTS,
    failed::DEEDS,
    failed::AGENTS,
    failed::FILES,
    stand_in::DEEDS,
    stand_in::FIGURES,
    argument::FORM,
    publish::FORM,
    write::FORM,
    read::FORM,
    search::FORM,
    check::FORM,
    coverage::FORM,
    partial::FORM,
    identifier::FORM,
    value::FORM,
    denied_act::FORM,
    cited::FORM,
];

/// The readers, in the order in which they speak.
pub fn readers() -> &'static [ReaderInfo] {
    READERS
}

/// The most claims that are read in one reply. Bounds the work on hostile replies; real ones have a few dozen.
const MOST: usize = 1_000;

/// The most tokens of a clause that is read. A longer one is no sentence that a person wrote.
const LONGEST: usize = 400;

/// How many tokens of a sentence are looked at on each side of a clause.
const NEAR: usize = 80;

/// A claim that a reader found, with all that its check needs. It holds no reference to the reply.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Index into the forms.
    pub(crate) form: usize,
    /// The clause it was read in; none for a claim about a code block.
    pub(crate) clause: Option<usize>,
    /// Its place in the reply.
    pub(crate) span: Span,
    /// What it is about: a tool's name, a command line, a kind of act.
    pub(crate) name: String,
    /// The values that it names.
    pub(crate) values: Vec<String>,
    /// The tools of the record that its name may mean.
    pub(crate) tools: Vec<String>,
    /// The number that it names.
    pub(crate) number: Option<Number>,
    /// What was done, where it tells of that.
    pub(crate) deed: Option<Deed>,
    /// What it asked to have looked up.
    pub(crate) needles: Vec<Id>,
    /// A second list of what it asked for, where a reader needs two.
    pub(crate) others: Vec<Id>,
    /// How sure or how wide it is, as its reader means it.
    pub(crate) wide: bool,
    /// A second mark of the same kind, where a reader needs two.
    pub(crate) keyed: bool,
}

/// What the record says of a found claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Support {
    /// It is supported, by this call where one is known, at this place of its output.
    By(Option<usize>, Option<Span>),
    /// No call produced it. The call is the nearest one.
    Not(String, Option<usize>),
    /// The record shows something else: the call, and the place in its output that shows it.
    Against(String, usize, Option<Span>),
    /// The excerpts of these calls may hold it.
    Cut(Vec<usize>),
    /// It is no claim by itself, but belongs to a neighbour of its block that is.
    Beside,
    /// It turns out to be no claim.
    Leave,
}

impl Support {
    /// Supported by a call.
    pub(crate) fn by(call: usize) -> Self {
        Support::By(Some(call), None)
    }

    /// Supported where a needle was found.
    pub(crate) fn at(hit: crate::evidence::index::Hit) -> Self {
        let span = (hit.place == crate::evidence::index::Place::Output).then_some(hit.span);
        Support::By(hit.call, span)
    }
}

/// Whether any word of a sorted list is among the tokens, which a long list is asked with.
fn has_sorted(tokens: &[Token<'_>], words: &[&str]) -> bool {
    tokens.iter().any(|t| t.kind == TokenKind::Word && crate::prose::lexicon::has(words, &t.text))
}

/// Whether any of these words is among the tokens.
fn has_word(tokens: &[Token<'_>], words: &[&str]) -> bool {
    tokens.iter().any(|t| t.kind == TokenKind::Word && words.contains(&t.text.as_ref()))
}

/// The phrases of all forms as one set, with the form that each belongs to. Made once a check.
pub(crate) struct Lexicon {
    phrases: Phrases,
    owner: Vec<(usize, usize)>,
    partial: Option<[Phrases; 2]>,
}

impl Lexicon {
    /// Sorts the phrases of the forms that are switched on.
    pub(crate) fn new(on: impl Fn(&str) -> bool) -> Self {
        let mut list = Vec::new();
        let mut owner = Vec::new();
        let lent = |form: usize| FORMS.iter().any(|f| on(f.reader) && f.source() == Some(form));
        for (form, this) in FORMS.iter().enumerate() {
            if let (Reads::Phrases(phrases, _), true) = (&this.reads, on(this.reader) || lent(form)) {
                list.extend_from_slice(phrases);
                owner.extend((0..phrases.len()).map(|i| (form, i)));
            }
        }
        Lexicon { phrases: Phrases::new(&list), owner, partial: on("partial").then(partial::phrases) }
    }
}

/// Reads all claims of a reply: one walk over its clauses for the phrases, and the walks of the other forms.
pub(crate) fn read<'p>(mut reading: Reading<'p, '_>, lexicon: &'p Lexicon, on: impl Fn(&str) -> bool) -> Vec<Found> {
    reading.partial = lexicon.partial.as_ref();
    for (clause, at) in reading.claims() {
        if reading.full() {
            break;
        }
        for found in lexicon.phrases.find(reading.prose, at.tokens.clone()) {
            let (form, phrase) = lexicon.owner[found.phrase];
            if let Reads::Phrases(_, read) = FORMS[form].reads {
                reading.form = form;
                read(&mut reading, clause, &Match { phrase, ..found });
            }
        }
    }
    for (form, Form { reader, reads, .. }) in FORMS.iter().enumerate() {
        if let (Reads::Reply(read), true) = (reads, on(reader)) {
            reading.form = form;
            read(&mut reading);
        }
    }
    let mut found = reading.found;
    for (form, this) in FORMS.iter().enumerate().filter(|(_, f)| on(f.reader)) {
        let Some(source) = this.source() else { continue };
        let same: Vec<Found> = found.iter().filter(|f| f.form == source).cloned().collect();
        found.extend(same.into_iter().map(|f| Found { form, ..f }));
    }
    found.retain(|f| on(self::form(f).reader));
    found
}

/// The names that the reader `call` reads in a reply.
pub(crate) fn call_names(text: &str) -> Vec<String> {
    let on = |name: &str| name == "call";
    let (prose, tools, mut wanted) = (Prose::read(text), Tools::default(), Wanted::default());
    let reading = Reading::new(&prose, &tools, false, 0, &mut wanted);
    read(reading, &Lexicon::new(on), on).into_iter().map(|found| found.name).collect()
}

/// Reads the claims that the host's rules name.
#[cfg(feature = "rules")]
pub(crate) fn read_rules(mut reading: Reading<'_, '_>, options: &crate::options::Options) -> Vec<Found> {
    let on = |name: &str| options.readers.get(name) != Some(&false);
    for (number, clause) in rule::read(&reading, &options.rules, on) {
        reading.form = FORMS.len() + number;
        reading.claim(clause, Found::default());
    }
    reading.found
}

/// Where a claim stands among those of the same words: a host's rule knows its domain and speaks first.
pub(crate) fn rank(found: &Found) -> (bool, usize) {
    (of_a_reader(found), found.form)
}

/// Whether a claim is that of a reader, and not of a host's rule.
pub(crate) fn of_a_reader(found: &Found) -> bool {
    found.form < FORMS.len()
}

/// Which rule a claim belongs to, where it is none of a reader's.
#[cfg(feature = "rules")]
pub(crate) fn rule_of(found: &Found) -> Option<usize> {
    found.form.checked_sub(FORMS.len())
}

/// The form of a found claim.
pub(crate) fn form(found: &Found) -> &'static Form {
    &FORMS[found.form.min(FORMS.len() - 1)]
}
