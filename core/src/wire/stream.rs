//! A transcript in pieces: bytes in, lists of turns or of reports out, as JSON text.

use super::read_options;
use crate::checker::{weight, Checker};
use crate::error::{Error, ErrorKind};
use crate::record::{Detected, Turn};
use crate::render::json::json;
use crate::text::span::Unit;
use crate::transcript::{turns_to_json, Feed};
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// So many bytes of turns are given together.
const TOGETHER: usize = 1 << 20;

/// A transcript that comes in pieces. What [`Stream::feed`] and [`Stream::finish`] give are lists, `[]` where nothing is
/// finished.
///
/// ```
/// use counterfoil::{wire::Stream, Unit};
///
/// let mut stream = Stream::reports(None, "", Unit::Utf16, true)?;
/// let reports = stream.feed(b"{\"reply\": \"Hello.\", \"calls\": []}\n{\"reply\": \"Do")?;
/// assert_eq!(reports, "[]", "the format is not known yet");
/// let reports = stream.feed(b"ne.\", \"calls\": []}\n")?;
/// assert!(reports.starts_with(r#"[{"turn":1,"#));
/// assert_eq!(stream.finish()?, "[]");
/// assert!(stream.about().contains(r#""name":"native""#));
/// # Ok::<(), counterfoil::Error>(())
/// ```
pub struct Stream {
    /// None once it is finished.
    feed: Option<Feed>,
    checker: Option<Checker>,
    /// Turns that are finished and were not given yet.
    ready: VecDeque<Turn>,
    /// Every turn is checked as soon as it is finished.
    live: bool,
    about: About,
}

/// What is known of the whole.
#[derive(Clone, Default, Serialize)]
struct About {
    id: Option<String>,
    format: Option<Detected>,
    notes: Vec<String>,
}

impl Stream {
    /// Gives turns, as native JSON. Where many are finished at once, [`Stream::more`] gives the others.
    ///
    /// # Errors
    /// [`ErrorKind::Option`] for an unknown format.
    pub fn turns(format: Option<&str>) -> Result<Self, Error> {
        let feed = Some(Feed::new(format)?);
        Ok(Stream { feed, checker: None, ready: VecDeque::new(), live: false, about: About::default() })
    }

    /// Gives the reports on turns. With `live` each as soon as its turn is finished, else several at a time, so that a long
    /// text is checked in time that is linear in its length.
    ///
    /// # Errors
    /// [`ErrorKind::Option`] for an unknown format or a wrong option.
    pub fn reports(format: Option<&str>, options: &str, unit: Unit, live: bool) -> Result<Self, Error> {
        let checker = Checker::new(read_options(options)?).in_unit(unit);
        Ok(Stream { checker: Some(checker), live, ..Stream::turns(format)? })
    }

    /// Takes the next piece.
    ///
    /// # Errors
    /// Those of [`Feed::feed`], and [`ErrorKind::Shape`] after the end.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<String, Error> {
        let feed = self.feed.as_mut().ok_or_else(ended)?;
        let turns = feed.feed(bytes)?;
        Ok(self.given(turns, false))
    }

    /// Ends the text.
    ///
    /// # Errors
    /// Those of [`Feed::finish`], and [`ErrorKind::Shape`] after the end.
    pub fn finish(&mut self) -> Result<String, Error> {
        let rest = self.feed.take().ok_or_else(ended)?.finish()?;
        self.about = About { id: rest.id, format: rest.format, notes: rest.notes };
        Ok(self.given(rest.turns, true))
    }

    /// Gives more of what is finished, where the last list did not hold all: turns that came together are not held twice.
    pub fn more(&mut self) -> String {
        let mut turns = Vec::new();
        let mut bytes = 0;
        while bytes < TOGETHER {
            let Some(turn) = self.ready.pop_front() else { break };
            let (outputs, others) = weight(&turn);
            bytes += outputs + others + turn.reply.iter().map(|piece| piece.text.len()).sum::<usize>();
            turns.push(turn);
        }
        turns_to_json(&turns)
    }

    /// The `id`, the `format` and the `notes` as an object; before the end only the format, once it is known.
    pub fn about(&self) -> String {
        match &self.feed {
            Some(feed) => json(&About { format: feed.format().cloned(), ..About::default() }),
            None => json(&self.about),
        }
    }

    fn given(&mut self, turns: Vec<Turn>, last: bool) -> String {
        let Some(checker) = &mut self.checker else {
            self.ready.extend(turns);
            return self.more();
        };
        let any = !turns.is_empty();
        for turn in turns {
            checker.push(turn);
        }
        if last || self.live && any || checker.is_due() {
            return json(&checker.check());
        }
        "[]".to_string()
    }
}

fn ended() -> Error {
    Error::new(ErrorKind::Shape, "", "the stream has ended")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, Value};

    fn count(list: &str) -> usize {
        serde_json::from_str::<Value>(list).unwrap().as_array().unwrap().len()
    }

    #[test]
    fn turns_that_are_finished_at_once_are_given_one_list_after_another() {
        let turn = json!({"reply": "Done.", "calls": [{"tool": "look", "output": "x".repeat(300_000)}]});
        let text = alloc::format!("{turn}\n").repeat(20);
        let mut stream = Stream::turns(None).unwrap();
        let mut lists = alloc::vec![count(&stream.feed(text.as_bytes()).unwrap())];
        assert!(stream.finish().is_ok_and(|list| list != "[]"), "they go on after the end");
        while let more @ 1.. = count(&stream.more()) {
            lists.push(more);
        }
        assert!(lists.iter().all(|list| *list <= 4), "{lists:?}");
        assert_eq!(lists.iter().sum::<usize>() + 4, 20);
        assert_eq!(stream.more(), "[]");
    }
}
