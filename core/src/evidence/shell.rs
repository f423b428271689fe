//! Command lines split into simple commands.
//!
//! The splitter is linear and never recurses: quotes, substitutions, here-documents, groups and keywords
//! are read in one pass. It does not expand anything. What a wrapper (`sudo`, `bash -c`, `docker exec`) or
//! a substitution runs is listed right behind it. A line that does not lex, or is longer than
//! [`MAX`] bytes, gives `None`: the caller then compares text and must not conclude that nothing ran.

use super::dry;
use super::lexer::lex;
use super::wrappers::{self, Inside};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// The longest line that is split, in bytes.
pub const MAX: usize = 64 * 1024;

/// How often wrappers and substitutions are looked into; what is deeper counts as unknown.
const DEPTH: usize = 8;

/// What joins a command to the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Nothing follows.
    #[default]
    End,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
    /// `;` or a new line
    Then,
    /// `&`
    Background,
}

/// A file that a redirect or `tee` writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Its path as written, quotes removed.
    pub path: String,
    /// It is added to (`>>`), not overwritten.
    pub append: bool,
}

/// One simple command of a line: its words without assignments, redirects and quotes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Simple {
    /// The words, the program first; empty for a bare redirect (`> file`).
    pub words: Vec<String>,
    /// The words joined by one space, for comparing.
    pub text: String,
    /// What joins it to the next command of its level.
    pub join: Join,
    /// The files that it writes by redirect or `tee`; `/dev/null` and other descriptors are left out.
    pub writes: Vec<Target>,
    /// Its here-document or here-string.
    pub input: Option<String>,
    /// It only says what it would do.
    pub dry: bool,
    /// What it runs is listed right behind it.
    pub wraps: bool,
    /// Its failure does not show in the line's exit status (`| tail`, `|| true`, `; echo $?`).
    pub masked: bool,
    /// The texts of its substitutions, until they are split.
    pub(super) inner: Vec<String>,
}

/// A split line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The simple commands in the order of the line.
    pub commands: Vec<Simple>,
}

/// Splits a command line, or says that it cannot.
pub fn split(line: &str) -> Option<Line> {
    if line.len() > MAX {
        return None;
    }
    Some(expand(lex(line)?))
}

/// The line of a program that was started with these words, without a shell.
pub fn argv(words: Vec<String>) -> Line {
    let simple = Simple { words, ..Simple::default() };
    expand(vec![simple])
}

/// Puts behind each command what it runs, without recursion.
fn expand(commands: Vec<Simple>) -> Line {
    let mut out = Vec::new();
    let mut open = vec![commands.into_iter()];
    while let Some(level) = open.last_mut() {
        let Some(mut simple) = level.next() else {
            open.pop();
            continue;
        };
        tee(&mut simple);
        let texts = core::mem::take(&mut simple.inner);
        let mut inside = Vec::new();
        if open.len() <= DEPTH {
            for text in &texts {
                let found = lex(text).unwrap_or_else(|| unread(text));
                inside.extend(found.into_iter().map(|c| Simple { masked: true, ..c }));
            }
            let run = match wrappers::inside(&simple) {
                Inside::Nothing => Vec::new(),
                Inside::Words(words) => vec![Simple { words, join: simple.join, ..Simple::default() }],
                Inside::Text(text) => lex(&text).unwrap_or_default(),
            };
            simple.wraps = !run.is_empty();
            inside.extend(run.into_iter().map(|c| Simple { masked: c.masked || simple.masked, ..c }));
        } else if !texts.is_empty() {
            inside.extend(unread("$("));
        }
        simple.text = simple.words.join(" ");
        simple.dry = !simple.wraps && dry::is_dry(&simple.words);
        if !simple.words.is_empty() || !simple.writes.is_empty() {
            out.push(simple);
        }
        if !inside.is_empty() {
            open.push(inside.into_iter());
        }
    }
    Line { commands: out }
}

/// Stands for commands that could not be read: a program of no known name.
fn unread(text: &str) -> Vec<Simple> {
    vec![Simple { words: vec![String::from(text)], ..Simple::default() }]
}

/// `tee` writes the files that it names.
fn tee(simple: &mut Simple) {
    if simple.words.first().map(String::as_str) != Some("tee") {
        return;
    }
    let append = simple.words.iter().any(|w| w == "-a" || w == "--append");
    let files = simple.words.iter().skip(1).filter(|w| !w.starts_with('-') && !w.starts_with("/dev/"));
    simple.writes.extend(files.map(|w| Target { path: w.clone(), append }));
}

/// Works out from the end of the line which failures its exit status shows.
pub(super) fn mask(commands: &mut [Simple], ranges: &[(usize, usize)]) {
    let mut depth = vec![0_i32; commands.len() + 1];
    for &(start, end) in ranges {
        if let Some(d) = depth.get_mut(start) {
            *d += 1;
        }
        if let Some(d) = depth.get_mut(end) {
            *d -= 1;
        }
    }
    let set = |flag: &str| commands.iter().any(|c| c.words.first().is_some_and(|w| w == "set") && option(c, flag));
    let (stops, pipefail) = (set("e"), set("pipefail"));
    let mut covered = 0;
    for (simple, d) in commands.iter_mut().zip(&depth) {
        covered += d;
        simple.masked |= covered > 0;
    }
    let last = commands.len().saturating_sub(1);
    let mut shows = true;
    for (i, simple) in commands.iter_mut().enumerate().rev() {
        match simple.join {
            Join::Background | Join::Or => shows = false,
            Join::Then | Join::End if i < last => shows = stops,
            _ => {}
        }
        let unseen = simple.join == Join::Pipe && !pipefail;
        simple.masked |= !shows || unseen;
    }
}

/// Whether a `set` command switches the option on, by its letter or its name.
fn option(set: &Simple, flag: &str) -> bool {
    set.words
        .iter()
        .skip(1)
        .any(|w| w == flag || (flag.len() == 1 && w.starts_with('-') && !w.starts_with("--") && w.contains(flag)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        split(line).map(|l| l.commands.into_iter().map(|c| c.text).collect()).unwrap_or_default()
    }

    fn masked(line: &str, text: &str) -> bool {
        split(line).is_some_and(|l| l.commands.iter().any(|c| c.text == text && c.masked))
    }

    #[test]
    fn operators_cut_a_line_into_its_commands() {
        assert_eq!(texts("a b && c | d; e & f || g\nh"), ["a b", "c", "d", "e", "f", "g", "h"]);
    }

    #[test]
    fn quotes_escapes_and_assignments_are_taken_off() {
        assert_eq!(texts(r#"FOO=1 BAR='x y' echo "a  b" 'c;d' e\ f $'g\th'"#), ["echo a  b c;d e f g\th"]);
        assert_eq!(texts("'FOO=1' x"), ["FOO=1 x"]);
        assert_eq!(texts("npm test \\\n  --ci # only once"), ["npm test --ci"]);
    }

    #[test]
    fn redirects_are_no_words_and_their_files_are_kept() {
        let line = split("make 2>&1 >out.log &>> all.log < in.txt 2>/dev/null | tee -a b.txt").unwrap_or_default();
        assert_eq!(line.commands[0].text, "make");
        let paths: Vec<&str> = line.commands.iter().flat_map(|c| &c.writes).map(|t| t.path.as_str()).collect();
        assert_eq!(paths, ["out.log", "all.log", "b.txt"]);
        assert!(line.commands[1].writes[0].append);
        assert_eq!(texts("> only"), [""]);
    }

    #[test]
    fn the_body_of_a_here_document_is_input_and_no_command() {
        let line = split("cat <<'EOF' > x.py | wc\nrm -rf it's\nEOF\necho done").unwrap_or_default();
        assert_eq!(line.commands.iter().map(|c| c.text.as_str()).collect::<Vec<_>>(), ["cat", "wc", "echo done"]);
        assert_eq!(line.commands[0].input.as_deref(), Some("rm -rf it's\n"));
    }

    #[test]
    fn a_message_from_a_here_document_in_a_substitution_lexes() {
        let line = "git commit -m \"$(cat <<'EOF'\nDon't (stop\nEOF\n)\" && git push";
        let found = texts(line);
        assert_eq!(found.last().map(String::as_str), Some("git push"));
        assert!(found.iter().any(|t| t == "cat"), "{found:?}");
    }

    #[test]
    fn what_a_substitution_runs_is_listed_too() {
        assert_eq!(texts("out=$(cargo test 2>&1); echo \"$out\""), ["cargo test", "echo $out"]);
        assert_eq!(texts("diff <(jq -S . a) `which b`")[1..], ["jq -S . a", "which b"]);
        assert_eq!(texts("echo $((1 + 2)) ${x:-y z}"), ["echo $((1 + 2)) ${x:-y z}"]);
    }

    #[test]
    fn keywords_groups_and_functions_are_looked_through() {
        assert_eq!(texts("for f in a b; do rm \"$f\"; done"), ["rm $f"]);
        assert_eq!(texts("if [[ a > b && c ]]; then x; else y; fi")[1..], ["x", "y"]);
        assert_eq!(texts("(cd a && { make; })"), ["cd a", "make"]);
        assert_eq!(texts("case $1 in a|b) x;; *) y;; esac; z"), ["x", "y", "z"]);
        assert_eq!(texts("f() { ls; }; function g { pwd; }; f"), ["ls", "pwd", "f"]);
        assert_eq!(texts("for ((i=0;i<3;i++)); do x; done"), ["x"]);
        assert_eq!(texts("a=(1 2 3) b"), ["b"]);
        assert_eq!(texts("while read l; do echo done; done < f"), ["read l", "echo done"]);
    }

    #[test]
    fn a_line_that_does_not_lex_gives_none() {
        for line in ["echo 'a", "echo \"a", "echo $(a", "(a", "a)", "{ a", "`", "if a; then b", "f(x)"] {
            assert_eq!(split(line), None, "{line}");
        }
        assert_eq!(split(&"a".repeat(MAX + 1)), None);
    }

    #[test]
    fn a_failure_that_the_exit_does_not_show_is_masked() {
        for line in ["t | tail", "t || true", "t; echo $?", "t & wait", "(a && t) | tail", "! t", "if t; then x; fi"] {
            assert!(masked(line, "t"), "{line}");
        }
        for line in
            ["t", "cd x && t", "cd x; t", "t && echo ok", "set -e; t; x", "set -o pipefail; t | tail", "t;", "t\n"]
        {
            assert!(!masked(line, "t"), "{line}");
        }
        assert!(!masked("set -euo pipefail\nt | tail -3\nx", "t"));
        assert!(masked("bash -c 't | tail'", "t"));
    }

    #[test]
    fn hostile_lines_are_read_in_linear_time() {
        for unit in
            ["$(", "'", "{ ", "(", "ran ran ", "sudo ", "`", "\"", "<<E\n", "$(a) ", "a|", "((", "[[ ", "if ", "case "]
        {
            let line = unit.repeat(MAX / unit.len());
            let _ = split(&line);
        }
        let nested = ["(".repeat(MAX / 4), ")|".repeat(MAX / 4)].concat();
        let _ = split(&nested);
    }
}
