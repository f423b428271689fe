//! A transcript in pieces, as a stream or a long file brings them.

use super::detect::{self, Format};
use super::json::{self, Line};
use super::lines::{self, LineReader};
use super::notes::Notes;
use super::value::described;
use super::{conversations, ended_early, exchanges, found, parse_bytes, FORMATS, SAMPLE};
use crate::error::Error;
use crate::record::{Detected, Session, Turn};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use serde_json::Value;

/// As long as only a guess can be made of the format, so many bytes are kept before it is taken.
const GUESSED: usize = 16 << 20;

/// Takes a transcript piece by piece and gives out turns as they are finished.
///
/// JSON Lines are read line by line: a line is kept until its end came, and a turn until nothing can change it, which is when
/// the next one has begun and all its calls have returned. So the memory does not grow with the text. Three kinds of
/// text are kept whole and read by [`Feed::finish`]: one JSON document, recorded exchanges, and lines in a format that is
/// read as a whole. A session file of Claude Code is a tree whose branches die when the person goes back: 32 MB of it are
/// kept, so that its turns come late.
///
/// The turns are those of [`super::parse`], with these differences where a text is longer than what is kept: a result that
/// comes more than 16 turns late is context of its own turn, and the turn of its call is incomplete; a line that goes back to
/// what was given out long ago makes the turns after it incomplete; a call that a retry wrote again more than 1,024 turns
/// later stands twice. None of them makes a claim flagged. The notes stand in the order of the lines.
///
/// ```
/// use counterfoil::transcript::Feed;
///
/// let mut feed = Feed::new(None)?;
/// let mut turns = Vec::new();
/// for piece in ["{\"reply\": \"Hel", "lo.\", \"calls\": []}\n{\"reply\"", ": \"Done.\", \"calls\": []}\n"] {
///     turns.extend(feed.feed(piece.as_bytes())?);
/// }
/// let rest = feed.finish()?;
/// turns.extend(rest.turns);
/// assert_eq!(turns.iter().map(|turn| turn.text()).collect::<Vec<_>>(), ["Hello.", "Done."]);
/// assert_eq!(rest.format.map(|format| format.name).as_deref(), Some("native"));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub struct Feed {
    named: Option<Format>,
    mode: Mode,
    /// What came and was not read: the end of a line whose rest is to come, or all of the text.
    kept: Vec<u8>,
    /// Where the line that is not yet complete starts in what is kept.
    start: usize,
    /// How many lines came.
    number: usize,
    notes: Notes,
    /// Some bytes were not UTF-8.
    changed: bool,
    /// A line that ended too early; it is the cut end of the text if none follows.
    early: Option<(usize, serde_json::Error)>,
    /// How many lines came that are no values, before any that is one.
    odd: usize,
    /// How many turns were given out.
    turns: usize,
    /// What the first lines are, for the error of a text in which there is no turn.
    seen: String,
    /// Whether their keys are those of the format that was named.
    fits: bool,
    /// Turns in which there is nothing; see [`Feed::with_blank`].
    blank: Vec<Turn>,
}

/// So many conversations wait for one that goes on with them.
const WAITING: usize = 4;

/// How the text is read.
enum Mode {
    /// It is not known yet; the lines so far that are JSON.
    Open(Vec<Value>),
    /// As a whole, at the end.
    Whole,
    /// Line by line.
    Lines {
        reader: Box<dyn LineReader>,
        format: Detected,
        /// The last line could not be read.
        hole: bool,
    },
    /// Each line is a conversation.
    Conversations {
        /// The format and the id of the first.
        first: Option<Session>,
        count: usize,
        /// The last ones with their lines: the next may go on with them, and then they are a part of that.
        waiting: VecDeque<(Value, usize)>,
        /// Lines that are no conversation.
        holes: usize,
    },
}

impl Feed {
    /// A feed of one text. `format` names the host's format, else it is found out by the keys of the text.
    ///
    /// # Errors
    /// [`crate::ErrorKind::Option`] for an unknown name.
    pub fn new(format: Option<&str>) -> Result<Self, Error> {
        Ok(Feed {
            named: format.map(detect::named).transpose()?,
            mode: Mode::Open(Vec::new()),
            kept: Vec::new(),
            start: 0,
            number: 0,
            notes: Notes::default(),
            changed: false,
            early: None,
            odd: 0,
            turns: 0,
            seen: String::new(),
            fits: true,
            blank: Vec::new(),
        })
    }

    /// The format, as soon as it is known.
    pub fn format(&self) -> Option<&Detected> {
        match &self.mode {
            Mode::Lines { format, .. } => Some(format),
            Mode::Conversations { first, .. } => first.as_ref()?.format.as_ref(),
            Mode::Open(_) | Mode::Whole => None,
        }
    }

    /// Takes the next piece of the text, cut wherever it may be, and gives out the turns that are finished.
    ///
    /// # Errors
    /// Those of [`super::parse`]. A text that fails has failed as a whole.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Turn>, Error> {
        let mut searched = self.kept.len();
        self.kept.extend_from_slice(bytes);
        if self.number == 0 && self.start == 0 && searched < json::TELLING {
            self.look_at_start()?;
        }
        let mut turns = Vec::new();
        while !matches!(self.mode, Mode::Whole) {
            let Some(end) = memchr::memchr(b'\n', self.kept.get(searched..).unwrap_or(&[])) else { break };
            searched += end + 1;
            self.complete(searched, &mut turns)?;
            if self.start == 0 {
                searched = 0;
            }
        }
        let open = matches!(self.mode, Mode::Open(_)) && self.number == 0 && self.start == 0;
        if open && self.kept.len() > GUESSED && !self.begins_as_json() {
            self.doubted()?;
        }
        if self.reads_lines() && self.start > 0 {
            self.kept.drain(..self.start);
            self.start = 0;
        }
        let turns = self.with_blank(turns);
        self.turns += turns.len();
        Ok(turns)
    }

    /// Keeps turns back as long as all are blank and native was named: the text may be another host's.
    fn with_blank(&mut self, mut turns: Vec<Turn>) -> Vec<Turn> {
        if self.turns == 0 && self.named.is_some_and(|format| super::is_native(&format)) {
            let other = turns.iter().any(|turn| !super::is_blank(turn));
            self.blank.append(&mut turns);
            return if other { core::mem::take(&mut self.blank) } else { Vec::new() };
        }
        turns
    }

    /// Ends the text. Gives the turns that are left, with the id, the format and the notes of the whole.
    ///
    /// # Errors
    /// Those of [`super::parse`].
    pub fn finish(mut self) -> Result<Session, Error> {
        if !self.reads_lines() {
            return parse_bytes(&self.kept, self.named.map(|format| format.info.name));
        }
        let mut turns = Vec::new();
        let rest = core::mem::take(&mut self.kept);
        self.number += 1;
        self.read(&rest, &mut turns)?;
        self.early(true, &mut turns)?;
        if let Mode::Conversations { waiting, .. } = &mut self.mode {
            for (last, number) in core::mem::take(waiting) {
                self.conversation(last, number, &mut turns)?;
            }
        }
        let mut notes = core::mem::take(&mut self.notes);
        let mut several = 1;
        let mut session = match self.mode {
            Mode::Lines { mut reader, format, .. } => Session { format: Some(format), ..reader.finish(&mut notes) },
            Mode::Conversations { first, count, holes, .. } => {
                exchanges::note_holes(holes, &mut notes);
                let first = first.unwrap_or_default();
                several = count;
                Session { turns: Vec::new(), id: first.id.filter(|_| count == 1), ..first }
            }
            Mode::Open(_) | Mode::Whole => Session::default(),
        };
        session.turns.splice(0..0, turns);
        session.turns.splice(0..0, core::mem::take(&mut self.blank));
        if self.turns == 0 {
            super::told(core::slice::from_ref(&session), &self.seen, self.fits, &mut notes)?;
            if self.named.is_some_and(|format| super::is_native(&format)) && session.turns.iter().all(super::is_blank) {
                return Err(super::no_turn(FORMATS[0].name, &self.seen));
            }
        }
        ended_early(&notes, &mut session);
        session.notes = notes.into_list();
        session.notes.extend((several > 1).then(|| super::follow_one_another(several)));
        session.notes.splice(0..0, self.changed.then(|| String::from(json::CHANGED)));
        Ok(session)
    }

    fn reads_lines(&self) -> bool {
        matches!(self.mode, Mode::Lines { .. } | Mode::Conversations { .. })
    }

    /// What is compressed fails at once, and UTF-16 has no lines that can be seen before all of it was changed.
    fn look_at_start(&mut self) -> Result<(), Error> {
        match self.kept.as_slice() {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => self.mode = Mode::Whole,
            start => {
                json::text(start.get(..json::TELLING).unwrap_or(start))?;
            }
        }
        Ok(())
    }

    /// A line is complete: it ends before `end` of what is kept.
    fn complete(&mut self, end: usize, turns: &mut Vec<Turn>) -> Result<(), Error> {
        if self.reads_lines() {
            let kept = core::mem::take(&mut self.kept);
            self.number += 1;
            let read = self.read(kept.get(self.start..end).unwrap_or(&[]), turns);
            self.kept = kept;
            self.start = end;
            return read;
        }
        let line = self.kept.get(self.start..end).unwrap_or(&[]);
        let line = String::from_utf8_lossy(line);
        let line = line.trim_start_matches('\u{feff}').trim();
        self.start = end;
        if line.is_empty() {
            return Ok(());
        }
        let Mode::Open(sample) = &mut self.mode else { return Ok(()) };
        match serde_json::from_str::<Value>(line) {
            Ok(value) if value.is_object() || value.is_array() => sample.push(value),
            // A document over several lines, or a first line that was cut: only the whole text tells.
            Err(error) if error.is_eof() && sample.is_empty() => self.mode = Mode::Whole,
            _ => self.odd += usize::from(sample.is_empty()),
        }
        if self.odd > SAMPLE {
            return self.doubted();
        }
        match self.decided() {
            Some(mode) => self.replay(mode, turns),
            None => Ok(()),
        }
    }

    fn begins_as_json(&self) -> bool {
        let first = self.kept.iter().find(|byte| !byte.is_ascii_whitespace());
        matches!(first, Some(b'{' | b'[' | 0xef | 0xfe | 0xff))
    }

    /// So much came that is no JSON: it fails now, and not after all the rest, unless only the whole text tells what it is.
    fn doubted(&mut self) -> Result<(), Error> {
        self.odd = 0;
        self.mode = Mode::Whole;
        parse_bytes(&self.kept, self.named.map(|format| format.info.name)).map(drop)
    }

    /// How the text is to be read, once the lines so far tell.
    fn decided(&mut self) -> Option<Mode> {
        let Mode::Open(sample) = &mut self.mode else { return None };
        if sample.len() < 2 {
            return None;
        }
        if exchanges::hold_exchanges(sample) {
            return Some(Mode::Whole);
        }
        if exchanges::are_conversations(sample) {
            return Some(Mode::Conversations { first: None, count: 0, waiting: VecDeque::new(), holes: 0 });
        }
        let much = self.kept.len() > GUESSED;
        if sample.len() > SAMPLE && !much {
            return None;
        }
        let list = Value::Array(core::mem::take(sample));
        let known = found(self.named, &list).ok();
        if let Value::Array(list) = list {
            *sample = list;
        }
        let Some((format, detected)) = known else { return (sample.len() >= SAMPLE).then_some(Mode::Whole) };
        let sure = match detected.confidence.as_str() {
            "named" | "certain" => true,
            "guess" => much,
            _ => sample.len() >= SAMPLE,
        };
        let lines = |reader| Mode::Lines { reader, format: detected, hole: false };
        sure.then(|| lines::reader(format.info.name).map_or(Mode::Whole, lines))
    }

    /// Reads what was kept while nothing was decided.
    fn replay(&mut self, mode: Mode, turns: &mut Vec<Turn>) -> Result<(), Error> {
        if let Mode::Open(sample) = &mut self.mode {
            let sample = Value::Array(core::mem::take(sample));
            self.seen = described(&sample);
            self.fits = super::fits(self.named, &sample);
        }
        self.mode = mode;
        if !self.reads_lines() {
            return Ok(());
        }
        let kept = core::mem::take(&mut self.kept);
        let (read, rest) = kept.split_at(self.start);
        let mut from = 0;
        for end in memchr::memchr_iter(b'\n', read) {
            self.number += 1;
            self.read(read.get(from..end).unwrap_or(&[]), turns)?;
            from = end + 1;
        }
        self.kept = rest.to_vec();
        self.start = 0;
        Ok(())
    }

    /// Reads one line.
    fn read(&mut self, bytes: &[u8], turns: &mut Vec<Turn>) -> Result<(), Error> {
        let text = String::from_utf8_lossy(bytes);
        self.changed |= matches!(text, Cow::Owned(_));
        let text = if self.number == 1 { json::unmarked(&text, &mut self.notes) } else { &text };
        let text = text.trim();
        if text.is_empty() {
            return Ok(());
        }
        self.early(false, turns)?;
        match json::line(text, self.number, &mut self.notes) {
            Line::Value(value) => self.value(Some(value), self.number, bytes.len(), turns),
            Line::Early(error) => {
                self.early = Some((self.number, error));
                Ok(())
            }
            Line::Bad => self.value(None, self.number, bytes.len(), turns),
        }
    }

    /// Settles a line that ended too early: the text was cut there, or the line is bad like any other.
    fn early(&mut self, last: bool, turns: &mut Vec<Turn>) -> Result<(), Error> {
        let Some((number, error)) = self.early.take() else { return Ok(()) };
        json::note_bad(number, &error, last, &mut self.notes);
        self.value(None, number, 0, turns)
    }

    /// Takes the value of a line; none is a hole in the record.
    fn value(&mut self, value: Option<Value>, number: usize, bytes: usize, turns: &mut Vec<Turn>) -> Result<(), Error> {
        match &mut self.mode {
            Mode::Lines { reader, hole, .. } => {
                let again = core::mem::replace(hole, value.is_none());
                if value.is_some() || !again {
                    reader.at(number, bytes);
                    reader.line(value.unwrap_or(Value::Null), &mut self.notes);
                    turns.append(&mut reader.take());
                }
            }
            Mode::Conversations { waiting, holes, .. } => {
                let Some(value) = value.filter(|value| !value.is_null()) else { return Ok(()) };
                if !value.is_object() {
                    *holes += 1;
                    return Ok(());
                }
                while waiting.back().is_some_and(|(former, _)| exchanges::begins(former, &value)) {
                    waiting.pop_back();
                }
                waiting.push_back((value, number));
                if let Some((first, number)) = (waiting.len() > WAITING).then(|| waiting.pop_front()).flatten() {
                    return self.conversation(first, number, turns);
                }
            }
            Mode::Open(_) | Mode::Whole => {}
        }
        Ok(())
    }

    /// Reads a conversation that stands on one line. What is none is noted by its place where others could be read.
    fn conversation(&mut self, value: Value, number: usize, turns: &mut Vec<Turn>) -> Result<(), Error> {
        let seen = described(&value);
        let read = conversations(value, self.named, &mut self.notes);
        let Mode::Conversations { first, count, .. } = &mut self.mode else { return Ok(()) };
        match read {
            Ok(sessions) => {
                for mut session in sessions {
                    *count += 1;
                    if let Some(turn) = session.turns.first_mut().filter(|_| self.turns + turns.len() > 0) {
                        turn.earlier = Vec::new();
                    }
                    turns.append(&mut session.turns);
                    first.get_or_insert(session);
                }
            }
            Err(error) if first.is_none() => return Err(error),
            Err(error) => self
                .notes
                .add("conversations that were not understood", alloc::format!("line {number}: {error}: {seen}")),
        }
        Ok(())
    }
}
