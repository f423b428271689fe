//! A file has the bytes that it has to have.
//!
//! # Sees
//! The digest of a file of 1 GiB at most, streamed (see [`super::content`]). A host that sees the file change while it reads says
//! `failed`.
//!
//! # Decides
//! The digests are equal. A file that is not there has not the bytes.
use super::super::params::sha256;
use super::content;
use super::prelude::*;

pub(super) const TYPE: CheckType = CheckType {
    name: "file_digest",
    about: "a file has the SHA-256 that it has to have",
    capabilities: &[Capability::Digest],
    params: &[
        must("path", Kind::Path, "the file, relative to the workspace"),
        must("sha256", Kind::Sha256, "its SHA-256, with or without `sha256:`"),
    ],
    validate: |_| Ok(()),
    requests: |params| [content::digest("file", params.text("path"))].into(),
    decide,
};

fn decide(case: &Case<'_>) -> Decided {
    let path = case.params.text("path");
    let wanted = sha256(case.params.text("sha256")).unwrap_or_default();
    let expected = object([("sha256", wanted.as_str().into())]);
    let found = content::sha256_of(&case.look("file")?)?;
    let told = match &found {
        None => "is not there, or is no file",
        Some(found) if *found == wanted => "has the expected SHA-256",
        Some(_) => "has another SHA-256",
    };
    let passed = found.as_ref() == Some(&wanted);
    Ok(Decision::of(passed, expected, object([("sha256", found.into())]), format!("{path} {told}")))
}
