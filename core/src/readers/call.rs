//! “`inspect(config)` → confirmed the settings.” “edit_file(path="a.md", mode="append") posted: now 61 bytes.”
//!
//! # Reads
//! A tool's name followed at once by a parenthesis, with a result beside it: an arrow, Output:, Result, Returned, Ran,
//! Success, confirmed, displayed, posted, denied, an exit status with its number; in the same clause or in the next two
//! lines of the same block. Case and emphasis are not folded: “Inspect (audit, last 5)” is prose.
//!
//! # Checks
//! Some call to the tool has arguments that hold the form's quoted strings, words, and numbers of three digits or more.
//! Key names are not compared.
//!
//! # Leaves alone
//! Plans, placeholders, functions of code shown in the record or the reply, and a form that an arrow turns into another
//! form or name, as renaming does.
use super::prelude::*;
use super::text::{example_host, is_placeholder};
use crate::evidence::index::Values;
use crate::evidence::numbers::{self, Number};
use crate::evidence::roles::Role;
use crate::text::fold::fold;
use alloc::collections::BTreeSet;
use memchr::memmem;

pub(super) const FORM: Form = Form { reader: "call", reads: Reads::Reply(read), check, asks: nothing_more };

/// Words that tell a result when they stand beside a call form.
const RESULTS: &[&str] =
    &["output", "result", "returned", "ran", "success", "successful", "confirmed", "displayed", "posted", "denied"];

/// A call form in the reply.
struct Written {
    name: String,
    values: Vec<String>,
    /// It has key=value or quoted arguments, or stands in code.
    marked: bool,
    /// It has arguments with a key and a quoted value.
    keyed: bool,
    end: usize,
}

fn read(reading: &mut Reading<'_, '_>) {
    let source = reading.prose.source;
    let claims: Vec<usize> = reading.claims().map(|(i, _)| i).collect();
    let mut shown = BTreeSet::new();
    reading.prose.fences.iter().for_each(|fence| called(fence.body.of(source), &mut shown));
    // Beside forms of real tools an unknown name is a tool's.
    let mut written = BTreeSet::new();
    called(source, &mut written);
    let beside = written.iter().any(|name| !reading.tools.meant(name).is_empty());
    for index in claims {
        if reading.full() {
            return;
        }
        let clause = reading.clause(index);
        let code: Vec<Span> =
            reading.tokens(clause).iter().filter(|t| t.kind == TokenKind::Code).map(|t| t.span).collect();
        let forms = forms(source, clause.span, &code);
        let Some(last) = forms.last() else { continue };
        let result = has_result(reading, index, last.end);
        if !(result || described(reading, index, &last.name, last.end)) {
            continue;
        }
        for form in forms {
            note(reading, index, form, beside, &shown);
        }
    }
}

/// Adds the names that stand before a parenthesis in a text.
fn called<'a>(text: &'a str, names: &mut BTreeSet<&'a str>) {
    for open in memchr::memchr_iter(b'(', text.as_bytes()) {
        let head = &text.as_bytes()[..open];
        let start = head.iter().rposition(|b| !(b.is_ascii_alphanumeric() || b"_.".contains(b))).map_or(0, |i| i + 1);
        names.insert(&text[start..open]);
    }
}

/// Makes a claim of a form whose name may be a tool's.
fn note(reading: &mut Reading<'_, '_>, index: usize, form: Written, beside: bool, shown: &BTreeSet<&str>) {
    if form.values.iter().any(|v| is_placeholder(v) && example_host(v).is_none()) {
        return;
    }
    let tools = reading.tools.meant(&form.name);
    let known = !tools.is_empty();
    let lower = form.name.starts_with(|c: char| c.is_ascii_lowercase()) && form.name.len() > 1;
    if !known && (reading.offered || !form.marked || !lower || form.name.contains('.')) {
        return;
    }
    if !known && shown.contains(form.name.as_str()) {
        return;
    }
    let written = format!("{}(", form.name);
    let others = if known {
        Vec::new()
    } else {
        // A name that stands with a parenthesis in the record is a function that was read or written. One that the
        // record speaks of without is a tool that the agent was told of.
        let spoken = if form.name.len() > 4 { reading.want(Scope::Told, &form.name) } else { None };
        [reading.want(Scope::Any, &written), spoken].into_iter().flatten().collect()
    };
    let named = tools.first().cloned().unwrap_or_else(|| form.name.clone());
    let needles = form.values.iter().filter_map(|v| reading.want(Scope::Tool(named.clone()), v)).collect();
    let (name, values) = (form.name, form.values);
    let found = Found { name, values, tools, needles, others, wide: beside, keyed: form.keyed, ..Found::default() };
    reading.claim(index, found);
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let Found { values, tools, .. } = claim;
    let plain = claim.name.bytes().all(|b| b.is_ascii_lowercase());
    let edits = || view.calls().any(|(_, f)| matches!(f.role, Role::Write | Role::Code));
    if (tools.is_empty() && !a_tool(claim, view)) || (!tools.is_empty() && plain && !claim.keyed && edits()) {
        return Support::Leave;
    }
    if values.iter().filter_map(|v| example_host(v)).any(|host| !view.works_with(host)) {
        return Support::Leave;
    }
    let now = view.now();
    let calls = || tools.iter().flat_map(|tool| view.calls_to(tool)).copied();
    let wanted: Vec<Wanted> = values.iter().map(|v| Wanted::new(v)).collect();
    let mut missing = None;
    let here = || calls().filter(|c| now.contains(c));
    // Among more calls than are compared the right one may be any.
    let most = here().nth(MOST).is_some();
    for call in here().take(MOST) {
        match lacks(view.values(call), &wanted) {
            None => return Support::by(call),
            Some(i) => missing = missing.or(Some((i, call))),
        }
    }
    if most {
        return Support::Leave;
    }
    if let Some(last) = calls().filter(|&c| c < now.start).max() {
        let held = claim.needles.len() == wanted.iter().filter(|w| !w.folded.is_empty()).count();
        if held && claim.needles.iter().all(|&id| view.hit(id).is_some()) {
            return Support::by(last);
        }
    }
    match missing {
        None => Support::Not(format!("no call to {} in this turn", claim.name), None),
        Some((i, call)) => {
            let value = crate::text::span::quote(&values[i], 60);
            Support::Not(format!("no call to {} in this turn had {value}", claim.name), Some(call))
        }
    }
}

/// The most calls to a tool in one turn that are compared.
const MOST: usize = 256;

/// Whether a name that no call of the record has is a tool's all the same: the record speaks of it and shows no such
/// function, or the reply writes it beside real ones or with named arguments in a session that works on no code.
fn a_tool(claim: &Found, view: &View<'_, '_>) -> bool {
    if BUILT_IN.contains(&claim.name.as_str()) {
        return false;
    }
    let function = claim.others.first().is_some_and(|&id| view.hit(id).is_some());
    let spoken = claim.others.get(1).is_some_and(|&id| view.hit(id).is_some());
    let codes = view.calls().any(|(_, f)| matches!(f.role, Role::Code | Role::Write | Role::Command | Role::Agent));
    !function && (spoken || claim.wide || (claim.keyed && !codes))
}

/// Functions of the usual languages, which a reply may explain beside calls.
#[rustfmt::skip]
const BUILT_IN: &[&str] = &[
    "abs", "all", "any", "bool", "ceil", "concat", "count", "dict", "enumerate", "filter", "float", "floor", "format", "hash",
    "id", "int", "isinstance", "join", "len", "list", "lower", "map", "max", "min", "now", "parse", "parseInt", "print",
    "printf", "range", "repr", "reversed", "round", "set", "slice", "sorted", "split", "sqrt", "str", "strip", "sum", "tuple",
    "type", "upper", "zip",
];

/// A value that the arguments should hold.
struct Wanted {
    folded: Vec<u8>,
    /// The words of a text of several, of which half are enough.
    words: Vec<Vec<u8>>,
    /// It is a key, whose words with a digit all have to be held.
    key: bool,
    number: Option<Number>,
    /// It may be written in so many other ways that it is not compared: a date, a range, a relative day.
    loose: bool,
}

impl Wanted {
    fn new(value: &str) -> Self {
        let bare = value
            .trim()
            .trim_start_matches(['#', '@'])
            .trim_end_matches(['°', '%'])
            .trim_start_matches("./")
            .trim_end_matches('/');
        let days = ["today", "tomorrow", "yesterday", "now", "next", "last", "tonight"];
        let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
        let lower = bare.to_lowercase();
        let terms = || lower.split(|c: char| !c.is_alphanumeric());
        let digits = lower.contains(|c: char| c.is_ascii_digit());
        let dated = digits
            && (terms().any(|w| w.len() >= 3 && months.contains(&w.get(..3).unwrap_or("")))
                || lower.matches(['-', '/', ':']).count() == 2);
        let part = |w: &&str| w.len() > 1 || w.starts_with(|c: char| c.is_ascii_digit());
        let parts: Vec<&str> = bare.split(|c: char| !c.is_alphanumeric()).filter(part).collect();
        // Half of a key with a number in it, `AB-12`, is half of many keys.
        let key = digits && !bare.contains(char::is_whitespace);
        let several = parts.len() > 1 && !bare.contains(['/', '\\', '.']);
        let words = if several { parts.into_iter().map(fold).collect() } else { Vec::new() };
        let range = digits
            && lower.chars().all(|c| c.is_ascii_digit() || "-–:.".contains(c))
            && lower.contains(['-', '–', ':']);
        Wanted {
            words,
            key,
            folded: fold(bare),
            number: numbers::parse(bare),
            loose: dated || range || terms().any(|w| days.contains(&w)),
        }
    }

    fn held(&self, texts: &[Vec<u8>], numbers: &[Number]) -> bool {
        let same = |n: &Number| {
            let near = |m: &Number| {
                m.key() == n.key()
                    || (m.value() * 100.0 - n.value()).abs() < 0.5
                    || (n.value() * 100.0 - m.value()).abs() < 0.5
            };
            numbers.iter().any(near)
        };
        let path = self.folded.contains(&b'/') || self.folded.contains(&b'.');
        let has = |text: &Vec<u8>| {
            memmem::find(text, &self.folded).is_some()
                || (path && text.len() > 2 && memmem::find(&self.folded, text).is_some())
        };
        let half = || {
            let in_texts = |w: &&Vec<u8>| texts.iter().any(|t| memmem::find(t, w).is_some());
            let found = self.words.iter().filter(in_texts).count();
            let numbered = |w: &&Vec<u8>| self.key && w.iter().any(u8::is_ascii_digit);
            !self.words.is_empty()
                && found * 2 >= self.words.len()
                && self.words.iter().filter(numbered).all(|w| in_texts(&w))
        };
        let bare = |text: &[u8]| -> Vec<u8> { text.iter().copied().filter(u8::is_ascii_alphanumeric).collect() };
        let joined = || {
            let mine = bare(&self.folded);
            mine.len() > 2 && texts.iter().any(|t| t.len() <= 256 && bare(t) == mine)
        };
        self.loose
            || half()
            || (self.key && joined())
            || self.folded.is_empty()
            || texts.iter().any(has)
            || self.number.as_ref().is_some_and(same)
    }
}

/// The first value that the arguments do not hold.
fn lacks(held: &Values, wanted: &[Wanted]) -> Option<usize> {
    wanted.iter().position(|w| !w.held(&held.texts, &held.numbers))
}

/// Whether a result stands beside the forms of a clause: in it, or in the next two lines of the same block.
fn has_result(reading: &Reading<'_, '_>, index: usize, after: usize) -> bool {
    let prose = reading.prose;
    let first = &prose.clauses[index];
    let line = prose.line(first.span.start);
    for clause in prose.clauses[index..].iter().take(4) {
        if clause.block != first.block || prose.line(clause.span.start) > line + 2 || clause.stance != Stance::Asserts {
            break;
        }
        let tokens = reading.tokens(clause);
        for (i, token) in tokens.iter().enumerate() {
            let at = clause.tokens.start + i;
            let found = match token.kind {
                TokenKind::Arrow => token.span.start >= after && !renames(tokens, i),
                TokenKind::Word => {
                    let word = token.text.as_ref();
                    (RESULTS.contains(&word) && prose.governed(clause, at) == Stance::Asserts)
                        || (word == "exit" && tokens[i..].iter().take(5).any(|t| t.kind == TokenKind::Number))
                }
                _ => false,
            };
            if found {
                return true;
            }
        }
    }
    false
}

/// Whether an item tells a result behind its arrow by what happens when something is so, beside an item of the same list that
/// tells one of the same tool outright. Alone such a line explains what a tool does.
fn described(reading: &Reading<'_, '_>, index: usize, name: &str, after: usize) -> bool {
    let clauses = &reading.prose.clauses;
    let Some(clause) = clauses.get(index) else { return false };
    let opens = reading.tokens(clause).iter().find(|t| t.kind != TokenKind::Mark);
    let form = |text: &str| text.trim_start_matches('`').strip_prefix(name).is_some_and(|rest| rest.starts_with('('));
    let written = |c: &Clause| form(c.span.of(reading.prose.source));
    let arrow = clause
        .tokens
        .clone()
        .find(|&i| reading.token(i).is_some_and(|t| t.kind == TokenKind::Arrow && t.span.start >= after));
    let when = arrow.is_some_and(|at| {
        let mut words = (at + 1..clause.tokens.end).map(|i| reading.word(i));
        let free = |word: &str| matches!(word, "if" | "unless" | "would" | "could" | "may" | "should" | "will");
        words.clone().any(|w| matches!(w, "when" | "once" | "while")) && !words.any(free)
    });
    let told = |at: Option<usize>| {
        at.and_then(|i| Some((i, clauses.get(i)?))).is_some_and(|(i, c)| {
            c.place == Place::Item && c.block != clause.block && written(c) && {
                let end = c.span.start + c.span.of(reading.prose.source).find(')').unwrap_or(0);
                c.stance == Stance::Asserts && has_result(reading, i, end)
            }
        })
    };
    let item = clause.place == Place::Item && clause.stance == Stance::Supposes;
    item && opens.is_some() && written(clause) && when && (told(index.checked_sub(1)) || told(Some(index + 1)))
}

/// Whether what follows an arrow is only another form or name, as in “`old(x)` → `new(x)`”.
fn renames(tokens: &[Token<'_>], arrow: usize) -> bool {
    let mut rest = tokens[arrow + 1..].iter().filter(|t| t.kind != TokenKind::Mark);
    match rest.next() {
        Some(t) if t.kind == TokenKind::Code => rest.next().is_none() || t.text.contains('('),
        None => true,
        Some(_) => false,
    }
}

/// The call forms in a clause.
fn forms(source: &str, clause: Span, code: &[Span]) -> Vec<Written> {
    let text = clause.of(source);
    let bytes = text.as_bytes();
    let mut forms = Vec::new();
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'(', bytes.get(at..).unwrap_or(&[])).map(|i| i + at) {
        at = open + 1;
        let start =
            bytes[..open].iter().rposition(|b| !(b.is_ascii_alphanumeric() || b"_.".contains(b))).map_or(0, |i| i + 1);
        let name = text[start..open].trim_start_matches('.');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            || text[..start].ends_with(|c: char| c.is_alphanumeric())
        {
            continue;
        }
        let offset = clause.start + start;
        let inside = code.iter().find(|s| s.start <= offset && offset < s.end);
        let limit = inside.map_or(text.len(), |s| s.end - clause.start);
        let Some((close, values, keyed)) = arguments(&text[..limit.min(text.len())], open) else { continue };
        let named = text[open..close].contains("=\"") || text[open..close].contains("='");
        let keyed_quote = named && name.contains(|c: char| c == '_' || c.is_ascii_lowercase());
        forms.push(Written {
            name: name.to_string(),
            values,
            marked: keyed || inside.is_some(),
            keyed: keyed_quote,
            end: clause.start + close,
        });
        at = close;
    }
    forms
}

/// Reads the arguments behind an open parenthesis: where they end, the values to compare, whether any is quoted or keyed.
fn arguments(text: &str, open: usize) -> Option<(usize, Vec<String>, bool)> {
    let (mut values, mut value, mut keyed) = (Vec::new(), String::new(), false);
    let mut quote = None;
    let mut depth = 0usize;
    let mut escaped = false;
    for (i, c) in text.get(open + 1..)?.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => {
                value.push(c);
                escaped = false;
            }
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if c == q => {
                values.push(core::mem::take(&mut value));
                quote = None;
            }
            (Some(_), c) => value.push(c),
            (None, '"' | '\'') if value.trim().is_empty() => {
                value.clear();
                quote = Some(c);
                keyed = true;
            }
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')') if depth == 0 => {
                bare(&mut values, &value);
                return Some((open + 1 + i + 1, values, keyed));
            }
            (None, ')' | ']' | '}') => depth = depth.saturating_sub(1),
            (None, '=' | ':') => {
                keyed |= c == '=';
                value.clear();
            }
            (None, ',') => {
                bare(&mut values, &value);
                value.clear();
            }
            (None, c) => value.push(c),
        }
        if i > 4096 {
            return None;
        }
    }
    None
}

/// Keeps an unquoted value where it is a word or a number of three digits or more.
fn bare(values: &mut Vec<String>, value: &str) {
    let value = value.trim();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let number = !value.is_empty() && value.chars().all(|c| c.is_ascii_digit() || ".,_-".contains(c));
    let constant = matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "none");
    if !(value.is_empty() || constant || (number && digits < 3)) {
        values.push(value.to_string());
    }
}
