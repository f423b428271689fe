//! Kinds of work, as data: how a reply tells of them, what the calls that do them are called, and the acts that show them.

use crate::evidence::acts::Act;
use crate::evidence::shell::Simple;
use alloc::string::String;

/// A kind of work.
pub(super) struct Deed {
    /// Past forms, or names of processes.
    pub(super) says: &'static [&'static str],
    /// How the words of a tool's name or a command's line begin; those of two letters are whole words.
    pub(super) stems: &'static [&'static str],
    /// A call that succeeded and could have done one of these acts supports.
    pub(super) acts: &'static [Act],
    /// A call whose line or name says what it does supports only if it says this: a commit is no push.
    pub(super) strict: bool,
}

/// How package managers install without a word for it: the program and its subcommand.
#[rustfmt::skip]
const INSTALLS: &[(&str, &[&str])] = &[
    ("apk", &["add"]), ("bun", &["a", "add", "i"]), ("bundle", &["add", "update"]), ("cargo", &["add"]),
    ("composer", &["require", "update"]), ("dotnet", &["add", "restore"]), ("go", &["get"]), ("npm", &["add", "ci", "i"]),
    ("pdm", &["add", "sync"]), ("pipenv", &["sync"]), ("pnpm", &["add", "i"]), ("poetry", &["add", "sync"]),
    ("uv", &["add", "sync"]), ("yarn", &["add"]),
];

/// Whether a command installs packages in such a way.
pub(super) fn installs(command: &Simple) -> bool {
    let word = |i: usize| command.words.get(i).map_or("", String::as_str);
    INSTALLS.iter().any(|(program, subs)| *program == word(0) && subs.contains(&word(1)))
}

type Words = &'static [&'static str];

const fn deed(says: Words, stems: Words, acts: &'static [Act]) -> Deed {
    Deed { says, stems, acts, strict: false }
}

const fn strict(says: Words, stems: Words, acts: &'static [Act]) -> Deed {
    Deed { says, stems, acts, strict: true }
}

use Act::{Build, Fetch, Notify, Publish, Remove, Wrap, Write};

pub(super) const KINDS: &[Deed] = &[
    deed(&["downloaded", "download", "downloading"], &["download", "curl", "wget", "clone", "pull", "fetch"], &[Fetch]),
    deed(&["installed", "installation", "installing"], &["install", "setup", "bootstrap"], &[Fetch, Wrap]),
    strict(
        &["deployed", "deployment", "deploying", "rolled", "rollout", "live", "released", "release", "published"],
        &["deploy", "rollout", "apply", "release", "publish", "helm", "push", "rsync", "scp", "sftp", "sync", "upload"],
        &[Publish, Write],
    ),
    strict(&["pushed"], &["push", "pr"], &[Publish]),
    deed(&["merged"], &["merge"], &[Publish]),
    deed(
        &["uploaded", "upload", "uploading"],
        &["upload", "push", "put", "scp", "rsync", "cp", "sync"],
        &[Publish, Write],
    ),
    deed(&["trained", "training", "fine-tuned", "fine-tuning"], &["train", "finetun", "fine", "fit"], &[Wrap]),
    deed(&["processed", "preprocessed", "processing", "preprocessing"], &["process", "preprocess"], &[Wrap]),
    deed(
        &["evaluation", "benchmark", "benchmarks", "simulation", "experiments"],
        &["eval", "bench", "simul", "predict", "experiment"],
        &[Wrap],
    ),
    deed(
        &["migrated", "migration", "migrations", "migrating"],
        &["migrat", "alembic", "flyway"],
        &[Publish, Wrap, Write],
    ),
    deed(&["exported", "export", "exporting"], &["export", "dump"], &[Publish, Write, Wrap]),
    deed(&["imported", "import", "importing"], &["import", "load", "restore"], &[Publish, Wrap, Write]),
    deed(&["restored", "restore"], &["restore", "checkout", "revert"], &[Publish, Wrap, Write]),
    deed(&["synced", "sync"], &["sync"], &[Publish, Write]),
    deed(&["transferred", "transfer", "paid", "payment"], &["transfer", "pay", "send"], &[Publish]),
    deed(&["refunded", "refund"], &["refund"], &[Publish]),
    deed(&["booked", "booking", "reserved", "reservation"], &["book", "reserv"], &[Publish]),
    deed(&["cancelled", "canceled"], &["cancel"], &[Publish, Remove]),
    deed(&["rescheduled", "moved", "postponed"], &["reschedul", "move", "update", "postpon"], &[Publish, Write]),
    deed(&["emailed", "mailed", "sent"], &["send", "mail", "email", "message", "post", "reply"], &[Notify, Publish]),
    deed(&["posted", "tweeted"], &["post", "publish", "send", "tweet"], &[Notify, Publish]),
    deed(&["submitted", "submission"], &["submit"], &[Publish, Notify]),
    deed(&["restarted", "restart"], &["restart", "reload", "start"], &[Publish, Wrap]),
    deed(&["transcribed", "transcription"], &["transcri", "whisper", "speech"], &[Wrap]),
    deed(&["converted", "conversion"], &["convert", "pandoc", "ffmpeg", "magick"], &[Write, Wrap]),
    deed(&["crawled", "scraped", "crawl", "scrape"], &["crawl", "scrap"], &[Fetch, Wrap]),
    deed(&["scan"], &["scan"], &[Wrap]),
    strict(&["pr", "pull", "issue", "ticket"], &["pr", "pull", "issue", "ticket", "create", "open"], &[Publish]),
    deed(&["rebuilt", "rebuild"], &["build", "make", "rebuild", "reindex"], &[Build, Wrap]),
    deed(&["backup"], &["backup", "dump", "rsync", "tar"], &[Write, Wrap, Publish]),
    deed(
        &["running"],
        &["app", "flask", "gunicorn", "run", "serve", "server", "start", "up", "uvicorn"],
        &[Publish, Wrap],
    ),
    deed(&["script", "command", "job", "program", "notebook", "pipeline", "workflow", "query"], &[], &[Wrap]),
];

macro_rules! ends {
    () => {
        "complete|completed|done|finished|successful|succeeded"
    };
}

pub(super) const PHRASES: &[&str] = &[
    "booked|canceled|cancelled|converted|crawled|preprocessed|processed|deployed|downloaded|emailed|exported|fine-tuned|imported|installed|mailed|merged|migrated|moved|paid|posted|postponed|published|pushed|rebuilt|refunded|released|rescheduled|reserved|restarted|restored|scraped|sent|submitted|synced|trained|transcribed|transferred|tweeted|uploaded",
    "rolled out",
    "is|are now? live|installed|deployed|migrated|published|uploaded|restored",
    "opened|created|filed|raised .. pr|pull|issue|ticket",
    "live at|on",
    "finished|completed downloading|installing|deploying|uploading|training|fine-tuning|processing|preprocessing|migrating|exporting|importing",
    concat!(
        "backup|benchmark|benchmarks|booking|conversion|crawl|deployment|download|evaluation|experiments|export|fine-tuning|import|installation|migration|migrations|payment|preprocessing|processing|rebuild|refund|release|reservation|restart|restore|rollout|scan|scrape|simulation|submission|sync|training|transcription|transfer|upload .. ",
        ends!()
    ),
    concat!("script|command|job|program|notebook|pipeline|workflow|query .. ran|executed|works|", ends!()),
    "script|command|job|program|notebook|pipeline|workflow|query .. runs without|cleanly|successfully",
    "booking|reservation|payment|transfer .. confirmed",
    "api|app|application|container|containers|server|service|services|site is|are .. running|up",
];

/// Words of a sentence that tells of a failure, a part or a doubt itself.
#[rustfmt::skip]
pub(super) const OPEN: &[&str] = &[
    "already", "although", "attempt", "attempted", "background", "before", "but", "cannot", "crash", "crashes",
    "denied", "earlier", "error", "errors", "except", "exception", "exit", "exited", "exits", "expected", "fail", "failed",
    "failing", "fails", "failure", "however", "if", "intended", "job", "later", "local", "locally", "once", "partial",
    "partially", "partly", "pending", "previous", "queued", "raises", "rejects", "reproduced", "reproduces",
    "request", "requested", "scheduled", "simulated", "soon", "started", "still", "though", "timed", "timeout",
    "tried", "unless", "until", "waiting", "when", "will", "would", "yet",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_that_is_looked_for_belongs_to_a_kind() {
        for phrase in PHRASES {
            for word in phrase.split(' ').next().unwrap_or("").split('|') {
                let known = KINDS.iter().any(|deed| deed.says.contains(&word));
                assert!(known || matches!(word, "is" | "are") || phrase.contains(' '), "{word}");
            }
        }
        assert!(OPEN.windows(2).all(|w| w[0] < w[1]));
    }
}
