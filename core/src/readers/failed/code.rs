//! What scripts and code do by the names in them: another kind of work, or training.

use super::super::prelude::*;
use super::kinds::Deed as Kind;
use crate::evidence::deeds::Deeds;
use crate::evidence::facts::Facts;
use crate::evidence::roles::Role;
use Act::Wrap;

/// Whether a kind of work is that of training, which code does by the name of a method.
pub(super) fn trains(deed: &Kind) -> bool {
    deed.says.contains(&"trained")
}

/// Whether code calls a function or method whose name begins so: `model.fit(`.
pub(super) fn calls(code: &str, stems: &[&str]) -> bool {
    crate::readers::text::head(code, 4_000).split('(').any(|before| {
        let name = before.rsplit(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or("");
        stems.iter().any(|stem| name.starts_with(stem))
    })
}

/// Parts of code that trains step by step, without a method for it.
const STEPS: &[&str] = &["backward", "boost", "cross_val", "epoch", "grad", "learn", "optim", "step(", "update("];

/// Names of scripts that do something else than any kind here.
#[rustfmt::skip]
const ELSE: &[&str] = &[
    "analy", "check", "compare", "count", "debug", "eval", "inspect", "list", "lint", "monitor", "parse", "plot",
    "preprocess", "print", "report", "show", "stat", "summar", "test", "valid", "verif", "view", "visual",
];

/// With these in it, code may do what it does not name.
const OPAQUE: &[&str] = &["exec(", "import_module", "main(", "os.system", "run(", "runpy", "subprocess", "system("];

/// Whether all that a call ran by an interpreter does other work: a script that is called so, or code that is seen
/// whole and names nothing of this kind.
pub(super) fn does_else(facts: &Facts<'_>, deed: &Kind) -> bool {
    let stem = |part: &str, list: &[&str]| list.iter().any(|stem| part.starts_with(stem));
    let named = |text: &str| {
        let parts = || text.split(|c: char| !c.is_ascii_alphanumeric());
        !parts().any(|p| stem(p, deed.stems)) && parts().any(|p| stem(p, ELSE))
    };
    let shown = |code: &str| {
        let code = crate::readers::text::head(code, 4_000).to_lowercase();
        let steps = trains(deed) && STEPS.iter().any(|w| code.contains(w));
        !steps
            && code.len() < 4_000
            && !OPAQUE.iter().any(|w| code.contains(w))
            && !deed.stems.iter().any(|s| code.contains(s))
    };
    if facts.role == Role::Code && trains(deed) {
        return facts.deeds == Deeds::NONE && facts.line.as_deref().is_some_and(shown);
    }
    if facts.role == Role::Code {
        return facts.commands.is_empty() && facts.line.as_deref().is_some_and(shown);
    }
    let wraps = facts.commands.iter().filter(|c| !c.wraps && crate::evidence::acts::of_command(c).could(Wrap));
    facts.role == Role::Command
        && !facts.commands.is_empty()
        && wraps.into_iter().all(|c| {
            let program = c.words.first().map_or("", String::as_str);
            let script = c.words.iter().skip(1).find(|w| !w.starts_with('-'));
            let code = c.words.iter().position(|w| w == "-c").and_then(|i| c.words.get(i + 1)).or(c.input.as_ref());
            matches!(program.rsplit('/').next(), Some("python" | "python3" | "node"))
                && match (code, script) {
                    (Some(code), _) => shown(code),
                    (None, Some(script)) => named(&script.to_lowercase()),
                    (None, None) => false,
                }
        })
}
