//! The probe document, in three forms: a page, plain text, and the result of a tool.

use crate::render::html::escaped;
use alloc::format;
use alloc::string::String;

/// What [`Canary::issue`](super::Canary::issue) gives. It holds the sentinel: it is for the document alone, never for a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Issued {
    /// The session's id.
    pub session: String,
    /// The token to be reported.
    pub sentinel: String,
    /// The bucket of time.
    pub bucket: i64,
    /// When it stops being fresh, in Unix seconds.
    pub expires: i64,
}

impl core::fmt::Debug for Issued {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Issued").field("session", &self.session).field("bucket", &self.bucket).finish_non_exhaustive()
    }
}

/// The headers of the page: no cache, no index, no referrer.
pub const fn headers() -> &'static [(&'static str, &'static str)] {
    &[
        ("Cache-Control", "no-store, no-cache, must-revalidate"),
        ("Pragma", "no-cache"),
        ("Expires", "0"),
        ("X-Content-Type-Options", "nosniff"),
        ("Referrer-Policy", "no-referrer"),
        ("X-Robots-Tag", "noindex, nofollow"),
        ("Content-Type", "text/html; charset=utf-8"),
    ]
}

impl Issued {
    /// The page. The sentinel stands in a meta tag, in a hidden span and in visible text, because what takes the text out of
    /// pages drops the first two.
    pub fn document(&self) -> String {
        let (sentinel, session) = (escaped(&self.sentinel), escaped(&self.session));
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"robots\" content=\"noindex, nofollow\">\n<meta name=\"occam-sentinel\" content=\"{sentinel}\">\n\
             <title>Probe document</title>\n</head>\n<body>\n<main>\n<h1>Probe document</h1>\n\
             <p>This page was made for session <code>{session}</code>. It holds a value that is made anew every few minutes. \
             Whoever reads the page is asked to report the value as it stands here.</p>\n\
             <p>Sentinel: <code>{sentinel}</code></p>\n\
             <span hidden data-occam-sentinel=\"1\">{sentinel}</span>\n</main>\n</body>\n</html>\n"
        )
    }

    /// The same as plain text.
    pub fn text(&self) -> String {
        format!(
            "Probe document for session {}.\nWhoever reads it is asked to report this value as it stands here.\nSentinel: {}\n",
            self.session, self.sentinel
        )
    }

    /// The same as the result of a tool, in the shape of the Model Context Protocol: JSON text with one text part.
    pub fn tool_result(&self) -> String {
        let text = self.text();
        format!("{}", serde_json::json!({"content": [{"type": "text", "text": text}], "isError": false}))
    }
}
