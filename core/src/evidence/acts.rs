//! What a simple command may have done; for tools see [`of_tool`].
//!
//! `did` is what its name or line says, `may` what it could have done besides. Readers ask [`Acts::could`]
//! before they accuse, so that wrappers, scripts and unknown tools always keep an honest reply out of trouble.

use super::commands;
use super::shell::Simple;
use super::wrappers::program;
use alloc::string::String;

pub use super::tools::of_tool;
use bits::*;

/// A kind of act that a reply may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Act {
    /// Ran tests.
    Test,
    /// Built or compiled something.
    Build,
    /// Notified, mailed or messaged somebody.
    Notify,
    /// Removed a file, folder, branch, container, table, record.
    Remove,
    /// Wrote, edited, moved or created a file.
    Write,
    /// Changed something outside the files: committed, pushed, deployed, published, booked.
    Publish,
    /// Searched.
    Search,
    /// Fetched from the network.
    Fetch,
    /// Ran programs that its line does not name: a script, a wrapper, a container, code.
    Wrap,
    /// Took something out of a file that stayed: an entry, a record, a note. Every removal counts as one.
    Cut,
}

impl Act {
    /// Every act.
    pub const ALL: [Act; 10] = [
        Act::Test,
        Act::Build,
        Act::Notify,
        Act::Remove,
        Act::Write,
        Act::Publish,
        Act::Search,
        Act::Fetch,
        Act::Wrap,
        Act::Cut,
    ];

    /// The act's bit in [`Acts`].
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// The bits that show the act: whoever removes a file has taken out what stood in it.
    const fn covered(self) -> u16 {
        match self {
            Act::Cut => Act::Cut.bit() | Act::Remove.bit(),
            _ => self.bit(),
        }
    }
}

/// The bits of the acts, by the letters that the tables use.
pub(super) mod bits {
    use super::Act;

    pub(in super::super) const B: u16 = Act::Build.bit();
    pub(in super::super) const C: u16 = Act::Cut.bit();
    pub(in super::super) const F: u16 = Act::Fetch.bit();
    pub(in super::super) const N: u16 = Act::Notify.bit();
    pub(in super::super) const P: u16 = Act::Publish.bit();
    pub(in super::super) const R: u16 = Act::Remove.bit();
    pub(in super::super) const S: u16 = Act::Search.bit();
    pub(in super::super) const T: u16 = Act::Test.bit();
    pub(in super::super) const W: u16 = Act::Write.bit();
    pub(in super::super) const X: u16 = Act::Wrap.bit();
}

/// The acts of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// Acts that its name or line names, as one bit each.
    pub did: u16,
    /// Acts that it may have done besides.
    pub may: u16,
}

impl Acts {
    /// No act.
    pub const NONE: Acts = Acts { did: 0, may: 0 };
    /// Names no act and may have done any.
    pub const ANY: Acts = Acts { did: 0, may: (1 << (Act::Cut as u16 + 1)) - 1 };

    /// These acts.
    pub const fn of(did: u16, may: u16) -> Acts {
        Acts { did, may }
    }

    /// The acts of both.
    #[must_use]
    pub const fn with(self, other: Acts) -> Acts {
        Acts { did: self.did | other.did, may: self.may | other.may }
    }

    /// It did the act or may have done it.
    pub fn could(self, act: Act) -> bool {
        (self.did | self.may) & act.covered() != 0
    }

    /// Its name or its line names the act.
    pub fn names(self, act: Act) -> bool {
        self.did & act.covered() != 0
    }

    /// It neither did nor may have done anything.
    pub fn none(self) -> bool {
        self.did | self.may == 0
    }
}

/// What one simple command did or may have done, had it succeeded.
pub fn of_command(command: &Simple) -> Acts {
    let written = redirects(command);
    let Some(first) = command.words.first() else { return written };
    if command.dry {
        return written;
    }
    let name = program(first);
    let own = own(&name, command);
    // What a wrapper runs is a command of its own; a container's image may do more.
    if command.wraps && !matches!(name.as_ref(), "docker" | "podman" | "docker-compose" | "find") {
        return written;
    }
    if command.wraps && own.names(Act::Wrap) && command.words.iter().any(|w| w == "exec") {
        return written;
    }
    written.with(own)
}

/// Writing by redirect. `>` takes out what stood there before; with nothing to write it clears the file.
fn redirects(command: &Simple) -> Acts {
    let Some(cleared) = command.writes.iter().map(|t| !t.append).reduce(|a, b| a || b) else { return Acts::NONE };
    let first = command.words.first().map_or("", String::as_str);
    let empty = match first {
        "" | ":" | "true" => true,
        "cat" => command.words.get(1).is_some_and(|w| w == "/dev/null"),
        "echo" | "printf" => command.words.iter().skip(1).all(|w| w.is_empty() || w == "-n"),
        _ => false,
    };
    match (cleared, empty) {
        (true, true) => Acts::of(W | R, 0),
        (true, false) => Acts::of(W, C),
        _ => Acts::of(W, 0),
    }
}

/// What the program itself does, wrapped commands left out.
fn own(name: &str, command: &Simple) -> Acts {
    let words = &command.words;
    let has = |option: &str| words.iter().skip(1).any(|w| w == option);
    let acts = commands::look_up(name, words);
    match name {
        "find" | "fd" | "fdfind" if has("-delete") => Acts::of(S | R, 0),
        "find" if words.iter().filter(|w| w.starts_with("-exec")).count() > 1 => Acts::ANY,
        "fd" | "fdfind" if has("-x") || has("-X") || has("--exec") => Acts::ANY,
        "awk" | "gawk" | "mawk"
            if !words.iter().any(|w| w.contains("system(") || w.contains('>') || w.contains('|')) =>
        {
            Acts::NONE
        }
        "awk" | "gawk" | "mawk" => Acts::ANY,
        "curl" | "wget" | "http" | "https" | "xh" => web(name, words),
        "gh" if words.iter().any(|w| w == "--delete-branch") => acts.with(Acts::of(R, 0)),
        "gh" if words.get(1).is_some_and(|w| w == "api") => web(name, words),
        "git" if pushes_deletion(words) => acts.with(Acts::of(R, 0)),
        "psql" | "mysql" | "mariadb" | "sqlite3" | "duckdb" | "clickhouse-client" | "cockroach" | "sqlcmd" | "bq" => {
            database(command)
        }
        "osascript" => {
            let told = words.iter().any(|w| w.contains("display notification") || w.contains("display alert"));
            acts.with(Acts::of(if told { N } else { 0 }, 0))
        }
        "mv" | "move-item" if words.iter().any(|w| w.to_lowercase().contains("trash")) => Acts::of(W | R, 0),
        "truncate" | "dd" => Acts::of(W | R, 0),
        "apply_patch" | "patch" | "applypatch" => acts.with(patch(words, command.input.as_ref())),
        "cargo" if has("--no-run") => Acts::of(B, W),
        _ if acts.names(Act::Wrap) => acts.with(Acts::of(code(words, command.input.as_ref()), 0)),
        _ => acts,
    }
}

/// `git push origin :branch` deletes it.
fn pushes_deletion(words: &[String]) -> bool {
    words.iter().any(|w| w == "push") && words.iter().any(|w| w.len() > 1 && w.starts_with(':'))
}

/// A request may change or remove what it is sent to, and a hook it is sent to may notify.
fn web(name: &str, words: &[String]) -> Acts {
    const SENDING: &[&str] = &[
        "-d",
        "-F",
        "-T",
        "--data",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--form",
        "--json",
        "--upload-file",
        "--post-data",
        "--post-file",
        "--body-data",
    ];
    const METHODS: &[&str] = &["POST", "PUT", "PATCH", "DELETE"];
    let method = |w: &String| {
        let rest = w.strip_prefix("-X").or(w.strip_prefix("--method=")).or(w.strip_prefix("--request=")).unwrap_or(w);
        METHODS.iter().copied().find(|m| rest.eq_ignore_ascii_case(m))
    };
    let sends = words.iter().any(|w| SENDING.contains(&w.split('=').next().unwrap_or_default()) || method(w).is_some());
    let field = |w: &String| matches!(w.as_str(), "-f" | "--field" | "--raw-field" | "--input");
    let sends = sends || (name == "gh" && words.iter().any(field));
    let short_data = |w: &String| w.starts_with("-d") && !w.starts_with("--");
    let saves =
        name == "wget" || words.iter().any(|w| matches!(w.as_str(), "-o" | "-O" | "--output" | "--remote-name"));
    let did = F | if saves { W } else { 0 };
    if words.iter().any(|w| method(w) == Some("DELETE")) {
        return Acts::of(did | R | P, N | W);
    }
    if sends || (name == "curl" && words.iter().any(short_data)) {
        return Acts::of(did | P, N | R | W);
    }
    Acts::of(did, W)
}

/// A database client does what its statements say; without any on the line it may do anything to the data.
fn database(command: &Simple) -> Acts {
    let mut seen = false;
    let mut acts = Acts::NONE;
    for text in command.words.iter().skip(1).chain(&command.input) {
        if text.contains(' ') || text.starts_with('\\') || (text.starts_with('.') && !text.contains('/')) {
            seen = true;
            acts = acts.with(sql(text));
        }
    }
    let file = command.words.iter().any(|w| w == "-f" || w == "--file");
    if seen && !file {
        acts
    } else {
        Acts::of(0, R | P | W)
    }
}

/// What the statements of a text of SQL do.
pub(super) fn sql(text: &str) -> Acts {
    let text = text.to_lowercase();
    let has = |list: &[&str]| list.iter().any(|s| text.contains(s));
    let mut did = 0;
    if has(&[
        "drop table",
        "drop database",
        "drop index",
        "drop view",
        "drop schema",
        "drop column",
        "delete from",
        "truncate ",
    ]) {
        did |= R | P;
    }
    if has(&["insert into", "update ", "alter ", "create ", "replace into", "upsert ", "merge into", "copy ", "grant "])
    {
        did |= P;
    }
    // A function that is called may do more than it says.
    let may = if has(&["call ", "do $$", "exec ", "execute "]) { R | P } else { 0 };
    Acts::of(did, may)
}

/// Acts that code names; it may have done any other.
fn code(words: &[String], input: Option<&String>) -> u16 {
    words.iter().skip(1).chain(input).map(|text| of_code(text)).fold(0, |a, b| a | b)
}

/// Acts that a text of code names.
pub fn of_code(text: &str) -> u16 {
    const NAMED: &[(u16, &[&str])] = &[
        (
            R,
            &[
                "os.remove",
                "os.unlink",
                "os.rmdir",
                "os.removedirs",
                "shutil.rmtree",
                ".unlink(",
                "unlink(",
                "fs.rm",
                "rmSync",
                "unlinkSync",
                "rmdirSync",
                ".rmdir(",
                "File.delete",
                "FileUtils.rm",
                "remove_file",
                "remove_dir",
                "fs.unlink",
                "send2trash",
                "DROP TABLE",
                "drop table",
                "DELETE FROM",
                "delete from",
                "destroy_all",
                "delete_all",
                ".delete(",
                "deleteMany",
                "deleteOne",
                "Remove-Item",
                "'rm ",
                "\"rm ",
            ],
        ),
        (
            W,
            &[
                ".write(",
                ".write_text(",
                ".write_bytes(",
                ".to_csv(",
                ".to_excel(",
                ".to_json(",
                ".to_parquet(",
                ".savefig(",
                ".save(",
                "json.dump(",
                "pickle.dump(",
                "writeFile",
                "shutil.copy",
                "shutil.move",
                "os.rename",
                "os.makedirs",
                "mkdir(",
                "file_put_contents",
                "File.write",
                "np.save",
            ],
        ),
        (T, &["pytest.main", "unittest.main", "pytest", "unittest.TextTestRunner", "doctest.testmod"]),
        (N, &["smtplib", "notify-send", "display notification", "sendmail(", "send_message("]),
        (F, &["requests.", "urllib", "urlopen", "fetch(", "httpx.", "aiohttp"]),
    ];
    let named = |list: &[&str]| list.iter().any(|s| text.contains(s));
    NAMED.iter().filter(|(_, list)| named(list)).fold(0, |did, (act, _)| did | act)
}

fn patch(words: &[String], input: Option<&String>) -> Acts {
    let deletes = words.iter().chain(input).any(|text| deletes_file(text));
    Acts::of(if deletes { R } else { 0 }, 0)
}

pub(super) fn deletes_file(text: &str) -> bool {
    text.contains("*** Delete File") || text.contains("deleted file mode") || text.contains("+++ /dev/null")
}
