//! The command line of contracts, driven by a program that has no disk: every word and every exit status.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::contract::command::step;
use counterfoil::contract::strict::{parse, CALL};
use counterfoil::contract::{canonical::canonical, json::Object, Json};

const DRAFT: &str = r#"{"contract_id": "c1", "checks": [
    {"id": "report", "type": "file_exists", "params": {"path": "out/report.md"}},
    {"id": "rows", "type": "sqlite_query", "required": false,
     "params": {"database": "a.db", "sql": "SELECT 1", "row_count": 1}}]}"#;
const SEED: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f\n\
                    -----END PRIVATE KEY-----\n";
const PUBLIC: &str = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8";

fn json(text: &str) -> Json {
    parse(text.as_bytes(), &CALL).unwrap_or_else(|fault| panic!("{fault:?}: {text}"))
}

fn text<'v>(value: &'v Json, name: &str) -> &'v str {
    value.get(name).and_then(Json::str).unwrap_or_default()
}

/// A program without a disk: its files, and what it sees at every path.
#[derive(Clone, Default)]
struct Program {
    files: Object,
    seen: &'static str,
}

struct Ended {
    stdout: String,
    stderr: String,
    exit: i64,
}

impl Program {
    fn with(files: &[(&str, &str)]) -> Program {
        let files = files.iter().map(|(name, text)| (name.to_string(), (*text).into())).collect();
        Program { files, seen: r#"{"outcome": "ok", "value": {"kind": "file", "size": 3}}"# }
    }

    /// Does what it is told until it is told to end.
    fn run(&mut self, words: &[&str]) -> Ended {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let host = r#"{"now": "2026-01-01T10:00:00Z", "run_id": "vr_1", "files": {},
                       "host": {"name": "test", "version": "1", "platform": "none", "release": "0"}}"#;
        let mut given = json(host).object().unwrap().clone();
        for _ in 0..8 {
            let next = json(&step(&words, &canonical(&Json::Object(given.clone()))));
            let (what, value) = next.object().unwrap().iter().next().unwrap();
            match what.as_str() {
                "read" => {
                    let mut files = given["files"].object().unwrap().clone();
                    for path in value.array().unwrap().iter().filter_map(Json::str) {
                        let found = match self.files.get(path) {
                            Some(Json::String(text)) => format!("{{\"text\": {}}}", canonical(&text.as_str().into())),
                            Some(_) => r#"{"error": "Permission denied"}"#.into(),
                            None => r#"{"error": "ENOENT", "absent": true}"#.into(),
                        };
                        files.insert(path.into(), json(&found));
                    }
                    given.insert("files".into(), Json::Object(files));
                }
                "workspace" => {
                    let found = match value.str() {
                        Some("/none") => r#"{"error": "ENOENT", "absent": true}"#,
                        _ => r#"{"path": "/real"}"#,
                    };
                    given.insert("workspace".into(), json(found));
                }
                "observe" => {
                    assert_eq!(text(value, "workspace"), "/real");
                    given.insert("observations".into(), self.observed(value.get("plan").unwrap()));
                }
                _ => {
                    if let Some(failed) = self.write(value.get("write").unwrap()) {
                        given.insert("unwritten".into(), failed);
                        continue;
                    }
                    let exit = value.get("exit").and_then(Json::integer).unwrap();
                    return Ended { stdout: text(value, "stdout").into(), stderr: text(value, "stderr").into(), exit };
                }
            }
        }
        panic!("it does not end");
    }

    fn observed(&self, plan: &Json) -> Json {
        let seen = |row: &Json| {
            let mut members = json(self.seen).object().unwrap().clone();
            members.insert("request_id".into(), text(row, "request_id").into());
            members.insert("plan_digest".into(), text(plan, "plan_digest").into());
            Json::Object(members)
        };
        Json::Array(plan.get("requests").and_then(Json::array).unwrap().iter().map(seen).collect())
    }

    fn write(&mut self, write: &Json) -> Option<Json> {
        for file in write.get("files").and_then(Json::array).unwrap_or_default() {
            let [path, text] = file.array().unwrap() else { panic!("no pair") };
            let path = path.str().unwrap();
            if self.files.contains_key(path) {
                return Some(json(&format!(r#"{{"path": "{path}", "error": "EEXIST", "exists": true}}"#)));
            }
            self.files.insert(path.into(), text.clone());
        }
        None
    }
}

fn frozen() -> Program {
    let mut program = Program::with(&[("draft.json", DRAFT), ("key.pem", SEED), ("public", PUBLIC)]);
    let ended = program.run(&["freeze", "draft.json", "--by", "human:dana", "-o", "c.json"]);
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""), "{}", ended.stdout);
    program
}

const JUDGE: [&str; 4] = ["judge", "c.json", "--workspace", "/srv/shop"];

#[test]
fn a_draft_is_frozen_into_a_file_or_printed() {
    let program = frozen();
    let text = program.files["c.json"].str().unwrap();
    assert!(text.starts_with("{\"allowed_env\":[]") && text.ends_with('}'), "{text}");
    let mut other = program.clone();
    let ended = other.run(&["freeze", "draft.json", "--by=human:dana"]);
    assert_eq!((ended.exit, ended.stdout), (0, format!("{text}\n")));
    assert!(ended.stderr.starts_with("frozen  c1  by human:dana at 2026-01-01T10:00:00Z\n  digest  sha256:"));
    let ended = other.run(&["freeze", "draft.json", "--by", "human:dana", "--out", "c.json"]);
    assert_eq!((ended.exit, ended.stdout.as_str()), (3, ""));
    assert!(
        ended.stderr.starts_with("counterfoil: verify.backend_failed: c.json: is there already"),
        "{}",
        ended.stderr
    );
    let ended = other.run(&["freeze", "c.json", "--by", "human:dana", "--output", "json"]);
    assert_eq!((ended.exit, ended.stderr.as_str()), (3, ""));
    assert_eq!(text_of(&ended.stdout, "code"), "verify.contract_already_frozen");
}

fn text_of(stdout: &str, name: &str) -> String {
    text(json(stdout).get("error").unwrap(), name).to_string()
}

#[test]
fn a_plan_is_shown() {
    let ended = frozen().run(&["plan", "c.json", "--workspace", "/srv/shop"]);
    assert_eq!(ended.exit, 0, "{}", ended.stderr);
    let lines: Vec<&str> = ended.stdout.lines().collect();
    assert_eq!(lines[0], "plan  c1  2 requests");
    assert_eq!(lines[1], "  run          report/file  stat    out/report.md");
    assert_eq!(lines[2], "  unavailable  rows/rows    sqlite  rows: the host has no capability sqlite");
    let ended = frozen().run(&["plan", "c.json", "--workspace", "/w", "--capability", "sqlite", "--output=json"]);
    assert_eq!(json(&ended.stdout).get("missing_capabilities"), Some(&Json::Array(Vec::new())));
}

#[test]
fn every_verdict_has_its_exit_status() {
    let mut program = frozen();
    let ended = program.run(&JUDGE);
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    assert!(ended
        .stdout
        .starts_with("VERIFIED  c1\n  true                       report  file_exists   out/report.md is a file\n"));
    assert!(ended.stdout.contains("  could not look (advisory)  rows    sqlite_query  "), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nbound by digests alone: "));
    program.seen = r#"{"outcome": "absent"}"#;
    let ended = program.run(&JUDGE);
    assert_eq!((ended.exit, ended.stdout.lines().next()), (1, Some("FAILED  c1")));
    program.seen = r#"{"outcome": "failed", "reason": "no permission"}"#;
    let ended = program.run(&JUDGE);
    assert_eq!((ended.exit, ended.stdout.lines().next()), (2, Some("INCONCLUSIVE  c1")));
    let draft = DRAFT.replace("\"type\": \"file", "\"required\": false, \"type\": \"file");
    let mut program = Program::with(&[("draft.json", &draft)]);
    let ended = program.run(&["freeze", "draft.json", "--by", "human:dana", "-o", "c.json"]);
    assert!(ended.stdout.contains("warning: no check is required"));
    assert_eq!(program.run(&JUDGE).exit, 2);
    assert!(program.run(&JUDGE).stdout.starts_with("UNVERIFIED  c1\n"));
}

#[test]
fn another_host_answers_what_this_one_cannot() {
    let mut program = frozen();
    let words = [&JUDGE[..], &["--capability", "sqlite", "--observations", "o.json", "--output", "json"]].concat();
    let plan = program.run(&["plan", "c.json", "--workspace", "/w", "--capability", "sqlite", "--output=json"]).stdout;
    let digest = text(&json(&plan), "plan_digest").to_string();
    let rows = format!(
        r#"[{{"request_id": "rows/rows", "plan_digest": "{digest}", "outcome": "ok",
            "value": {{"columns": ["1"], "rows": [[1]]}}}}]"#
    );
    program.files.insert("o.json".into(), rows.into());
    let ended = program.run(&words);
    assert_eq!(ended.exit, 0, "{}", ended.stdout);
    let found = json(&ended.stdout);
    let passed: Vec<&Json> =
        found.get("checks").and_then(Json::array).unwrap().iter().map(|check| check.get("passed").unwrap()).collect();
    assert_eq!(passed, [&Json::Bool(true), &Json::Bool(true)]);
    program.files.insert("o.json".into(), "{}".into());
    assert_eq!(text_of(&program.run(&words).stdout, "message"), "o.json: expected an array; found object");
}

#[test]
fn a_run_is_written_and_read_back() {
    let mut program = frozen();
    let ended = program.run(&[&JUDGE[..], &["--out", "run/"]].concat());
    assert!(ended.stdout.ends_with("written to run/: attestation.json, contract.json, evidence.json\n"));
    assert_eq!(program.files["run/contract.json"], program.files["c.json"]);
    let ended = program.run(&["reverify", "run"]);
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.starts_with("VERIFIED\nthe files are what was written\n"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\nthis is a proof, as far as the assurance goes\n"));
    let ended = program.run(&["reverify", "run", "--require-signature"]);
    assert_eq!(ended.exit, 3);
    assert!(ended.stderr.starts_with("counterfoil: verify.signature_missing: "));
    assert!(ended.stderr.ends_with("\n  fix: Have the run attested with a signer.\n"));
    assert!(program.run(&["reverify", "other"]).stderr.starts_with("counterfoil: verify.run_not_found: "));
    program.files.insert("run/evidence.json".into(), Json::Null);
    assert!(program.run(&["reverify", "run"]).stderr.contains("run/evidence.json: Permission denied"));
}

#[test]
fn a_run_is_signed_by_a_key_in_a_file() {
    let mut program = frozen();
    let ended = program.run(&[&JUDGE[..], &["--out", "run", "--key", "key.pem"]].concat());
    assert_eq!(ended.exit, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("\nsigned\nwritten to run: attestation.dsse.json, "));
    let ended = program.run(&["reverify", "run", "--key", "public", "--require-signature"]);
    assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
    assert!(ended.stdout.contains("\nsigned by a trusted key\n"));
    assert!(program.run(&["reverify", "run"]).stderr.starts_with("counterfoil: verify.signature_untrusted: "));
    let ended = program.run(&["reverify", "run", "--key", "key.pem"]);
    assert!(ended.stderr.starts_with("counterfoil: verify.signature_uncheckable: key.pem is no public key"));
    let ended = program.run(&[&JUDGE[..], &["--key", "public"]].concat());
    assert!(ended.stderr.starts_with("counterfoil: verify.signing_unavailable: public: expected a private key"));
    program.files.remove("run/attestation.dsse.json");
    let ended = program.run(&["reverify", "run", "--key", "public"]);
    assert!(ended.stderr.starts_with("counterfoil: verify.signature_status_mismatch: "), "{}", ended.stderr);
}

#[test]
fn a_place_that_is_not_sure_is_refused() {
    let mut program = frozen();
    for (words, code) in [
        (&["judge", "c.json"][..], "verify.workspace_unresolved"),
        (&["judge", "c.json", "--workspace", "shop"], "verify.workspace_unresolved"),
        (&["plan", "c.json", "--workspace", "/none"], "verify.workspace_unresolved"),
        (&["plan", "none.json", "--workspace", "/w"], "verify.contract_unreadable"),
        (&["plan", "draft.json", "--workspace", "/none"], "verify.contract_not_frozen"),
        (&["judge", "c.json", "--workspace", "/w", "--work-started", "noon"], "verify.contract_invalid"),
    ] {
        let ended = program.run(words);
        assert_eq!((ended.exit, ended.stdout.as_str()), (3, ""), "{words:?}");
        assert!(ended.stderr.starts_with(&format!("counterfoil: {code}: ")), "{}", ended.stderr);
        assert!(ended.stderr.contains("\n  fix: "));
    }
}

#[test]
fn words_are_read() {
    let mut program = Program::default();
    for words in [
        &["frieze"][..],
        &["freeze"],
        &["freeze", "a"],
        &["freeze", "a", "b", "--by", "human:dana"],
        &["freeze", "a", "--by"],
        &["freeze", "a", "--by", "x", "--by", "y"],
        &["freeze", "a", "--key", "b"],
        &["plan", "a", "--out", "b"],
        &["judge", "a", "--key", "b", "--key", "c"],
        &["reverify", "a", "--workspace", "/b"],
        &["reverify", "a", "--require-signature=no"],
        &["check-types", "a"],
        &["check-types", "--output", "xml"],
    ] {
        let ended = program.run(words);
        assert_eq!((ended.exit, ended.stdout.as_str()), (3, ""), "{words:?}");
        assert!(ended.stderr.ends_with("Try `counterfoil contract --help`.\n"), "{}", ended.stderr);
    }
    for words in [&[][..], &["--help"], &["help"], &["judge", "a", "-h"]] {
        let ended = program.run(words);
        assert_eq!((ended.exit, ended.stderr.as_str()), (0, ""));
        assert!(ended.stdout.lines().all(|line| line.chars().count() <= 80), "{}", ended.stdout);
    }
    let ended = program.run(&["check-types"]);
    assert!(ended.stdout.contains("\n  state_equals        read, sqlite        a declared state"), "{}", ended.stdout);
    assert!(json(&program.run(&["check-types", "--output", "json"]).stdout).array().unwrap().len() >= 17);
}
