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
use super::text::is_placeholder;
use crate::evidence::index::strings;
use crate::text::fold::fold;
use memchr::memmem;

pub(super) const FORM: Form = Form { reader: "call", reads: Reads::Reply(read), check };

/// Words that tell a result when they stand beside a call form.
const RESULTS: &[&str] =
    &["output", "result", "returned", "ran", "success", "successful", "confirmed", "displayed", "posted", "denied"];

/// A call form in the reply.
struct Written {
    name: String,
    values: Vec<String>,
    /// It has key=value or quoted arguments, or stands in code.
    marked: bool,
    end: usize,
}

fn read(reading: &mut Reading<'_, '_>) {
    let source = reading.prose.source;
    let claims: Vec<usize> = reading.claims().map(|(i, _)| i).collect();
    for index in claims {
        if reading.full() {
            return;
        }
        let clause = reading.clause(index);
        let code: Vec<Span> =
            reading.tokens(clause).iter().filter(|t| t.kind == TokenKind::Code).map(|t| t.span).collect();
        let forms = forms(source, clause.span, &code);
        let Some(last) = forms.last() else { continue };
        if !has_result(reading, index, last.end) {
            continue;
        }
        for form in forms {
            note(reading, index, form);
        }
    }
}

/// Makes a claim of a form whose name may be a tool's.
fn note(reading: &mut Reading<'_, '_>, index: usize, form: Written) {
    let known = reading.tools.contains(&form.name);
    let shaped = form.marked || form.name.contains(['_', '.']) || form.name.chars().skip(1).any(char::is_uppercase);
    if !known && (reading.offered || !shaped) || form.values.iter().any(|v| is_placeholder(v)) {
        return;
    }
    let written = format!("{}(", form.name);
    let in_fence = reading.prose.fences.iter().any(|f| f.body.of(reading.prose.source).contains(&written));
    if !known && in_fence {
        return;
    }
    // A name that stands with a parenthesis in the record's texts is a function that was read or written, not a tool.
    let others = if known { Vec::new() } else { reading.want(Scope::Any, &written).into_iter().collect() };
    let scope = Scope::Tool(form.name.clone());
    let needles = form.values.iter().filter_map(|v| reading.want(scope.clone(), v)).collect();
    reading.claim(index, Found { name: form.name, values: form.values, needles, others, wide: known, ..Found::default() });
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if !claim.wide && claim.others.iter().any(|&id| view.hit(id).is_some()) {
        return Support::Leave;
    }
    let calls = view.calls_to(&claim.name);
    let now = view.now();
    let (before, mine) = calls.split_at(calls.partition_point(|&c| c < now.start));
    let wanted: Vec<Vec<u8>> = claim.values.iter().map(|v| fold(v)).collect();
    let mut missing = None;
    for &call in mine.iter().rev() {
        match lacks(&view.facts(call).call.arguments, &wanted) {
            None => return Support::by(call),
            Some(i) => missing = missing.or(Some((i, call))),
        }
    }
    if let Some(&last) = before.last() {
        let held = claim.needles.len() == wanted.iter().filter(|w| !w.is_empty()).count();
        if held && claim.needles.iter().all(|&id| view.hit(id).is_some()) {
            return Support::by(last);
        }
    }
    match missing {
        None => Support::Not(format!("no call to {} in this turn", claim.name), None),
        Some((i, call)) => {
            let value = crate::text::span::quote(&claim.values[i], 60);
            Support::Not(format!("no call to {} in this turn had {value}", claim.name), Some(call))
        }
    }
}

/// The first value that the arguments do not hold.
fn lacks(arguments: &serde_json::Value, wanted: &[Vec<u8>]) -> Option<usize> {
    let mut held: Vec<Vec<u8>> = strings(arguments).into_iter().map(fold).collect();
    held.extend(crate::evidence::index::scalars(arguments).iter().map(|n| fold(n)));
    wanted.iter().position(|w| {
        let bare = w.strip_prefix(b"./").unwrap_or(w);
        !held.iter().any(|h| memmem::find(h, bare).is_some())
    })
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
        let start = bytes[..open].iter().rposition(|b| !(b.is_ascii_alphanumeric() || b"_.".contains(b))).map_or(0, |i| i + 1);
        let name = text[start..open].trim_start_matches('.');
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') || text[..start].ends_with(|c: char| c.is_alphanumeric()) {
            continue;
        }
        let offset = clause.start + start;
        let inside = code.iter().find(|s| s.start <= offset && offset < s.end);
        let limit = inside.map_or(text.len(), |s| s.end - clause.start);
        let Some((close, values, keyed)) = arguments(&text[..limit.min(text.len())], open) else { continue };
        forms.push(Written { name: name.to_string(), values, marked: keyed || inside.is_some(), end: clause.start + close });
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
