//! The host's own lines around an output: exit status, "stdout:", "[Command finished with exit code 0]".
//!
//! Only lines at the very start and the very end are taken for an envelope, so that a file which speaks of
//! exit codes is still read as it is.

use crate::text::span::Span;

/// How many lines at the start or the end may belong to an envelope.
const MOST: usize = 12;

/// What a line at the start or the end of an output is.
enum Kind {
    /// It belongs to the program.
    Content,
    /// It is the host's; it may state an exit status.
    Envelope(Option<i64>),
    /// It is the host's up to this byte, and the program's from there on: `Output: total 0`.
    Lead(usize),
}

/// Prefixes of a line, in lower case, that are the host's whatever follows.
#[rustfmt::skip]
const LINES: &[&str] = &[
    "wall time:", "wall time ", "script running with cell id", "chunk id:", "original token count:", "total output lines:",
    "background pids:", "process group pgid:", "process group id:", "signal: (none)", "error: (none)",
    "stderr: (empty)", "stdout: (empty)", "directory: ", "session id:", "duration:", "[current working directory:",
    "[python interpreter:", "[jupyter current working directory:", "[jupyter python interpreter:",
    "[command finished", "[the command completed", "[command completed", "[command exited", "[process exited",
    "[process completed", "[exit code", "[exit status", "(exit code", "(exit status", "<returncode>", "<exit_code>",
    "<exitcode>", "command finished with", "command exited with", "command completed with",
    "process exited with code", "process running with session id", "process finished with exit code", "command failed with exit code",
];

/// Whole lines, in lower case, that are the host's.
#[rustfmt::skip]
const WHOLE: &[&str] = &[
    "output:", "stdout:", "stderr:", "code output:", "<output>", "</output>", "<stdout>", "</stdout>", "<stderr>",
    "</stderr>", "output (stdout):", "output (stderr):", "[stdout]", "[stderr]", "(no output)", "<stderr></stderr>",
    "script completed", "script failed", "<stdout></stdout>", "<bash>", "</bash>", "<output></output>", "--- stdout ---", "--- stderr ---",
];

/// Starts of a line that lead the program's first line.
const LEADS: &[&str] = &["output: ", "stdout: ", "<output>", "<stdout>"];

/// The bytes, in lower case, with which the host's lines begin.
const FIRST: &[u8] = b"(-<[bcdeoprstw";

fn kind(line: &str) -> Kind {
    let trimmed = line.trim();
    if trimmed.bytes().next().is_some_and(|b| b.is_ascii() && !FIRST.contains(&b.to_ascii_lowercase())) {
        return Kind::Content;
    }
    // No line of an envelope is long.
    let head: &str = match trimmed.char_indices().nth(160) {
        Some((i, _)) => trimmed.get(..i).unwrap_or(trimmed),
        None => trimmed,
    };
    let lower = head.to_lowercase();
    if trimmed.is_empty() || WHOLE.contains(&lower.as_str()) {
        return Kind::Envelope(None);
    }
    if let Some(exit) = exit(&lower) {
        return Kind::Envelope(Some(exit));
    }
    let begins = |p: &&&str| p.as_bytes().first() == lower.as_bytes().first() && lower.starts_with(**p);
    if LINES.iter().any(|p| begins(&p)) {
        return Kind::Envelope(exit_within(&lower));
    }
    match LEADS.iter().find(begins) {
        Some(lead) => Kind::Lead(line.len() - line.trim_start().len() + lead.len()),
        None => Kind::Content,
    }
}

/// The number of a line that is nothing but an exit status: `Exit code 1`, `exit status: 0`, `exitcode: 0 (…)`.
fn exit(line: &str) -> Option<i64> {
    let rest = ["exit code", "exit status", "exitcode", "exit_code", "return code", "returncode"]
        .iter()
        .find_map(|p| line.strip_prefix(p))?;
    let rest = rest.trim_start_matches([' ', ':', '=']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    let (number, after) = rest.split_at(end);
    let after = after.trim_end_matches('.').trim();
    if after.is_empty() || after.starts_with('(') {
        number.parse().ok()
    } else {
        None
    }
}

/// The number behind `code`, `status` or a tag in a line that is known to be the host's.
fn exit_within(line: &str) -> Option<i64> {
    let at = ["code", "status"].iter().filter_map(|p| line.find(p).map(|i| i + p.len())).min()?;
    let rest = line.get(at..)?.trim_start_matches([' ', ':', '=', '>']);
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
    rest.get(..end)?.parse().ok()
}

/// What is left when the host's lines are taken off both ends, with the exit status that they state.
fn read(output: &str) -> (Span, Option<i64>) {
    let mut start = 0;
    let mut stated = None;
    for _ in 0..MOST {
        let rest = output.get(start..).unwrap_or_default();
        if rest.is_empty() {
            break;
        }
        let length = rest.find('\n').map_or(rest.len(), |i| i + 1);
        match kind(rest.get(..length).unwrap_or_default()) {
            Kind::Content => break,
            Kind::Lead(width) => {
                start += width;
                break;
            }
            Kind::Envelope(exit) => {
                stated = stated.or(exit);
                start += length;
            }
        }
    }
    let mut end = output.len();
    for _ in 0..MOST {
        let rest = output.get(start..end).unwrap_or_default();
        let trimmed = rest.trim_end();
        if trimmed.is_empty() {
            end = start;
            break;
        }
        let line = trimmed.rfind('\n').map_or(0, |i| i + 1);
        if let Kind::Envelope(exit) = kind(trimmed.get(line..).unwrap_or_default()) {
            stated = stated.or(exit);
            end = start + line;
        } else {
            let closed = trimmed.strip_suffix("</output>").or(trimmed.strip_suffix("</stdout>"));
            end = start + closed.unwrap_or(rest).len();
            break;
        }
    }
    (Span::new(start, end), stated)
}

/// The output without the host's envelope, as a span of it.
pub fn body(output: &str) -> Span {
    read(output).0
}

/// How many lines that are not empty the program printed.
pub fn lines(output: &str) -> usize {
    let inner = |line: &&str| !line.is_empty() && *line != "stderr:" && *line != "stdout:";
    body(output).of(output).lines().map(str::trim).filter(inner).count()
}

/// The exit status that the envelope states, never one that stands in the program's own text.
pub fn stated_exit(output: &str) -> Option<i64> {
    read(output).1
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASES: &[(&str, &str, usize, Option<i64>)] = &[
        ("a\nb\n", "a\nb\n", 2, None),
        ("", "", 0, None),
        ("exit status: 0\nstdout:\na\nb\n", "a\nb\n", 2, Some(0)),
        ("exit code: 2\nstderr:\nno such file", "no such file", 1, Some(2)),
        ("Exit code 1\nboom", "boom", 1, Some(1)),
        ("exitcode: 0 (execution succeeded)\nCode output: \na\n", "a\n", 1, Some(0)),
        ("a\nb\n[Command finished with exit code 0]", "a\nb\n", 2, Some(0)),
        ("a\n[The command completed with exit code 1.]\n[Current working directory: /x]", "a\n", 1, Some(1)),
        ("<returncode>0</returncode>\n<output>\na\nb\n</output>", "a\nb\n", 2, Some(0)),
        (
            "Chunk ID: 1a\nWall time: 1.2 seconds\nProcess exited with code 3\nOriginal token count: 9\nOutput:\n1 failed",
            "1 failed",
            1,
            Some(3),
        ),
        ("Chunk ID: 1a\nProcess running with session ID 7\nOutput:\nup", "up", 1, None),
        ("Script completed\nWall time 0.2 seconds\nOutput:\nup\nup", "up\nup", 2, None),
        ("Output: a\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 7", "a\n", 1, Some(0)),
        ("stdout:\na\nstderr:\nwarned", "a\nstderr:\nwarned", 2, None),
        ("a\nstderr:\n", "a\n", 1, None),
        ("exit code 2 means a bad flag", "exit code 2 means a bad flag", 1, None),
        ("one\nExit code 1\ntwo", "one\nExit code 1\ntwo", 3, None),
        ("日本語\n\n🎉\nexit code: 0", "日本語\n\n🎉\n", 2, Some(0)),
    ];

    #[test]
    fn every_line_of_a_host_begins_with_a_known_byte() {
        let exits = ["exit", "return"];
        for line in LINES.iter().chain(WHOLE).chain(LEADS).chain(&exits) {
            assert!(FIRST.contains(&line.as_bytes()[0]), "{line}");
        }
    }

    #[test]
    fn the_hosts_lines_are_taken_off_both_ends() {
        for (output, expected, count, exit) in CASES {
            assert_eq!(body(output).of(output), *expected, "{output:?}");
            assert_eq!(lines(output), *count, "{output:?}");
            assert_eq!(stated_exit(output), *exit, "{output:?}");
        }
    }
}
