//! Places outside a project, and those of it that are shown to others: what is put there may be deployed or published by it.

use super::table::{DEPLOY, RELEASE, UPLOAD};
use super::{Act, Acts, Simple};
use crate::evidence::lookup::leaves;
use crate::text::head;
use alloc::string::String;
use serde_json::Value;

/// Folders from which a host serves, or that a host watches.
#[rustfmt::skip]
const SERVED: &[&str] = &[
    "_posts", "argocd", "cgi-bin", "clusters", "gh-pages", "htdocs", "httpdocs", "inetpub", "k8s", "kubernetes", "manifests",
    "overlays", "public_html", "webapps", "webroot", "www", "wwwroot",
];

/// Folders of a project that may be such ones, where something is copied or moved to them or a link leads there.
const COPIED: &[&str] = &["current", "live", "prod", "production", "public", "release", "releases", "site"];

/// What a file says of its own being shown or run, where an edit sets it.
#[rustfmt::skip]
const SAYS: &[&str] = &["draft: false", "draft = false", "image:", "published: true", "replicas:", "status: publish", "tag:"];

/// Beginnings of paths that belong to the host, not to a project.
#[rustfmt::skip]
const HOST: &[&str] = &[
    "/boot/", "/etc/", "/lib/systemd/", "/mnt/", "/opt/", "/srv/", "/usr/", "/var/lib/", "/var/www/", "/volumes/", "c:\\inetpub", "\\\\",
];

/// What may be shown or run by somebody else once a file stands there.
const SHIPPED: u32 = DEPLOY | RELEASE | UPLOAD;

/// Whether a path is in a place of the host, or in a folder that is served or watched.
fn served(path: &str) -> bool {
    let path = path.to_lowercase();
    let mut parts = path.split(['/', '\\']);
    HOST.iter().any(|start| path.starts_with(start)) || parts.any(|part| SERVED.contains(&part))
}

/// The same for a place that something is copied to.
fn copied_to(path: &str) -> bool {
    outside(path) || served(path) || path.split(['/', '\\']).any(|part| COPIED.contains(&part))
}

/// Whether a file describes what a host is to run.
fn describes(path: &str) -> bool {
    [".env", ".hcl", ".tf", ".tfvars", ".yaml", ".yml"].iter().any(|ending| path.ends_with(ending))
}

/// Whether a path leads out of the folder in which a command runs.
fn outside(path: &str) -> bool {
    let temporary = ["/dev/", "/tmp", "/var/tmp", "/private/tmp"].iter().any(|start| path.starts_with(start));
    !temporary && (path.starts_with(['/', '~', '$', '\\']) || path.starts_with("../") || path.get(1..3) == Some(":\\"))
}

/// Files by which a running program is told to start anew.
fn restarts(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    ["deploy", "reload", "restart", ".wsgi"].iter().any(|word| name.contains(word))
}

/// The deeds that a command may have done by where it puts something: a copy, a move, a link, what it unpacks, edits or makes.
pub(super) fn ships(name: &str, command: &Simple, acts: Acts) -> u32 {
    let operands = || command.words.iter().skip(1).map(String::as_str).filter(|w| !w.starts_with('-'));
    let put = match name {
        "cp" | "mv" | "install" | "rsync" | "copy-item" | "move-item" | "robocopy" | "xcopy" => {
            operands().next_back().is_some_and(copied_to)
                // The place may be given in front of what is put there.
                || command.words.iter().any(|w| w == "-t" || w.starts_with("--target-directory"))
        }
        "ln" => true,
        "tar" | "unzip" | "7z" | "bsdtar" => operands().any(copied_to),
        "touch" => operands().any(|w| outside(w) || restarts(w)),
        "sed" | "gsed" | "perl" | "yq" => {
            let number = || operands().any(|w| !describes(w) && w.bytes().any(|b| b.is_ascii_digit()));
            operands().any(served) || (operands().any(describes) && number())
        }
        "tee" => operands().any(|w| outside(w) || served(w)),
        // A generator that is told where to put what it makes.
        _ => {
            let makes = [Act::Write, Act::Build, Act::Publish].iter().any(|&act| acts.could(act));
            makes && command.words.iter().skip(1).flat_map(|w| w.split('=')).any(served)
        }
    };
    let redirected = command.writes.iter().any(|target| outside(&target.path) || served(&target.path));
    if put || redirected {
        SHIPPED
    } else {
        0
    }
}

/// The deeds that a tool which writes may have done by the place that it was given, or by what it put there.
pub(super) fn written_at(arguments: &Value) -> u32 {
    let keys = ["path", "file_path", "filePath", "filename", "target_file", "destination", "target"];
    let mut paths = keys.iter().filter_map(|key| arguments.get(key).and_then(Value::as_str));
    let texts = || leaves(arguments).take(24).filter_map(Value::as_str).map(|text| head(text, 4_000));
    if paths.any(served) || texts().any(|text| SAYS.iter().any(|says| text.contains(says))) {
        SHIPPED
    } else {
        0
    }
}
