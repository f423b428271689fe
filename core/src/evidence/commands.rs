//! Looks a simple command up in the table of known programs.

use super::acts::{Act, Acts};
use super::programs::starting;
use super::wrappers::{positionals, program};
use alloc::string::String;

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
pub(super) fn look_up(words: &[String]) -> Acts {
    let Some(first) = words.first() else { return Acts::NONE };
    let name = program(first);
    let mut acts = best(&name, words).unwrap_or(Acts::ANY);
    // A program of one's own may have the name of a harmless one: `./test`, `tools/build`.
    if own_path(first) && acts.did & Act::Wrap.bit() == 0 && acts.did & (Act::Test.bit() | Act::Build.bit()) == 0 {
        acts = Acts::ANY.with(Acts::of(acts.did | Act::Wrap.bit(), 0));
    }
    if SERVICES.contains(&name.as_str()) && positionals(&name, words).take(4).any(|(_, w)| removes(w)) {
        acts = Acts::of(acts.did | Act::Remove.bit(), acts.may);
    }
    acts
}

/// Whether some pattern names the program, so that its line says what it does.
pub(super) fn is_known(word: &str) -> bool {
    let name = program(word);
    starting(&name).any(|(_, pattern)| pattern.split(' ').next() == Some(name.as_str()))
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
    for (acts, pattern) in starting(name) {
        let Some(length) = fits(pattern, name, words) else { continue };
        found = Some(match found {
            Some((longest, old)) if longest > length => (longest, old),
            Some((longest, old)) if longest == length => (longest, old.with(acts)),
            _ => (length, acts),
        });
    }
    found.map(|(_, acts)| acts)
}

/// The number of words in the pattern where it fits the command.
pub(super) fn fits(pattern: &str, name: &str, words: &[String]) -> Option<usize> {
    if !matches!(pattern.as_bytes().get(name.len()), None | Some(b' ')) {
        return None;
    }
    let rest = pattern.strip_prefix(name)?;
    let parts = rest.split_ascii_whitespace();
    let goals = GOALS.contains(&name);
    let mut places = positionals(name, words);
    let mut length = 1;
    for part in parts {
        length += 1;
        let here = if part.starts_with('-') {
            words.iter().skip(1).any(|w| is_option(w, part))
        } else if part == "$" {
            places.next().is_none()
        } else if goals {
            positionals(name, words).any(|(_, word)| is_word(word, part))
        } else {
            places.next().is_some_and(|(_, word)| is_word(word, part))
        };
        if !here {
            return None;
        }
    }
    Some(length)
}

/// Whether the word is that of the pattern; a task is named by its last part too: `:app:test`.
fn is_word(word: &str, part: &str) -> bool {
    let last = word.rsplit(':').next().unwrap_or(word);
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
