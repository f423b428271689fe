//! English.
//!
//! Every list is sorted, so that a word is found by halving; a test holds that. The verbs are those of an agent's work:
//! a verb that is missing makes a clause claim less, never more.

/// Finite auxiliaries and their contractions, which cannot be anything but a verb.
pub(crate) const AUXILIARIES: &[&str] = &[
    "am", "are", "aren't", "can", "can't", "cannot", "could", "couldn't", "did", "didn't", "do", "does", "doesn't",
    "don't", "had", "hadn't", "has", "hasn't", "have", "haven't", "here's", "i'd", "i'll", "i'm", "i've", "is",
    "isn't", "it'll", "it's", "may", "might", "must", "mustn't", "shall", "should", "shouldn't", "that's", "there's",
    "they'd", "they'll", "they're", "they've", "was", "wasn't", "we'd", "we'll", "we're", "we've", "were", "weren't",
    "what's", "will", "won't", "would", "wouldn't", "you'd", "you'll", "you're", "you've",
];

/// Verbs and contractions that speak of what may or will be.
pub(crate) const MODALS: &[&str] = &[
    "could've", "gonna", "he'd", "he'll", "i'd", "i'll", "it'd", "it'll", "may", "might", "might've", "must",
    "mustn't", "needn't", "ought", "shall", "shan't", "she'd", "she'll", "should", "should've", "shouldn't",
    "that'll", "there'll", "they'd", "they'll", "we'd", "we'll", "will", "won't", "would", "would've", "wouldn't",
    "you'd", "you'll",
];

/// Past forms that do not end in -ed. Forms that are also a base form are left out.
pub(crate) const PAST: &[&str] = &[
    "became", "began", "bought", "broke", "broken", "brought", "built", "came", "caught", "dealt", "did", "done",
    "drawn", "drew", "dug", "fed", "fell", "felt", "forgot", "forgotten", "found", "froze", "frozen", "gave", "given",
    "gone", "got", "gotten", "grew", "grown", "had", "held", "hid", "hidden", "hung", "kept", "knew", "known", "laid",
    "led", "left", "lent", "lost", "made", "meant", "met", "overwritten", "overwrote", "paid", "ran", "rebuilt",
    "redone", "reran", "resent", "rethought", "rewritten", "rewrote", "said", "sat", "saw", "seen", "sent", "shipped",
    "shown", "sold", "sought", "spent", "split", "spoke", "stood", "stuck", "swept", "taken", "taught", "thought",
    "threw", "thrown", "told", "took", "understood", "undid", "undone", "unset", "went", "withdrawn", "withdrew",
    "woke", "won", "written", "wrote",
];

/// Words in -ed that are no past form.
pub(crate) const NOT_PAST: &[&str] = &[
    "advanced", "aforementioned", "amoled", "automated", "based", "bed", "biased", "bleed", "breed", "corresponding",
    "dedicated", "deprecated", "detailed", "distributed", "embed", "embedded", "exceed", "expected", "experienced",
    "feed", "hardcoded", "hundred", "indeed", "interested", "kindred", "limited", "naked", "named", "need",
    "need-based", "nested", "oled", "proceed", "qled", "ragged", "red", "related", "required", "rugged", "sacred",
    "seed", "shared", "shed", "so-called", "speed", "succeed", "supposed", "unaffected", "unchanged", "united",
    "unmodified", "unneeded", "unrelated", "untouched", "unused", "wicked",
];

/// Present forms that report something.
pub(crate) const PRESENT: &[&str] = &[
    "accepts", "adds", "agree", "agrees", "allows", "appears", "asks", "becomes", "behaves", "blocks", "builds",
    "calls", "changes", "checks", "closes", "comes", "compiles", "completes", "confirms", "contains", "covers",
    "crashes", "creates", "deletes", "denies", "depends", "describes", "differ", "differs", "displays", "drops",
    "ends", "exist", "exists", "exits", "expects", "explains", "exports", "fail", "fails", "finishes", "fits",
    "follows", "gets", "gives", "goes", "handles", "hangs", "holds", "imports", "includes", "keeps", "lets",
    "listens", "lists", "lives", "loads", "logs", "looks", "makes", "marks", "match", "matches", "means", "mentions",
    "names", "needs", "opens", "outputs", "pass", "passes", "picks", "points", "prints", "raises", "reaches", "reads",
    "rejects", "remain", "remains", "removes", "renders", "reports", "requires", "responds", "return", "returns",
    "runs", "says", "scroll", "scrolls", "seems", "sends", "serves", "show", "shows", "sits", "stand", "stands",
    "starts", "states", "stays", "succeeds", "supports", "takes", "tells", "tests", "throws", "updates", "uses",
    "verifies", "wants", "work", "works", "writes", "yields",
];

/// Subjects that are sure to start a clause of their own.
pub(crate) const PRONOUNS: &[&str] = &[
    "he", "he's", "here's", "i", "i'd", "i'll", "i'm", "i've", "it", "it'll", "it's", "she", "she's", "that's",
    "there", "there's", "they", "they'll", "they're", "they've", "we", "we'd", "we'll", "we're", "we've", "you",
    "you'd", "you'll", "you're", "you've",
];

/// Words that may stand between a subject or a conjunction and its verb.
pub(crate) const ADVERBS: &[&str] = &[
    "actually", "afterwards", "again", "all", "already", "also", "always", "apparently", "automatically", "both",
    "carefully", "cleanly", "correctly", "currently", "directly", "each", "even", "ever", "explicitly", "finally",
    "first", "fully", "immediately", "initially", "just", "later", "manually", "next", "not", "now", "once", "only",
    "previously", "probably", "promptly", "properly", "quickly", "really", "recently", "safely", "simply", "still",
    "subsequently", "successfully", "then", "thereby", "therefore", "thus", "yet",
];

/// Words that start a noun phrase.
pub(crate) const DETERMINERS: &[&str] = &[
    "a", "all", "an", "another", "any", "both", "each", "eight", "either", "every", "everything", "few", "five",
    "four", "half", "her", "his", "its", "many", "most", "my", "neither", "nine", "no", "none", "nothing", "one",
    "other", "our", "seven", "several", "six", "some", "such", "ten", "that", "the", "their", "these", "this",
    "those", "three", "two", "your",
];

/// Base forms of the verbs of an agent's work: after `to` they speak of a purpose, at the start of a clause they tell the person what to do.
pub(crate) const BASE: &[&str] = &[
    "accept", "access", "activate", "add", "adjust", "allow", "analyse", "analyze", "answer", "append", "apply",
    "approve", "archive", "ask", "assess", "assign", "attach", "attempt", "avoid", "back", "be", "book", "bring",
    "browse", "build", "bump", "call", "cancel", "capture", "carry", "catch", "change", "check", "choose", "clarify",
    "clean", "clear", "click", "clone", "close", "collect", "combine", "commit", "compare", "compile", "complete",
    "compute", "configure", "confirm", "connect", "consider", "consult", "contact", "continue", "convert", "copy",
    "correct", "count", "cover", "create", "cut", "debug", "decide", "declare", "define", "delete", "deliver",
    "deploy", "describe", "design", "determine", "develop", "diagnose", "disable", "display", "do", "document",
    "double-check", "download", "draft", "draw", "drop", "dump", "edit", "email", "empty", "enable", "encrypt", "end",
    "ensure", "enter", "establish", "estimate", "evaluate", "examine", "execute", "expand", "explain", "explore",
    "export", "extend", "extract", "fetch", "figure", "file", "fill", "filter", "find", "finish", "fix", "follow",
    "force", "format", "forward", "gather", "generate", "get", "give", "go", "grab", "grant", "handle", "have",
    "help", "hide", "host", "identify", "ignore", "implement", "import", "improve", "include", "increase", "inform",
    "insert", "inspect", "install", "integrate", "investigate", "issue", "keep", "kill", "know", "launch", "learn",
    "leave", "let", "limit", "link", "list", "load", "locate", "log", "look", "lower", "maintain", "make", "manage",
    "mark", "match", "measure", "meet", "merge", "migrate", "mock", "modify", "monitor", "move", "name", "navigate",
    "note", "notify", "obtain", "offer", "open", "optimize", "order", "organize", "output", "override", "overwrite",
    "parse", "pass", "paste", "patch", "perform", "pick", "pin", "ping", "place", "plan", "play", "post", "prepare",
    "preserve", "press", "prevent", "print", "proceed", "process", "produce", "profile", "propose", "protect",
    "prove", "provide", "publish", "pull", "purge", "push", "put", "query", "quit", "raise", "re-run", "read",
    "rebase", "rebuild", "receive", "recommend", "record", "recover", "recreate", "redeploy", "redo", "reduce",
    "refactor", "refer", "refine", "refresh", "refund", "register", "reinstall", "reject", "release", "reload",
    "remove", "rename", "render", "reopen", "repair", "repeat", "replace", "reply", "report", "reproduce", "request",
    "rerun", "reschedule", "reset", "resolve", "respond", "restart", "restore", "restrict", "retrieve", "retry",
    "return", "reuse", "revert", "review", "revise", "rewrite", "roll", "rotate", "run", "save", "scan", "schedule",
    "scroll", "search", "secure", "see", "select", "send", "separate", "serve", "set", "set-up", "setup", "share",
    "ship", "show", "shut", "sign", "simplify", "skip", "solve", "sort", "split", "spot", "stage", "start", "state",
    "stop", "store", "stream", "submit", "summarize", "supply", "support", "switch", "sync", "tag", "take", "tell",
    "terminate", "test", "think", "tighten", "track", "train", "transfer", "transform", "translate", "treat",
    "trigger", "trim", "troubleshoot", "try", "tune", "turn", "undo", "uninstall", "unlock", "update", "upgrade",
    "upload", "use", "validate", "verify", "view", "visit", "wait", "walk", "warn", "watch", "work", "wrap", "write",
    "zip",
];

/// Base forms that are as often nouns: they only tell somebody to do something when an object follows.
pub(crate) const NOUN_TOO: &[&str] = &[
    "access", "answer", "attempt", "back", "backup", "book", "build", "call", "change", "check", "clean", "clear",
    "click", "clone", "close", "commit", "complete", "copy", "correct", "count", "cover", "cut", "debug", "delete",
    "deploy", "design", "display", "document", "download", "draft", "drop", "dump", "edit", "email", "empty", "end",
    "estimate", "export", "file", "filter", "fix", "force", "format", "forward", "grant", "handle", "help", "host",
    "import", "increase", "issue", "launch", "limit", "link", "lint", "list", "load", "log", "look", "mark", "match",
    "measure", "merge", "mock", "move", "name", "note", "offer", "open", "order", "output", "override", "pass",
    "patch", "pin", "ping", "place", "plan", "play", "post", "press", "print", "process", "profile", "pull", "purge",
    "push", "query", "raise", "rebase", "rebuild", "record", "refactor", "refund", "register", "release", "report",
    "request", "rerun", "reset", "result", "return", "review", "roll", "run", "sample", "scan", "schedule", "scroll",
    "search", "secure", "separate", "set", "setup", "share", "ship", "show", "sign", "sort", "split", "spot", "stage",
    "start", "state", "stop", "store", "stream", "supply", "support", "switch", "sync", "tag", "test", "track",
    "train", "transfer", "trigger", "trim", "turn", "update", "upgrade", "upload", "use", "view", "visit", "wait",
    "walk", "watch", "work", "wrap", "zip",
];

/// Base forms that are past forms as well.
pub(crate) const BOTH_TENSES: &[&str] = &[
    "cast", "cut", "hit", "let", "overwrite", "put", "quit", "read", "reset", "set", "shut", "split",
];

/// What a person does when answering: the reader `answer` looks at it, so it is no telling of somebody else's acts.
pub(crate) const ANSWERED: &[&str] = &[
    "accepted", "agreed", "answered", "approved", "authorised", "authorized", "canceled", "cancelled", "chose",
    "chosen", "confirmed", "consented", "decided", "declined", "denied", "okayed", "opted", "picked", "preferred",
    "refused", "rejected", "selected", "skipped",
];

/// Present verbs with which a text or a person is quoted.
pub(crate) const SAYING: &[&str] = &[
    "advises", "asks", "claim", "claims", "describes", "explains", "mentions", "promises", "recommends", "says",
    "state", "states", "suggests", "tells", "warns",
];

/// Past verbs with which the person is quoted.
pub(crate) const SAID: &[&str] = &[
    "asked", "claimed", "described", "explained", "mentioned", "noted", "reported", "requested", "said", "specified",
    "stated", "suggested", "told", "wanted", "wrote",
];

/// Subjects whose saying is an observation.
pub(crate) const RECORDS: &[&str] = &[
    "api", "build", "call", "calls", "check", "command", "commands", "compiler", "console", "i", "it", "linter",
    "log", "logs", "output", "outputs", "report", "response", "responses", "result", "results", "run", "runner",
    "script", "server", "status", "suite", "summary", "terminal", "test", "tests", "tool", "tools", "we",
];

/// People and services that act outside the record.
pub(crate) const OUTSIDERS: &[&str] = &[
    "admin", "administrator", "author", "authors", "boss", "ci", "colleague", "colleagues", "coworker", "coworkers",
    "customer", "customers", "dependabot", "developer", "developers", "engineer", "github", "gitlab", "jenkins",
    "maintainer", "maintainers", "manager", "operator", "owner", "owners", "predecessor", "reviewer", "somebody",
    "someone", "team", "teammate", "teammates", "upstream", "user", "users", "vendor",
];

/// Verbs whose negative object is what they found, not a failure to act.
pub(crate) const REPORTING: &[&str] = &[
    "are", "built", "checked", "compiled", "completed", "concluded", "confirmed", "confirms", "contained", "contains",
    "detected", "determined", "displayed", "emitted", "ensured", "find", "finds", "finished", "found", "gave", "gets",
    "gives", "got", "had", "has", "have", "is", "leaves", "left", "listed", "lists", "logged", "made", "makes",
    "needed", "noted", "passed", "printed", "prints", "produced", "produces", "raised", "ran", "recorded", "reported",
    "reports", "requires", "returned", "returns", "revealed", "saw", "sees", "showed", "shown", "shows", "takes",
    "there's", "took", "verified", "was", "were", "yielded", "yields",
];

/// Adverbs of a general statement.
pub(crate) const GENERAL: &[&str] = &[
    "generally", "normally", "often", "ordinarily", "sometimes", "typically", "usually",
];

/// Words that say: I do not know.
pub(crate) const HEDGES: &[&str] = &[
    "doubtful", "hopefully", "ideally", "likely", "maybe", "perhaps", "possibly", "presumably", "probably",
    "seemingly", "supposedly", "theoretically",
];

/// Words after which a full stop does not end a sentence.
pub(crate) const ABBREVIATIONS: &[&str] = &[
    "al", "approx", "ca", "cf", "dept", "dr", "e.g", "ed", "eg", "est", "etc", "fig", "figs", "i.e", "ie", "inc",
    "incl", "ltd", "max", "min", "mr", "mrs", "ms", "no", "pp", "prof", "resp", "sec", "st", "ver", "vol", "vs",
];

/// English words that few other languages share.
pub(crate) const FUNCTION: &[&str] = &[
    "about", "after", "all", "also", "and", "any", "are", "as", "at", "be", "because", "been", "before", "both",
    "but", "by", "can", "could", "did", "didn't", "does", "don't", "done", "each", "every", "for", "found", "from",
    "had", "has", "have", "here", "i", "i'm", "i've", "if", "into", "is", "it", "it's", "its", "may", "more", "my",
    "no", "not", "now", "of", "on", "only", "or", "our", "out", "ran", "see", "should", "so", "than", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "to", "up", "was", "we", "were", "what", "when",
    "which", "who", "will", "with", "would", "you", "your",
];

/// Words in a heading or before a list that make what follows a plan.
pub(crate) const PLANNED: &[&str] = &[
    "acceptance", "alternative", "alternatives", "approaches", "can", "choice", "choices", "could", "criteria",
    "criterion", "example", "examples", "expected", "faq", "follow-up", "follow-ups", "future", "gate", "gates",
    "goal", "goals", "hypotheses", "hypothesis", "i'd", "i'll", "ideas", "instructions", "intend", "later", "let's",
    "must", "need", "needed", "needs", "option", "optional", "options", "outlook", "pending", "planned", "possible",
    "prerequisites", "proposal", "proposals", "propose", "proposed", "quickstart", "recommend", "recommendation",
    "recommendations", "recommended", "remaining", "required", "requirement", "requirements", "roadmap", "scenario",
    "scenarios", "should", "suggest", "suggested", "suggestion", "suggestions", "target", "tips", "todo", "todos",
    "try", "upcoming", "variants", "we'll", "will", "would", "you'll",
];

/// Words that make a plan of what follows unless the heading speaks of something done.
pub(crate) const PLANNED_WEAKLY: &[&str] = &[
    "approach", "checklist", "instructions", "plan", "plans", "setup", "strategy",
];

/// Words in a heading that speak of something done.
pub(crate) const FINISHED: &[&str] = &[
    "accomplished", "added", "applied", "changed", "changes", "checked", "complete", "completed", "did", "done",
    "executed", "execution", "findings", "fixed", "found", "happened", "implemented", "made", "outcome", "outcomes",
    "performed", "ran", "report", "result", "results", "shows", "status", "summary", "taken", "tested",
    "verification", "verified", "was", "were",
];

/// Determiners that may be the whole subject.
pub(crate) const PRONOUN_LIKE: &[&str] = &[
    "all", "both", "each", "eight", "either", "everything", "few", "five", "four", "many", "most", "neither", "nine",
    "none", "nothing", "one", "seven", "several", "six", "some", "ten", "that", "these", "this", "those", "three",
    "two",
];

/// Present forms that are as often nouns.
pub(crate) const NOUNS_IN_S: &[&str] = &[
    "answers", "builds", "calls", "changes", "checks", "covers", "creates", "drops", "ends", "exports", "fail",
    "handles", "imports", "lists", "lives", "loads", "logs", "looks", "marks", "match", "means", "names", "needs",
    "outputs", "pass", "points", "prints", "raises", "reads", "reports", "return", "runs", "sends", "show", "shows",
    "stands", "starts", "states", "supports", "tests", "updates", "uses", "work", "works", "writes",
];

/// Words in -ing that are no form of a verb.
pub(crate) const NO_GERUND: &[&str] = &[
    "anything", "being", "bring", "everything", "nothing", "something", "string", "thing",
];

/// Number words.
pub(crate) const NUMBERS: &[&str] = &[
    "dozen", "eight", "eleven", "five", "four", "nine", "one", "seven", "six", "ten", "three", "twelve", "two",
    "zero",
];

/// Words between clauses.
pub(crate) const JOINTS: &[&str] = &[
    "although", "and", "as", "because", "but", "since", "so", "then", "though", "whereas", "which", "while", "who",
];

// What governs: each list holds every word that its part of the stance names, which a test makes sure of.

/// Words at which a clause may go on behind what stood between its subject and its verb.
pub(crate) const RESUMING: &[&str] = &[
    "ended", "exited", "failed", "hung", "i", "i've", "passed", "returned", "succeeded", "we", "we've", "worked",
];

/// Words that may plan, ask for something or doubt, besides modals and hedges.
pub(crate) const PLANNING: &[&str] = &[
    "advise", "am", "appear", "appears", "are", "assume", "believe", "can", "consider", "considered", "could",
    "expect", "feel", "guess", "hope", "i'm", "intend", "let", "let's", "lets", "looks", "need", "needs", "offered",
    "plan", "planned", "please", "propose", "proposed", "recommend", "recommended", "seem", "seems", "suggest",
    "suggested", "suspect", "think", "want", "wants", "we're",
];

/// Words that may deny, or that take a purpose from the `to` behind them.
pub(crate) const DENYING: &[&str] = &[
    "able", "almost", "avoided", "avoids", "began", "cannot", "continued", "declined", "except", "fail", "failed",
    "failing", "fails", "forgot", "had", "helped", "instead", "lacking", "managed", "nearly", "neglected", "neither",
    "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere", "omitted", "prevented", "prevents",
    "proceeded", "rather", "refused", "skipped", "skipping", "skips", "started", "unable", "went", "without", "yet",
];

/// Words that may set a condition.
pub(crate) const CONDITIONS: &[&str] = &[
    "after", "assuming", "before", "case", "dry", "dry-run", "if", "imagine", "lest", "long", "once", "otherwise",
    "provided", "soon", "suppose", "supposing", "till", "unless", "until", "when", "whenever", "whether",
];

/// Words that may name a purpose, a fault or what is to be so.
pub(crate) const PURPOSES: &[&str] = &[
    "about", "assert", "asserts", "before", "bug", "bugs", "case", "cases", "checks", "crash", "ensures", "error",
    "for", "from", "glad", "guarantee", "guarantees", "happy", "issue", "issues", "of", "on", "pleased", "prior",
    "problem", "problems", "proud", "race", "regression", "relieved", "scenario", "situation", "so", "sorry", "tests",
    "to", "verifies",
];

/// Words that may state a rule, besides adverbs.
pub(crate) const DEFINING: &[&str] = &[
    "always", "default", "denotes", "means", "signifies",
];

/// Words that may tell of what others said or did, or of what was so before.
pub(crate) const QUOTING: &[&str] = &[
    "according", "already", "another", "as", "by", "earlier", "had", "hadn't", "last", "other", "previous", "prior",
    "session", "turn", "you", "you've",
];
