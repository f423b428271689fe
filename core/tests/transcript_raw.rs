//! Real files of host formats, where they lie beside the project. Nothing of them is part of it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::needless_pass_by_value,
    clippy::format_collect
)]

use counterfoil::transcript::{parse_all, parse_bytes};
use counterfoil::Status;
use std::path::{Path, PathBuf};

/// The folder of real files, or `None` with a plain message.
fn raw() -> Option<PathBuf> {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).take(4).map(|up| up.join("shared/raw"));
    let found = above.find(|path| path.is_dir());
    if found.is_none() {
        println!("no folder shared/raw beside the project; real files are not read");
    }
    found
}

fn files(format: &str) -> Vec<PathBuf> {
    let Some(folder) = raw().map(|raw| raw.join(format)) else { return Vec::new() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn reads(folder: &str, format: &str) {
    for path in files(folder) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = std::fs::read(&path).unwrap();
        if name.ends_with("results.json") {
            let error = parse_bytes(&bytes, None).unwrap_err();
            println!("{name}: {error}");
            assert!(error.to_string().starts_with("not a transcript I know: "));
            continue;
        }
        let session = parse_bytes(&bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(session.format.as_ref().unwrap().name, format, "{name}");
        assert!(!session.turns.is_empty(), "{name}");
        let all = parse_all(&String::from_utf8_lossy(&bytes), None).unwrap();
        assert_eq!(all.iter().map(|s| s.turns.len()).sum::<usize>(), session.turns.len());
        println!("{name}: {} conversations, {} turns", all.len(), session.turns.len());
        for (i, turn) in session.turns.iter().enumerate() {
            let calls = turn.calls.as_deref().unwrap_or(&[]);
            let by = |status: Status| calls.iter().filter(|c| c.status == status).count();
            println!(
                "  turn {i}: {} calls ({} error, {} denied, {} pending), {} pieces, {} context, user {:?}, gaps {:?}",
                calls.len(),
                by(Status::Error),
                by(Status::Denied),
                by(Status::Pending),
                turn.reply.len(),
                turn.context.len(),
                turn.user.as_ref().map(String::len),
                turn.gaps.reasons
            );
        }
        session.notes.iter().for_each(|note| println!("  note: {note}"));
    }
}

#[test]
fn real_claude_code_sessions_are_read() {
    reads("claude-code-jsonl", "claude-code");
}

#[test]
fn real_web_sessions_are_read() {
    reads("claude-code-web-session-json", "claude-code");
}

#[test]
fn real_exchanges_with_the_messages_api_are_read() {
    for path in files("anthropic-messages-http") {
        // Without tools the two APIs look the same, so the format is named.
        let session = parse_bytes(&std::fs::read(&path).unwrap(), Some("anthropic")).unwrap();
        println!("{}: {} turns", path.display(), session.turns.len());
        assert!(session.turns.iter().any(|turn| !turn.text().is_empty()));
    }
}

#[test]
fn real_exchanges_with_the_chat_api_are_read() {
    reads("openai-chat-http", "openai-chat");
}

#[test]
fn real_trajectories_of_a_benchmark_are_read() {
    reads("tau-bench", "openai-chat");
}

#[test]
fn real_trajectories_of_a_small_agent_are_read() {
    reads("mini-swe-agent-traj", "openai-chat");
}

#[test]
fn every_other_real_file_gives_a_session_or_a_clear_answer() {
    let Some(raw) = raw() else { return };
    for folder in std::fs::read_dir(raw).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()) {
        for file in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
            let told = match parse_bytes(&std::fs::read(&file).unwrap(), None) {
                Ok(session) => format!("{:?}, {} turns", session.format.map(|f| f.name), session.turns.len()),
                Err(error) => format!("{error}"),
            };
            println!("{}: {told}", file.display());
        }
    }
}
