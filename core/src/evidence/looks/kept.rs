//! What is seen of a call's work behind it, where the look does not repeat the names that the call was given: the same key,
//! be it short or a number; a server that answers; the folder that an installation fills.

use super::{uncertain, Work, READ, TROUBLE};
use crate::evidence::facts::Facts;
use crate::evidence::lookup::leaves;
use crate::evidence::roles::{self, Role};
use crate::text::head;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::Value;

/// The most values of a call's arguments that are compared.
const VALUES: usize = 24;

/// The longest value that is a key.
const KEY: usize = 80;

/// The values that a call was given, numbers as they are written, as far as they may be the key of a thing. Of a command
/// line the names of two letters that [`super::things`] leaves out: `brew install jq`.
pub(super) fn keys(facts: &Facts<'_>) -> Vec<String> {
    if !facts.commands.is_empty() {
        let words = facts.commands.iter().take(8).flat_map(|c| c.words.iter().skip(1).take(8));
        let short = |w: &&String| w.len() == 2 && w.starts_with(|c: char| c.is_ascii_alphabetic());
        return words.filter(short).map(|w| w.to_lowercase()).collect();
    }
    let text = |value: &Value| match value {
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.trim().to_lowercase()),
        _ => None,
    };
    let fit = |key: &String| !key.is_empty() && key.len() <= KEY && !key.contains(char::is_whitespace);
    leaves(&facts.call.arguments).take(VALUES).filter_map(text).filter(fit).collect()
}

/// Whether a look is at what one of these keys names: it was given that key, or it looks at things of the same sort and
/// what it showed holds the key as a word of its own.
pub(super) fn same_key(failed: &Facts<'_>, keys: &[String], look: &Facts<'_>) -> bool {
    let output = look.call.output.as_deref().map_or("", |o| head(o, READ));
    if keys.is_empty() || output.trim().is_empty() {
        return false;
    }
    if !look.commands.is_empty() {
        let mut words = look.commands.iter().take(8).flat_map(|c| c.words.iter().take(8));
        return !failed.commands.is_empty() && words.any(|word| keys.contains(&word.to_lowercase()));
    }
    let holds = || {
        let mut parts = output.split(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_'))).map(str::to_lowercase);
        parts.any(|part| keys.contains(&part))
    };
    let given = || self::keys(look).iter().any(|key| keys.contains(key));
    given() || (same_sort(&failed.call.tool, &look.call.tool) && holds())
}

/// Whether the names of two tools share a word, in the singular or the plural: `cancel_order`, `list_orders`.
fn same_sort(one: &str, other: &str) -> bool {
    let (one, other) = (roles::words(one), roles::words(other));
    let alike =
        |a: &str, b: &str| a.len() > 3 && (b.strip_prefix(a).or(a.strip_prefix(b))).is_some_and(|s| s.len() < 3);
    one.iter().any(|a| other.iter().any(|b| alike(a, b)))
}

/// Whether a look shows work done that leaves more behind than names: a server that answers, a folder that was filled, a
/// program that tells its version.
pub(super) fn left_behind(failed: &Facts<'_>, look: &Facts<'_>, work: Work<'_>) -> bool {
    let of = |stems: &[&str]| work.stems.iter().any(|stem| stems.contains(stem));
    uncertain(failed)
        && ((of(&["deploy", "restart", "server", "publish"]) && answers(look))
            || (of(&["install"]) && (fills(look) || runs(look) || same_family(failed, look))))
}

/// Whether a request was answered, and not with an error.
fn answers(look: &Facts<'_>) -> bool {
    let request = |word: &String| matches!(word.as_str(), "curl" | "wget" | "http" | "https" | "xh");
    let requests = look.role == Role::Fetch || look.commands.iter().any(|c| c.words.first().is_some_and(request));
    let output = look.call.output.as_deref().map_or("", |o| head(o, READ)).trim_start().to_lowercase();
    let first = head(output.lines().next().unwrap_or(""), 200);
    let code = |word: &str| word.len() == 3 && word.starts_with(['4', '5']) && word.bytes().all(|b| b.is_ascii_digit());
    let bad = first.split(|c: char| !c.is_ascii_alphanumeric()).any(code)
        || TROUBLE.iter().chain(&["could not", "refused"]).any(|word| first.contains(word));
    requests && !output.is_empty() && !bad
}

/// Folders that an installation fills.
#[rustfmt::skip]
const FILLED: &[&str] = &[
    "bundle", "deps", "dist-packages", "node_modules", "pods", "site-packages", ".venv", "vendor", "venv",
];

/// Whether a command lists what an installation fills.
fn fills(look: &Facts<'_>) -> bool {
    let shown = look.call.output.as_deref().is_some_and(|o| !o.trim().is_empty());
    let words = look.commands.iter().flat_map(|c| c.words.iter().skip(1).take(8));
    let mut parts = words.flat_map(|w| w.split(['/', '\\'])).map(str::to_lowercase);
    look.role == Role::Command && shown && parts.any(|part| FILLED.contains(&part.as_str()))
}

/// Whether what was installed runs: a program tells its version, or a line of code loads a library.
fn runs(look: &Facts<'_>) -> bool {
    let code = |words: &[String]| {
        let program = words.first().map_or("", String::as_str);
        let inline = words.iter().any(|w| matches!(w.as_str(), "-c" | "-e"));
        inline && matches!(program, "node" | "perl" | "python" | "python3" | "ruby")
    };
    look.commands.iter().any(|c| super::asks_version(c) || code(&c.words))
}

/// Programs that keep the same packages.
const FAMILIES: &[&[&str]] = &[
    &["apt", "apt-cache", "apt-get", "dpkg", "dpkg-query"],
    &["bun", "npm", "pnpm", "yarn"],
    &["conda", "mamba", "pip", "pip3", "pipenv", "poetry", "uv"],
    &["dnf", "rpm", "yum"],
    &["bundle", "gem"],
    &["brew"],
    &["composer"],
    &["apk"],
    &["pacman"],
];

/// Whether a look asks for the packages that the other call was to install.
fn same_family(failed: &Facts<'_>, look: &Facts<'_>) -> bool {
    let family = |f: &Facts<'_>| {
        let mut words = f.commands.iter().filter_map(|c| c.words.first());
        words.find_map(|word| FAMILIES.iter().position(|family| family.contains(&word.as_str())))
    };
    let shown = look.call.output.as_deref().is_some_and(|o| !o.trim().is_empty());
    shown && family(failed).is_some_and(|at| family(look) == Some(at))
}
