//! A program ends as it has to end.
//!
//! # Sees
//! `{exit_code, signal, timed_out, limit_hit, spawn_error, stdout, stderr}` of a run without a shell, with 64 KiB of the end of each
//! output. `spawn_error` is `not_found`, `not_executable` or `cwd_missing`; `limit_hit` names the limit of the host that ended it.
//!
//! # Decides
//! The exit code is the expected one, and the output holds what is asked for. A program that a signal ended fails, unless the host's own
//! limit sent it; one that did not start, or not end in time, says nothing. Running the tests of an agent runs the code of the agent.
use super::super::params::pattern;
use super::super::shown::tail;
use super::prelude::*;

/// The most bytes of each output.
const OUTPUT: usize = 64 << 10;
/// The most characters of output in a summary.
const SHOWN: usize = 600;

pub(super) const TYPE: CheckType = CheckType {
    name: "command_exit",
    about: "a program without a shell ends with the expected exit code, and its output holds what is asked for",
    capabilities: &[Capability::Command],
    params: &[
        must("command", Kind::Argv, "the program and its arguments"),
        or("cwd", Kind::Path, "\".\"", "where it runs, relative to the workspace"),
        or("exit_code", Kind::Int(-(1 << 31), (1 << 32) - 1), "0", "how it ends"),
        may("stdout_contains", Kind::Text, "what its output holds"),
        may("stdout_regex", Kind::Pattern, "what its output fits somewhere"),
    ],
    validate: |_| Ok(()),
    requests: |params| {
        let request = Request::new("process", Capability::Command).given(params, "command");
        [request.path("cwd", params.text("cwd")).with("max_output", OUTPUT)].into()
    },
    decide,
};

/// What a host saw of a process.
struct Process<'a> {
    exit_code: Option<i64>,
    signal: Option<&'a str>,
    stdout: &'a str,
    stderr: &'a str,
    truncated: bool,
}

const MEMBERS: &[&str] = &["exit_code", "signal", "timed_out", "limit_hit", "spawn_error", "stdout", "stderr"];

fn process<'a>(look: &Look<'a>, cwd: &str) -> Result<Process<'a>, Undecided> {
    let Some(fields) = look.fields(MEMBERS)? else {
        return Err(Undecided::new(Code::CommandNotFound, "the program is not there"));
    };
    match fields.text("spawn_error", 200).map_err(unread)? {
        None => {}
        Some("cwd_missing") => {
            return Err(Undecided::new(Code::CommandNotFound, format!("the directory {cwd} is not there")));
        }
        Some("not_executable") => return Err(Undecided::new(Code::CommandNotFound, "the program cannot be executed")),
        Some("not_found") => return Err(Undecided::new(Code::CommandNotFound, "the program was not found")),
        Some(other) => return Err(Undecided::new(Code::CommandNotFound, format!("it could not start: {other}"))),
    }
    if fields.bool("timed_out").map_err(unread)? == Some(true) {
        return Err(Undecided::new(Code::CheckTimeout, "it did not end in time"));
    }
    if let Some(limit) = fields.text("limit_hit", 200).map_err(unread)? {
        return Err(Undecided::new(Code::BackendUnavailable, format!("a limit of the host ended it: {limit}")));
    }
    let exit_code = fields.integer("exit_code", -(1 << 31), (1 << 32) - 1).map_err(unread)?;
    let signal = fields.text("signal", 40).map_err(unread)?;
    if exit_code.is_some() == signal.is_some() {
        return Err(unread(fault("exit_code", "expected one of exit_code and signal")));
    }
    let stdout = fields.text("stdout", OUTPUT).map_err(unread)?.unwrap_or_default();
    let stderr = fields.text("stderr", OUTPUT).map_err(unread)?.unwrap_or_default();
    Ok(Process { exit_code, signal, stdout, stderr, truncated: look.truncated })
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let wanted = params.integer("exit_code").unwrap_or(0);
    let process = process(&case.look("process")?, params.text("cwd"))?;
    let names = ["exit_code", "stdout_contains", "stdout_regex"];
    let given = names.into_iter().filter_map(|name| Some((name.to_string(), params.value(name)?.clone())));
    let expected = Json::Object(crate::sort::map(given));
    let observed = object([
        ("exit_code", process.exit_code.into()),
        ("signal", process.signal.into()),
        ("stdout", tail(process.stdout, SHOWN).into()),
        ("stderr", tail(process.stderr, SHOWN).into()),
    ]);
    let ended = match (process.exit_code, process.signal) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("ended by {}", signal.unwrap_or("a signal")),
    };
    if process.exit_code != Some(wanted) {
        return fail(expected, observed, told(&ended, &process));
    }
    match missing(params, process.stdout)? {
        None => pass(expected, observed, told(&ended, &process)),
        Some(_) if process.truncated => Err(Undecided::truncated()),
        Some(name) => fail(expected, observed, told(&format!("{ended}, but {name} does not hold"), &process)),
    }
}

/// The first thing about the output that does not hold.
fn missing(params: Params<'_>, stdout: &str) -> Result<Option<&'static str>, Undecided> {
    if params.has("stdout_contains") && !stdout.contains(params.text("stdout_contains")) {
        return Ok(Some("stdout_contains"));
    }
    if !params.has("stdout_regex") {
        return Ok(None);
    }
    let regex = pattern(params.text("stdout_regex")).map_err(Undecided::malformed)?;
    Ok((!regex.is_match(stdout)).then_some("stdout_regex"))
}

/// How it ended, and the end of what it printed.
fn told(ended: &str, process: &Process<'_>) -> String {
    let output = if process.stdout.trim().is_empty() { process.stderr } else { process.stdout };
    match output.trim() {
        "" => ended.to_string(),
        output => format!("{ended}: {}", tail(output, SHOWN - ended.chars().count().min(SHOWN / 2) - 2)),
    }
}
