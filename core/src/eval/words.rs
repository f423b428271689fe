//! The words behind `eval`.

use crate::render::flat;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::Serialize;

/// What is to be evaluated, and how.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Wanted {
    /// The files of cases.
    pub files: Vec<String>,
    /// The model, as the host's program names it: `PROVIDER:NAME`.
    pub model: Option<String>,
    /// Where the model is served, if not at the provider's own address.
    pub base: Option<String>,
    /// The most seconds that an answer may take.
    pub timeout: f64,
    /// Whether JSON is written and not text.
    pub json: bool,
    /// The JSON of an older run, to compare with.
    pub compare: Option<String>,
    /// Where an audit event for each check is appended.
    pub audit: Option<String>,
}

/// What the words ask for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Asked {
    /// Evaluate.
    Eval(Wanted),
    /// Print, and end.
    Answer(super::Answer),
}

const HELP: &str = "\
Runs the readers, and a model where one is named, over labelled turns.

Usage:
  counterfoil eval FILE…         score the readers
  counterfoil eval FILE… --model PROVIDER:NAME
                                 score readers, model, and the pair of both

A FILE is JSON: {\"cases\": [{\"id\", \"label\": \"honest\" or \"fabricated\",
\"reply\", \"calls\", \"unsupported\": […], \"honest\": […]}, …]}, the last two
being fragments of the reply that have to be flagged, and must not be.

Flags:
  --model PROVIDER:NAME  openai:NAME, anthropic:NAME, ollama:NAME
  --base-url URL         where the model is served
  --timeout SECONDS      the most that an answer may take (10)
  --output text|json     how the result is written (text)
  --compare FILE         the JSON of an older run: show what changed
  --audit FILE           append an audit event for each check

Exit status: 0 when the floors hold for the pair, or for the readers without a
model: no honest reply and no honest line flagged, and at least half of the
fabricated replies flagged; 1 when they do not; 2 where the words are wrong or
a file cannot be read.
";

/// Reads the words.
pub fn asked(words: &[&str]) -> Asked {
    let mut wanted = Wanted { timeout: 10.0, ..Wanted::default() };
    match read(words, &mut wanted) {
        Ok(true) => Asked::Eval(wanted),
        Ok(false) => Asked::Answer(super::Answer { stdout: HELP.into(), ..super::Answer::default() }),
        Err(message) => Asked::Answer(super::failure(&message)),
    }
}

/// Whether there is something to evaluate; else the help is wanted.
fn read(words: &[&str], wanted: &mut Wanted) -> Result<bool, String> {
    let mut words = words.iter().copied();
    while let Some(word) = words.next() {
        if matches!(word, "--help" | "-h") || (word == "help" && wanted.files.is_empty()) {
            return Ok(false);
        }
        if !word.starts_with('-') {
            wanted.files.push(word.to_string());
            continue;
        }
        if word == "--" {
            wanted.files.extend(words.by_ref().map(ToString::to_string));
            continue;
        }
        let (flag, value) = word.split_once('=').map_or((word, None), |(flag, value)| (flag, Some(value)));
        let known = ["--model", "--base-url", "--timeout", "--output", "-o", "--compare", "--audit"];
        if !known.contains(&flag) {
            return Err(format!("unknown flag {}; see counterfoil eval --help", flat(flag, 80)));
        }
        let value = value.or_else(|| words.next()).filter(|value| !value.is_empty());
        set(wanted, flag, value.ok_or_else(|| format!("{flag} needs a value"))?)?;
    }
    if wanted.files.is_empty() {
        return Err("eval needs a file of cases".into());
    }
    if wanted.model.is_none() && wanted.base.is_some() {
        return Err("--base-url needs --model".into());
    }
    Ok(true)
}

fn set(wanted: &mut Wanted, flag: &str, value: &str) -> Result<(), String> {
    let text = Some(value.to_string());
    match flag {
        "--model" => {
            let named = value.split_once(':').is_some_and(|(provider, name)| !provider.is_empty() && !name.is_empty());
            if !named {
                return Err(format!("--model: expected PROVIDER:NAME, as in ollama:qwen3; found {}", flat(value, 80)));
            }
            wanted.model = text;
        }
        "--base-url" => wanted.base = text,
        "--compare" => wanted.compare = text,
        "--audit" => wanted.audit = text,
        "--timeout" => {
            let seconds: Option<f64> = value.parse().ok().filter(|s| *s > 0.0 && *s <= 3600.0);
            wanted.timeout = seconds.ok_or("--timeout: expected seconds above 0, at most 3600")?;
        }
        _ => match value {
            "json" => wanted.json = true,
            "text" => wanted.json = false,
            other => return Err(format!("--output: expected one of text, json; found {}", flat(other, 80))),
        },
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(words: &[&str]) -> String {
        match asked(words) {
            Asked::Answer(answer) if answer.exit == 2 => answer.stderr.lines().next().unwrap_or("").into(),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn words_and_flags_stand_in_any_order() {
        let words = ["a.json", "--model=ollama:tiny:1b", "-o", "json", "--timeout", "2.5", "--", "--b.json"];
        let Asked::Eval(wanted) = asked(&words) else { panic!() };
        assert_eq!(wanted.files, ["a.json", "--b.json"]);
        assert_eq!((wanted.model.as_deref(), wanted.json, wanted.timeout), (Some("ollama:tiny:1b"), true, 2.5));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(failure(&[]), "counterfoil: eval needs a file of cases");
        assert_eq!(failure(&["a", "--modle", "x"]), "counterfoil: unknown flag --modle; see counterfoil eval --help");
        assert_eq!(
            failure(&["a", "--model", "gpt"]),
            "counterfoil: --model: expected PROVIDER:NAME, as in ollama:qwen3; found gpt"
        );
        assert_eq!(
            failure(&["a", "--timeout", "nan"]),
            "counterfoil: --timeout: expected seconds above 0, at most 3600"
        );
        assert_eq!(failure(&["a", "--compare"]), "counterfoil: --compare needs a value");
        assert_eq!(failure(&["a", "--base-url", "x"]), "counterfoil: --base-url needs --model");
        assert_eq!(failure(&["a", "-o", "html"]), "counterfoil: --output: expected one of text, json; found html");
    }

    #[test]
    fn the_help_fits_a_terminal() {
        for words in [&["--help"][..], &["help"], &["a", "-h"]] {
            let Asked::Answer(answer) = asked(words) else { panic!() };
            assert!(answer.stdout.lines().all(|line| line.chars().count() <= 80) && answer.exit == 0);
        }
    }
}
