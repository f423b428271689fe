//! Lines one after another: what is kept of them until it is known which branch they are on.
//!
//! A session file is a tree, and a later line may leave the branch of an earlier one for dead. So lines are kept, all of
//! them where the file is read as a whole. Of a stream 32 MB are kept: of more, the older half is read as it then stands. A
//! line that goes back to a place before that leaves turns dead that were given out already. Their calls stay
//! evidence, and from there on nothing is held against the agent: every turn says that it is incomplete. The output of
//! `stream-json` has no branches; its lines are read when their turn has ended.

use super::line::{Kind, Line};
use super::{tree, Reader};
use crate::record::Session;
use crate::sort::sorted;
use crate::transcript::build::Builder;
use crate::transcript::lines::LineReader;
use crate::transcript::notes::Notes;
use crate::transcript::value::print;
use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;
use serde_json::Value;

/// So many bytes of lines are kept of a stream.
const KEPT: usize = if cfg!(test) { 2 << 10 } else { 32 << 20 };

const REWOUND: &str = "the conversation went back to a place that was read long ago";

/// The lines of one conversation.
#[derive(Default)]
pub(in crate::transcript) struct Streamed {
    reader: Reader,
    lines: Vec<Line>,
    /// The bytes of each line that is kept, and of all.
    sizes: Vec<usize>,
    bytes: usize,
    /// The number and the bytes of the line that comes next.
    number: usize,
    size: usize,
    /// Some line names the one above it, so that there may be branches.
    tree: bool,
    /// Whether all is a sub-agent's; known once some lines were read.
    side: Option<bool>,
    /// What stands for the ids of the lines that are not kept any more, in order.
    gone: Vec<u64>,
    /// The same for those from the last message of the person on: a line that follows one of them goes on.
    tail: Vec<u64>,
    dead: usize,
    twice: usize,
}

impl Streamed {
    /// Takes a line; `None` is one that could not be read.
    pub(super) fn push(&mut self, number: usize, value: Option<Value>) {
        self.tree |= value.as_ref().is_some_and(|value| value.get("parentUuid").is_some());
        let mut line = Line::of(number, value);
        let again = line.kind == Kind::Bad && self.lines.last().is_some_and(|last| last.kind == Kind::Bad);
        if again || line.kind == Kind::Other && line.uuid.is_none() {
            return;
        }
        if line.uuid.as_deref().is_some_and(|uuid| self.is_gone(print(uuid))) {
            self.twice += 1;
            return;
        }
        if self.side == Some(true) {
            line.stand_alone();
        }
        self.lines.push(line);
        self.sizes.push(self.size);
        self.bytes += self.size;
    }

    /// Reads the first lines that are kept, as those behind them leave them.
    fn read(&mut self, count: usize, notes: &mut Notes) {
        if self.side.is_none() {
            let side = tree::all_side(&self.lines);
            if side {
                self.lines.iter_mut().for_each(Line::stand_alone);
            }
            self.side = Some(side);
        }
        let (live, copies) = tree::live(&self.lines);
        let parents = tree::parents(&self.lines);
        let amid = tree::starts_amid(&self.lines);
        for id in self.lines.iter().flat_map(|line| &line.supersedes) {
            self.reader.retracted.insert(id.clone());
        }
        let all = core::mem::take(&mut self.lines).into_iter().zip(core::mem::take(&mut self.sizes));
        let told = live.into_iter().zip(copies).zip(parents);
        let more = count < told.len() || !self.gone.is_empty();
        self.bytes = 0;
        let mut left = Vec::new();
        for (i, ((line, size), ((live, copy), parent))) in all.zip(told).enumerate() {
            if !live {
                self.twice += usize::from(copy);
                self.dead += usize::from(!copy);
            }
            if live && i >= count {
                self.bytes += size;
                self.lines.push(line);
                self.sizes.push(size);
                continue;
            }
            if amid == Some(i) && self.reader.build.is_empty() {
                self.reader.build.starts_amid();
            }
            if more {
                left.extend(self.leave(&line, live));
            }
            if live {
                self.reader.line(line, parent.as_deref(), notes);
            }
        }
        self.gone = merged(&self.gone, &sorted(left, Ord::cmp));
    }

    fn is_gone(&self, id: u64) -> bool {
        self.gone.binary_search(&id).is_ok()
    }

    /// Gives what stands for a line that is kept no longer, and finds out whether it goes back to one that was read long ago.
    fn leave(&mut self, line: &Line, live: bool) -> Option<u64> {
        let above = line.above.as_deref().map(print);
        let message = live && is_message(line);
        if message && above.is_some_and(|above| self.is_gone(above) && !self.tail.contains(&above)) {
            self.reader.rewound();
        }
        if message {
            self.tail.clear();
        }
        let id = line.uuid.as_deref().map(print);
        self.tail.extend(id.filter(|_| live));
        id
    }

    /// How many lines make up the older half, up to a message of the person where there is one.
    fn half(&self) -> usize {
        let mut bytes = 0;
        let mut half = 0;
        for (i, (line, size)) in self.lines.iter().zip(&self.sizes).enumerate() {
            if bytes > KEPT / 2 {
                break;
            }
            bytes += size;
            if i > 0 && is_message(line) {
                half = i;
            }
        }
        if half == 0 {
            self.lines.len() / 2
        } else {
            half
        }
    }
}

/// Two ordered lists as one.
fn merged(mut left: &[u64], mut right: &[u64]) -> Vec<u64> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    while let (Some((a, behind_a)), Some((b, behind_b))) = (left.split_first(), right.split_first()) {
        if a <= b {
            all.push(*a);
            left = behind_a;
        } else {
            all.push(*b);
            right = behind_b;
        }
    }
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    all
}

/// Whether a line is a message of the user role that brings no result.
fn is_message(line: &Line) -> bool {
    line.kind == Kind::User && !line.is_side() && line.returned().next().is_none()
}

impl LineReader for Streamed {
    fn at(&mut self, number: usize, bytes: usize) {
        self.number = number;
        self.size = bytes;
    }

    fn line(&mut self, value: Value, notes: &mut Notes) {
        self.push(self.number, Some(value));
        let ended = !self.tree && self.lines.last().is_some_and(|line| line.kind == Kind::Result);
        if ended {
            self.read(self.lines.len(), notes);
        } else if self.bytes > KEPT {
            self.read(self.half(), notes);
        }
    }

    fn build(&mut self) -> &mut Builder {
        &mut self.reader.build
    }

    fn finish(&mut self, notes: &mut Notes) -> Session {
        self.read(self.lines.len(), notes);
        if self.dead > 0 {
            notes.add("branches", format!("{} lines of branches that were rewound or edited are left out", self.dead));
        }
        if self.twice > 0 {
            notes.add("copies", format!("{} lines that stand twice (same uuid) count once", self.twice));
        }
        core::mem::take(&mut self.reader.build).finish(notes)
    }
}

impl Reader {
    /// What was given out may be on a dead branch.
    fn rewound(&mut self) {
        if !self.build.incomplete.iter().any(|reason| reason == REWOUND) {
            self.build.incomplete.push(REWOUND.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Turn;
    use crate::transcript::Feed;
    use alloc::string::String;
    use serde_json::json;

    /// A session of so many turns; each line hangs from the one before it.
    fn lines(turns: usize) -> Vec<Value> {
        let mut lines = Vec::new();
        let mut above = Value::Null;
        let mut add = |kind: &str, content: Value| {
            let uuid = json!(format!("u{}", lines.len()));
            let message = json!({"role": kind, "id": format!("m{}", lines.len()), "content": content});
            let line = json!({"type": kind, "uuid": uuid, "parentUuid": above, "sessionId": "s", "message": message});
            above = uuid;
            lines.push(line);
        };
        for turn in 0..turns {
            let id = format!("c{turn}");
            add("user", json!(format!("request {turn}")));
            add("assistant", json!([{"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "make"}}]));
            add("user", json!([{"type": "tool_result", "tool_use_id": id, "content": format!("built {turn}")}]));
            add("assistant", json!([{"type": "text", "text": format!("Reply {turn}.")}]));
        }
        lines
    }

    fn text(lines: &[Value]) -> String {
        lines.iter().flat_map(|line| [line.to_string(), "\n".to_string()]).collect()
    }

    fn fed(text: &str) -> (Vec<Turn>, Session) {
        let mut feed = Feed::new(None).unwrap();
        let mut turns = Vec::new();
        for piece in text.as_bytes().chunks(500) {
            turns.extend(feed.feed(piece).unwrap());
        }
        (turns, feed.finish().unwrap())
    }

    #[test]
    fn a_long_session_is_given_out_as_it_goes_on() {
        let text = text(&lines(60));
        let (mut turns, rest) = fed(&text);
        assert!(turns.len() > 40, "{} turns came before the end", turns.len());
        turns.extend(rest.turns);
        assert_eq!(turns, crate::transcript::parse(&text, None).unwrap().turns);
        assert_eq!(rest.notes, Vec::<String>::new());
    }

    #[test]
    fn a_branch_that_died_while_it_was_kept_is_left_out() {
        let mut lines = lines(60);
        // The person goes back from the last request to the one before.
        let last = lines.len() - 4;
        lines[last]["parentUuid"] = lines[last - 8]["uuid"].clone();
        let text = text(&lines);
        let (mut turns, rest) = fed(&text);
        turns.extend(rest.turns);
        assert_eq!(turns, crate::transcript::parse(&text, None).unwrap().turns);
        assert_eq!(rest.notes, ["7 lines of branches that were rewound or edited are left out"]);
    }

    #[test]
    fn going_back_to_what_was_given_out_makes_the_turns_after_it_incomplete() {
        let mut lines = lines(60);
        let last = lines.len() - 4;
        lines[last]["parentUuid"] = lines[3]["uuid"].clone();
        let (turns, rest) = fed(&text(&lines));
        assert!(turns.iter().all(|turn| turn.gaps.none()));
        assert_eq!(rest.turns.last().unwrap().gaps.reasons, [REWOUND]);
    }

    #[test]
    fn lines_that_a_resumed_session_brought_along_count_once() {
        let mut lines = lines(60);
        let copied = lines[..8].to_vec();
        lines.extend(copied);
        let text = text(&lines);
        let (mut turns, rest) = fed(&text);
        turns.extend(rest.turns);
        assert_eq!(turns, crate::transcript::parse(&text, None).unwrap().turns);
        assert_eq!(rest.notes, ["8 lines that stand twice (same uuid) count once"]);
    }
}
