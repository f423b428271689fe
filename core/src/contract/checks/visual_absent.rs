//! A text was not recognised in what a screen showed.
//!
//! # Sees
//! The record of a recogniser: `{capture_digest, frames_total, frames_ok, engine, lines: [{ts, frame_digest, text}]}`.
//!
//! # Decides
//! A hit in any line fails, without regard to case and width of white space. Nothing recognised at all decides nothing, and neither
//! does a record that covers less than `min_coverage`. What passes is absent from the recognised text, no more.
use super::super::caseless::folded_words;
use super::prelude::*;

/// The most lines that are searched.
const LINES: usize = 200_000;
/// The most characters of a line.
const CHARACTERS: usize = 100_000;

pub(super) const TYPE: CheckType = CheckType {
    name: "visual_absent",
    about: "a text is absent from what was recognised in the frames of a capture",
    capabilities: &[Capability::Ocr],
    params: &[
        must("term", Kind::Term, "the text"),
        or("whole_word", Kind::Bool, "false", "whether a hit inside a word counts for nothing"),
        or(
            "min_coverage",
            Kind::Own("number above 0, at most 1", coverage),
            "1",
            "the share of frames that have to be read",
        ),
    ],
    validate: |_| Ok(()),
    requests: |_| [Request::new("frames", Capability::Ocr).with("max_lines", LINES)].into(),
    decide,
};

fn coverage(value: &Json) -> Result<(), ContractError> {
    let share = share(value);
    if share > 0.0 && share <= 1.0 {
        return Ok(());
    }
    Err(fault("", "expected a number above 0 and at most 1"))
}

/// A share needs no more than a double: a ratio of two counts and the decimal that names it round to the same one.
fn share(value: &Json) -> f64 {
    value.number().and_then(|number| number.text().parse().ok()).unwrap_or(0.0)
}

fn decide(case: &Case<'_>) -> Decided {
    let look = case.look("frames")?;
    let Some(fields) = look.fields(&["capture_digest", "frames_total", "frames_ok", "engine", "lines"])? else {
        return absent("there is no record of recognised text");
    };
    let total = whole(&fields, "frames_total", 0, 1 << 40)?;
    let read = whole(&fields, "frames_ok", 0, total)?;
    let lines = lines(&fields)?;
    let (term, folded) = (case.params.text("term"), folded_words(case.params.text("term")));
    let hit = lines.iter().find(|(text, _)| is_in(&folded_words(text), &folded, case.params.bool("whole_word")));
    let expected = object([("absent", term.into())]);
    let shown = hit.map(|(text, ts)| object([("text", (*text).into()), ("ts", ts.cloned().into())]));
    let observed = object([
        ("frames_total", total.into()),
        ("frames_ok", read.into()),
        ("lines", lines.len().into()),
        ("capture_digest", fields.value("capture_digest").cloned().into()),
        ("hit", shown.into()),
    ]);
    let needed = case.params.value("min_coverage").map_or(1.0, share);
    match () {
        () if hit.is_some() => fail(expected, observed, format!("{term:?} was recognised in a frame")),
        () if read == 0 => absent("no frame was read"),
        () if lines.iter().all(|(text, _)| text.trim().is_empty()) => {
            absent("no character was recognised in any frame")
        }
        () if look.truncated => Err(Undecided::truncated()),
        () if (read as f64 / total as f64) < needed => {
            absent(format!("{read} of {total} frames were read, which is less than min_coverage"))
        }
        () => {
            let decision =
                Decision::of(true, expected, observed, format!("{term:?} was not recognised in {read} frames"));
            let limitation =
                format!("{term:?} is absent from recognised text; what the recogniser missed is not known");
            Ok(decision.limited(limitation))
        }
    }
}

/// The texts of the lines, each with its time.
fn lines<'a>(fields: &Fields<'a>) -> Result<Vec<(&'a str, Option<&'a Json>)>, Undecided> {
    let items = fields.array("lines", LINES).map_err(unread)?.ok_or_else(|| unread(fault("lines", "missing")))?;
    let line = |(index, item): (usize, &'a Json)| {
        let inside = |error: ContractError| unread(error.inside(&format!("lines[{index}]")));
        let line = Fields::of(item, &["ts", "frame_digest", "text"]).map_err(inside)?;
        let text = line.text("text", CHARACTERS).map_err(inside)?;
        Ok((text.ok_or_else(|| inside(fault("text", "missing")))?, line.value("ts")))
    };
    items.iter().enumerate().map(line).collect()
}

/// Whether a term is in a text; as a whole word only where no letter, digit or underscore touches it.
fn is_in(text: &str, term: &str, whole: bool) -> bool {
    let is_word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(term).any(|(at, _)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + term.len()..).and_then(|after| after.chars().next());
        !whole || !(is_word(before) || is_word(after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_ends_where_no_letter_touches_it() {
        for (text, term, part, whole) in [
            ("banana", "nan", true, false),
            ("total: $nan", "nan", true, true),
            ("nan", "nan", true, true),
            ("nano nan", "nan", true, true),
            ("nan_x", "nan", true, false),
            ("größenan", "nan", true, false),
            ("na n", "nan", false, false),
        ] {
            assert_eq!((is_in(text, term, false), is_in(text, term, true)), (part, whole), "{text}");
        }
    }
}
