//! `counterfoil contract …`: what the command lines of all packages share. They read and write files, look at the workspace and
//! tell the time; every word that is printed is made here.
//!
//! A program asks [`step`] what to do, does it, and asks again with what came of it, until it is told to end:
//!
//! | step | what the program does | what it adds to `given` |
//! |---|---|---|
//! | `{"read": [PATH, …]}` | reads files as strict UTF-8; a byte order mark stays | `files: {PATH: {"text"}, …}`, or `{"error", "absent"}` |
//! | `{"workspace": DIR}` | resolves the links of an existing directory | `workspace: {"path"}`, or `{"error"}` |
//! | `{"observe": {"plan", "workspace"}}` | carries out the requests of the plan | `observations`, the envelopes |
//! | `{"end": {"write", "stdout", "stderr", "exit"}}` | writes the files, prints, ends | where writing failed, `unwritten: {"path", "error", "exists"}` |
//!
//! Where the program itself fails it adds `failed: {"error"}` and asks again, so that no fault of its own passes for a verdict.
//!
//! `write` is `null` or `{"folder", "files": [[PATH, TEXT], …]}`: the folder is made with those above it, and every file is one that is
//! not there yet. `given` begins as `{"now", "host": {"name", "version", "platform", "release"}, "run_id"}`; `now` is told anew each time.

mod print;
mod words;

use super::codes::Code;
use super::error::ContractError;
use super::json::{array, object, Json, Object};
use super::paths;
use super::strict::{parse, CALL};
use super::wire::call;
use super::{canonical::canonical, keys::Key};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use words::{Task, Wanted, HELP};

/// What this host of files can do.
pub const CAPABILITIES: [&str; 4] = ["stat", "digest", "walk", "read"];
/// The files of a run, the last of them only where it is signed.
const FILES: [&str; 4] = ["contract.json", "evidence.json", "attestation.json", "attestation.dsse.json"];
/// The exit status of a refusal.
const REFUSED: i64 = 3;

/// What to do next, as JSON text.
pub fn step(words: &[String], given: &str) -> String {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let wanted = match words::read(&words) {
        Ok(Some(wanted)) => wanted,
        Ok(None) => return canonical(&end(HELP.to_string(), String::new(), 0)),
        Err(message) => {
            let stderr = format!("counterfoil: {message}\nTry `counterfoil contract --help`.\n");
            return canonical(&end(String::new(), stderr, REFUSED));
        }
    };
    let next = given_of(given).and_then(|given| next(&wanted, &given));
    canonical(&next.unwrap_or_else(|error| refused(&wanted, &error)))
}

fn given_of(text: &str) -> Result<Json, ContractError> {
    parse(text.as_bytes(), &CALL).map_err(|fault| ContractError::new(Code::BackendRejected, fault.message))
}

fn next(wanted: &Wanted, given: &Json) -> Result<Json, ContractError> {
    if let Some(failed) = given.get("unwritten") {
        return Err(unwritten(failed));
    }
    if let Some(failed) = given.get("failed") {
        return Err(ContractError::new(Code::BackendFailed, why(failed)));
    }
    let files = needed(wanted);
    let missing: Vec<&String> = files.iter().filter(|path| file(given, path).is_none()).collect();
    if !missing.is_empty() {
        return Ok(object([("read", array(missing))]));
    }
    match wanted.task {
        Task::Freeze => freeze(wanted, given),
        Task::Plan => plan(wanted, given),
        Task::Judge => judge(wanted, given),
        Task::Reverify => reverify(wanted, given),
        Task::CheckTypes => {
            let types = ask("check_types", &object([]))?;
            Ok(end(if wanted.json { print::json(&types) } else { print::types(&types) }, String::new(), 0))
        }
    }
}

/// The files that a task reads.
fn needed(wanted: &Wanted) -> Vec<String> {
    let mut files = match wanted.task {
        Task::CheckTypes => Vec::new(),
        Task::Reverify => FILES.iter().map(|name| joined(&wanted.subject, name)).collect(),
        _ => [wanted.subject.clone()].into(),
    };
    files.extend(wanted.observations.clone());
    files.extend(wanted.keys.iter().cloned());
    files
}

fn joined(folder: &str, name: &str) -> String {
    let separator = if folder.ends_with(['/', '\\']) { "" } else { "/" };
    format!("{folder}{separator}{name}")
}

fn file<'g>(given: &'g Json, path: &str) -> Option<&'g Json> {
    given.get("files")?.get(path)
}

fn is_absent(found: &Json) -> bool {
    found.get("absent").and_then(Json::bool) == Some(true)
}

/// Why something could not be done with a file, in words that no system chooses where that can be had.
fn why(found: &Json) -> String {
    if is_absent(found) {
        return "there is no such file".into();
    }
    crate::render::flat(found.get("error").and_then(Json::str).unwrap_or("cannot be read"), 200)
}

fn text(given: &Json, path: &str, code: Code) -> Result<String, ContractError> {
    let found = file(given, path).unwrap_or(&Json::Null);
    match found.get("text").and_then(Json::str) {
        Some(text) => Ok(text.to_string()),
        None => Err(ContractError::new(code, format!("{}: {}", shown(path), why(found)))),
    }
}

fn shown(path: &str) -> String {
    crate::render::flat(path, 200)
}

/// Calls a function of the module.
fn ask(name: &str, input: &Json) -> Result<Json, ContractError> {
    let found = call(name, &canonical(input))?;
    parse(found.as_bytes(), &CALL).map_err(|fault| ContractError::new(Code::BackendFailed, fault.message))
}

fn get(value: &Json, name: &str) -> Json {
    value.get(name).cloned().unwrap_or(Json::Null)
}

fn end(stdout: String, stderr: String, exit: i64) -> Json {
    ended(Json::Null, stdout, stderr, exit)
}

fn ended(write: Json, stdout: String, stderr: String, exit: i64) -> Json {
    let members = [("write", write), ("stdout", stdout.into()), ("stderr", stderr.into()), ("exit", exit.into())];
    object([("end", object(members))])
}

fn refused(wanted: &Wanted, error: &ContractError) -> Json {
    if wanted.json {
        end(print::json(&object([("error", error.json())])), String::new(), REFUSED)
    } else {
        end(String::new(), print::error(error), REFUSED)
    }
}

fn unwritten(failed: &Json) -> ContractError {
    let path = shown(failed.get("path").and_then(Json::str).unwrap_or_default());
    let why = match failed.get("exists").and_then(Json::bool) {
        Some(true) => "is there already, and nothing is overwritten".to_string(),
        _ => why(failed),
    };
    ContractError::new(Code::BackendFailed, format!("{path}: {why}"))
}

/// The exit status of a verdict.
fn exit(word: &Json) -> i64 {
    match word.str() {
        Some("VERIFIED") => 0,
        Some("FAILED") => 1,
        _ => 2,
    }
}

fn freeze(wanted: &Wanted, given: &Json) -> Result<Json, ContractError> {
    let draft = text(given, &wanted.subject, Code::ContractUnreadable)?;
    let frozen = ask(
        "freeze",
        &object([("contract", draft.into()), ("now", get(given, "now")), ("by", wanted.by.clone().into())]),
    )?;
    let contract = canonical(&get(&frozen, "contract"));
    let write = wanted.out.as_ref().map_or(Json::Null, |path| {
        let file = array([Json::from(path), contract.as_str().into()]);
        object([("folder", Json::Null), ("files", Json::Array([file].into()))])
    });
    if wanted.json {
        return Ok(ended(write, print::json(&frozen), String::new(), 0));
    }
    let told = print::frozen(&frozen, wanted.out.as_deref());
    Ok(match wanted.out {
        Some(_) => ended(write, told, String::new(), 0),
        // The contract alone stands on standard output, so that it can be sent into a file.
        None => end(format!("{contract}\n"), told, 0),
    })
}

/// The host's account of the run, or the step that is needed for it.
fn run_env(wanted: &Wanted, given: &Json) -> Result<Result<Json, Json>, ContractError> {
    let unresolved = |message: String| Err(ContractError::new(Code::WorkspaceUnresolved, message));
    let workspace = match (wanted.workspace.as_deref(), given.get("workspace")) {
        (None, _) => Json::Null,
        // Where a process happens to stand says nothing about the directory that was meant.
        (Some(directory), _) if !paths::is_absolute(directory) => {
            return unresolved(format!("the workspace {} is a relative path", shown(directory)));
        }
        (Some(directory), None) => return Ok(Err(object([("workspace", directory.into())]))),
        (Some(directory), Some(found)) => match found.get("path").and_then(Json::str) {
            Some(path) => path.into(),
            None => return unresolved(format!("the workspace {}: {}", shown(directory), why(found))),
        },
    };
    let host = get(given, "host");
    let mut capabilities: Vec<String> = CAPABILITIES.map(ToString::to_string).into();
    for name in &wanted.capabilities {
        if !capabilities.contains(name) {
            capabilities.push(name.clone());
        }
    }
    Ok(Ok(object([
        ("now", get(given, "now")),
        ("workspace", workspace),
        ("backend", object([("name", get(&host, "name")), ("version", get(&host, "version"))])),
        ("offline", wanted.offline.into()),
        ("capabilities", array(capabilities)),
        ("actor", wanted.actor.clone().into()),
        ("work_started_at", wanted.work_started.clone().into()),
    ])))
}

/// The text of the contract, the account of the run and the plan, or the step that is needed for them.
fn planned(wanted: &Wanted, given: &Json) -> Result<Result<(Json, Json, Json), Json>, ContractError> {
    let contract: Json = text(given, &wanted.subject, Code::ContractUnreadable)?.into();
    // What is wrong with the contract is told before what is wrong with the place.
    ask("check_integrity", &object([("contract", contract.clone())]))?;
    let run_env = match run_env(wanted, given)? {
        Ok(run_env) => run_env,
        Err(step) => return Ok(Err(step)),
    };
    let plan = ask("plan", &object([("contract", contract.clone()), ("run_env", run_env.clone())]))?;
    Ok(Ok((contract, run_env, plan)))
}

fn plan(wanted: &Wanted, given: &Json) -> Result<Json, ContractError> {
    Ok(match planned(wanted, given)? {
        Err(step) => step,
        Ok((_, _, plan)) if wanted.json => end(print::json(&plan), String::new(), 0),
        Ok((_, _, plan)) => end(print::plan(&plan), String::new(), 0),
    })
}

/// What another host saw.
fn brought(wanted: &Wanted, given: &Json) -> Result<Vec<Json>, ContractError> {
    let Some(path) = &wanted.observations else { return Ok(Vec::new()) };
    let text = text(given, path, Code::BackendRejected)?;
    let refused = |message: String| ContractError::new(Code::BackendRejected, format!("{}: {message}", shown(path)));
    let value = parse(text.as_bytes(), &CALL).map_err(|fault| refused(fault.message))?;
    let listed = value.array().ok_or_else(|| refused(format!("expected an array; found {}", value.kind())))?;
    Ok(listed.to_vec())
}

/// The part of a plan that this host carries out: its own requests that nobody answered yet.
fn own(plan: &Json, brought: &[Json]) -> Option<Json> {
    let said = |value: &Json, name: &str| value.get(name).and_then(Json::str).map(ToString::to_string);
    let answered: Vec<Option<String>> = brought.iter().map(|seen| said(seen, "request_id")).collect();
    let mine = |row: &&Json| {
        said(row, "status").as_deref() == Some("run")
            && said(row, "capability").is_some_and(|name| CAPABILITIES.contains(&name.as_str()))
            && !answered.contains(&said(row, "request_id"))
    };
    let rows: Vec<Json> = plan.get("requests")?.array()?.iter().filter(mine).cloned().collect();
    if rows.is_empty() {
        return None;
    }
    let mut members: Object = plan.object()?.clone();
    members.insert("requests".into(), Json::Array(rows));
    Some(Json::Object(members))
}

fn judge(wanted: &Wanted, given: &Json) -> Result<Json, ContractError> {
    let (contract, run_env, plan) = match planned(wanted, given)? {
        Ok(planned) => planned,
        Err(step) => return Ok(step),
    };
    let signer = wanted.keys.first().map(|path| signer(given, path)).transpose()?;
    let mut observations = brought(wanted, given)?;
    match (given.get("observations").and_then(Json::array), own(&plan, &observations)) {
        (Some(seen), _) => observations.extend(seen.iter().cloned()),
        (None, None) => {}
        (None, Some(own)) => {
            let wanted = object([("plan", own), ("workspace", get(&run_env, "workspace"))]);
            return Ok(object([("observe", wanted)]));
        }
    }
    let asked = object([
        ("contract", contract.clone()),
        ("plan", plan),
        ("observations", Json::Array(observations)),
        ("run_env", run_env),
        ("run_id", get(given, "run_id")),
    ]);
    let bundle = ask("judge", &asked)?;
    let attested = attested(contract, &bundle, given, signer.as_deref())?;
    let outcome = ask("outcome", &object([("bundle", bundle.clone())]))?;
    let files = get(&attested, "files");
    let names = wanted.out.as_ref().map(|_| files.object().map(|files| files.keys().collect::<Vec<_>>()));
    let names = names.flatten().unwrap_or_default();
    let stdout = if wanted.json {
        print::json(&print::judged_json(outcome, &bundle, &attested, &names))
    } else {
        print::judged(&bundle, &attested, wanted.out.as_deref(), &names)
    };
    Ok(ended(written(wanted, &files), stdout, String::new(), exit(&get(&bundle, "verdict_word"))))
}

fn written(wanted: &Wanted, files: &Json) -> Json {
    let Some(folder) = &wanted.out else { return Json::Null };
    let files = files.object().into_iter().flatten();
    let files = files.map(|(name, text)| array([Json::from(joined(folder, name)), text.clone()]));
    object([("folder", folder.into()), ("files", array(files))])
}

/// The text of a private key, tried before anything is looked at.
fn signer(given: &Json, path: &str) -> Result<String, ContractError> {
    let pem = text(given, path, Code::SigningUnavailable)?;
    signature(&pem, b"").map_err(|error| {
        ContractError::new(Code::SigningUnavailable, format!("{}: {}", shown(path), error.message()))
    })?;
    Ok(pem)
}

#[cfg(feature = "sign")]
fn signature(pem: &str, message: &[u8]) -> Result<Json, ContractError> {
    super::signer::sign(pem, message)
}

#[cfg(not(feature = "sign"))]
fn signature(_pem: &str, _message: &[u8]) -> Result<Json, ContractError> {
    Err(ContractError::new(Code::SigningUnavailable, "this build has no signer of its own"))
}

fn attested(contract: Json, bundle: &Json, given: &Json, signer: Option<&str>) -> Result<Json, ContractError> {
    let host = get(given, "host");
    let host = object([("platform", get(&host, "platform")), ("release", get(&host, "release"))]);
    let mut members: Object = [
        ("contract".to_string(), contract),
        ("bundle".to_string(), bundle.clone()),
        ("now".to_string(), get(given, "now")),
        ("host".to_string(), host),
    ]
    .into();
    let unsigned = ask("attest", &Json::Object(members.clone()))?;
    let Some(pem) = signer else { return Ok(unsigned) };
    let pae = unsigned.get("pae").and_then(Json::str).and_then(super::dsse::decode).unwrap_or_default();
    members.insert("signature".to_string(), signature(pem, &pae)?);
    ask("attest", &Json::Object(members))
}

fn reverify(wanted: &Wanted, given: &Json) -> Result<Json, ContractError> {
    let mut files = Object::new();
    for name in FILES {
        let path = joined(&wanted.subject, name);
        let found = file(given, &path).unwrap_or(&Json::Null);
        if !is_absent(found) {
            files.insert(name.to_string(), text(given, &path, Code::AttestationInvalid)?.into());
        }
    }
    let mut keys = Vec::new();
    for path in &wanted.keys {
        let key = text(given, path, Code::SignatureUncheckable)?;
        if Key::read(&key).is_none() {
            let message = format!("{} is no public key that is known here", shown(path));
            return Err(ContractError::new(Code::SignatureUncheckable, message));
        }
        keys.push(key);
    }
    let policy = object([("require_signature", wanted.require_signature.into())]);
    let read =
        ask("reverify", &object([("files", Json::Object(files)), ("trusted_keys", array(keys)), ("policy", policy)]))?;
    let stdout = if wanted.json { print::json(&read) } else { print::read_back(&read) };
    Ok(end(stdout, String::new(), exit(&get(&read, "verdict_word"))))
}
