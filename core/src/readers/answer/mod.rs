//! “As you confirmed …” “You chose the second option.”
//!
//! # Reads
//! What the person is said to have answered: chose, picked, selected, confirmed, approved, agreed, answered.
//!
//! # Checks
//! An answered question supports it, as does a message of the person that shares a word with the claim or agrees to
//! something, and takes neither back; an approval is also supported by a call that ran and may have done what was approved,
//! a refusal by a declined one. A question that timed out is no answer.
//!
//! # Leaves alone
//! Everything where the person's messages are not in the record; conditions (“if you approve”).
mod assent;

use super::prelude::*;
use super::text::head;
use super::voice::outside;
use crate::evidence::facts::Facts;
use crate::evidence::index::{Hit, Place};
use crate::prose::{lexicon, Prose};
use crate::readers::has_word;
use crate::record::Status;
use assent::{answers, Asked};

pub(super) const FORM: Form =
    Form { reader: "answer", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &[
    "you|you've have? chose|chosen|picked|selected|confirmed|approved|agreed|answered|opted|preferred|decided",
    "as|per|since|because you have? confirmed|approved|agreed|selected|chose|answered",
    "per|from|with your answer|answers|choice|selection|confirmation|approval",
];

/// Verbs that give leave, so that what then ran shows that it was given.
const LEAVE: &[&str] = &["confirmed", "approved", "agreed", "approval", "confirmation"];

/// Words that say nothing of what was answered.
#[rustfmt::skip]
const COMMON: &[&str] = &[
    "agreed", "answer", "answered", "approved", "been", "choice", "chose", "chosen", "confirmed", "decided",
    "earlier", "from", "have", "picked", "selected", "selection", "that", "then", "this", "were", "which", "will",
    "with", "you've", "your",
];

/// Words of a refusal, which a declined call supports.
const NO: &[&str] = &["against", "decline", "declined", "no", "not", "refused", "rejected", "skip"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let last = found.tokens.end - 1;
    let stance = reading.prose.governed(clause, last);
    if !matches!(stance, Stance::Asserts)
        || reading.mentions(clause, &["if", "once", "unless", "when", "whether", "which"])
    {
        return;
    }
    if outside(reading, clause) || aside(reading, clause, found) {
        return;
    }
    let leave = LEAVE.contains(&reading.word(last));
    let content: Vec<String> = reading
        .sentence(clause)
        .iter()
        .filter(|t| matches!(t.kind, TokenKind::Word | TokenKind::Code | TokenKind::Number))
        .map(|t| t.text.to_string())
        .filter(|w| (w.len() > 3 || is_number(w)) && !COMMON.contains(&w.as_str()))
        .map(|w| head(&w, if w.ends_with("er") { 4 } else { 5 }).to_string())
        .take(24)
        .collect();
    // What an output shows of a choice was read there.
    let read = content.iter().filter(|w| w.len() > 4).filter_map(|w| reading.want(Scope::Told, w)).collect::<Vec<_>>();
    let others = content.iter().filter_map(|w| reading.want(Scope::Person, w)).collect();
    let refusal = has_word(reading.sentence(clause), NO);
    let name = if refusal { "refusal".to_string() } else { String::new() };
    let values = options(reading, clause);
    let tools = content;
    reading.claim(index, Found { wide: leave, needles: read, others, name, values, tools, ..Found::default() });
}

/// Whether a word is a number that is long enough to be known again: the day of a date.
fn is_number(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_digit())
}

/// The numbers and letters by which the sentence calls what was chosen: “option 2”, “plan B”.
fn options(reading: &Reading<'_, '_>, clause: &Clause) -> Vec<String> {
    let plain = |text: &str| text.len() > 1 && lexicon::has(lexicon::en::FUNCTION, text);
    let short =
        |t: &&Token<'_>| matches!(t.kind, TokenKind::Word | TokenKind::Number) && t.text.len() <= 3 && !plain(&t.text);
    let around = reading.around(clause);
    let named = around.filter(|&i| matches!(reading.word(i), "choice" | "number" | "option" | "plan" | "variant"));
    // “Plan B”, “the Pro plan”.
    let beside = named.flat_map(|i| [i.checked_sub(1), Some(i + 1)]).flatten();
    beside.filter_map(|i| reading.token(i)).filter(short).map(|t| t.text.to_string()).take(4).collect()
}

/// Whether the words hang on a noun (“the plan you selected”), praise, or speak of something other than an answer here.
fn aside(reading: &Reading<'_, '_>, clause: &Clause, found: &Match) -> bool {
    let start = found.tokens.start;
    let before = reading.word_before(clause, start);
    let relative = found.phrase == 0
        && start > clause.tokens.start
        && !matches!(before, "" | "as" | "because" | "since" | "and" | "but" | "so" | "then" | "that" | "after");
    let words: Vec<&str> = (found.tokens.end..clause.tokens.end).map(|i| reading.word(i)).collect();
    let where_else = words.windows(2).any(|w| {
        matches!(w[0], "in" | "on" | "at")
            && (w[1].starts_with("adr")
                || matches!(w[1], "the" | "your" | "monday" | "tuesday" | "wednesday" | "thursday" | "friday"))
    });
    let praise =
        words.iter().any(|w| matches!(*w, "great" | "good" | "nice" | "well" | "correctly" | "of" | "questions"));
    relative || where_else || praise
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    if !view.heard() {
        return Support::Leave;
    }
    let asks = view.asks();
    if let Some(&call) = asks.iter().rev().find(|&&c| view.facts(c).succeeded && view.facts(c).call.output.is_some()) {
        return Support::by(call);
    }
    if claim.name == "refusal" {
        if let Some((call, _)) = view.calls().find(|(_, f)| f.call.status == Status::Declined) {
            return Support::by(call);
        }
    }
    if claim.wide {
        let acts = approved(&claim.tools);
        let able = |f: &Facts<'_>| acts.is_empty() || acts.iter().any(|&act| f.acts.could(act));
        let ran = view.calls().find(|(_, f)| f.succeeded && !f.acts.none() && able(f));
        if let Some((call, _)) = ran {
            return Support::by(call);
        }
    }
    let unanswered = asks.iter().any(|c| view.now().contains(c));
    // What an output shows of a choice was read there; what the person said of it is weighed below.
    let read = |hit: &Hit| hit.place != Place::Person;
    if let (Some(hit), false) = (claim.needles.iter().filter_map(|&id| view.hit(id)).find(read), unanswered) {
        return Support::at(hit);
    }
    if !unanswered {
        let asked = Asked { words: &claim.tools, leave: claim.wide, refusal: claim.name == "refusal" };
        match view.messages(assent::MOST).filter(|all| all.iter().all(|m| m.len() <= assent::LONGEST)) {
            Some(all) if all.iter().any(|m| brief(m, &asked) || named(m, &claim.values) || answers(m, &asked)) => {
                return Support::By(None, None);
            }
            Some(_) => {}
            // Among many or long messages any word may have been the answer.
            None => {
                return claim.others.iter().find_map(|&id| view.hit(id)).map_or(Support::By(None, None), Support::at)
            }
        }
    }
    let near =
        asks.iter().rev().find(|&&c| view.now().contains(&c) && view.facts(c).call.status != Status::Ok).copied();
    Support::Not("no answered question supports it".to_string(), near)
}

/// Whether a short message may be the answer itself, whatever its words or its language.
fn brief(text: &str, asked: &Asked<'_>) -> bool {
    let words = text.split_whitespace().count();
    let foreign = || Prose::read(text).clauses.iter().all(|c| c.foreign);
    (words <= 2 && (asked.refusal || !assent::refuses(text))) || (words <= 60 && foreign())
}

/// Whether a message calls what was chosen by its number or letter.
fn named(text: &str, values: &[String]) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric()).take(400);
    words.any(|word| values.iter().any(|value| word.eq_ignore_ascii_case(value)))
}

/// The acts of which the words of an approval speak; none where they may speak of any.
fn approved(words: &[String]) -> Vec<Act> {
    const ACTS: &[(&[&str], &[Act])] = &[
        (&["clean", "delet", "dropp", "erase", "purge", "remov"], &[Act::Remove, Act::Cut, Act::Publish, Act::Wrap]),
        (&["deplo", "merge", "publi", "push", "relea"], &[Act::Publish, Act::Wrap, Act::Write]),
        (&["email", "mail", "messa", "notif", "send"], &[Act::Notify, Act::Publish, Act::Wrap]),
    ];
    let about = |stems: &[&str]| words.iter().any(|word| stems.iter().any(|stem| word.starts_with(stem)));
    ACTS.iter().filter(|(stems, _)| about(stems)).flat_map(|(_, acts)| acts.iter().copied()).collect()
}
