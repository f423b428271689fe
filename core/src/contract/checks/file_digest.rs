//! A file has the bytes that it has to have.
//!
//! # Sees
//! `{kind, size, sha256}` of a file of 1 GiB at most, streamed. A host that sees the file change while it reads says `failed`.
//!
//! # Decides
//! The digests are equal. A file that is not there has not the bytes.
use super::super::params::sha256;
use super::prelude::*;

/// The largest file that is digested.
const MOST: i64 = 1 << 30;

pub(super) const TYPE: CheckType = CheckType {
    name: "file_digest",
    about: "a file has the SHA-256 that it has to have",
    capabilities: &[Capability::Digest],
    params: &[
        must("path", Kind::Path, "the file, relative to the workspace"),
        must("sha256", Kind::Sha256, "its SHA-256, with or without `sha256:`"),
    ],
    validate: |_| Ok(()),
    requests: |params| {
        [Request::new("file", Capability::Digest).path("path", params.text("path")).with("max_bytes", MOST)].into()
    },
    decide,
};

fn decide(case: &Case<'_>) -> Decided {
    let path = case.params.text("path");
    let wanted = sha256(case.params.text("sha256")).unwrap_or_default();
    let expected = object([("sha256", wanted.as_str().into())]);
    let look = case.look("file")?;
    let crashed = |error: ContractError| Undecided::crashed(&error.inside("value"));
    let Some(fields) = look.fields(&["kind", "size", "sha256"])? else {
        return fail(expected, object([("kind", "absent".into())]), format!("{path} is not there"));
    };
    let kind = fields.text("kind", 20).map_err(crashed)?.unwrap_or("file");
    if kind != "file" {
        return fail(expected, object([("kind", kind.into())]), format!("{path} is no file but a {kind}"));
    }
    if look.truncated {
        return Err(Undecided::truncated());
    }
    let size = fields.integer("size", 0, 1 << 52).map_err(crashed)?;
    let found = fields.text("sha256", 71).map_err(crashed)?.and_then(sha256);
    let found = found.ok_or_else(|| crashed(fault("sha256", "expected 64 hexadecimal digits")))?;
    let observed = object([("sha256", found.as_str().into()), ("size", size.into())]);
    let told = if found == wanted { "has the expected SHA-256" } else { "has another SHA-256" };
    Ok(Decision::of(found == wanted, expected, observed, format!("{path} {told}")))
}
