//! What the words of a line are in the shell's grammar: commands, targets, keywords, groups.

use super::super::skip::{body_end, is_assignment};
use super::*;

impl Lexer<'_> {
    /// Ends the word, if one is open, and puts it where it belongs.
    pub(super) fn finish(&mut self) {
        if !self.open {
            return;
        }
        self.open = false;
        let word = String::from_utf8_lossy(&self.word).into_owned();
        self.word.clear();
        let quoted = self.quoted.take();
        if let Some(next) = self.next.take() {
            self.target(next, word);
            return;
        }
        if self.test {
            self.test = !(quoted.is_none() && word == "]]");
            self.current.words.push(word);
            return;
        }
        match self.skip {
            Skip::Nothing => {}
            Skip::For if quoted.is_none() && word == "do" => {}
            Skip::For => return,
            Skip::Case => {
                if quoted.is_none() && word == "in" {
                    self.skip = Skip::Nothing;
                    self.groups.push(Group::Case(self.out.len()));
                }
                return;
            }
            Skip::Name => {
                self.skip = Skip::Nothing;
                return;
            }
        }
        if self.current.words.is_empty() {
            if quoted.is_none() && self.keyword(&word) {
                return;
            }
            if is_assignment(&word, quoted) {
                return;
            }
            self.closed = None;
        }
        self.current.words.push(word);
    }

    fn target(&mut self, next: Next, word: String) {
        match next {
            Next::Write { append } if !word.starts_with("/dev/") => {
                self.current.writes.push(Target { path: word, append });
            }
            Next::HereDocument { tabs } => {
                self.documents.push(HereDocument { delimiter: word, tabs, command: self.out.len() });
            }
            Next::HereString => self.current.input = Some(word),
            _ => {}
        }
    }

    /// Handles a word of the shell's grammar in command position.
    fn keyword(&mut self, word: &str) -> bool {
        let count = self.out.len();
        match word {
            "if" | "while" | "until" => {
                self.groups.push(Group::Block(count));
                self.condition = true;
            }
            "for" | "select" => {
                self.groups.push(Group::Block(count));
                self.skip = Skip::For;
            }
            "case" => self.skip = Skip::Case,
            "function" => self.skip = Skip::Name,
            "elif" => self.condition = true,
            "then" => self.condition = false,
            "else" => {}
            "do" => {
                self.condition = false;
                self.skip = Skip::Nothing;
                self.loops += 1;
            }
            "{" => self.groups.push(Group::Brace(count)),
            "!" => self.current.masked = true,
            "fi" | "done" | "}" | "esac" => return self.close(word),
            "[[" => {
                self.test = true;
                return false;
            }
            _ => return false,
        }
        true
    }

    fn close(&mut self, word: &str) -> bool {
        let start = match (word, self.groups.last()) {
            ("}", Some(Group::Brace(start)))
            | ("fi" | "done", Some(Group::Block(start)))
            | ("esac", Some(Group::Case(start))) => *start,
            _ => return false,
        };
        if word == "done" {
            self.loops = self.loops.saturating_sub(1);
        }
        self.groups.pop();
        self.closed = Some(start);
        true
    }

    /// Ends the command before an operator, a line end or a closing parenthesis.
    pub(super) fn end(&mut self, join: Join) {
        self.finish();
        self.next = None;
        if self.skip == Skip::For && join == Join::Then {
            self.skip = Skip::Nothing;
        }
        let mut simple = core::mem::take(&mut self.current);
        self.test = false;
        if simple.words.is_empty() {
            if let Some(start) = self.closed.take() {
                // The operator and redirects behind a group belong to all of it.
                let count = self.out.len();
                if matches!(join, Join::Pipe | Join::Or | Join::Background) {
                    self.masks.push((start, count));
                }
                if let Some(last) = self.out.last_mut() {
                    last.writes.append(&mut simple.writes);
                    last.join = join;
                }
            }
            if simple.writes.is_empty() && simple.inner.is_empty() {
                return;
            }
        }
        self.closed = None;
        simple.join = join;
        simple.masked |= self.condition || self.loops > 0;
        self.out.push(simple);
    }

    /// Reads the bodies of the here-documents that the line before announced.
    pub(super) fn bodies(&mut self) {
        for document in core::mem::take(&mut self.documents) {
            let (end, next) = body_end(self.bytes, self.at, document.delimiter.as_bytes(), document.tabs);
            let text = String::from_utf8_lossy(&self.bytes[self.at..end]).into_owned();
            if let Some(simple) = self.out.get_mut(document.command) {
                simple.input = Some(text);
            }
            self.at = next;
        }
    }
}
