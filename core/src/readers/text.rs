//! What several readers ask of a piece of code in a reply: is it a command line, a path, a placeholder?

use crate::prose::lexicon::has;

pub(super) use crate::text::head;

/// Programs that are recognised when they stand alone, without arguments.
#[rustfmt::skip]
const PROGRAMS: &[&str] = &[
    "black", "cargo", "cmake", "ctest", "date", "df", "du", "env", "eslint", "free", "gradle", "hostname", "id",
    "jest", "ls", "make", "mktemp", "mocha", "mvn", "mypy", "ninja", "nox", "phpunit", "prettier", "ps", "pwd",
    "pytest", "rspec", "ruff", "sw_vers", "top", "tox", "tsc", "uname", "uptime", "vitest", "whoami",
];

/// Words that begin code of other languages, not a command line.
#[rustfmt::skip]
const CODE: &[&str] = &[
    "class", "const", "def", "delete", "enum", "export", "fn", "for", "from", "function", "if", "import", "insert",
    "interface", "let", "new", "package", "pub", "public", "return", "select", "static", "struct", "type", "update",
    "use", "var", "void", "while", "with",
];

/// Whether a code span is a command line that could be run.
pub(super) fn is_command(code: &str) -> bool {
    let mut words = code.split_whitespace();
    let Some(program) = words.next() else { return false };
    let program =
        program
            .strip_prefix('$')
            .map_or(program, |rest| if rest.is_empty() { words.next().unwrap_or("") } else { program });
    let plain = program.chars().all(|c| c.is_ascii_alphanumeric() || "_-./~+@".contains(c));
    let starts = program.starts_with(|c: char| c.is_ascii_lowercase() || "./~".contains(c));
    if !plain || !starts || has(CODE, program) {
        return false;
    }
    match words.next() {
        None => has(PROGRAMS, program) || program.starts_with("./"),
        Some(second) => !second.starts_with(['=', ':', '(']) && !program.ends_with('.'),
    }
}

/// Whether a text holds a placeholder: `<scratch>`, `your-file`, `example`, `…`, `path/to`.
pub(super) fn is_placeholder(text: &str) -> bool {
    let bracketed = text.find('<').is_some_and(|open| {
        text[open + 1..].find('>').is_some_and(|close| {
            let inner = &text[open + 1..open + 1 + close];
            !inner.is_empty()
                && inner.chars().all(|c| c.is_alphanumeric() || "_- .|/".contains(c))
                && !inner.starts_with(' ')
        })
    });
    let lower = text.to_lowercase();
    let words = ["your-", "your_", "my-project", "path/to", "example.com", "placeholder"];
    // A search for each of them would cost more than the text has bytes.
    let begins = |(at, byte): (usize, &u8)| {
        matches!(byte, b'e' | b'm' | b'p' | b'y')
            && words.iter().any(|w| lower.as_bytes()[at..].starts_with(w.as_bytes()))
    };
    bracketed
        || text.contains('…')
        || text.as_bytes().windows(3).any(|three| three == b"...")
        || lower.as_bytes().iter().enumerate().any(begins)
        || lower.split(|c: char| !c.is_alphanumeric()).any(|w| matches!(w, "example" | "foo" | "bar" | "xxx"))
}

/// The host of an address that is a placeholder for its host alone, as `https://a.example.org/b`. A record that works with such a
/// host means it.
pub(super) fn example_host(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"))?;
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    (is_placeholder(host) && !is_placeholder(path) && !host.contains(['<', '…'])).then_some(host)
}

/// File name endings that tell a file from a field (`notes.md`, but `window.foo`).
#[rustfmt::skip]
const EXTENSIONS: &[&str] = &[
    "bak", "bat", "bin", "bmp", "c", "cfg", "conf", "cpp", "cs", "css", "csv", "db", "dll", "doc", "docx", "egg", "env", "ex", "exs",
    "gif", "go", "gz", "h", "hpp", "html", "ini", "ipynb", "jar", "java", "jpeg", "jpg", "js", "json", "jsonl", "jsx", "key", "kt",
    "lock", "log", "lua", "md", "mjs", "mov", "mp3", "mp4", "o", "old", "orig", "out", "parquet", "pdf", "pem", "php", "pid", "pkl",
    "png", "ps1", "py", "pyc", "r", "rb", "rs", "rst", "scala", "scss", "sh", "so", "sock", "sql", "sqlite", "svg", "swift", "swp",
    "tar", "tf", "tgz", "tmp", "toml", "ts", "tsv", "tsx", "txt", "vue", "wav", "webp", "whl", "xls", "xlsx", "xml", "yaml", "yml", "zip",
];

/// Whether a name ends so, in capitals or not.
fn is_extension(ending: &str) -> bool {
    has(EXTENSIONS, ending)
        || (ending.bytes().any(|b| b.is_ascii_uppercase()) && has(EXTENSIONS, &ending.to_ascii_lowercase()))
}

/// Nouns for parts of code: what happens to them is an edit, whatever the verb (“merged the two functions”).
#[rustfmt::skip]
pub(super) const PARTS_OF_CODE: &[&str] = &[
    "argument", "arguments", "block", "blocks", "check", "checks", "class", "classes", "code", "component",
    "components", "condition", "conditions", "function", "functions", "handler", "handlers", "helper", "helpers",
    "hook", "hooks", "import", "imports", "interface", "line", "lines", "lock", "logic", "loop", "loops", "method",
    "methods", "module", "modules", "parameter", "parameters", "parser", "section", "sections", "state", "styles",
    "type", "types", "validation", "variable", "variables",
];

/// Whether a code span is a path or a file name.
pub(super) fn is_path(code: &str) -> bool {
    // Most words hold neither, and no path does without.
    if !code.bytes().any(|b| matches!(b, b'/' | b'.'))
        || code.contains(|c: char| matches!(c, '(' | '=' | '{' | '<' | '|') || c.is_whitespace())
        || (code.contains(':') && code.contains("://"))
    {
        return false;
    }
    let name = code.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or("");
    let dotted = name.rsplit_once('.').is_some_and(|(_, ext)| is_extension(ext));
    code.contains('/') || dotted || (name.starts_with('.') && name.len() > 1)
}

/// The words of a command line that are neither its program nor a flag.
pub(super) fn operands(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
        .skip(1)
        .map(|w| w.trim_matches(['"', '\'']))
        .filter(|w| !w.starts_with('-') && !w.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_are_told_from_names_and_code() {
        for yes in ["git status", "ls", "./ci.sh", "npm run build", "~/bin/x y", "python3 -m pytest", "sudo ls"] {
            assert!(is_command(yes), "{yes}");
        }
        for no in ["inspect(config)", "Timetable", "import os", "a = b", "README.md", "SELECT 1", "", "foo: bar"] {
            assert!(!is_command(no), "{no}");
        }
    }

    #[test]
    fn the_lists_are_sorted() {
        for list in [CODE, EXTENSIONS, PARTS_OF_CODE, PROGRAMS] {
            assert!(list.windows(2).all(|w| w[0] < w[1]), "{list:?}");
        }
    }

    #[test]
    fn placeholders_are_seen() {
        for yes in ["rm <scratch>", "cat your-file", "notify(title=\"example\")", "cat …", "x/path/to/y"] {
            assert!(is_placeholder(yes), "{yes}");
        }
        for no in ["rm a.txt", "a < b > c", "barrel", "Vec<>"] {
            assert!(!is_placeholder(no), "{no}");
        }
    }
}
