//! The blocks of a markdown text and the runs of characters in them, each with its place in the source.
//!
//! Markdown is parsed, never guessed. What comes out is flat: a block knows how many lists it stands in and whether
//! it is quoted, which is all that a reader of prose needs. Time and memory are linear in the source, and nothing
//! here recurses. Struck-out text, images and HTML tags are left out.

use super::span::Span;
use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::ops::Range;
use pulldown_cmark::{CodeBlockKind, CowStr, Event, OffsetIter, Options, Parser, Tag, TagEnd};

/// What a run is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece<'a> {
    /// Text, the same as in the source.
    Text,
    /// An entity such as `&amp;`, with what it stands for.
    Decoded(Cow<'a, str>),
    /// An inline code span, with what stands between its backticks.
    Code(Cow<'a, str>),
    /// Something in angle brackets that is no known HTML, such as `<scratch>`.
    Placeholder,
    /// A line break that markdown shows as a space.
    Soft,
    /// A line break that stays one.
    Hard,
    /// The bar between two cells.
    Bar,
}

/// A piece of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<'a> {
    /// Where it stands in the source; for code the backticks are part of it.
    pub span: Span,
    /// What it is.
    pub piece: Piece<'a>,
    /// It stands in bold or italics.
    pub strong: bool,
}

/// What kind of block it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Running text.
    Paragraph,
    /// A list item's own text, or a further paragraph of it.
    Item,
    /// A table row with all its cells.
    Row {
        /// It names the columns.
        header: bool,
    },
    /// A heading of level 1 to 6.
    Heading(u8),
    /// A fenced or indented code block.
    Fence {
        /// What stands between the fences.
        body: Span,
        /// The info string, such as `bash`.
        info: Span,
    },
}

/// A block of text or code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// What it is.
    pub kind: Kind,
    /// The whole block; only code blocks have one.
    pub span: Span,
    /// How many lists it stands in.
    pub depth: usize,
    /// It stands in a block quote.
    pub quoted: bool,
    /// The item's task box: ticked or not.
    pub task: Option<bool>,
    /// Its runs.
    pub runs: Range<usize>,
}

/// A markdown text, parsed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its blocks, in reading order.
    pub blocks: Vec<Block>,
    /// The runs of all blocks.
    pub runs: Vec<Run<'a>>,
    /// Where each line of the source starts.
    pub lines: Vec<usize>,
}

/// Parses a markdown text with tables, strike-through and task lists.
pub fn parse(source: &str) -> Document<'_> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut builder = Builder { source, ..Builder::default() };
    let lines = &mut builder.document.lines;
    lines.reserve((source.len() / 24).min(1 << 10));
    lines.push(0);
    lines.extend(memchr::memchr_iter(b'\n', source.as_bytes()).map(|end| end + 1));
    if lines.iter().any(|&start| too_deep(source.get(start..).unwrap_or(""))) {
        builder.plain();
        return builder.document;
    }
    builder.document.runs.reserve((source.len() / 32).min(1 << 10));
    builder.document.blocks.reserve((source.len() / 64).min(1 << 10));
    builder.walk(Parser::new_ext(source, options).into_offset_iter());
    builder.close();
    builder.document
}

/// More quotes and lists than this, opened by one line, are read as plain text.
const DEEPEST: usize = 64;

/// Whether the first line of a text opens so many quotes and lists, or is indented so far, that parsing would cost more than linear time.
fn too_deep(text: &str) -> bool {
    if !matches!(text.as_bytes().first(), Some(b'>' | b'-' | b'*' | b'+' | b'.' | b')' | b' ' | b'\t' | b'0'..=b'9')) {
        return false;
    }
    let line = text.split('\n').next().unwrap_or("");
    let bytes = line.trim_end().as_bytes();
    let mut opened = 0;
    for (column, byte) in bytes.iter().enumerate() {
        let parted = matches!(bytes.get(column + 1), None | Some(b' ' | b'\t'));
        match byte {
            b'>' => opened += 1,
            b'-' | b'*' | b'+' | b'.' | b')' if parted => opened += 1,
            b' ' | b'0'..=b'9' if column < 16 * DEEPEST => {}
            b'\t' if column < 4 * DEEPEST => {}
            b' ' | b'\t' => return true,
            _ => return false,
        }
        if opened > DEEPEST {
            return true;
        }
    }
    false
}

#[derive(Default)]
struct Builder<'a> {
    source: &'a str,
    document: Document<'a>,
    open: Option<Kind>,
    first: usize,
    lists: usize,
    quotes: usize,
    strong: usize,
    hidden: usize,
    task: Option<bool>,
    cells: usize,
    code: Option<(Span, Span, Option<Span>)>,
    comment: bool,
}

impl<'a> Builder<'a> {
    fn walk(&mut self, events: OffsetIter<'a>) {
        for (event, range) in events {
            let span = Span::new(range.start, range.end);
            match event {
                Event::Start(tag) => self.start(&tag, span),
                Event::End(tag) => self.end(tag),
                Event::Text(text) => self.text(text, span),
                Event::Code(text) => self.push(span, Piece::Code(own(text))),
                Event::Html(_) => self.html(span),
                Event::InlineHtml(_) => self.tag(span),
                Event::SoftBreak => self.push(span, Piece::Soft),
                Event::HardBreak => self.push(span, Piece::Hard),
                Event::TaskListMarker(done) => self.task = Some(done),
                Event::Rule | Event::FootnoteReference(_) | Event::InlineMath(_) | Event::DisplayMath(_) => {}
            }
        }
    }

    /// Every run of lines is a paragraph.
    fn plain(&mut self) {
        let mut at = 0;
        for line in self.source.split_inclusive('\n') {
            let text = line.trim_end();
            let end = at + text.len();
            if text.is_empty() {
                self.close();
            } else {
                self.push(Span::new(at, end), Piece::Text);
                self.push(Span::new(end, at + line.len()), Piece::Soft);
            }
            at += line.len();
        }
        self.close();
    }

    fn start(&mut self, tag: &Tag<'a>, span: Span) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock => self.close(),
            Tag::Heading { level, .. } => self.begin(Kind::Heading(*level as u8)),
            Tag::BlockQuote(_) => {
                self.close();
                self.quotes += 1;
            }
            Tag::List(_) => {
                self.close();
                self.lists += 1;
            }
            Tag::Item => {
                self.close();
                self.task = None;
            }
            Tag::CodeBlock(kind) => {
                self.close();
                self.code = Some((span, self.info(kind, span), None));
            }
            Tag::TableHead => self.begin(Kind::Row { header: true }),
            Tag::TableRow => self.begin(Kind::Row { header: false }),
            Tag::TableCell => self.cell(span),
            Tag::Emphasis | Tag::Strong => self.strong += 1,
            Tag::Strikethrough | Tag::Image { .. } => self.hidden += 1,
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph
            | TagEnd::Heading(_)
            | TagEnd::Item
            | TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::HtmlBlock => {
                self.close();
                self.comment = false;
            }
            TagEnd::BlockQuote(_) => {
                self.close();
                self.quotes = self.quotes.saturating_sub(1);
            }
            TagEnd::List(_) => {
                self.close();
                self.lists = self.lists.saturating_sub(1);
            }
            TagEnd::CodeBlock => self.fence(),
            TagEnd::Emphasis | TagEnd::Strong => self.strong = self.strong.saturating_sub(1),
            TagEnd::Strikethrough | TagEnd::Image => self.hidden = self.hidden.saturating_sub(1),
            _ => {}
        }
    }

    fn begin(&mut self, kind: Kind) {
        self.close();
        self.first = self.document.runs.len();
        self.cells = 0;
        self.open = Some(kind);
    }

    fn close(&mut self) {
        let Some(kind) = self.open.take() else { return };
        let runs = self.first..self.document.runs.len();
        if !runs.is_empty() {
            self.block(kind, Span::default(), runs);
        }
    }

    fn block(&mut self, kind: Kind, span: Span, runs: Range<usize>) {
        let (depth, quoted) = (self.lists, self.quotes > 0);
        let task = if self.lists > 0 { self.task } else { None };
        self.document.blocks.push(Block { kind, span, depth, quoted, task, runs });
    }

    fn push(&mut self, span: Span, piece: Piece<'a>) {
        if self.hidden > 0 {
            return;
        }
        if self.open.is_none() {
            self.begin(if self.lists > 0 { Kind::Item } else { Kind::Paragraph });
        }
        let strong = self.strong > 0;
        if piece == Piece::Text && self.first < self.document.runs.len() {
            if let Some(last) = self.document.runs.last_mut() {
                if last.piece == Piece::Text && last.span.end == span.start && last.strong == strong {
                    last.span.end = span.end;
                    return;
                }
            }
        }
        self.document.runs.push(Run { span, piece, strong });
    }

    fn text(&mut self, text: CowStr<'a>, span: Span) {
        if let Some((_, _, body)) = &mut self.code {
            let start = body.map_or(span.start, |b: Span| b.start);
            *body = Some(Span::new(start, span.end));
        } else if is_same(span.of(self.source), &text) {
            self.push(span, Piece::Text);
        } else {
            self.push(span, Piece::Decoded(own(text)));
        }
    }

    fn info(&self, kind: &CodeBlockKind<'a>, span: Span) -> Span {
        let CodeBlockKind::Fenced(info) = kind else { return Span::new(span.start, span.start) };
        let text = span.of(self.source);
        let line = text.split(['\n', '\r']).next().unwrap_or("");
        let rest = line.trim_start().trim_start_matches(['`', '~']).trim_start();
        let start = span.start + line.len() - rest.len();
        let len = if info.is_empty() { 0 } else { rest.trim_end().len() };
        Span::new(start, start + len)
    }

    fn fence(&mut self) {
        let Some((span, info, body)) = self.code.take() else { return };
        let body = body.unwrap_or(Span::new(info.end, info.end));
        let end = self.document.runs.len();
        self.block(Kind::Fence { body, info }, span, end..end);
    }

    fn cell(&mut self, span: Span) {
        self.cells += 1;
        if self.cells < 2 {
            return;
        }
        let from = self.document.runs.last().map_or(0, |r| r.span.end);
        let between = self.source.get(from..span.start.max(from) + 1).or_else(|| self.source.get(from..span.start));
        // A row that lacks cells has no bar for them; the next line's is another row's.
        let between = between.map(|b| b.split('\n').next().unwrap_or(b));
        let bar = between.and_then(|b| b.rfind('|')).map(|i| Span::new(from + i, from + i + 1));
        if let Some(bar) = bar.filter(|_| self.first < self.document.runs.len()) {
            self.push(bar, Piece::Bar);
        }
    }

    /// A line of an HTML block: what stands between its tags is text like any other.
    fn html(&mut self, span: Span) {
        let text = span.of(self.source);
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            if self.comment {
                let Some(end) = rest.find("-->") else { return };
                self.comment = false;
                at += end + 3;
            } else if rest.starts_with("<!--") {
                self.comment = true;
                at += 4;
            } else if rest.starts_with('<') {
                at += rest.find('>').map_or(rest.len(), |end| end + 1);
            } else {
                let end = rest.find('<').unwrap_or(rest.len());
                if !rest[..end].trim().is_empty() {
                    self.push(Span::new(span.start + at, span.start + at + end), Piece::Text);
                }
                at += end;
            }
        }
        if self.open.is_some() {
            self.push(Span::new(span.end, span.end), Piece::Hard);
        }
    }

    fn tag(&mut self, span: Span) {
        let text = span.of(self.source);
        let name: &str = text.trim_start_matches(['<', '/']);
        let end = name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len());
        let name = &name[..end];
        if name.eq_ignore_ascii_case("br") {
            self.push(span, Piece::Hard);
        } else if !text.starts_with("<!") && !KNOWN.iter().any(|k| name.eq_ignore_ascii_case(k)) {
            self.push(span, Piece::Placeholder);
        }
    }
}

/// Tags that only shape the text around them.
const KNOWN: &[&str] = &[
    "a",
    "abbr",
    "b",
    "big",
    "blockquote",
    "center",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "font",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "s",
    "samp",
    "small",
    "span",
    "strike",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "tt",
    "u",
    "ul",
    "var",
];

/// Whether two texts are the same, seen at once where they are the same memory.
fn is_same(a: &str, b: &str) -> bool {
    core::ptr::eq(a, b) || a == b
}

fn own(text: CowStr<'_>) -> Cow<'_, str> {
    match text {
        CowStr::Borrowed(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.into_string()),
    }
}

#[cfg(test)]
mod tests;
