//! A person approved, and the approval still holds.
//!
//! # Sees
//! The record in a store that the acting principal cannot write: `{status, actor, decided_at, expires_at, used_at,
//! effect_digest}`. What the reply or its evidence says of an approval is not asked.
//!
//! # Decides
//! Approved by someone who is neither a model nor the one who acts, for this effect, in time. An approval used before it expired has
//! not expired.
use super::super::params::sha256;
use super::super::time::Moment;
use super::prelude::*;

pub(super) const TYPE: CheckType = CheckType {
    name: "human_approval",
    about: "a person other than the actor approved, for this effect and in time",
    capabilities: &[Capability::Approval],
    params: &[
        may("approval_id", Kind::Term, "the approval by its id"),
        may("effect_digest", Kind::Sha256, "the approval by the digest of what is approved"),
        may("max_age_seconds", Kind::Int(1, 1 << 40), "how old the decision may be"),
    ],
    validate: |terms| {
        if terms.params.has("approval_id") || terms.params.has("effect_digest") {
            return Ok(());
        }
        Err(fault("approval_id", "approval_id or effect_digest is needed"))
    },
    requests: |params| {
        [Request::new("approval", Capability::Approval).given(params, "approval_id").given(params, "effect_digest")]
            .into()
    },
    decide,
};

/// The members of a record.
const MEMBERS: [&str; 6] = ["status", "actor", "decided_at", "expires_at", "used_at", "effect_digest"];

fn decide(case: &Case<'_>) -> Decided {
    let (look, params) = (case.look("approval")?, case.params);
    let effect = params.value("effect_digest").and_then(Json::str).and_then(sha256);
    let expected = object([
        ("status", "approved".into()),
        ("effect_digest", effect.clone().into()),
        ("max_age_seconds", params.integer("max_age_seconds").into()),
    ]);
    let Some(fields) = look.fields(&MEMBERS)? else {
        return fail(expected, Json::Null, "there is no such approval");
    };
    let text = |name| fields.text(name, 300).map_err(unread);
    let members = MEMBERS.into_iter().map(|name| (name.to_string(), fields.value(name).cloned().into()));
    let observed = Json::Object(crate::sort::map(members));
    match text("status")? {
        Some("approved") => {}
        Some("pending") => return fail(expected, observed, "the approval is pending"),
        Some("rejected" | "denied") => return fail(expected, observed, "the approval was rejected"),
        _ => return Err(unread(fault("status", "expected approved, pending or rejected"))),
    }
    let actor = text("actor")?.unwrap_or_default().trim();
    let seen_effect = text("effect_digest")?.map(|text| sha256(text).unwrap_or_else(|| text.to_string()));
    if let Err(words) = person(actor, case) {
        return fail(expected, observed, words);
    }
    if effect.is_some() && effect != seen_effect {
        return fail(expected, observed, "the approval is for another effect");
    }
    if let Some(words) = late(case, &fields)? {
        return fail(expected, observed, words);
    }
    let when = text("decided_at")?.unwrap_or("an unknown time");
    pass(expected, observed, format!("approved by {actor} at {when}"))
}

/// Why the approval does not hold at the time of judging, if so.
fn late(case: &Case<'_>, fields: &Fields<'_>) -> Result<Option<&'static str>, Undecided> {
    let moment = |name| -> Result<Option<Moment>, Undecided> {
        let Some(text) = fields.text(name, 300).map_err(unread)? else { return Ok(None) };
        let moment = Moment::parse(text).map(Some);
        moment.ok_or_else(|| unread(fault(name, "expected a time in UTC such as 2026-01-01T00:00:00Z")))
    };
    let (decided, expires, used) = (moment("decided_at")?, moment("expires_at")?, moment("used_at")?);
    let now = case.run.moment().ok_or_else(|| unread(fault("now", "missing")))?;
    if expires.is_some_and(|end| used.unwrap_or(now) > end) {
        return Ok(Some("the approval expired before it was used"));
    }
    let Some(most) = case.params.integer("max_age_seconds") else { return Ok(None) };
    let decided = decided.ok_or_else(|| unread(fault("decided_at", "missing, and max_age_seconds needs it")))?;
    Ok(now.is_after_by(decided, most).then_some("the approval is older than max_age_seconds"))
}

/// Whether the actor is someone, no model, and not the one whose work is approved. A store may leave the kind of a principal out.
fn person(actor: &str, case: &Case<'_>) -> Result<(), String> {
    let parts = |text: &str| match text.split_once(':') {
        Some((kind, id)) => (kind.trim().to_lowercase(), id.trim().to_lowercase()),
        None => (String::new(), text.trim().to_lowercase()),
    };
    let (kind, id) = parts(actor);
    if id.is_empty() || id == "unknown" || kind == "unknown" {
        return Err("the approval names nobody".into());
    }
    if kind == "model" {
        return Err(format!("a model gave the approval: {actor}"));
    }
    match case.run.actor.as_ref().map(|own| parts(own.text())) {
        Some((own_kind, own_id)) if own_id == id && (kind.is_empty() || kind == own_kind) => {
            Err(format!("{actor} approved the own work"))
        }
        _ => Ok(()),
    }
}
