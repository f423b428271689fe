//! Pages: one that could not be had, and one of more.

use super::SHORT;
use crate::evidence::envelope;
use crate::record::Call;
use alloc::string::String;
use serde_json::{Map, Value};

/// What an output says of itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Page {
    /// It stands for a page that could not be had.
    pub refused: bool,
    /// It says that there is more than it shows.
    pub partial: bool,
}

/// The longest output that is read as JSON.
const LONGEST: usize = 1 << 20;

/// How much of each end of an output that is no JSON is read.
const END: usize = 512;

/// A longer text is not searched for its last page, and counts as whole.
const WHOLE: usize = 1 << 18;

/// How many values of an output are looked at.
const MOST: usize = 50_000;

/// How deep an object may lie that speaks of pages, and what lies inside an item.
const OUTER: u8 = 3;
const DEEP: u8 = 200;

/// How the pages that stand in for another begin, in lower case.
#[rustfmt::skip]
const REFUSALS: &[&str] = &[
    "access denied", "access to this page has been denied", "are you a robot", "are you human", "attention required",
    "bad gateway", "captcha", "checking that you are human", "checking your browser", "could not fetch",
    "could not resolve host", "error 403", "error 404", "failed to fetch", "forbidden", "gateway timeout",
    "http 401", "http 403", "http 404", "http 429", "http 500", "http 502", "http 503", "internal server error",
    "just a moment", "not found", "permission to view this page", "please enable javascript",
    "request failed with status code", "service unavailable", "status code 401", "status code 403",
    "status code 404", "status code 429", "status code 500", "status code 503", "status: 401", "status: 403",
    "status: 404", "too many requests", "unable to fetch", "unauthorized", "verify you are human",
    "verifying you are human",
];

impl Page {
    pub(super) fn of(call: &Call) -> Self {
        let Some(output) = call.output.as_deref() else { return Page::default() };
        let body = envelope::body(output).of(output).trim();
        let json = body.starts_with(['{', '[']) && body.len() <= LONGEST;
        let value = if json { serde_json::from_str::<Value>(body).ok() } else { None };
        let short = body.len() <= SHORT;
        match &value {
            Some(value) => Page {
                refused: status(value) || (short && title(value).is_some_and(refuses)),
                partial: is_part(value, &call.arguments),
            },
            None => Page { refused: short && refuses(body), partial: counts_on(body) },
        }
    }
}

/// An error status of the web among the outer keys of an object.
fn status(value: &Value) -> bool {
    let Value::Object(map) = value else { return false };
    map.iter().any(|(key, value)| {
        let key = plain(key);
        let names = matches!(key.as_str(), "status" | "statuscode" | "httpstatus" | "httpstatuscode" | "responsecode");
        names && value.as_u64().is_some_and(|n| (400..600).contains(&n))
    })
}

fn title(value: &Value) -> Option<&str> {
    let Value::Object(map) = value else { return None };
    ["title", "error", "text", "message", "content"].iter().find_map(|key| map.get(*key).and_then(Value::as_str))
}

/// Whether the first words of a short text are those of a page that stands in for another.
fn refuses(text: &str) -> bool {
    let head = crate::text::span::quote(text, 120).to_lowercase();
    REFUSALS.iter().any(|refusal| head.contains(refusal))
}

/// A key in lower case without its marks.
fn plain(key: &str) -> String {
    key.chars().filter(char::is_ascii_alphanumeric).take(32).map(|c| c.to_ascii_lowercase()).collect()
}

/// Keys whose value leads to the next page.
#[rustfmt::skip]
const NEXT: &[&str] = &[
    "continuationtoken", "lastevaluatedkey", "next", "nextcursor", "nexthref", "nextlink", "nextmarker",
    "nextoffset", "nextpage", "nextpagetoken", "nextpageurl", "nexttoken", "nexturl", "odatanextlink",
];

/// Keys that are true where there is more.
#[rustfmt::skip]
const MORE: &[&str] = &[
    "hasmore", "hasmorepages", "hasmoreresults", "hasnext", "hasnextpage", "incompleteresults", "istruncated",
    "moreavailable", "moreresults", "truncated",
];

/// Keys that hold how many there are in all, whatever stands beside them.
#[rustfmt::skip]
const TOTALS: &[&str] = &[
    "countall", "counttotal", "totalcount", "totalelements", "totalentries", "totalhits", "totalitems",
    "totalmatches", "totalrecords", "totalresults", "totalrows",
];

/// Keys of the way in which a list is cut into pages.
#[rustfmt::skip]
const PAGING: &[&str] = &[
    "cursor", "limit", "maxresults", "offset", "page", "pageindex", "pagenumber", "pagesize", "paging", "pagination",
    "perpage", "skip", "startat",
];

/// What the values of an output say of its pages.
#[derive(Default)]
struct Pages {
    /// How many things stand in lists, those inside others too.
    listed: u64,
    next: bool,
    more: bool,
    total: Option<u64>,
    /// A total that may be a sum of something else unless the list is cut into pages.
    weak: Option<u64>,
    paging: bool,
    offset: u64,
    /// How many pages there are, and the last that is shown.
    count: Option<u64>,
    last: Option<u64>,
}

fn is_part(value: &Value, arguments: &Value) -> bool {
    let mut pages = Pages::default();
    let mut open = alloc::vec![(value, 0_u8)];
    let mut seen = 0;
    while let Some((value, depth)) = open.pop() {
        seen += 1;
        if seen > MOST {
            return false;
        }
        match value {
            Value::Array(list) => {
                pages.listed = pages.listed.saturating_add(list.len() as u64);
                if depth == 0 {
                    return false;
                }
                // What an item says of pages is about itself.
                open.extend(list.iter().map(|v| (v, DEEP)));
            }
            Value::Object(map) => {
                if depth <= OUTER {
                    pages.read(map);
                }
                open.extend(map.values().map(|v| (v, depth.saturating_add(1))));
            }
            _ => {}
        }
    }
    if let Value::Object(map) = arguments {
        pages.paging |= map.keys().any(|key| PAGING.contains(&plain(key).as_str()));
    }
    pages.goes_on()
}

impl Pages {
    fn read(&mut self, map: &Map<String, Value>) {
        for (key, value) in map {
            let key = plain(key);
            let key = key.as_str();
            let number = value.as_u64();
            let full = match value {
                Value::Null | Value::Bool(false) => false,
                Value::String(text) => !text.trim().is_empty(),
                Value::Object(map) => !map.is_empty(),
                Value::Number(n) => n.as_f64() != Some(0.0),
                _ => true,
            };
            self.next |= NEXT.contains(&key) && full;
            self.more |= MORE.contains(&key) && value == &Value::Bool(true);
            self.paging |= PAGING.contains(&key);
            match key {
                "offset" | "startat" | "skip" => self.offset = number.unwrap_or(0),
                "pagecount" | "totalpages" | "pagestotal" | "numpages" => self.count = number,
                "page" | "pagenumber" => self.last = number,
                "pages" => match value {
                    Value::String(range) => self.last = last_number(range),
                    _ => self.count = number,
                },
                "total" => self.weak = number,
                _ if TOTALS.contains(&key) => self.total = number,
                _ => {}
            }
        }
    }

    fn goes_on(&self) -> bool {
        let short = |total: u64| total > self.listed + self.offset;
        let listed = self.listed > 0;
        let cut = matches!((self.last, self.count), (Some(page), Some(pages)) if page < pages);
        let total = self.total.is_some_and(short) || (self.paging && self.weak.is_some_and(short));
        // A page beyond the first whose offset is not told shows fewer than there are in all.
        let later = self.last.is_some_and(|page| page > 1) && self.offset == 0;
        cut || self.more || (listed && self.next) || (listed && total && !later)
    }
}

/// The number behind the last dash of a range of pages.
fn last_number(range: &str) -> Option<u64> {
    range.rsplit(['-', '–', '—']).next().and_then(|n| n.trim().parse().ok())
}

/// Words in front of “1-10 of 43”.
#[rustfmt::skip]
const SHOWING: &[&str] = &[
    "entries", "hits", "items", "line", "lines", "matches", "page", "pages", "records", "results", "row", "rows",
    "showing", "shown", "displaying",
];

/// How a text says that it goes on, in lower case.
#[rustfmt::skip]
const GOES_ON: &[&str] = &[
    "[more:", "file is truncated", "file truncated", "more lines not shown", "more results available",
    "more results not shown", "more rows not shown", "output truncated", "results are truncated",
    "results truncated", "results were truncated", "to see more results", "use offset to read", "use the offset",
];

/// Whether the ends of a text say that it is one page of more: “Showing 1-10 of 43”, “page 1 of 5”.
fn counts_on(text: &str) -> bool {
    let head = end(text, true);
    let tail = if text.len() > END { end(text, false) } else { "" };
    [head, tail].into_iter().any(|part| {
        let part = part.to_lowercase();
        GOES_ON.iter().any(|mark| part.contains(mark)) || is_range(&part, text)
    })
}

/// The first or the last bytes of a text.
fn end(text: &str, first: bool) -> &str {
    let mut at = if first { text.len().min(END) } else { text.len().saturating_sub(END) };
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    if first {
        &text[..at]
    } else {
        &text[at..]
    }
}

/// “showing 1-10 of 43”, “lines 1-200 of 900”: a range in a part of a text that ends before its total. A text that also
/// holds the last one, “page 5 of 5”, is whole.
fn is_range(part: &str, text: &str) -> bool {
    let words: alloc::vec::Vec<&str> = part.split_ascii_whitespace().collect();
    words.iter().enumerate().filter(|(_, w)| **w == "of").any(|(at, _)| {
        let number = |word: &str| {
            let word = word.trim_matches(|c: char| !c.is_ascii_digit());
            word.replace(',', "").parse::<u64>().ok()
        };
        let before = at.checked_sub(1).and_then(|i| words.get(i)).and_then(|w| {
            let last = w.trim_matches(|c: char| !c.is_ascii_digit()).rsplit(['-', '–']).next()?;
            number(last)
        });
        let total = words.get(at + 1).and_then(|w| number(w));
        let named = words[at.saturating_sub(4)..at]
            .iter()
            .any(|w| SHOWING.contains(&w.trim_matches(|c: char| !c.is_ascii_alphabetic())));
        let shown = |total: u64| {
            let end = alloc::format!("{total} of {total}");
            text.len() > WHOLE || memchr::memmem::find(text.as_bytes(), end.as_bytes()).is_some()
        };
        named && matches!((before, total), (Some(last), Some(total)) if last < total && !shown(total))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn page(output: &str, arguments: Value) -> Page {
        Page::of(&Call { output: Some(output.into()), arguments, ..Call::default() })
    }

    #[test]
    fn one_page_of_more_says_so() {
        for output in [
            r#"{"items": [1, 2], "next_cursor": "a9"}"#,
            r#"{"data": [{"id": 1}], "has_more": true}"#,
            r#"{"results": [1, 2, 3], "total_count": 40}"#,
            r#"{"rows": [1, 2], "total": 9, "offset": 0}"#,
            r#"{"text": "…", "pages": "1-4", "page_count": 12}"#,
            r#"{"items": [1], "meta": {"page": 1, "total_pages": 3}}"#,
            "a\nb\nShowing 1-10 of 43 results",
            "(File truncated)\nlines 1-200 of 900",
        ] {
            assert!(page(output, Value::Null).partial, "{output}");
        }
        assert!(page(r#"{"rows": [1, 2], "total": 9}"#, json!({"limit": 2})).partial);
    }

    #[test]
    fn a_whole_list_is_no_part() {
        for output in [
            r#"{"items": [1, 2], "next_cursor": null}"#,
            r#"{"items": [1, 2], "next_cursor": "", "has_more": false}"#,
            r#"{"results": [1, 2, 3], "total_count": 3}"#,
            r#"{"lines": [{"price": 20}, {"price": 20}], "total": 40}"#,
            r#"{"rows": [1, 2], "total": 9, "offset": 7}"#,
            r#"{"text": "…", "pages": "9-12", "page_count": 12}"#,
            "Showing 1-43 of 43 results",
            "page 3 of 3",
            "Page 1 of 2\nOne.\nPage 2 of 2\nTwo.",
            r#"{"groups": [{"items": [1, 2, 3]}, {"items": [4, 5]}], "total_count": 5, "page": 1}"#,
            r#"{"data": {"search": {"edges": {"nodes": [1, 2, 3]}}}, "filters": ["a"], "total_count": 3}"#,
            "The first of 12 chapters.",
        ] {
            assert!(!page(output, Value::Null).partial, "{output}");
        }
    }

    #[test]
    fn a_page_that_was_refused_says_so() {
        for output in [
            r#"{"url": "https://a.test/x", "status": 404, "title": "Oops"}"#,
            r#"{"url": "https://a.test/x", "title": "Just a moment...", "text": "Checking"}"#,
            "HTTP 403 Forbidden",
            "Error: Request failed with status code 404",
        ] {
            assert!(page(output, Value::Null).refused, "{output}");
        }
        for output in [r#"{"status": 200, "title": "Errors", "text": "404 means not found"}"#, "# Guide\n\nWelcome."] {
            assert!(!page(output, Value::Null).refused, "{output}");
        }
    }
}
