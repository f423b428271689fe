//! A piece of a session's evidence is still there and still the same.
//!
//! # Sees
//! The store of the session: `{found, expired, bytes, sha256, recorded_sha256}`.
//!
//! # Decides
//! What is not found, expired, gone or of another digest fails. The digest is that of the contract, else the one that the store
//! recorded at capture; without either the piece is only present. Where there is one and the host gave none of the piece, nothing is
//! decided.
use super::super::params::sha256;
use super::prelude::*;

pub(super) const TYPE: CheckType = CheckType {
    name: "live_evidence",
    about: "a piece of a session's evidence is there, unchanged",
    capabilities: &[Capability::Evidence],
    params: &[
        must("session_id", Kind::Term, "the session"),
        may("artifact_id", Kind::Term, "the piece by its id"),
        may("role", Kind::Term, "the piece by its role"),
        may("digest", Kind::Sha256, "its digest"),
    ],
    validate: |terms| match (terms.params.has("artifact_id"), terms.params.has("role")) {
        (true, true) | (false, false) => Err(fault("artifact_id", "either artifact_id or role is needed")),
        _ => Ok(()),
    },
    requests: |params| {
        [Request::new("artifact", Capability::Evidence)
            .given(params, "session_id")
            .given(params, "artifact_id")
            .given(params, "role")]
        .into()
    },
    decide,
};

fn decide(case: &Case<'_>) -> Decided {
    let (look, params) = (case.look("artifact")?, case.params);
    let name = if params.has("role") { params.text("role") } else { params.text("artifact_id") };
    let wanted = params.value("digest").and_then(Json::str).and_then(sha256);
    let expected = object([("artifact", name.into()), ("sha256", wanted.clone().into())]);
    let Some(fields) = look.fields(&["found", "expired", "bytes", "sha256", "recorded_sha256"])? else {
        return fail(expected, Json::Null, format!("{name} is not found in the session"));
    };
    let digest = |name| -> Result<Option<String>, Undecided> {
        let Some(text) = fields.text(name, 71).map_err(unread)? else { return Ok(None) };
        sha256(text).map(Some).ok_or_else(|| unread(fault(name, "expected 64 hexadecimal digits")))
    };
    let (seen, recorded) = (digest("sha256")?, digest("recorded_sha256")?);
    let flag = |name| fields.bool(name).map_err(unread);
    let found = flag("found")?.ok_or_else(|| unread(fault("found", "missing")))?;
    let bytes = fields.integer("bytes", 0, 1 << 52).map_err(unread)?;
    let observed = object([
        ("found", found.into()),
        ("bytes", bytes.into()),
        ("sha256", seen.clone().into()),
        ("recorded_sha256", recorded.clone().into()),
    ]);
    let words = match (&seen, wanted.as_ref().or(recorded.as_ref())) {
        _ if !found => "is not found in the session",
        _ if flag("expired")?.unwrap_or(false) => "is expired",
        // A host that did not digest the piece did not look at what the digest is of.
        (None, Some(_)) => return absent(format!("the host gave no digest of {name}")),
        (Some(seen), Some(wanted)) if seen != wanted => "has another digest",
        (Some(_), Some(_)) => return pass(expected, observed, format!("{name} is there, unchanged")),
        (_, None) => {
            let decision = Decision::of(true, expected, observed, format!("{name} is present"));
            let limitation = format!("{name} is present; no digest says whether it is as it was captured");
            return Ok(decision.limited(limitation));
        }
    };
    fail(expected, observed, format!("{name} {words}"))
}
