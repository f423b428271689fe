//! A declared state is the one that a reference run left.
//!
//! # Sees
//! Each part of the state: a JSON file, or a value in it, or the rows of a query.
//!
//! # Decides
//! The digest of the parts under their names, in canonical JSON, is the one in the contract. A number that no double holds exactly
//! stands in it as a string, so that two states with different numbers never share a digest. The digest that was seen is in the result:
//! the one of a reference run goes into the contract. A part that is not there is another state.
use super::super::canonical;
use super::super::decimal::write_key;
use super::super::params::sha256;
use super::super::paths;
use super::super::pointer::Pointer;
use super::content::{self, Wrong};
use super::prelude::*;
use super::sqlite::{self, Answer};

/// The most parts of a state.
const PARTS: usize = 64;

pub(super) const TYPE: CheckType = CheckType {
    name: "state_equals",
    about: "a declared state, of files and tables, has the digest of a reference run",
    capabilities: &[Capability::Read, Capability::Sqlite],
    params: &[
        must(
            "parts",
            Kind::Own("object of {json, pointer} or {sqlite, sql, parameters, ordered}", parts),
            "the state, part by part",
        ),
        must("digest", Kind::Sha256, "the digest of the state that a reference run left"),
    ],
    validate: |_| Ok(()),
    requests: |params| named(params).map(|(name, part)| request(name, part)).collect(),
    decide,
};

fn parts(value: &Json) -> Result<(), ContractError> {
    let members = value.object().ok_or_else(|| fault("", format!("expected an object; found {}", value.kind())))?;
    if members.is_empty() || members.len() > PARTS {
        return Err(fault("", format!("expected 1 to {PARTS} parts")));
    }
    for (name, part) in members {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"_.-".contains(&b);
        if name.is_empty() || name.len() > 64 || !name.bytes().all(plain) {
            return Err(fault("", "the name of a part is 1 to 64 of A-Z a-z 0-9 _ . -"));
        }
        read_part(part).map_err(|error| error.inside(name))?;
    }
    Ok(())
}

fn read_part(part: &Json) -> Result<(), ContractError> {
    let path = |name: &str| match part.get(name).map(|path| path.str().map(paths::syntax)) {
        Some(Some(checked)) => checked.map_err(|message| fault(name, message)),
        _ => Err(fault(name, "expected a path")),
    };
    if part.get("json").is_some() {
        let fields = Fields::of(part, &["json", "pointer"])?;
        path("json")?;
        let pointer = fields.text("pointer", 10_000)?.unwrap_or_default();
        return Pointer::parse(pointer).map(|_| ()).map_err(|message| fault("pointer", message));
    }
    let fields = Fields::of(part, &["sqlite", "sql", "parameters", "ordered"])?;
    path("sqlite")?;
    sqlite::query(fields.needed("sql")?).map_err(|error| error.inside("sql"))?;
    fields.bool("ordered")?;
    fields.value("parameters").map_or(Ok(()), sqlite::parameters).map_err(|error| error.inside("parameters"))
}

fn named(params: Params<'_>) -> impl Iterator<Item = (&String, &Json)> {
    params.value("parts").and_then(Json::object).into_iter().flatten()
}

fn word<'a>(part: &'a Json, name: &str) -> &'a str {
    part.get(name).and_then(Json::str).unwrap_or_default()
}

fn request(name: &str, part: &Json) -> Request {
    if part.get("json").is_some() {
        return content::read(name, word(part, "json"));
    }
    let none = Json::Array(Vec::new());
    let parameters = part.get("parameters").filter(|value| !value.is_null()).unwrap_or(&none);
    sqlite::request(name, word(part, "sqlite"), word(part, "sql"), parameters)
}

fn decide(case: &Case<'_>) -> Decided {
    let wanted = sha256(case.params.text("digest")).unwrap_or_default();
    let expected = object([("digest", wanted.as_str().into())]);
    let mut state = Object::new();
    let mut open = None;
    for (name, part) in named(case.params) {
        match case.look(name).and_then(|look| seen(part, &look)) {
            Ok(Ok(value)) => {
                state.insert(name.clone(), exact(value));
            }
            Ok(Err(wrong)) => {
                let decision =
                    Decision::of(false, expected, object([("part", name.into())]), format!("{name}: {}", wrong.words));
                return Ok(wrong.code.into_iter().fold(decision, Decision::coded));
            }
            Err(undecided) => open = Some(undecided),
        }
    }
    if let Some(undecided) = open {
        return Err(undecided);
    }
    let found = canonical::digest(&Json::Object(state));
    let observed = object([("digest", found.as_str().into())]);
    if found.strip_prefix("sha256:") == Some(wanted.as_str()) {
        return pass(expected, observed, "the state is that of the reference run");
    }
    fail(expected, observed, "the state is not that of the reference run")
}

/// A part as a value, or why it has none.
fn seen(part: &Json, look: &Look<'_>) -> Result<Result<Json, Wrong>, Undecided> {
    let wrong = |words: String, code| Ok(Err(Wrong { words, code }));
    if part.get("json").is_some() {
        let document = match content::document(look)? {
            Ok(document) => document,
            Err(found) => return wrong(format!("{} {}", word(part, "json"), found.words), found.code),
        };
        let found = Pointer::parse(word(part, "pointer")).ok().and_then(|pointer| pointer.find(&document).cloned());
        return match found {
            Some(found) => Ok(Ok(found)),
            None => wrong(format!("{} has nothing at the pointer", word(part, "json")), None),
        };
    }
    let mut rows = match sqlite::answer(look)? {
        Answer::Rows(_) if look.truncated => return Err(Undecided::truncated()),
        Answer::Rows(rows) => rows,
        Answer::Wrong(words) => return wrong(format!("{}: {words}", word(part, "sqlite")), None),
    };
    if part.get("ordered").and_then(Json::bool) != Some(true) {
        rows.sort_by_cached_key(|row| {
            let mut key = String::new();
            write_key(row, &mut key);
            key
        });
    }
    Ok(Ok(Json::Array(rows)))
}

/// The value with a string in place of every number that the canonical form would round.
fn exact(value: Json) -> Json {
    match value {
        Json::Number(number) => {
            let shown = canonical::canonical(&Json::Number(number.clone()));
            match (Decimal::parse(number.text()), Decimal::parse(&shown)) {
                (Some(own), Some(shown)) if own == shown => Json::Number(number),
                _ => number.text().into(),
            }
        }
        Json::Array(items) => Json::Array(items.into_iter().map(exact).collect()),
        Json::Object(members) => Json::Object(members.into_iter().map(|(name, value)| (name, exact(value))).collect()),
        other => other,
    }
}
