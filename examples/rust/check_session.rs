//! Checks a session and marks what its record does not carry.
//!
//!     cargo run -p counterfoil-example --bin check_session -- examples/sessions/harbour.jsonl

use counterfoil::{transcript, verify_session, Options};
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else {
        eprintln!("usage: check_session FILE");
        return ExitCode::from(2);
    };
    let session = match std::fs::read(&path).map_err(|error| error.to_string()) {
        Ok(bytes) => transcript::parse_bytes(&bytes, None).map_err(|error| error.to_string()),
        Err(error) => Err(error),
    };
    match session {
        Ok(session) => show(&session),
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// Prints each flagged claim between marks, with the rest of its line, and why it is flagged.
fn show(session: &counterfoil::Session) {
    let report = verify_session(session, &Options::default());
    for (turn, found) in session.turns.iter().zip(&report.turns) {
        let text = turn.text();
        for claim in found.verification.iter().flat_map(|v| &v.claims).filter(|claim| claim.verdict.flagged()) {
            let (start, end) = (claim.span.start, claim.span.end);
            let line = text.get(..start).and_then(|t| t.rfind('\n')).map_or(0, |at| at + 1);
            let (before, words) = (text.get(line..start).unwrap_or(""), claim.span.of(&text));
            let after = text.get(end..).and_then(|t| t.lines().next()).unwrap_or("");
            println!("turn {}: {before}[{words}]{after}", found.turn);
            println!("        {}", claim.reason.as_deref().unwrap_or(""));
        }
    }
}
