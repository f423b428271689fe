//! Looks a simple command up in the table of known programs.

use super::acts::{Act, Acts};
use super::programs::naming;
use super::wrappers::{behind, positionals, program};
use alloc::string::String;
use alloc::vec::Vec;
use core::str::SplitAsciiWhitespace;

/// Programs of services: a word `delete` or the like among their subcommands removes.
#[rustfmt::skip]
const SERVICES: &[&str] = &[
    "aws", "az", "docker", "docker-compose", "doctl", "firebase", "fly", "flyctl", "gcloud", "gh", "glab", "gsutil",
    "hcloud", "heroku", "helm", "kubectl", "mc", "netlify", "nomad", "oc", "podman", "rclone", "redis-cli", "s3cmd",
    "supabase", "systemctl", "vault", "vercel", "wrangler", "conda", "mamba", "minikube", "kind", "rails", "rake",
    "flyway", "defaults", "launchctl", "ollama",
];

/// Programs that take several goals, in any order.
const GOALS: &[&str] =
    &["ant", "gradle", "gradlew", "just", "make", "mvn", "mvnw", "ninja", "rake", "task", "xcodebuild"];

#[rustfmt::skip]
const REMOVING: &[&str] = &[
    "delete", "destroy", "drop", "prune", "purge", "rb", "remove", "rm", "rmi", "uninstall", "terminate", "clean",
    "del",
];

/// What the command's program and subcommands say of it; anything where no pattern names it.
pub(super) fn look_up(name: &str, words: &[String]) -> Acts {
    let Some(first) = words.first() else { return Acts::NONE };
    let mut acts = best(name, words).unwrap_or(Acts::ANY);
    // A program of one's own may have the name of a harmless one: `./test`, `tools/build`.
    if own_path(first) && acts.did & Act::Wrap.bit() == 0 && acts.did & (Act::Test.bit() | Act::Build.bit()) == 0 {
        acts = Acts::ANY.with(Acts::of(acts.did | Act::Wrap.bit(), 0));
    }
    if SERVICES.contains(&name) && positionals(name, words).take(4).any(|(_, w)| removes(w)) {
        acts = Acts::of(acts.did | Act::Remove.bit(), acts.may);
    }
    acts
}

/// Whether some pattern names the program, so that its line says what it does.
pub(super) fn is_known(word: &str) -> bool {
    naming(&program(word), |_| true).next().is_some()
}

fn removes(word: &str) -> bool {
    REMOVING.contains(&word) || word.starts_with("delete-") || word.starts_with("remove-") || word.ends_with(":destroy")
}

/// A path that is not one of the system's folders.
pub(super) fn own_path(word: &str) -> bool {
    let system = ["/usr/", "/bin/", "/sbin/", "/opt/", "/System/", "/nix/", "/home/linuxbrew/"];
    word.contains('/')
        && !word.contains("/.bin/")
        && !word.contains("vendor/bin/")
        && !word.contains("venv/bin/")
        && !system.iter().any(|s| word.starts_with(s))
}

fn best(name: &str, words: &[String]) -> Option<Acts> {
    let mut found: Option<(usize, Acts)> = None;
    let goals = GOALS.contains(&name);
    // Its words that are no options, each with its last part.
    let places: Vec<(&str, &str)> = positionals(name, words).map(|(_, word)| (word, last_part(word))).collect();
    // Most patterns are for another subcommand, which its first byte tells.
    let may_fit = |byte: Option<&u8>| goals || may_begin(byte, places.first());
    for (acts, pattern) in naming(name, may_fit) {
        let Some(parts) = behind(pattern, name) else { continue };
        let fitting = if pattern.len() == name.len() { Some(1) } else { fits(parts, goals, words, &places) };
        let Some(length) = fitting else { continue };
        found = Some(match found {
            Some((longest, old)) if longest > length => (longest, old),
            Some((longest, old)) if longest == length => (longest, old.with(acts)),
            _ => (length, acts),
        });
    }
    found.map(|(_, acts)| acts)
}

/// Whether the first word that is no option may be the one that a pattern has behind its program, by its first byte.
fn may_begin(byte: Option<&u8>, place: Option<&(&str, &str)>) -> bool {
    let begins = |text: &str| text.as_bytes().first() == byte;
    matches!(byte, None | Some(b'-' | b'$' | b'*')) || place.is_some_and(|(word, last)| begins(word) || begins(last))
}

/// The number of words in the pattern where it fits the command.
pub(super) fn fits_line(pattern: &str, name: &str, words: &[String]) -> Option<usize> {
    let parts = behind(pattern, name)?;
    if pattern.len() == name.len() {
        return Some(1);
    }
    let places: Vec<(&str, &str)> = positionals(name, words).map(|(_, word)| (word, last_part(word))).collect();
    fits(parts, GOALS.contains(&name), words, &places)
}

/// The number of words in the pattern where those behind the program's name fit the command. `places` are the command's
/// words that are no options, each with its last part.
fn fits(parts: SplitAsciiWhitespace<'_>, goals: bool, words: &[String], places: &[(&str, &str)]) -> Option<usize> {
    let mut next = places.iter();
    let mut length = 1;
    for part in parts {
        length += 1;
        let here = if part.starts_with('-') {
            words.iter().skip(1).any(|w| is_option(w, part))
        } else if part == "$" {
            next.next().is_none()
        } else if goals {
            places.iter().any(|word| is_word(*word, part))
        } else {
            next.next().is_some_and(|word| is_word(*word, part))
        };
        if !here {
            return None;
        }
    }
    Some(length)
}

/// What stands behind the last colon: a task is named by it too, as `:app:test`.
fn last_part(word: &str) -> &str {
    word.rsplit(':').next().unwrap_or(word)
}

/// Whether the word, or its last part, is that of the pattern.
fn is_word((word, last): (&str, &str), part: &str) -> bool {
    match part.strip_suffix('*') {
        Some(start) => word.starts_with(start) || last.starts_with(start),
        None => word == part || last == part,
    }
}

/// Whether the word is the option, alone, with a value, or as a letter of a cluster.
fn is_option(word: &str, option: &str) -> bool {
    if word == option || word.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')) {
        return true;
    }
    let mut letters = option.chars().skip(1);
    let (Some(letter), rest) = (letters.next(), letters.next()) else { return false };
    let cluster = word.strip_prefix('-').unwrap_or_default();
    let cluster = cluster.split('.').next().unwrap_or_default();
    if rest == Some('*') {
        return cluster.starts_with(letter);
    }
    rest.is_none() && letter != '-' && cluster.contains(letter) && cluster.chars().all(|c| c.is_ascii_alphanumeric())
}
