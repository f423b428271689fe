//! The protocol's vectors: written, compared, and a test of one's own build.

use super::{find_sentinel, sentinel, Canary, Limiter, Options, State, PROTOCOL};
use crate::error::{Error, ErrorKind};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{json, Value};

/// The key of the vectors: public, and for them alone.
const ROOT_KEY: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

/// So many characters has the longest id.
const LONGEST_ID: usize = 128;

/// Session, bucket, bytes and what comes out; `*` stands for the longest id.
const CASES: &[(&str, i64, usize, &str)] = &[
    ("vector-session", 0, 32, "mENHHl1pbVogGlYUtGkyvSXzZosi-jQiJ6kpN5jmQhw"),
    ("vector-session", 1, 32, "SsRmlFHeM5mZGPJA1fCiBHvd7p2aMN21ofVstQL8v8U"),
    ("vector-session", -1, 32, "sNlf-meFmnSUFKgsEiQacMFf8GE_1_EN3QeKhgfOZv4"),
    ("vector-session", 6_000_000, 32, "e-jPUfHCPr-WmQWy1B82PSpluyQtPPL5BnKqYvb3PKY"),
    ("vector-session", 6_000_000, 16, "e-jPUfHCPr-WmQWy1B82PQ"),
    ("a", 0, 32, "PWtR1dbF8dK1vJTcq4_j-fI9pLrhRomuL_vtTRtG-JI"),
    ("session.with_dots-and-dashes", 123_456, 32, "7Z11tKy2enm5zVuXj-b2dhaSqJZw97YjI68YKQfDpfM"),
    ("*", 0, 32, "RlzKgVWi27zrQi0_scFXucuQLXYMSHjN0yrd6RRto7Y"),
    ("0", i64::MIN, 24, "-jzE_Mry8TnYPiuDkDTngoo-vE7onrhF"),
    ("_", -300, 20, "l6GHCZabyy3HJYCmM6_VL0bGiOA"),
    ("Vector-Session", 0, 32, "SqOWp8oDvtx0XikcWtyXLNFWsb5TPvttD-ZlRRwPA7Y"),
];

/// What is refused: session, bytes, and the name of what is wrong.
const REFUSALS: &[(&str, usize, &str)] = &[
    ("", 32, "session"),
    ("../up", 32, "session"),
    ("a\nb", 32, "session"),
    ("<script>", 32, "session"),
    ("a", 15, "sentinel_bytes"),
    ("a", 33, "sentinel_bytes"),
];

fn named(session: &str) -> String {
    if session == "*" {
        "A".repeat(LONGEST_ID)
    } else {
        session.to_string()
    }
}

/// The vectors as JSON, each made anew, one on a line.
pub(super) fn emit() -> String {
    let key = hex(ROOT_KEY).unwrap_or_default();
    let vector = |&(session, bucket, bytes, _): &(&str, i64, usize, &str)| {
        let made = sentinel(&key, &named(session), bucket, bytes).unwrap_or_default();
        let (session, made) = (json!(named(session)), json!(made));
        format!(r#"    {{"session_id": {session}, "bucket": {bucket}, "sentinel_bytes": {bytes}, "sentinel": {made}}}"#)
    };
    let refusal = |&(session, bytes, path): &(&str, usize, &str)| {
        let (session, path) = (json!(session), json!(path));
        format!(r#"    {{"session_id": {session}, "bucket": 0, "sentinel_bytes": {bytes}, "path": {path}}}"#)
    };
    let vectors: Vec<String> = CASES.iter().map(vector).collect();
    let refusals: Vec<String> = REFUSALS.iter().map(refusal).collect();
    format!(
        "{{\n  \"protocol\": \"{PROTOCOL}\",\n  \"root_key_hex\": \"{ROOT_KEY}\",\n  \"note\": \"The key is public and is for \
         these vectors alone.\",\n  \"vectors\": [\n{}\n  ],\n  \"refusals\": [\n{}\n  ]\n}}\n",
        vectors.join(",\n"),
        refusals.join(",\n")
    )
}

/// Compares a file of vectors with what comes out here; gives their number. What should have come out is not told.
pub(super) fn verify(text: &str) -> Result<usize, Error> {
    let file: Value = serde_json::from_str(text).map_err(|error| Error::new(ErrorKind::Json, "", error))?;
    let wrong = |path: &str, message: &str| Error::new(ErrorKind::Shape, path, message);
    if file.get("protocol").and_then(Value::as_str) != Some(PROTOCOL) {
        return Err(wrong("protocol", &format!("expected {PROTOCOL}")));
    }
    let key = file.get("root_key_hex").and_then(Value::as_str).and_then(hex);
    let key = key.ok_or_else(|| wrong("root_key_hex", "expected an even number of hexadecimal digits"))?;
    let list = |name: &str| file.get(name).and_then(Value::as_array).map(Vec::as_slice);
    let vectors = list("vectors").filter(|vectors| !vectors.is_empty());
    let vectors = vectors.ok_or_else(|| wrong("vectors", "expected a list with a vector in it"))?;
    let refusals = list("refusals").unwrap_or_default();
    for (i, vector) in vectors.iter().enumerate() {
        let made = asked(&key, vector, &format!("vectors[{i}]"))??;
        if vector.get("sentinel").and_then(Value::as_str) != Some(made.as_str()) {
            return Err(wrong(&format!("vectors[{i}].sentinel"), "another value comes out here"));
        }
    }
    for (i, refusal) in refusals.iter().enumerate() {
        let path = format!("refusals[{i}]");
        let refused = asked(&key, refusal, &path)?.err();
        let refused = refused.ok_or_else(|| wrong(&path, "it is not refused here"))?;
        if refusal.get("path").and_then(Value::as_str) != Some(refused.path()) {
            return Err(wrong(&path, &format!("it is refused here for {}", refused.path())));
        }
    }
    Ok(vectors.len() + refusals.len())
}

/// What a vector asks for, or why it is refused; an error where it is no vector.
fn asked(key: &[u8], vector: &Value, path: &str) -> Result<Result<String, Error>, Error> {
    let get = |name: &str| vector.get(name);
    let session = get("session_id").and_then(Value::as_str);
    let bucket = get("bucket").and_then(Value::as_i64);
    let bytes = get("sentinel_bytes").and_then(Value::as_u64).and_then(|bytes| usize::try_from(bytes).ok());
    match (session, bucket, bytes) {
        (Some(session), Some(bucket), Some(bytes)) => Ok(sentinel(key, session, bucket, bytes)),
        _ => Err(Error::new(ErrorKind::Shape, path, "expected session_id, bucket and sentinel_bytes")),
    }
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

/// Tries a build: what it is, and whether it holds.
pub(super) fn selftest(random: &[u8]) -> Vec<(&'static str, bool)> {
    let known = CASES.iter().all(|&(session, bucket, bytes, wanted)| {
        let key = hex(ROOT_KEY).unwrap_or_default();
        sentinel(&key, &named(session), bucket, bytes).is_ok_and(|made| made == wanted)
    });
    [
        ("the sentinels of the published vectors", known),
        ("what is no id and no length is refused", verify(&emit()).is_ok()),
        ("the four verdicts, in their order", verdicts(random).unwrap_or(false)),
        ("the document in three forms", document(random).unwrap_or(false)),
        ("a bounded log that holds no sentinel", bounded(random).unwrap_or(false)),
        ("a limit of questions a minute", limited().unwrap_or(false)),
    ]
    .into()
}

/// The start of a bucket of five minutes.
const NOON: i64 = 300_000_000;

fn verdicts(random: &[u8]) -> Result<bool, Error> {
    let mut canary = Canary::new(random, Options::default())?;
    let unissued = sentinel(random, "s", NOON / 300, 32)?;
    let replay = canary.verify("s", Some(&unissued), NOON).state;
    let value = canary.issue("s", NOON, None)?.sentinel;
    let at = |now: i64| canary.verify("s", Some(&value), now).state;
    let found = [at(NOON - 300), at(NOON + 599), at(NOON + 600), at(NOON + 25 * 300 - 1), at(NOON + 25 * 300)];
    let fresh = [State::ReadVerified, State::ReadVerified];
    let wanted = [fresh[0], fresh[1], State::ReadStale, State::ReadStale, State::Hallucinated];
    Ok(replay == State::ReplaySuspect && found == wanted && canary.verify("s", None, NOON).state == State::Hallucinated)
}

fn document(random: &[u8]) -> Result<bool, Error> {
    let issued = Canary::new(random, Options::default())?.issue("s", NOON, None)?;
    let held = |text: &str| text.matches(issued.sentinel.as_str()).count();
    let counts = [held(&issued.document()), held(&issued.text()), held(&issued.tool_result())];
    Ok(counts == [3, 1, 1] && find_sentinel(&issued.text(), 32) == [issued.sentinel.as_str()])
}

fn bounded(random: &[u8]) -> Result<bool, Error> {
    let mut canary = Canary::new(random, Options { log_size: 256, ..Options::default() })?;
    let mut last = String::new();
    for i in 0..300 {
        last = canary.issue(&format!("s{i}"), NOON, None)?.sentinel;
    }
    Ok(canary.issued() == 256 && !canary.export().contains(&last))
}

fn limited() -> Result<bool, Error> {
    let mut limiter = Limiter::new(2.0)?;
    let asked = [limiter.ask("a", 0.0), limiter.ask("a", 1.0), limiter.ask("a", 2.0), limiter.ask("a", 60.0)];
    Ok(asked == [Ok(()), Ok(()), Err(58), Ok(())])
}
