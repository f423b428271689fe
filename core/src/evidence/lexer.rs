//! Reads one level of a command line, in one pass and without recursion.

mod grammar;

use super::shell::{mask, Join, Simple, Target};
use super::skip::closing;
use alloc::string::String;
use alloc::vec::Vec;

/// What the next word is for.
#[derive(Clone, Copy)]
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

/// The simple commands of a line; wrappers and substitutions are not looked into.
pub(super) fn lex(text: &str) -> Option<Vec<Simple>> {
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
            _ => self.plain(b),
        }
        Some(())
    }

    /// Takes a character into the word, and the letters and the like behind it, which mean nothing to the shell.
    fn plain(&mut self, b: u8) {
        self.push(b);
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let means_nothing = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'/' | b'_');
        let length = rest.iter().take_while(means_nothing).count();
        self.word.extend_from_slice(&rest[..length]);
        self.at += length;
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
            (_, Some(b'&'), Some(b'0'..=b'9' | b'-')) => (2, Next::Ignore),
            (_, Some(b'|' | b'&'), _) => (2, Next::Write { append: false }),
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
}
