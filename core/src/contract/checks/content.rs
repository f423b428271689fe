//! What a host saw of a file's content, for every type of check that reads one.
//!
//! Read gives `{kind, text}`, or `{kind, base64}` for bytes that are not UTF-8; digested it is `{kind, sha256, bytes}`. The kind is
//! `file`, which may be left out, `directory` or `other`.
use super::super::dsse::decode;
use super::super::params::sha256;
use super::super::strict::{self, FaultKind};
use super::prelude::*;

/// The most bytes of a file that is read.
pub(super) const BYTES: usize = 16 << 20;
/// The most bytes of a file that is digested.
pub(super) const DIGESTED: usize = 1 << 30;

/// The request for a file's bytes.
pub(super) fn read(name: impl ToString, path: &str) -> Request {
    Request::new(name, Capability::Read).path("path", path).with("max_bytes", BYTES)
}

/// The request for a file's digest.
pub(super) fn digest(name: impl ToString, path: &str) -> Request {
    Request::new(name, Capability::Digest).path("path", path).with("max_bytes", DIGESTED)
}

/// What is at a path.
pub(super) enum Content {
    /// Nothing.
    Absent,
    /// A directory or something else that has no bytes.
    NotAFile,
    /// A file.
    Bytes(Vec<u8>),
}

/// Why a file is not what was expected, whatever its values.
pub(super) struct Wrong {
    pub(super) words: String,
    pub(super) code: Option<Code>,
}

impl Wrong {
    /// The file fails a check that expects something of its content.
    pub(super) fn decision(self, expected: Json, path: &str) -> Decision {
        let observed = object([("document", self.words.as_str().into())]);
        let decision = Decision::of(false, expected, observed, format!("{path} {}", self.words));
        self.code.into_iter().fold(decision, Decision::coded)
    }
}

fn is_file(kind: Option<&str>) -> Result<bool, Undecided> {
    match kind {
        None | Some("file") => Ok(true),
        Some("directory" | "other") => Ok(false),
        Some(_) => Err(unread(fault("kind", "expected file, directory or other"))),
    }
}

/// Reads what the host saw. A part of a file settles nothing about the whole.
pub(super) fn content(look: &Look<'_>) -> Result<Content, Undecided> {
    let Some(fields) = look.fields(&["kind", "text", "base64", "bytes"])? else { return Ok(Content::Absent) };
    if !is_file(fields.text("kind", 20).map_err(unread)?)? {
        return Ok(Content::NotAFile);
    }
    if look.truncated {
        return Err(Undecided::truncated());
    }
    let bytes = match (fields.text("text", BYTES).map_err(unread)?, fields.text("base64", 2 * BYTES).map_err(unread)?) {
        (Some(text), None) => text.as_bytes().to_vec(),
        (None, Some(text)) => decode(text).ok_or_else(|| unread(fault("base64", "no base64")))?,
        _ => return Err(unread(fault("text", "either text or base64 is needed"))),
    };
    Ok(Content::Bytes(bytes))
}

/// Reads a file as JSON with exact numbers.
pub(super) fn document(look: &Look<'_>) -> Result<Result<Json, Wrong>, Undecided> {
    let wrong = |words: &str| Ok(Err(Wrong { words: words.to_string(), code: None }));
    match content(look)? {
        Content::Absent => wrong("is not there"),
        Content::NotAFile => wrong("is no file"),
        Content::Bytes(bytes) => parsed(&bytes),
    }
}

/// Reads bytes as JSON with exact numbers.
pub(super) fn parsed(bytes: &[u8]) -> Result<Result<Json, Wrong>, Undecided> {
    let error = match strict::document(bytes) {
        Ok(document) => return Ok(Ok(document)),
        Err(error) => error,
    };
    match error.kind {
        FaultKind::Duplicate => {
            let words = format!("is ambiguous: {}", error.message);
            Ok(Err(Wrong { words, code: Some(Code::DocumentAmbiguous) }))
        }
        // It is JSON in form, and what it says cannot be held as text: nothing is known of it.
        FaultKind::Surrogate => {
            Err(Undecided::new(Code::DocumentAmbiguous, format!("the document is ambiguous: {}", error.message)))
        }
        FaultKind::Size => Err(Undecided::new(
            Code::ObservationTruncated,
            format!("the document is beyond what is read: {}", error.message),
        )),
        _ => Ok(Err(Wrong { words: format!("is not JSON: {}", error.message), code: None })),
    }
}

/// The digest of a file, in lower case and without prefix. `None` for what is not there or no file.
pub(super) fn sha256_of(look: &Look<'_>) -> Result<Option<String>, Undecided> {
    let Some(fields) = look.fields(&["kind", "sha256", "bytes"])? else { return Ok(None) };
    if !is_file(fields.text("kind", 20).map_err(unread)?)? {
        return Ok(None);
    }
    if look.truncated {
        return Err(Undecided::truncated());
    }
    let text = fields.text("sha256", 71).map_err(unread)?;
    text.and_then(sha256).map(Some).ok_or_else(|| unread(fault("sha256", "expected 64 hexadecimal digits")))
}
