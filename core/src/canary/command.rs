//! `counterfoil canary …`: what the command lines of all packages share. They read the file and open the socket; every word
//! that is printed is made here.

use super::place::{base, Host};
use super::{vectors, State};
use crate::error::Error;
use crate::render::{flat, json::json};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::net::IpAddr;
use serde::Serialize;

/// What is to be printed, and the exit status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// For standard output.
    pub stdout: String,
    /// For standard error.
    pub stderr: String,
    /// 0; 1 where something does not hold; 2 where the words are wrong or a file cannot be read.
    pub exit: u8,
}

/// What is to be served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Serve {
    /// The address to listen at.
    pub host: String,
    /// The port; 0 is any free one.
    pub port: u16,
    /// Where the documents are.
    pub base: String,
    /// Further host names that are answered.
    pub allow: Vec<String>,
    /// How often a client, and a session, may ask in a minute.
    pub per_minute: u32,
}

/// What the words ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Print, and end.
    Answer(Answer),
    /// Read this file and give it to [`vectors_of`].
    Vectors(String),
    /// Serve, after [`started`] was printed.
    Serve(Serve),
}

const HELP: &str = "\
Proof of read: a probe document with a value that only someone to whom its
bytes came can report.

Usage:
  counterfoil canary serve       serve probe documents on this machine
  counterfoil canary vectors --verify FILE
                                 compare a file of vectors with this build
  counterfoil canary vectors --emit
                                 print the vectors
  counterfoil canary selftest    try this build

Flags of serve:
  --port N          the port (8765); 0 takes a free one
  --host ADDRESS    the address to listen at (127.0.0.1)
  --base PATH       where the documents are (/canary)
  --allow NAME      a further host name that is answered; may be given again.
                    Those of this machine and of --host always are
  --per-minute N    how often a client, and a session, may ask (30)

Exit status: 0, 1 where a vector or a test does not hold, 2 where the words are
wrong or something cannot be read.
";

/// Reads the words behind `canary`. `random` is 32 random bytes of the host, for `selftest`.
pub fn asked(words: &[&str], random: &[u8]) -> Asked {
    match words {
        [] | ["help" | "--help" | "-h", ..] | [_, "--help" | "-h", ..] => said(HELP.into()),
        ["selftest"] => Asked::Answer(selftest(random)),
        ["vectors", "--emit"] => said(vectors::emit()),
        ["vectors", "--verify", file] => Asked::Vectors((*file).to_string()),
        ["vectors", word] if word.starts_with("--verify=") => Asked::Vectors(word.replacen("--verify=", "", 1)),
        ["vectors", ..] => failed("canary vectors needs --verify FILE or --emit"),
        ["selftest", word, ..] => failed(&format!("canary selftest takes no words; found {}", flat(word, 80))),
        ["serve", flags @ ..] => serve(flags).map_or_else(|message| failed(&message), Asked::Serve),
        [word, ..] => failed(&format!("unknown command canary {}; there are serve, vectors, selftest", flat(word, 80))),
    }
}

/// As [`asked`], as JSON text: `{"answer": {"stdout", "stderr", "exit"}}`, `{"vectors": FILE}` or `{"serve": {…}}`.
pub fn asked_json(words: &[String], random: &[u8]) -> String {
    json(&asked(&words.iter().map(String::as_str).collect::<Vec<_>>(), random))
}

fn said(stdout: String) -> Asked {
    Asked::Answer(Answer { stdout, ..Answer::default() })
}

fn failed(message: &str) -> Asked {
    Asked::Answer(failure(message))
}

/// What is said of something that cannot be done.
pub fn failure(message: &str) -> Answer {
    let stderr = format!("counterfoil: {message}\nTry `counterfoil canary --help`.\n");
    Answer { stderr, exit: 2, ..Answer::default() }
}

fn serve(words: &[&str]) -> Result<Serve, String> {
    let mut serve =
        Serve { host: "127.0.0.1".into(), port: 8765, base: "/canary".into(), allow: Vec::new(), per_minute: 30 };
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        let (flag, value) = match word.split_once('=') {
            Some((flag, value)) => (flag, Some(value)),
            None => (word, None),
        };
        if !matches!(flag, "--port" | "--host" | "--base" | "--allow" | "--per-minute") {
            return Err(format!("unknown flag {}; see the flags of serve", flat(flag, 80)));
        }
        let value = value.or_else(|| words.next()).filter(|value| !value.is_empty());
        let value = value.ok_or_else(|| format!("{flag} needs a value"))?;
        let wrong = |expected: &str| format!("{flag}: expected {expected}; found {}", flat(value, 80));
        match flag {
            "--port" => serve.port = value.parse().map_err(|_| wrong("a port from 0 to 65535"))?,
            "--host" => serve.host = value.into(),
            "--base" if base(&value.into()).is_ok() => serve.base = value.into(),
            "--base" => return Err(wrong("a path such as /canary")),
            "--allow" if allowed(value).is_some() => serve.allow.push(value.into()),
            "--allow" => return Err(wrong("a host name such as probe.example, without a scheme and a port")),
            _ => {
                let number = value.parse().ok().filter(|number| (1..=100_000).contains(number));
                serve.per_minute = number.ok_or_else(|| wrong("a whole number from 1 to 100000"))?;
            }
        }
    }
    // Who names the address to listen at means it to be asked.
    if asked_at(&serve.host) == serve.host && allowed(&serve.host).is_some_and(|host| !host.is_local()) {
        serve.allow.push(serve.host.clone());
    }
    Ok(serve)
}

fn allowed(host: &str) -> Option<Host> {
    Host::allowed("", &host.into()).ok()
}

/// The address of this machine under which one that listens at all of its addresses is asked.
fn asked_at(host: &str) -> &str {
    match host.parse::<IpAddr>() {
        Ok(IpAddr::V4(address)) if address.is_unspecified() => "127.0.0.1",
        Ok(IpAddr::V6(address)) if address.is_unspecified() => "::1",
        _ => host,
    }
}

/// What is printed once the documents are served, without a line that holds a sentinel.
pub fn started(host: &str, port: u16, base: &str) -> String {
    let host = asked_at(host);
    let name = if host.contains(':') { format!("[{host}]") } else { host.into() };
    let address = format!("http://{name}:{port}{}", base.trim_end_matches('/'));
    format!(
        "Probe documents are served at {address}/SESSION\n\nTry it:\n  curl '{address}/demo?form=text'\n  curl -H \
         'Content-Type: application/json' -d '{{\"session\": \"demo\", \"reply\": \"…\"}}' {address}/verify\n\n{} {}.\nThe key \
         is made anew at every start, so that a restart forgets what was issued. Ctrl-C ends it.\n",
        State::ReadVerified.name(),
        State::ReadVerified.meaning(),
    )
}

/// Compares the text of a file of vectors.
pub fn vectors_of(file: &str, text: &str) -> Answer {
    let file = flat(file, 200);
    match vectors::verify(text) {
        Ok(count) => Answer { stdout: format!("{file}: all {count} vectors hold\n"), ..Answer::default() },
        Err(error) => differs(&file, &error),
    }
}

fn differs(file: &str, error: &Error) -> Answer {
    let stderr = format!("counterfoil: {file}: {}\n", flat(&error.to_string(), 400));
    Answer { stderr, exit: 1, ..Answer::default() }
}

fn selftest(random: &[u8]) -> Answer {
    let tests = vectors::selftest(random);
    let line = |(name, holds): &(&str, bool)| format!("{}  {name}\n", if *holds { "ok    " } else { "FAILED" });
    let stdout: String = tests.iter().map(line).collect();
    Answer { stdout, exit: u8::from(!tests.iter().all(|(_, holds)| *holds)), ..Answer::default() }
}

#[cfg(test)]
#[allow(clippy::panic)]
mod tests {
    use super::*;

    fn answer(words: &[&str]) -> Answer {
        match asked(words, &[7; 32]) {
            Asked::Answer(answer) => answer,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_vectors_that_are_written_hold() {
        let text = answer(&["vectors", "--emit"]).stdout;
        assert_eq!(vectors_of("a.json", &text).stdout, "a.json: all 17 vectors hold\n");
        let wrong = text.replacen("mENH", "nENH", 1);
        let found = vectors_of("a.json", &wrong);
        assert_eq!((found.exit, found.stdout.as_str()), (1, ""));
        assert_eq!(found.stderr, "counterfoil: a.json: vectors[0].sentinel: another value comes out here\n");
        let wrong = [
            "",
            "[]",
            "{}",
            &text.replace("occam", "other"),
            &text.replace("0001", "zz"),
            &text.replacen("\"bucket\": 0", "\"b\": 0", 1),
            &text.replace("\"sentinel_bytes\": 15", "\"sentinel_bytes\": 16"),
            &text.replace("\"path\": \"session\"", "\"path\": \"x\""),
        ];
        for text in wrong {
            let found = vectors_of("a\n.json", text);
            assert_eq!((found.exit, found.stderr.lines().count()), (1, 1), "{text}");
        }
    }

    #[test]
    fn a_build_is_tried() {
        let found = answer(&["selftest"]);
        assert_eq!((found.exit, found.stdout.matches("ok    ").count()), (0, 6), "{}", found.stdout);
        let Asked::Answer(found) = asked(&["selftest"], &[0; 32]) else { panic!() };
        assert_eq!(found.exit, 1, "a key that is none fails");
    }

    #[test]
    fn words_are_read() {
        let wanted = Serve {
            host: "::1".into(),
            port: 0,
            base: "/probe".into(),
            allow: ["a.test".into(), "b.test".into()].into(),
            per_minute: 5,
        };
        let words = ["serve", "--port=0", "--host", "::1", "--base", "/probe", "--allow", "a.test", "--allow=b.test"];
        let words: Vec<&str> = words.into_iter().chain(["--per-minute", "5"]).collect();
        assert_eq!(asked(&words, &[]), Asked::Serve(wanted.clone()));
        for (host, wanted) in [("::1", "[::1]"), ("::", "[::1]"), ("0.0.0.0", "127.0.0.1"), ("10.1.2.3", "10.1.2.3")] {
            assert!(started(host, 80, "/probe").contains(&format!("http://{wanted}:80/probe/SESSION")));
        }
        for (host, wanted) in [("0.0.0.0", None), ("::", None), ("localhost", None), ("10.1.2.3", Some("10.1.2.3"))] {
            let Asked::Serve(found) = asked(&["serve", "--host", host], &[]) else { panic!("{host}") };
            assert_eq!(found.allow.first().map(String::as_str), wanted);
        }
        assert_eq!(asked(&["vectors", "--verify", "f"], &[]), Asked::Vectors("f".into()));
        for words in [
            &["serve", "--port", "x"][..],
            &["serve", "--port"],
            &["serve", "--base", "canary"],
            &["serve", "--base", "/a/../b"],
            &["serve", "--allow", "https://a.test"],
            &["serve", "--per-minute", "0"],
            &["serve", "--prot", "1"],
            &["vectors"],
            &["selftest", "now"],
            &["serv"],
        ] {
            let found = answer(words);
            assert_eq!((found.exit, found.stdout.as_str()), (2, ""), "{words:?}");
            assert!(found.stderr.ends_with("Try `counterfoil canary --help`.\n"));
        }
        assert!(answer(&[]).stdout.lines().all(|line| line.len() < 80));
        assert_eq!(answer(&["serve", "--help"]).stdout, HELP);
    }
}
