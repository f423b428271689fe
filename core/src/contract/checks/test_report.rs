//! The tests that were named passed, by the report of their runner.
//!
//! # Sees
//! A report in JUnit's XML, for `fail_to_pass` the one from before the work, and the digests of what may not be changed.
//!
//! # Decides
//! A named test that failed fails, and so does a failure or an error outside every test. A named test that is missing or was skipped,
//! if only once, decides nothing, and neither does a report in which none passed, with a document type, or whose totals are not those
//! of its tests. Without any name, no test of the report may have failed. What is protected has to be as it was, because a test that the work changed says nothing of the work.
use super::super::canonical::digest_bytes;
use super::super::junit::{self, Report, State, Unread};
use super::super::params::sha256;
use super::super::paths;
use super::content::{self, Content};
use super::prelude::*;
use alloc::collections::BTreeMap;

const LISTS: [&str; 3] = ["must_pass", "must_still_pass", "fail_to_pass"];
/// The most protected files.
const PROTECTED: usize = 100;

pub(super) const TYPE: CheckType = CheckType {
    name: "test_report",
    about: "the tests that are named passed, by the report of their runner",
    capabilities: &[Capability::Read, Capability::Digest],
    params: &[
        must("path", Kind::Path, "the report, relative to the workspace"),
        or("format", Kind::Word(&["junit"]), "\"junit\"", "the report's format"),
        may("must_pass", Kind::Texts, "tests that have to pass, as classname::name; without any list no test may fail"),
        may("must_still_pass", Kind::Texts, "tests that passed in the baseline and have to pass"),
        may("fail_to_pass", Kind::Texts, "tests that failed in the baseline and have to pass"),
        or("min_tests", Kind::Int(1, 1 << 20), "1", "how many tests the report has to have"),
        may("max_skipped", Kind::Int(0, 1 << 20), "how many of them may be skipped"),
        may("baseline", Kind::Path, "the report from before the work"),
        may("baseline_digest", Kind::Sha256, "its digest"),
        may(
            "protected_paths",
            Kind::Own("object of paths and their SHA-256", protected),
            "files that have to be as they were",
        ),
    ],
    validate,
    requests,
    decide,
};

fn protected(value: &Json) -> Result<(), ContractError> {
    let members = value.object().ok_or_else(|| fault("", format!("expected an object; found {}", value.kind())))?;
    if members.is_empty() || members.len() > PROTECTED {
        return Err(fault("", format!("expected 1 to {PROTECTED} paths")));
    }
    for (path, digest) in members {
        paths::syntax(path).map_err(|message| fault("", message))?;
        if digest.str().and_then(sha256).is_none() {
            return Err(fault(path, "expected 64 hexadecimal digits"));
        }
    }
    Ok(())
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    if let Some(name) = LISTS.into_iter().find(|name| params.has(name) && params.array(name).is_empty()) {
        return Err(fault(name, "a list that names no test; leave it out"));
    }
    match (params.has("baseline"), params.has("baseline_digest")) {
        (true, false) => Err(fault("baseline_digest", "a baseline needs its digest")),
        (false, true) => Err(fault("baseline", "the digest is of no report")),
        (false, false) if params.has("fail_to_pass") => {
            Err(fault("baseline", "fail_to_pass needs the report in which the tests failed"))
        }
        (true, true) if !params.has("fail_to_pass") && !params.has("must_still_pass") => {
            Err(fault("baseline", "nothing is compared with it; name tests in fail_to_pass or must_still_pass"))
        }
        _ => Ok(()),
    }
}

fn requests(params: Params<'_>) -> Vec<Request> {
    let mut requests = Vec::from([content::read("report", params.text("path"))]);
    if params.has("baseline") {
        requests.push(content::read("baseline", params.text("baseline")));
    }
    for (index, (path, _)) in params.value("protected_paths").and_then(Json::object).into_iter().flatten().enumerate() {
        requests.push(content::digest(format!("protected.{index}"), path));
    }
    requests
}

/// What is known of a report, by the keys of its tests. A test that is there twice passed only if it did so
/// each time.
struct Tests<'a> {
    by_key: BTreeMap<&'a str, State>,
}

impl<'a> Tests<'a> {
    fn of(report: &'a Report) -> Tests<'a> {
        let mut by_key: BTreeMap<&str, State> = BTreeMap::new();
        for case in &report.cases {
            let known = by_key.entry(&case.key).or_insert(case.state);
            *known = match (*known, case.state) {
                (State::Failed, _) | (_, State::Failed) => State::Failed,
                (State::Skipped, _) | (_, State::Skipped) => State::Skipped,
                _ => State::Passed,
            };
        }
        Tests { by_key }
    }

    fn state(&self, key: &str) -> Option<State> {
        self.by_key.get(key).copied()
    }

    /// What is said of named tests that failed; of any, if none is named.
    fn broken(&self, named: &[&str]) -> Option<String> {
        let failed = |key: &&str| self.state(key) == Some(State::Failed);
        let failed: Vec<&str> = if named.is_empty() {
            self.by_key.keys().copied().filter(failed).collect()
        } else {
            named.iter().copied().filter(failed).collect()
        };
        let first = failed.first()?;
        Some(format!("reports {} tests as failed that had to pass, first {first:?}", failed.len()))
    }

    /// What is said of a named test that did neither pass nor fail.
    fn unknown(&self, named: &[&str]) -> Option<String> {
        named.iter().find_map(|key| match self.state(key) {
            Some(State::Passed | State::Failed) => None,
            Some(State::Skipped) => Some(format!("the test {key:?} was skipped")),
            None => Some(format!("the test {key:?} is not in the report")),
        })
    }
}

fn decide(case: &Case<'_>) -> Decided {
    let (params, path) = (case.params, case.params.text("path"));
    let expected = Json::Object(params.0.clone());
    let fail = |words: String| fail(expected.clone(), object([("reason", words.as_str().into())]), words);
    let mut open = None;
    match changed(case) {
        Ok(Some(path)) => return fail(format!("{path} is protected and is not as it was")),
        Ok(None) => {}
        // A change that was not looked for may be there; a failed test is a fact all the same.
        Err(undecided) => open = Some(undecided),
    }
    let report = match report(&case.look("report")?)? {
        Ok((_, report)) => report,
        Err(words) => return fail(format!("{path} {words}")),
    };
    // It is of no test that could be named, so that it may be of any: a suite whose set-up failed.
    if report.outside > 0 {
        return fail(format!("{path} reports {} failures or errors outside its tests", report.outside));
    }
    if let Some(disagreement) = report.disagreement {
        return Err(Undecided::new(Code::DocumentAmbiguous, format!("{path}: {disagreement}")));
    }
    if report.cases.is_empty() {
        return absent(format!("{path} reports no test"));
    }
    let named: Vec<&str> = LISTS.iter().flat_map(|list| params.texts(list)).collect();
    let tests = Tests::of(&report);
    if let Some(words) = tests.broken(&named).or_else(|| counts(params, &report)) {
        return fail(format!("{path} {words}"));
    }
    if report.count(State::Passed) == 0 {
        return absent(format!("{path} reports no test that passed"));
    }
    match baseline(case)? {
        Err(words) => return fail(words),
        Ok(undecided) => open = open.or(undecided),
    }
    match (tests.unknown(&named), open) {
        (Some(words), _) => absent(format!("{path}: {words}")),
        (None, Some(undecided)) => Err(undecided),
        (None, None) => {
            let (total, passed) = (report.cases.len(), report.count(State::Passed));
            let observed = object([("tests", total.into()), ("passed", passed.into())]);
            pass(expected, observed, format!("{path}: {total} tests, {passed} passed, none failed that had to pass"))
        }
    }
}

/// What is wrong with the numbers of tests, if anything.
fn counts(params: Params<'_>, report: &Report) -> Option<String> {
    let (total, skipped) = (report.cases.len(), report.count(State::Skipped));
    if params.integer("min_tests").is_some_and(|least| (total as i64) < least) {
        return Some(format!("reports {total} tests, fewer than min_tests"));
    }
    let many = params.integer("max_skipped").is_some_and(|most| skipped as i64 > most);
    many.then(|| format!("reports {skipped} tests as skipped, more than max_skipped"))
}

/// A report and the digest of its file, or what is wrong with it.
fn report(look: &Look<'_>) -> Result<Result<(String, Report), String>, Undecided> {
    let bytes = match content::content(look)? {
        Content::Absent => return Ok(Err("is not there".into())),
        Content::NotAFile => return Ok(Err("is no file".into())),
        Content::Bytes(bytes) => bytes,
    };
    let Ok(text) = core::str::from_utf8(&bytes) else { return Ok(Err("is not UTF-8".into())) };
    match junit::parse(text) {
        Ok(report) => Ok(Ok((digest_bytes(&bytes), report))),
        Err(Unread::Refused(words)) => Err(Undecided::new(Code::CheckRefused, format!("the report {words}"))),
        Err(Unread::Malformed(words)) => Ok(Err(words)),
    }
}

/// The first protected file that is not as it was.
fn changed<'a>(case: &Case<'a>) -> Result<Option<&'a str>, Undecided> {
    let mut open = None;
    let listed = case.params.value("protected_paths").and_then(Json::object).into_iter().flatten();
    for (index, (path, wanted)) in listed.enumerate() {
        let seen = case.look(&format!("protected.{index}")).and_then(|look| content::sha256_of(&look));
        match seen {
            Ok(seen) if seen == wanted.str().and_then(sha256) => {}
            Ok(_) => return Ok(Some(path)),
            Err(undecided) => open = Some(undecided),
        }
    }
    open.map_or(Ok(None), Err)
}

/// Compares with the report from before the work. What is wrong with that report's file fails, since the contract has its digest; what
/// its tests say against the contract is the contract's own mistake.
fn baseline(case: &Case<'_>) -> Result<Result<Option<Undecided>, String>, Undecided> {
    let params = case.params;
    let Some(wanted) = params.value("baseline_digest").and_then(Json::str).and_then(sha256) else {
        return Ok(Ok(None));
    };
    let path = params.text("baseline");
    let look = match case.look("baseline") {
        Ok(look) => look,
        Err(undecided) => return Ok(Ok(Some(undecided))),
    };
    let report = match report(&look)? {
        Ok((digest, report)) if digest.strip_prefix("sha256:") == Some(wanted.as_str()) => report,
        Ok(_) => return Ok(Err(format!("the baseline {path} is not as it was"))),
        Err(words) => return Ok(Err(format!("the baseline {path} {words}"))),
    };
    let tests = Tests::of(&report);
    let was = |list: &str, state: State| params.texts(list).into_iter().find(|key| tests.state(key) != Some(state));
    if let Some(key) = was("fail_to_pass", State::Failed) {
        return Ok(Ok(Some(Undecided::malformed(format!("{key:?} did not fail in the baseline")))));
    }
    if let Some(key) = was("must_still_pass", State::Passed) {
        return Ok(Ok(Some(Undecided::malformed(format!("{key:?} did not pass in the baseline")))));
    }
    Ok(Ok(None))
}
