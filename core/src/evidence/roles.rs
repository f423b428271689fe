//! What kind of thing a tool does.
//!
//! A role comes from the host's own map, else from the table of the usual agents' tools, else from the
//! verb in the tool's name. A name that says nothing gives [`Role::Unknown`], which may have done anything:
//! guessing "only looks" here would take the support away from an honest reply.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// A tool's role: what its calls can be evidence for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Runs a shell command line.
    Command,
    /// Runs code: python, a notebook cell.
    Code,
    /// Reads a file.
    Read,
    /// Writes or edits a file.
    Write,
    /// Removes something.
    Remove,
    /// Searches files, a repository or the web.
    Search,
    /// Fetches a page or an address.
    Fetch,
    /// Notifies a person.
    Notify,
    /// Asks the person.
    Ask,
    /// Starts a sub-agent.
    Agent,
    /// Returns state and changes nothing.
    Look,
    /// Not known: may have done any act that its name or arguments do not rule out.
    #[default]
    Unknown,
}

impl Role {
    /// Every role with its name on the wire.
    pub const ALL: [(&'static str, Role); 12] = [
        ("command", Role::Command),
        ("code", Role::Code),
        ("read", Role::Read),
        ("write", Role::Write),
        ("remove", Role::Remove),
        ("search", Role::Search),
        ("fetch", Role::Fetch),
        ("notify", Role::Notify),
        ("ask", Role::Ask),
        ("agent", Role::Agent),
        ("look", Role::Look),
        ("unknown", Role::Unknown),
    ];

    /// The role with this name on the wire.
    pub fn named(name: &str) -> Option<Role> {
        Role::ALL.iter().find(|(n, _)| *n == name).map(|(_, role)| *role)
    }
}

/// Tools of the usual agents, by their names in lower case without separators.
#[rustfmt::skip]
const TOOLS: &[(Role, &[&str])] = &[
    (
        Role::Command,
        &[
            "bash", "shell", "sh", "zsh", "terminal", "powershell", "pwsh", "cmd", "console", "execcommand",
            "runcommand", "runshellcommand", "runterminalcmd", "runterminalcommand", "runinterminal", "executebash",
            "executecommand", "executeshell", "executeshellcommand", "executeterminalcommand", "shellcommand",
            "shellexec", "shelltool", "bashtool", "bashcodeexecution", "localshell", "localshellcall", "shellcall",
            "containerexec", "commandline", "runbash", "runshell", "runcmd", "execbash", "execshell", "sendkeys",
            "sendcommand", "writestdin", "writetoterminal", "sendterminalinput", "terminalexecute", "cmdrun", "run",
            "exec", "systemrun", "sshexec", "desktopcommanderstartprocess", "startprocess",
        ],
    ),
    (
        Role::Code,
        &[
            "python", "python3", "ipython", "jupyter", "codeinterpreter", "codeinterpretercall", "codeexecution",
            "executecode", "executepython", "executepythoncode", "executepythonfile", "executeipythoncell",
            "runipython", "runpython", "runpythoncode", "pythonrepl", "pythonreplast", "pythonexec", "pythontool",
            "pythoninterpreter", "repl", "runcode", "coderunner", "codeinterpretertool", "notebookruncell",
            "runcell", "executecell", "runnotebookcell", "runjavascript", "executejavascript", "evaluatescript",
            "browserevaluate", "nodejs", "julia", "rscript", "sandbox", "notebookcell", "mcpidetexecutecode",
            "pyodide", "textcodeexec",
        ],
    ),
    (
        Role::Read,
        &[
            "read", "readfile", "readmanyfiles", "readfiles", "viewfile", "view", "openfile", "cat", "notebookread",
            "viewimage", "readtextfile", "readmediafile", "readmultiplefiles", "getfilecontents", "readnotebook",
            "readlints", "filesurfer", "readmcpresource", "readresource", "viewsource", "viewcodeitem",
        ],
    ),
    (
        Role::Write,
        &[
            "write", "writefile", "writetofile", "edit", "editfile", "edits", "multiedit", "notebookedit",
            "applypatch", "applydiff", "replace", "replaceinfile", "strreplace", "strreplaceeditor",
            "strreplacebasededittool", "texteditor", "texteditorcodeexecution", "searchreplace", "searchandreplace",
            "createfile", "createdirectory", "editnotebook", "inserteditintofile", "insertcontent", "insertline",
            "insert", "create", "fileeditor", "fileedit", "filewrite", "savefile", "appendfile", "appendtofile",
            "patch", "patchfile", "writenewfile", "movefile", "copyfile", "renamefile", "memory", "savememory",
            "writememory", "rewrite", "smartedit", "undoedit", "editcell", "createnewfile", "replacefilecontent",
            "replacestringinfile", "multireplacestringinfile", "multireplacefilecontent",
        ],
    ),
    (Role::Remove, &["deletefile", "removefile", "deletepath", "rm", "trash", "trashfile", "deletedirectory"]),
    (
        Role::Search,
        &[
            "grep", "glob", "search", "searchfiles", "searchfilecontent", "grepsearch", "filesearch",
            "codebasesearch", "searchcode", "searchdir", "searchfile", "findfile", "findfiles", "findbyname",
            "websearch", "websearchcall", "filesearchcall", "googlewebsearch", "googlesearch", "bravewebsearch",
            "tavilysearch", "semanticsearch", "codesearch", "ripgrep", "find", "toolsearch", "searchcodebase",
        ],
    ),
    (
        Role::Fetch,
        &[
            "webfetch", "fetch", "fetchurl", "fetchpage", "urlfetch", "readurl", "readurlcontent", "geturl",
            "openurl", "browse", "browser", "visitpage", "visiturl", "gotourl", "navigate", "browsernavigate",
            "openpage", "browseropen", "browsersnapshot", "pagedown", "pageup", "scroll", "extractcontent", "scrape",
            "crawl", "firecrawlscrape", "urlcontext", "webextract", "openlink",
        ],
    ),
    (
        Role::Notify,
        &[
            "notify", "notification", "sendnotification", "shownotification", "displaynotification",
            "pushnotification", "postnotification", "notifyuser", "alert", "toast", "showtoast", "sendalert",
            "messageuser", "desktopnotify",
        ],
    ),
    (
        Role::Ask,
        &[
            "askuserquestion", "askfollowupquestion", "askuser", "askquestion", "question", "askhuman", "humaninput",
            "getinputfromuser", "requestuserinput", "confirm", "askforclarification", "exitplanmode", "askquestions",
            "askpermission", "requestapproval", "userinput", "clarify", "elicit", "messageaskuser", "planexit",
            "enterplanmode", "planmoderespond",
        ],
    ),
    (
        Role::Agent,
        &[
            "task", "agent", "subagent", "delegate", "dispatchagent", "spawnagent", "newtask", "runsubagent",
            "delegatetask", "delegatetoagent", "launchagent", "sendinput", "collaboration", "handoff",
            "codebaseinvestigator", "useasubagent", "usesubagents", "agenttool",
        ],
    ),
    (
        Role::Look,
        &[
            "bashoutput", "taskoutput", "agentoutput", "killshell", "killbash", "taskstop", "ls", "list", "listdir",
            "listdirectory", "listfiles", "listcodedefinitionnames", "todowrite", "todoread", "todo", "updateplan",
            "taskcreate", "taskupdate", "tasklist", "taskget", "managetodolist", "updatetodolist", "writetodos",
            "think", "thought", "reason", "sequentialthinking", "thinking", "plan", "inspect", "systeminfo",
            "capturepane", "attemptcompletion", "finish", "complete", "finalanswer", "submitanswer", "calculate",
            "calculator", "calculation", "whoami", "getdiagnostics", "diagnostics", "geterrors", "lsp",
            "waitagent", "wait", "sleep", "screenshot",
            "takescreenshot", "browsertakescreenshot", "getproblems", "requesttools", "listmcpresources", "undoredo",
            "gitstatus", "gitdiff", "gitlog", "gitshow", "treeview", "tree", "stat", "enterworktree", "readterminal",
            "datetime", "currenttime", "clock", "weather", "monitor", "awaitshell", "dumpstate", "nothing", "noop",
            "movepointer",
        ],
    ),
];

/// Verbs after which a tool only returns something.
const LOOKING: &[(&str, Role)] = &[
    ("browse", Role::Fetch),
    ("calculate", Role::Look),
    ("capture", Role::Look),
    ("check", Role::Look),
    ("count", Role::Look),
    ("describe", Role::Look),
    ("fetch", Role::Fetch),
    ("find", Role::Search),
    ("get", Role::Look),
    ("grep", Role::Search),
    ("info", Role::Look),
    ("inspect", Role::Look),
    ("list", Role::Look),
    ("lookup", Role::Search),
    ("open", Role::Read),
    ("query", Role::Search),
    ("read", Role::Read),
    ("recall", Role::Look),
    ("scan", Role::Search),
    ("search", Role::Search),
    ("show", Role::Look),
    ("status", Role::Look),
    ("view", Role::Read),
];

/// Words that void the verb rule: `get_or_create_user`, `check_in_guest`, `open_pull_request`, `run_check`.
#[rustfmt::skip]
const ACTING: &[&str] = &[
    "accept", "account", "activate", "add", "alert", "append", "apply", "approve", "archive", "assign", "block",
    "book", "build", "buy", "call", "cancel", "change", "charge", "clean", "cleanup", "clear", "close", "commit",
    "compile", "configure", "confirm", "convert", "copy", "create", "delete", "deploy", "destroy", "disable",
    "discard", "do", "download", "drop", "edit", "email", "enable", "erase", "exchange", "exec", "execute", "fix",
    "format", "generate", "import", "in", "insert", "install", "invite", "launch", "make", "mark", "merge", "modify",
    "move", "notify", "out", "patch", "pay", "post", "process", "publish", "pull", "purge", "push", "put", "rebase",
    "refund", "register", "reject", "release", "remove", "rename", "replace", "reply", "reserve", "reset", "restart",
    "restore", "return", "revert", "run", "save", "schedule", "send", "set", "share", "start", "stop", "store",
    "submit", "subscribe", "swap", "sync", "test", "tests", "trash", "transfer", "trigger", "uninstall", "unlink",
    "update", "upgrade", "upload", "upsert", "write",
];

/// Words that make a reading verb a fetch: `open_page`, `browser_open`.
const PAGES: &[&str] = &["browser", "link", "page", "site", "tab", "url", "web", "webpage", "website"];

/// The role of a tool: the host's map first, then the table, then the verb in its name.
///
/// Names of MCP tools (`mcp__server__tool`, `server.tool`) are read by their last part too.
pub fn role_of(tool: &str, overrides: &BTreeMap<String, Role>) -> Role {
    given(tool, overrides)
        .unwrap_or_else(|| table(tool).or_else(|| table(last_part(tool))).unwrap_or_else(|| by_verb(tool)))
}

/// The role that the host's map gives a tool.
pub fn given(tool: &str, overrides: &BTreeMap<String, Role>) -> Option<Role> {
    let last = last_part(tool);
    let named = |n: &String| n.eq_ignore_ascii_case(tool) || n.eq_ignore_ascii_case(last);
    let role = overrides.get(tool).or_else(|| overrides.iter().find(|(n, _)| named(n)).map(|(_, role)| role));
    role.copied()
}

/// What stands after the last `__`, `.`, `/` or `:`; the whole name where nothing does.
pub(crate) fn last_part(tool: &str) -> &str {
    let start = ["__", ".", "/", ":"].iter().filter_map(|s| tool.rfind(s).map(|i| i + s.len())).max().unwrap_or(0);
    match tool.get(start..) {
        Some(part) if !part.is_empty() => part,
        _ => tool,
    }
}

fn table(tool: &str) -> Option<Role> {
    let key: String = tool.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    TOOLS.iter().find(|(_, names)| names.contains(&key.as_str())).map(|(role, _)| *role)
}

fn by_verb(tool: &str) -> Role {
    let words = words(tool);
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    let looking = |w: &String| LOOKING.iter().find(|(verb, _)| verb == w).map(|(_, role)| *role);
    if words.iter().any(|w| w == "notification") && words.iter().any(|w| matches!(w.as_str(), "show" | "display")) {
        return Role::Notify;
    }
    if writes_to_a_terminal(&words) {
        return Role::Command;
    }
    // "Pull request" and "issue" are things to look at unless they are opened.
    let opens = words.iter().any(|w| w == "open");
    let request = words.windows(2).any(|w| w[0] == "pull" && w[1] == "request");
    let opened = [
        "pull",
        "pr",
        "mr",
        "issue",
        "ticket",
        "account",
        "order",
        "position",
        "case",
        "incident",
        "bug",
        "dispute",
        "discussion",
        "request",
    ];
    if opens && has(&opened) {
        return Role::Unknown;
    }
    if words.iter().any(|w| ACTING.contains(&w.as_str()) && !(request && w == "pull") && !looked_at(w, &words)) {
        return Role::Unknown;
    }
    match words.iter().find_map(looking) {
        Some(Role::Read) if has(PAGES) => Role::Fetch,
        Some(role) => role,
        None => Role::Unknown,
    }
}

/// Whether a tool's name says that what it is given goes to a terminal: `terminal_write`, `send_to_console`.
pub fn writes_to_a_terminal(words: &[String]) -> bool {
    let has = |list: &[&str]| words.iter().any(|w| list.contains(&w.as_str()));
    has(&["console", "pty", "repl", "terminal", "tmux", "tty"]) && has(&["enter", "input", "send", "type", "write"])
}

/// Nouns that are also verbs do not act where a look-up verb leads or ends the name: `get_test_results`, `archive_fetch`.
fn looked_at(word: &str, words: &[String]) -> bool {
    let noun = matches!(
        word,
        "account"
            | "archive"
            | "build"
            | "call"
            | "charge"
            | "commit"
            | "email"
            | "exchange"
            | "in"
            | "out"
            | "process"
            | "refund"
            | "release"
            | "return"
            | "run"
            | "schedule"
            | "test"
            | "tests"
            | "post"
            | "transfer"
            | "store"
            | "set"
            | "block"
            | "alert"
            | "book"
            | "update"
            | "format"
            | "patch"
    );
    let plain = |w: &String| {
        matches!(w.as_str(), "get" | "list" | "search" | "find" | "describe" | "lookup" | "query" | "fetch" | "view")
    };
    let leads = words.first().is_some_and(plain) || words.last().is_some_and(plain);
    noun && leads && !words.iter().any(|w| w == "and" || w == "or")
}

/// The words of a name in snake, kebab, camel or dotted form, in lower case.
pub fn words(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut small = false;
    for c in name.chars() {
        if (!c.is_alphanumeric() || (c.is_uppercase() && small)) && !word.is_empty() {
            out.push(core::mem::take(&mut word));
        }
        if c.is_alphanumeric() {
            word.extend(c.to_lowercase());
        }
        small = c.is_lowercase() || c.is_ascii_digit();
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn role(tool: &str) -> Role {
        role_of(tool, &BTreeMap::new())
    }

    #[test]
    fn the_usual_agents_tools_have_a_role_in_any_case() {
        for (tool, expected) in [
            ("Bash", Role::Command),
            ("BASH", Role::Command),
            ("run_shell_command", Role::Command),
            ("developer__shell", Role::Command),
            ("functions.exec_command", Role::Command),
            ("execute_bash", Role::Command),
            ("execute_ipython_cell", Role::Code),
            ("notebook_run_cell", Role::Code),
            ("Read", Role::Read),
            ("MultiEdit", Role::Write),
            ("str_replace_editor", Role::Write),
            ("apply_patch", Role::Write),
            ("Glob", Role::Search),
            ("WebSearch", Role::Search),
            ("WebFetch", Role::Fetch),
            ("browser_open", Role::Fetch),
            ("notify", Role::Notify),
            ("show_notification", Role::Notify),
            ("ask_followup_question", Role::Ask),
            ("Task", Role::Agent),
            ("TodoWrite", Role::Look),
            ("BashOutput", Role::Look),
            ("mcp__files__read_file", Role::Read),
        ] {
            assert_eq!(role(tool), expected, "{tool}");
        }
    }

    #[test]
    fn a_verb_in_the_name_gives_the_role_of_a_tool_that_is_not_in_the_table() {
        for (tool, expected) in [
            ("get_order_details", Role::Look),
            ("listAllProductTypes", Role::Look),
            ("calendar_list_events", Role::Look),
            ("check_order_modification_status", Role::Look),
            ("router-status", Role::Look),
            ("mail_search", Role::Search),
            ("wiki_lookup", Role::Search),
            ("find_user_id_by_email", Role::Search),
            ("mcp__github__pull_request_read", Role::Read),
            ("archive_fetch", Role::Fetch),
            ("read_web_page", Role::Fetch),
            ("get_test_results", Role::Look),
            ("list_transfers", Role::Look),
        ] {
            assert_eq!(role(tool), expected, "{tool}");
        }
    }

    #[test]
    fn a_name_that_also_acts_or_says_nothing_is_unknown() {
        for tool in [
            "get_or_create_user",
            "check_in_guest",
            "open_pull_request",
            "mark_as_read",
            "run_check",
            "send_email",
            "cancel_order",
            "room_relay",
            "get_and_delete",
            "",
            "__",
            "…",
        ] {
            assert_eq!(role(tool), Role::Unknown, "{tool}");
        }
    }

    #[test]
    fn the_hosts_own_map_wins_and_folds_case() {
        let map = BTreeMap::from([("my_shell".to_string(), Role::Command), ("bash".to_string(), Role::Look)]);
        assert_eq!(role_of("my_shell", &map), Role::Command);
        assert_eq!(role_of("mcp__box__My_Shell", &map), Role::Command);
        assert_eq!(role_of("bash", &map), Role::Look);
    }

    #[test]
    fn every_role_is_found_by_its_name() {
        assert!(Role::ALL.iter().all(|(name, role)| Role::named(name) == Some(*role)));
        assert_eq!(Role::named("Command"), None);
    }
}
