//! What a simple command or a tool may have done.
//!
//! `did` is what its name or line says, `may` what it could have done besides. Readers ask [`Acts::could`]
//! before they accuse, so that wrappers, scripts and unknown tools always keep an honest reply out of trouble.

use super::commands;
use super::dry;
use super::roles::{words, Role};
use super::shell::Simple;
use super::wrappers::program;
use alloc::string::String;
use serde_json::Value;

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
}

impl Act {
    /// The act's bit in [`Acts`].
    pub const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// The acts of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// Acts that its name or line names, as one bit each.
    pub did: u16,
    /// Acts that it may have done besides.
    pub may: u16,
}

const T: u16 = Act::Test.bit();
const B: u16 = Act::Build.bit();
const N: u16 = Act::Notify.bit();
const R: u16 = Act::Remove.bit();
const W: u16 = Act::Write.bit();
const P: u16 = Act::Publish.bit();
const S: u16 = Act::Search.bit();
const F: u16 = Act::Fetch.bit();
const X: u16 = Act::Wrap.bit();

impl Acts {
    /// No act.
    pub const NONE: Acts = Acts { did: 0, may: 0 };
    /// Names no act and may have done any.
    pub const ANY: Acts = Acts { did: 0, may: (1 << (Act::Wrap as u16 + 1)) - 1 };

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
        (self.did | self.may) & act.bit() != 0
    }

    /// Its name or its line names the act.
    pub fn names(self, act: Act) -> bool {
        self.did & act.bit() != 0
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
    if command.wraps && !matches!(name.as_str(), "docker" | "podman" | "docker-compose" | "find") {
        return written;
    }
    if command.wraps && own.names(Act::Wrap) && command.words.iter().any(|w| w == "exec") {
        return written;
    }
    written.with(own)
}

/// Writing by redirect; `>` also clears what was there.
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
        (true, false) => Acts::of(W, R),
        _ => Acts::of(W, 0),
    }
}

/// What the program itself does, wrapped commands left out.
fn own(name: &str, command: &Simple) -> Acts {
    let words = &command.words;
    let has = |option: &str| words.iter().skip(1).any(|w| w == option);
    let acts = commands::look_up(words);
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
fn sql(text: &str) -> Acts {
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

fn deletes_file(text: &str) -> bool {
    text.contains("*** Delete File") || text.contains("deleted file mode") || text.contains("+++ /dev/null")
}

/// Verbs in the names of tools that are not in the table: done, possible besides, verbs.
#[rustfmt::skip]
const VERBS: &[(u16, u16, &[&str])] = &[
    (
        N,
        P,
        &[
            "alert", "announce", "email", "mail", "message", "notify", "ping", "remind", "reply", "say", "send",
            "sms", "text", "toast", "broadcast", "tweet", "whatsapp", "slack", "notification",
        ],
    ),
    (
        P,
        N | W,
        &[
            "add", "append", "approve", "assign", "book", "buy", "charge", "comment", "create", "enroll", "insert",
            "invite", "issue", "order", "pay", "post", "purchase", "refund", "register", "reserve", "save",
            "schedule", "share", "store", "subscribe", "transfer", "upload", "react", "like", "vote", "tag", "label",
            "pin",
        ],
    ),
    (
        P,
        N | W | R,
        &[
            "archive", "cancel", "change", "close", "configure", "disable", "edit", "enable", "exchange", "mark",
            "merge", "modify", "move", "patch", "put", "rename", "replace", "restore", "return", "revert", "revoke",
            "set", "swap", "sync", "toggle", "unsubscribe", "update", "upsert", "void", "dismiss", "exclude",
        ],
    ),
    (
        R | P,
        N | W,
        &[
            "clean", "cleanup", "clear", "delete", "destroy", "discard", "drop", "erase", "prune", "purge", "remove",
            "trash", "uninstall", "unlink", "wipe", "rm", "unpublish", "deprovision", "teardown",
        ],
    ),
    (P, Acts::ANY.may, &["deploy", "publish", "release", "push", "commit", "submit", "ship", "upgrade"]),
    (T, Acts::ANY.may, &["test", "tests", "spec", "ctest", "pytest", "jest", "vitest", "validate", "verify", "ci"]),
    (B, Acts::ANY.may, &["build", "compile", "make"]),
    (F, W, &["download", "crawl", "scrape"]),
    (W, R, &["write", "rewrite", "overwrite", "refactor"]),
];

/// What a call of a tool did or may have done, by its role, its name and its arguments.
///
/// For a command the line says more: see [`super::facts::Facts`].
pub fn of_tool(role: Role, name: &str, arguments: &Value) -> Acts {
    if dry::asks(arguments) {
        return Acts::NONE;
    }
    match role {
        Role::Command => Acts::ANY,
        Role::Agent => Acts::ANY.with(Acts::of(X, 0)),
        Role::Code => {
            let mut did = X;
            texts(arguments, &mut |text| did |= of_code(text));
            Acts::ANY.with(Acts::of(did, 0))
        }
        Role::Read => Acts::NONE,
        // A question is put before the person, which may be called a message.
        Role::Ask => Acts::of(0, N),
        Role::Look => results(name),
        Role::Search => Acts::of(S, statements(name, arguments)).with(results(name)),
        Role::Fetch => Acts::of(F, 0).with(results(name)),
        Role::Notify => Acts::of(N, P),
        Role::Remove => Acts::of(R, W | P),
        Role::Write => writing(name, arguments),
        Role::Unknown => unknown(name, arguments),
    }
}

/// A look at tests or a build shows their result: `get_test_results`, `check_build`.
fn results(name: &str) -> Acts {
    let has = |list: &[&str]| words(name).iter().any(|w| list.contains(&w.as_str()));
    let mut may = 0;
    if has(&["test", "tests", "spec", "ci", "check", "checks", "pipeline", "workflow", "job", "run", "actions"]) {
        may |= T;
    }
    if has(&[
        "build",
        "builds",
        "ci",
        "compile",
        "checks",
        "pipeline",
        "workflow",
        "job",
        "run",
        "actions",
        "errors",
        "diagnostics",
    ]) {
        may |= B;
    }
    Acts::of(0, may)
}

/// A query tool runs any statement that it is given.
fn statements(name: &str, arguments: &Value) -> u16 {
    let runs = words(name).iter().any(|w| matches!(w.as_str(), "query" | "sql" | "db" | "database"));
    let mut acts = Acts::NONE;
    if runs {
        texts(arguments, &mut |text| acts = acts.with(sql(text)));
    }
    acts.did | acts.may
}

fn writing(name: &str, arguments: &Value) -> Acts {
    let mut did = W;
    texts(arguments, &mut |text| {
        if deletes_file(text) {
            did |= R;
        }
    });
    let emptied = ["content", "file_text", "new_str", "new_string", "text", "newText", "contents"]
        .iter()
        .any(|key| arguments.get(key).and_then(Value::as_str).is_some_and(str::is_empty));
    if emptied || mode_removes(arguments) || words(name).iter().any(|w| w == "delete" || w == "remove") {
        did |= R;
    }
    Acts::of(did, R)
}

/// Whether an argument that chooses what the tool does asks for removal: `mode: "delete"`.
fn mode_removes(arguments: &Value) -> bool {
    const KEYS: &[&str] = &["action", "command", "edit_mode", "method", "mode", "op", "operation", "type"];
    KEYS.iter().any(|key| {
        let Some(value) = arguments.get(key).and_then(Value::as_str) else { return false };
        let value = value.to_lowercase();
        ["delete", "remove", "forget", "clear", "trash", "unlink", "purge", "rm"]
            .iter()
            .any(|verb| value.starts_with(verb))
    })
}

fn unknown(name: &str, arguments: &Value) -> Acts {
    let words = words(name);
    let mut acts = Acts::NONE;
    let mut known = false;
    for (did, may, verbs) in VERBS {
        if words.iter().any(|w| verbs.contains(&w.as_str())) {
            known = true;
            acts = acts.with(Acts::of(*did, *may));
        }
    }
    // Whatever runs something else may have done what that does.
    let runs = [
        "run", "exec", "execute", "start", "launch", "trigger", "invoke", "call", "do", "perform", "workflow",
        "pipeline", "job", "script", "task", "agent", "process", "batch", "apply",
    ];
    if !known || words.iter().any(|w| runs.contains(&w.as_str())) {
        acts = acts.with(Acts::ANY);
    }
    if mode_removes(arguments) {
        acts = acts.with(Acts::of(R, 0));
    }
    acts
}

/// Hands every text in the arguments to `take`, without recursion.
pub(super) fn texts(arguments: &Value, take: &mut dyn FnMut(&str)) {
    let mut open = alloc::vec![arguments];
    while let Some(value) = open.pop() {
        match value {
            Value::String(text) => take(text),
            Value::Array(list) => open.extend(list.iter().rev()),
            Value::Object(map) => open.extend(map.values().rev()),
            _ => {}
        }
    }
}
