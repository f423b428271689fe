//! Command lines split into simple commands.
//!
//! The splitter is linear and never recurses: quotes, substitutions, here-documents, groups and keywords
//! are read in one pass. It does not expand anything. What a wrapper (`sudo`, `bash -c`, `docker exec`) or
//! a substitution runs is listed right behind it. A line that does not lex, or is longer than
//! [`MAX`] bytes, gives `None`: the caller then compares text and must not conclude that nothing ran.

use super::dry;
use super::wrappers::{self, Inside};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The longest line that is split, in bytes.
pub const MAX: usize = 64 * 1024;

/// How often wrappers and substitutions are looked into; what is deeper counts as unknown.
const DEPTH: usize = 8;

/// What joins a command to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Nothing follows.
    #[default]
    End,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;` or a new line
    Then,
    /// `&`
    Background,
}

/// A file that a redirect or `tee` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its path as written, quotes removed.
    pub path: String,
    /// It is added to (`>>`), not overwritten.
    pub append: bool,
}

/// One simple command of a line: its words without assignments, redirects and quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The words, the program first; empty for a bare redirect (`> file`).
    pub words: Vec<String>,
    /// The words joined by one space, for comparing.
    pub text: String,
    /// What joins it to the next command of its level.
    pub join: Join,
    /// The files that it writes by redirect or `tee`; `/dev/null` and other descriptors are left out.
    pub writes: Vec<Target>,
    /// Its here-document or here-string.
    pub input: Option<String>,
    /// It only says what it would do.
    pub dry: bool,
    /// What it runs is listed right behind it.
    pub wraps: bool,
    /// Its failure does not show in the line's exit status (`| tail`, `|| true`, `; echo $?`).
    pub masked: bool,
    /// The texts of its substitutions, until they are split.
    inner: Vec<String>,
}

/// A split line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The simple commands in the order of the line.
    pub commands: Vec<Simple>,
}

/// Splits a command line, or says that it cannot.
pub fn split(line: &str) -> Option<Line> {
    if line.len() > MAX {
        return None;
    }
    Some(expand(lex(line)?))
}

/// The line of a program that was started with these words, without a shell.
pub fn argv(words: Vec<String>) -> Line {
    let simple = Simple { words, ..Simple::default() };
    expand(vec![simple])
}

/// Puts behind each command what it runs, without recursion.
fn expand(commands: Vec<Simple>) -> Line {
    let mut out = Vec::new();
    let mut open = vec![commands.into_iter()];
    while let Some(level) = open.last_mut() {
        let Some(mut simple) = level.next() else {
            open.pop();
            continue;
        };
        tee(&mut simple);
        let texts = core::mem::take(&mut simple.inner);
        let mut inside = Vec::new();
        if open.len() <= DEPTH {
            for text in &texts {
                let found = lex(text).unwrap_or_else(|| unread(text));
                inside.extend(found.into_iter().map(|c| Simple { masked: true, ..c }));
            }
            let run = match wrappers::inside(&simple) {
                Inside::Nothing => Vec::new(),
                Inside::Words(words) => vec![Simple { words, join: simple.join, ..Simple::default() }],
                Inside::Text(text) => lex(&text).unwrap_or_default(),
            };
            simple.wraps = !run.is_empty();
            inside.extend(run.into_iter().map(|c| Simple { masked: c.masked || simple.masked, ..c }));
        } else if !texts.is_empty() {
            inside.extend(unread("$("));
        }
        simple.text = simple.words.join(" ");
        simple.dry = !simple.wraps && dry::is_dry(&simple.words);
        if !simple.words.is_empty() || !simple.writes.is_empty() {
            out.push(simple);
        }
        if !inside.is_empty() {
            open.push(inside.into_iter());
        }
    }
    Line { commands: out }
}

/// Stands for commands that could not be read: a program of no known name.
fn unread(text: &str) -> Vec<Simple> {
    vec![Simple { words: vec![String::from(text)], ..Simple::default() }]
}

/// `tee` writes the files that it names.
fn tee(simple: &mut Simple) {
    if simple.words.first().map(String::as_str) != Some("tee") {
        return;
    }
    let append = simple.words.iter().any(|w| w == "-a" || w == "--append");
    let files = simple.words.iter().skip(1).filter(|w| !w.starts_with('-') && !w.starts_with("/dev/"));
    simple.writes.extend(files.map(|w| Target { path: w.clone(), append }));
}

/// What the next word is for.
enum Next {
    Write { append: bool },
    Ignore,
    HereDocument { tabs: bool },
    HereString,
}

/// What is being skipped between a keyword and the commands it leads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Skip {
    Nothing,
    /// `for x in a b`
    For,
    /// `case x`
    Case,
    /// `function name`
    Name,
}

/// What is open, with the number of commands before it.
enum Group {
    Paren(usize),
    Brace(usize),
    Block(usize),
    Case(usize),
}

struct HereDocument {
    delimiter: String,
    tabs: bool,
    command: usize,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    word: Vec<u8>,
    open: bool,
    quoted: Option<usize>,
    next: Option<Next>,
    skip: Skip,
    test: bool,
    current: Simple,
    groups: Vec<Group>,
    closed: Option<usize>,
    documents: Vec<HereDocument>,
    condition: bool,
    loops: usize,
    masks: Vec<(usize, usize)>,
    out: Vec<Simple>,
}

fn lex(text: &str) -> Option<Vec<Simple>> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        word: Vec::new(),
        open: false,
        quoted: None,
        next: None,
        skip: Skip::Nothing,
        test: false,
        current: Simple::default(),
        groups: Vec::new(),
        closed: None,
        documents: Vec::new(),
        condition: false,
        loops: 0,
        masks: Vec::new(),
        out: Vec::new(),
    };
    while lexer.at < lexer.bytes.len() {
        lexer.step()?;
    }
    lexer.end(Join::End);
    if !lexer.groups.is_empty() {
        return None;
    }
    let Lexer { mut out, masks, .. } = lexer;
    mask(&mut out, &masks);
    Some(out)
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// Reads one token or one character of a word; `None` where the line does not lex.
    fn step(&mut self) -> Option<()> {
        let b = self.peek(0)?;
        if self.test && self.word == b"]]" && matches!(b, b';' | b'&' | b'|' | b')' | b'>') {
            self.finish();
        }
        match b {
            b' ' | b'\t' | b'\r' => {
                self.finish();
                self.at += 1;
            }
            b'\n' => {
                self.end(Join::Then);
                self.at += 1;
                self.bodies();
            }
            b'#' if !self.open => {
                self.at += memchr::memchr(b'\n', &self.bytes[self.at..]).unwrap_or(self.bytes.len() - self.at);
            }
            b'\'' => self.single()?,
            b'"' => self.double()?,
            b'\\' => self.escape(),
            b'`' => {
                let end = closing(self.bytes, self.at + 1, b'`')?;
                self.substitution(self.at, self.at + 1, end);
            }
            b'$' => self.dollar()?,
            b'<' | b'>' if !self.test => self.redirect()?,
            b'(' | b')' if !self.test => self.paren(b)?,
            b'|' | b'&' | b';' if !self.test => self.operator(b),
            _ => self.push(b),
        }
        Some(())
    }

    fn push(&mut self, b: u8) {
        self.word.push(b);
        self.open = true;
        self.at += 1;
    }

    fn quote(&mut self) {
        self.open = true;
        self.quoted.get_or_insert(self.word.len());
    }

    fn single(&mut self) -> Option<()> {
        self.quote();
        let start = self.at + 1;
        let end = start + memchr::memchr(b'\'', self.bytes.get(start..)?)?;
        self.word.extend_from_slice(&self.bytes[start..end]);
        self.at = end + 1;
        Some(())
    }

    fn double(&mut self) -> Option<()> {
        self.quote();
        self.at += 1;
        loop {
            match self.peek(0)? {
                b'"' => {
                    self.at += 1;
                    return Some(());
                }
                b'\\' => {
                    let next = self.peek(1)?;
                    if !matches!(next, b'"' | b'\\' | b'$' | b'`' | b'\n') {
                        self.word.push(b'\\');
                    }
                    if next != b'\n' {
                        self.word.push(next);
                    }
                    self.at += 2;
                }
                b'`' => {
                    let end = closing(self.bytes, self.at + 1, b'`')?;
                    self.substitution(self.at, self.at + 1, end);
                }
                b'$' if matches!(self.peek(1), Some(b'(' | b'{')) => self.dollar()?,
                b => self.push(b),
            }
        }
    }

    /// A backslash takes the next character as it is; before a line end both are dropped.
    fn escape(&mut self) {
        match self.peek(1) {
            Some(b'\n') => self.at += 2,
            Some(b'\r') if self.peek(2) == Some(b'\n') => self.at += 3,
            Some(next) => {
                self.quote();
                self.word.push(next);
                self.at += 2;
            }
            None => self.push(b'\\'),
        }
    }

    fn dollar(&mut self) -> Option<()> {
        match self.peek(1) {
            Some(b'(') => {
                let end = closing(self.bytes, self.at + 2, b')')?;
                // `$((…))` is arithmetic and runs nothing.
                if self.peek(2) == Some(b'(') {
                    self.raw(self.at, end);
                } else {
                    self.substitution(self.at, self.at + 2, end);
                }
            }
            Some(b'{') => {
                let end = closing(self.bytes, self.at + 2, b'}')?;
                self.raw(self.at, end);
            }
            Some(b'\'') if self.quoted.is_none() || !self.open => {
                self.quote();
                self.at += 2;
                self.ansi()?;
            }
            _ => self.push(b'$'),
        }
        Some(())
    }

    /// The rest of a `$'…'` word.
    fn ansi(&mut self) -> Option<()> {
        loop {
            let b = self.peek(0)?;
            self.at += 1;
            match b {
                b'\'' => return Some(()),
                b'\\' => {
                    let next = self.peek(0)?;
                    self.at += 1;
                    self.word.push(match next {
                        b'n' => b'\n',
                        b't' => b'\t',
                        other => other,
                    });
                }
                _ => self.word.push(b),
            }
        }
    }

    /// Takes the source up to `end` into the word as it stands.
    fn raw(&mut self, start: usize, end: usize) {
        self.word.extend_from_slice(&self.bytes[start..end]);
        self.open = true;
        self.at = end;
    }

    /// Takes a substitution into the word; what it runs is kept for [`expand`].
    fn substitution(&mut self, start: usize, inner: usize, end: usize) {
        self.quoted.get_or_insert(self.word.len());
        self.raw(start, end);
        let text = self.bytes.get(inner..end.saturating_sub(1)).unwrap_or_default();
        self.current.inner.push(String::from_utf8_lossy(text).into_owned());
    }

    fn redirect(&mut self) -> Option<()> {
        let (first, second) = (self.peek(0)?, self.peek(1));
        if second == Some(b'(') {
            let end = closing(self.bytes, self.at + 2, b')')?;
            self.substitution(self.at, self.at + 2, end);
            return Some(());
        }
        // A number right before the arrow is a descriptor, not a word.
        if self.quoted.is_none() && self.open && self.word.iter().all(u8::is_ascii_digit) {
            self.word.clear();
            self.open = false;
        }
        self.finish();
        let (length, next) = match (first, second, self.peek(2)) {
            (b'<', Some(b'<'), Some(b'<')) => (3, Next::HereString),
            (b'<', Some(b'<'), Some(b'-')) => (3, Next::HereDocument { tabs: true }),
            (b'<', Some(b'<'), _) => (2, Next::HereDocument { tabs: false }),
            (b'<', Some(b'&' | b'>'), _) => (2, Next::Ignore),
            (b'<', _, _) => (1, Next::Ignore),
            (_, Some(b'>'), _) => (2, Next::Write { append: true }),
            (_, Some(b'|'), _) => (2, Next::Write { append: false }),
            (_, Some(b'&'), Some(b'0'..=b'9' | b'-')) => (2, Next::Ignore),
            (_, Some(b'&'), _) => (2, Next::Write { append: false }),
            _ => (1, Next::Write { append: false }),
        };
        self.at += length;
        self.next = Some(next);
        Some(())
    }

    fn operator(&mut self, b: u8) {
        let second = self.peek(1);
        match (b, second) {
            (b'&', Some(b'>')) => {
                self.finish();
                let append = self.peek(2) == Some(b'>');
                self.at += if append { 3 } else { 2 };
                self.next = Some(Next::Write { append });
            }
            (b'&', Some(b'&')) => self.end_with(Join::And, 2),
            (b'&', _) => self.end_with(Join::Background, 1),
            (b'|', Some(b'|')) => self.end_with(Join::Or, 2),
            (b'|', Some(b'&')) => self.end_with(Join::Pipe, 2),
            (b'|', _) => self.end_with(Join::Pipe, 1),
            (_, Some(b';' | b'&')) if matches!(self.groups.last(), Some(Group::Case(_))) => {
                self.end_with(Join::Then, 2);
                let count = self.out.len();
                if let Some(Group::Case(start)) = self.groups.last_mut() {
                    *start = count;
                }
            }
            _ => self.end_with(Join::Then, 1),
        }
    }

    fn end_with(&mut self, join: Join, length: usize) {
        self.end(join);
        self.at += length;
    }

    fn paren(&mut self, b: u8) -> Option<()> {
        if b == b')' {
            self.end(Join::End);
            self.at += 1;
            match self.groups.pop()? {
                Group::Paren(start) => self.closed = Some(start),
                // What stood before it was the pattern of a case.
                Group::Case(start) => {
                    self.out.truncate(start);
                    self.groups.push(Group::Case(start));
                }
                _ => return None,
            }
            return Some(());
        }
        let last = self.word.last().copied();
        if self.open && matches!(last, Some(b'=' | b'!' | b'@' | b'?' | b'*' | b'+')) {
            let end = closing(self.bytes, self.at + 1, b')')?;
            self.raw(self.at, end);
            return Some(());
        }
        self.finish();
        if !self.current.words.is_empty() {
            // `name() {` defines a function; what follows is its body.
            let function = self.current.words.len() == 1 && self.peek(1) == Some(b')');
            self.current.words.clear();
            self.at += 2;
            return function.then_some(());
        }
        if self.peek(1) == Some(b'(') {
            let end = closing(self.bytes, self.at + 1, b')')?;
            self.at = end;
            return Some(());
        }
        self.groups.push(Group::Paren(self.out.len()));
        self.at += 1;
        Some(())
    }

    /// Ends the word, if one is open, and puts it where it belongs.
    fn finish(&mut self) {
        if !self.open {
            return;
        }
        self.open = false;
        let word = String::from_utf8_lossy(&core::mem::take(&mut self.word)).into_owned();
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
            "if" => {
                self.groups.push(Group::Block(count));
                self.condition = true;
            }
            "while" | "until" => {
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
            ("}", Some(Group::Brace(start))) | ("fi" | "done", Some(Group::Block(start))) => *start,
            ("esac", Some(Group::Case(start))) => *start,
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
    fn end(&mut self, join: Join) {
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
    fn bodies(&mut self) {
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

/// Where a here-document's body ends and where the line after its delimiter starts.
fn body_end(bytes: &[u8], from: usize, delimiter: &[u8], tabs: bool) -> (usize, usize) {
    let mut at = from;
    while at < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |i| at + i);
        let mut line = &bytes[at..end];
        if let Some(b'\r') = line.last() {
            line = &line[..line.len() - 1];
        }
        while let (true, Some(b'\t')) = (tabs, line.first()) {
            line = &line[1..];
        }
        let next = (end + 1).min(bytes.len());
        if line == delimiter {
            return (at, next);
        }
        at = next;
    }
    (bytes.len(), bytes.len())
}

/// The place behind the character that closes what was opened before `from`, by a stack of what is open.
fn closing(bytes: &[u8], from: usize, closer: u8) -> Option<usize> {
    let mut open = vec![closer];
    let mut document: Option<(Vec<u8>, bool)> = None;
    let mut at = from;
    while let Some(&top) = open.last() {
        let b = *bytes.get(at)?;
        let next = bytes.get(at + 1).copied();
        at += 1;
        match (top, b) {
            (b'\'', b'\'') => drop(open.pop()),
            (b'\'', _) => {}
            (_, b'\\') => at += 1,
            _ if b == top => drop(open.pop()),
            (_, b'$') if next == Some(b'(') => {
                open.push(b')');
                at += 1;
            }
            (_, b'$') if next == Some(b'{') => {
                open.push(b'}');
                at += 1;
            }
            (_, b'`') => open.push(b'`'),
            (b'"', _) => {}
            (_, b'"') => open.push(b'"'),
            (b'}', _) => {}
            (_, b'\'') => open.push(b'\''),
            (_, b'(') => open.push(b')'),
            (_, b'#') if at >= 2 && matches!(bytes[at - 2], b' ' | b'\t' | b'\n') => {
                at += memchr::memchr(b'\n', bytes.get(at..)?)?;
            }
            (_, b'<') if next == Some(b'<') => {
                (document, at) = delimiter(bytes, at + 1);
            }
            (_, b'\n') => {
                if let Some((word, tabs)) = document.take() {
                    at = body_end(bytes, at, &word, tabs).1;
                }
            }
            _ => {}
        }
    }
    Some(at)
}

/// The delimiter behind `<<` and where it ends; nothing for a here-string.
fn delimiter(bytes: &[u8], from: usize) -> (Option<(Vec<u8>, bool)>, usize) {
    let mut at = from;
    if bytes.get(at) == Some(&b'<') {
        return (None, at + 1);
    }
    let tabs = bytes.get(at) == Some(&b'-');
    at += usize::from(tabs);
    while bytes.get(at) == Some(&b' ') {
        at += 1;
    }
    let mut word = Vec::new();
    while let Some(&b) = bytes.get(at) {
        match b {
            b'\'' | b'"' | b'\\' => {}
            b'_' | b'-' | b'.' => word.push(b),
            b if b.is_ascii_alphanumeric() => word.push(b),
            _ => break,
        }
        at += 1;
    }
    // `1 << 2` in arithmetic is no here-document.
    let first = word.first().is_some_and(|b| !b.is_ascii_digit());
    (first.then_some((word, tabs)), at)
}

/// Whether the word is `NAME=value` with the name and the sign outside quotes.
fn is_assignment(word: &str, quoted: Option<usize>) -> bool {
    let Some(sign) = word.find('=') else { return false };
    let name = word[..sign].trim_end_matches('+');
    let name = name.split('[').next().unwrap_or_default();
    quoted.is_none_or(|at| sign < at)
        && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Works out from the end of the line which failures its exit status shows.
fn mask(commands: &mut [Simple], ranges: &[(usize, usize)]) {
    let mut depth = vec![0_i32; commands.len() + 1];
    for &(start, end) in ranges {
        if let Some(d) = depth.get_mut(start) {
            *d += 1;
        }
        if let Some(d) = depth.get_mut(end) {
            *d -= 1;
        }
    }
    let set = |flag: &str| commands.iter().any(|c| c.words.first().is_some_and(|w| w == "set") && option(c, flag));
    let (stops, pipes) = (set("e"), set("pipefail"));
    let mut covered = 0;
    for (simple, d) in commands.iter_mut().zip(&depth) {
        covered += d;
        simple.masked |= covered > 0;
    }
    let last = commands.len().saturating_sub(1);
    let mut shows = true;
    for (i, simple) in commands.iter_mut().enumerate().rev() {
        match simple.join {
            Join::Background => shows = false,
            Join::Or => shows = false,
            Join::Then | Join::End if i < last => shows = stops,
            _ => {}
        }
        let piped = simple.join == Join::Pipe && !pipes;
        simple.masked |= !shows || piped;
    }
}

/// Whether a `set` command switches the option on, by its letter or its name.
fn option(set: &Simple, flag: &str) -> bool {
    set.words
        .iter()
        .skip(1)
        .any(|w| w == flag || (flag.len() == 1 && w.starts_with('-') && !w.starts_with("--") && w.contains(flag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        split(line).map(|l| l.commands.into_iter().map(|c| c.text).collect()).unwrap_or_default()
    }

    fn masked(line: &str, text: &str) -> bool {
        split(line).is_some_and(|l| l.commands.iter().any(|c| c.text == text && c.masked))
    }

    #[test]
    fn operators_cut_a_line_into_its_commands() {
        assert_eq!(texts("a b && c | d; e & f || g\nh"), ["a b", "c", "d", "e", "f", "g", "h"]);
    }

    #[test]
    fn quotes_escapes_and_assignments_are_taken_off() {
        assert_eq!(texts(r#"FOO=1 BAR='x y' echo "a  b" 'c;d' e\ f $'g\th'"#), ["echo a  b c;d e f g\th"]);
        assert_eq!(texts("'FOO=1' x"), ["FOO=1 x"]);
        assert_eq!(texts("npm test \\\n  --ci # only once"), ["npm test --ci"]);
    }

    #[test]
    fn redirects_are_no_words_and_their_files_are_kept() {
        let line = split("make 2>&1 >out.log &>> all.log < in.txt 2>/dev/null | tee -a b.txt").unwrap_or_default();
        assert_eq!(line.commands[0].text, "make");
        let paths: Vec<&str> = line.commands.iter().flat_map(|c| &c.writes).map(|t| t.path.as_str()).collect();
        assert_eq!(paths, ["out.log", "all.log", "b.txt"]);
        assert!(line.commands[1].writes[0].append);
        assert_eq!(texts("> only"), [""]);
    }

    #[test]
    fn the_body_of_a_here_document_is_input_and_no_command() {
        let line = split("cat <<'EOF' > x.py | wc\nrm -rf it's\nEOF\necho done").unwrap_or_default();
        assert_eq!(line.commands.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["cat", "wc", "echo done"]);
        assert_eq!(line.commands[0].input.as_deref(), Some("rm -rf it's\n"));
    }

    #[test]
    fn a_message_from_a_here_document_in_a_substitution_lexes() {
        let line = "git commit -m \"$(cat <<'EOF'\nDon't (stop\nEOF\n)\" && git push";
        let found = texts(line);
        assert_eq!(found.last().map(String::as_str), Some("git push"));
        assert!(found.iter().any(|t| t == "cat"), "{found:?}");
    }

    #[test]
    fn what_a_substitution_runs_is_listed_too() {
        assert_eq!(texts("out=$(cargo test 2>&1); echo \"$out\""), ["cargo test", "echo $out"]);
        assert_eq!(texts("diff <(jq -S . a) `which b`")[1..], ["jq -S . a", "which b"]);
        assert_eq!(texts("echo $((1 + 2)) ${x:-y z}"), ["echo $((1 + 2)) ${x:-y z}"]);
    }

    #[test]
    fn keywords_groups_and_functions_are_looked_through() {
        assert_eq!(texts("for f in a b; do rm \"$f\"; done"), ["rm $f"]);
        assert_eq!(texts("if [[ a > b && c ]]; then x; else y; fi")[1..], ["x", "y"]);
        assert_eq!(texts("(cd a && { make; })"), ["cd a", "make"]);
        assert_eq!(texts("case $1 in a|b) x;; *) y;; esac; z"), ["x", "y", "z"]);
        assert_eq!(texts("f() { ls; }; function g { pwd; }; f"), ["ls", "pwd", "f"]);
        assert_eq!(texts("for ((i=0;i<3;i++)); do x; done"), ["x"]);
        assert_eq!(texts("a=(1 2 3) b"), ["b"]);
        assert_eq!(texts("while read l; do echo done; done < f"), ["read l", "echo done"]);
    }

    #[test]
    fn a_line_that_does_not_lex_gives_none() {
        for line in ["echo 'a", "echo \"a", "echo $(a", "(a", "a)", "{ a", "`", "if a; then b", "f(x)"] {
            assert_eq!(split(line), None, "{line}");
        }
        assert_eq!(split(&"a".repeat(MAX + 1)), None);
    }

    #[test]
    fn a_failure_that_the_exit_does_not_show_is_masked() {
        for line in ["t | tail", "t || true", "t; echo $?", "t & wait", "(a && t) | tail", "! t", "if t; then x; fi"] {
            assert!(masked(line, "t"), "{line}");
        }
        for line in
            ["t", "cd x && t", "cd x; t", "t && echo ok", "set -e; t; x", "set -o pipefail; t | tail", "t;", "t\n"]
        {
            assert!(!masked(line, "t"), "{line}");
        }
        assert!(!masked("set -euo pipefail\nt | tail -3\nx", "t"));
        assert!(masked("bash -c 't | tail'", "t"));
    }

    #[test]
    fn hostile_lines_are_read_in_linear_time() {
        for unit in
            ["$(", "'", "{ ", "(", "ran ran ", "sudo ", "`", "\"", "<<E\n", "$(a) ", "a|", "((", "[[ ", "if ", "case "]
        {
            let line = unit.repeat(MAX / unit.len());
            let _ = split(&line);
        }
        let nested = ["(".repeat(MAX / 4), ")|".repeat(MAX / 4)].concat();
        let _ = split(&nested);
    }
}
