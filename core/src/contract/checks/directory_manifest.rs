//! A directory holds the files that it has to hold, and with `exact` no others.
//!
//! # Sees
//! `{files: [{path, kind, sha256}]}`: the regular files below the directory, by their paths relative to it with `/`, 10,000 at most.
//! `kind` is `file`, or `outside` for a link whose target leaves the roots. Directories that are links are not entered. `sha256` is
//! there where `digests` asks for it. A path that is no directory is `{kind}`.
//!
//! # Decides
//! `missing` is what is expected and not found, `unexpected` what is found and not expected. A link out of the roots stands for no file,
//! and is unexpected itself.
use super::super::params::sha256;
use super::super::paths;
use super::prelude::*;
use alloc::collections::{BTreeMap, BTreeSet};

/// The most files of a listing, and of a list that is shown.
const MOST: usize = 10_000;
const SHOWN: usize = 200;

pub(super) const TYPE: CheckType = CheckType {
    name: "directory_manifest",
    about: "a directory holds the expected files, and with `exact` no others",
    capabilities: &[Capability::Walk],
    params: &[
        must("path", Kind::Path, "the directory, relative to the workspace"),
        or("expected_files", Kind::Paths, "[]", "files relative to the directory, with `/`"),
        or("exact", Kind::Bool, "false", "whether other files are forbidden"),
        may("exclude", Kind::Texts, "patterns of files to pass over: `*` inside a name, `**` across directories, `?`"),
        may("digests", Kind::Own("object of SHA-256 by file", digests), "what the content of files has to be"),
    ],
    validate,
    requests: |params| {
        let request = Request::new("listing", Capability::Walk).path("path", params.text("path"));
        let files: Vec<&str> = of_digests(params).map(|(name, _)| name).collect();
        [request.with("max_files", MOST).with("digests", array(files))].into()
    },
    decide,
};

fn digests(value: &Json) -> Result<(), ContractError> {
    let members = value.object().ok_or_else(|| fault("", format!("expected an object; found {}", value.kind())))?;
    for (name, value) in members {
        relative(name).map_err(|message| fault(name, message))?;
        if value.str().and_then(sha256).is_none() {
            return Err(fault(name, "expected 64 hexadecimal digits"));
        }
    }
    Ok(())
}

fn of_digests(params: Params<'_>) -> impl Iterator<Item = (&str, String)> {
    let members = params.value("digests").and_then(Json::object).into_iter().flatten();
    members.filter_map(|(name, value)| Some((name.as_str(), value.str().and_then(sha256)?)))
}

/// A file below the directory, in the one way of writing it that a listing has.
fn relative(path: &str) -> Result<(), &'static str> {
    paths::syntax(path)?;
    if path.contains('\\') || path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err("expected a path below the directory, with / and without empty parts, . and ..");
    }
    Ok(())
}

fn validate(terms: &Terms<'_>) -> Result<(), ContractError> {
    let params = terms.params;
    for (index, file) in params.texts("expected_files").into_iter().enumerate() {
        relative(file).map_err(|message| fault(&format!("expected_files[{index}]"), message))?;
    }
    if params.array("expected_files").is_empty() && !params.bool("exact") && of_digests(params).next().is_none() {
        return Err(vacuous("neither expected_files nor digests names a file, and exact is false"));
    }
    Ok(())
}

/// Files as a listing has them: those inside with their digests, and links out of the roots.
struct Listing<'a> {
    inside: BTreeMap<&'a str, Option<String>>,
    outside: BTreeSet<&'a str>,
}

fn listing<'a>(files: &'a [Json], exclude: &[&str]) -> Result<Listing<'a>, ContractError> {
    let mut listing = Listing { inside: BTreeMap::new(), outside: BTreeSet::new() };
    for (index, file) in files.iter().enumerate() {
        let place = |error: ContractError| error.inside(&format!("value.files[{index}]"));
        let fields = super::super::fields::Fields::of(file, &["path", "kind", "sha256", "size"]).map_err(place)?;
        let path = fields.text("path", 4096).map_err(place)?.ok_or_else(|| place(fault("path", "missing")))?;
        if exclude.iter().any(|pattern| matches(pattern.as_bytes(), path.as_bytes())) {
            continue;
        }
        match fields.text("kind", 20).map_err(place)? {
            Some("file") | None => {
                let digest = fields.text("sha256", 71).map_err(place)?.and_then(sha256);
                listing.inside.insert(path, digest);
            }
            Some(_) => {
                listing.outside.insert(path);
            }
        }
    }
    Ok(listing)
}

fn decide(case: &Case<'_>) -> Decided {
    let params = case.params;
    let path = params.text("path");
    let exact = params.bool("exact");
    let wanted: BTreeSet<&str> =
        params.texts("expected_files").into_iter().chain(of_digests(params).map(|(name, _)| name)).collect();
    let expected = object([("files", shown(wanted.iter().copied())), ("exact", exact.into())]);
    let look = case.look("listing")?;
    let kind = match look.fields(&["kind", "files"])? {
        None => "absent",
        Some(fields) => fields.text("kind", 20).map_err(unread)?.unwrap_or("directory"),
    };
    if kind != "directory" {
        let told = if kind == "absent" { "is not there".to_string() } else { format!("is no directory but a {kind}") };
        return fail(expected, object([("kind", kind.into())]), format!("{path} {told}"));
    }
    let files = look.value.and_then(|value| value.get("files")).and_then(Json::array);
    let files = files.ok_or_else(|| unread(fault("files", "expected an array")))?;
    let found = listing(files, &params.texts("exclude")).map_err(|error| Undecided::crashed(&error))?;
    let compared = compare(params, &wanted, &found);
    let passed =
        compared.missing.is_empty() && compared.differing.is_empty() && (!exact || compared.unexpected.is_empty());
    // A part of a listing shows that something is there, and never that something is not.
    let settled = (passed && !exact) || !compared.differing.is_empty() || (exact && !compared.unexpected.is_empty());
    let truncated = look.truncated || files.len() > MOST;
    if truncated && !settled {
        return Err(Undecided::truncated());
    }
    if passed && !compared.unread.is_empty() {
        let reason = format!("the host gave no SHA-256 of {}", compared.unread.join(", "));
        return Err(Undecided::new(Code::CheckCrashed, reason));
    }
    Ok(Decision::of(passed, expected, compared.json(&found, truncated), format!("{path}: {}", compared.words())))
}

/// What is expected against what is there.
struct Compared<'a> {
    missing: Vec<&'a str>,
    unexpected: BTreeSet<&'a str>,
    /// Files with another content.
    differing: Vec<&'a str>,
    /// Files whose content has to be known, and which the host did not digest.
    unread: Vec<&'a str>,
}

fn compare<'a>(params: Params<'a>, wanted: &BTreeSet<&'a str>, found: &Listing<'a>) -> Compared<'a> {
    let all = found.inside.keys().chain(found.outside.iter()).copied();
    let mut compared = Compared {
        missing: wanted.iter().copied().filter(|file| !found.inside.contains_key(file)).collect(),
        unexpected: all.filter(|file| !wanted.contains(file) || found.outside.contains(file)).collect(),
        differing: Vec::new(),
        unread: Vec::new(),
    };
    for (name, digest) in of_digests(params) {
        match found.inside.get(name) {
            Some(Some(seen)) if *seen != digest => compared.differing.push(name),
            Some(None) => compared.unread.push(name),
            _ => {}
        }
    }
    compared
}

impl Compared<'_> {
    fn json(&self, found: &Listing<'_>, truncated: bool) -> Json {
        object([
            ("files_total", (found.inside.len() + found.outside.len()).into()),
            ("missing", shown(self.missing.iter().copied())),
            ("missing_total", self.missing.len().into()),
            ("unexpected", shown(self.unexpected.iter().copied())),
            ("unexpected_total", self.unexpected.len().into()),
            ("differing", shown(self.differing.iter().copied())),
            ("truncated", truncated.into()),
        ])
    }

    fn words(&self) -> String {
        let other = match self.differing.len() {
            0 => String::new(),
            count => format!(", {} with other content", counted(count, self.differing.first().copied())),
        };
        format!(
            "{} missing, {} unexpected{other}",
            counted(self.missing.len(), self.missing.first().copied()),
            counted(self.unexpected.len(), self.unexpected.first().copied()),
        )
    }
}

fn counted(count: usize, first: Option<&str>) -> String {
    match first {
        Some(first) if count == 1 => format!("1 ({first})"),
        Some(first) => format!("{count} ({first}, …)"),
        None => "0".to_string(),
    }
}

fn shown<'a>(files: impl Iterator<Item = &'a str>) -> Json {
    array(files.take(SHOWN))
}

/// Whether a path fits a pattern. The last `*` and the last `**` are remembered, so that the time is bounded by the product of the two
/// lengths.
fn matches(pattern: &[u8], path: &[u8]) -> bool {
    let (mut p, mut t) = (0, 0);
    let mut single: Option<(usize, usize)> = None;
    let mut double: Option<(usize, usize)> = None;
    while t < path.len() {
        let here = pattern.get(p).copied();
        if here == Some(b'*') && pattern.get(p + 1) == Some(&b'*') {
            // `**/` stands for no directory as well.
            p += if pattern.get(p + 2) == Some(&b'/') { 3 } else { 2 };
            double = Some((p, t));
            single = None;
        } else if here == Some(b'*') {
            p += 1;
            single = Some((p, t));
        } else if here == Some(path[t]) || (here == Some(b'?') && path[t] != b'/') {
            p += 1;
            t += 1;
        } else if let Some((after, from)) = single.filter(|(_, from)| path[*from] != b'/') {
            p = after;
            t = from + 1;
            single = Some((after, from + 1));
        } else if let Some((after, from)) = double {
            p = after;
            t = from + 1;
            double = Some((after, from + 1));
            single = None;
        } else {
            return false;
        }
    }
    pattern.get(p..).unwrap_or_default().iter().all(|b| *b == b'*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_stay_inside_a_name_unless_doubled() {
        for (pattern, path, fits) in [
            ("*.tmp", "a.tmp", true),
            ("*.tmp", "d/a.tmp", false),
            ("**/*.tmp", "d/e/a.tmp", true),
            ("**/*.tmp", "a.tmp", true),
            ("d/**", "d/e/f", true),
            ("d/**", "e/d/f", false),
            ("d/*/f", "d/e/f", true),
            ("d/*/f", "d/e/e/f", false),
            ("?.c", "a.c", true),
            ("?.c", "ab.c", false),
            ("a*b*c", "axxbyyc", true),
            ("a*b*c", "axxbyyd", false),
            ("**/x/*/y", "a/x/b/x/c/y", true),
            ("*", "", true),
            ("", "", true),
            ("", "a", false),
        ] {
            assert_eq!(matches(pattern.as_bytes(), path.as_bytes()), fits, "{pattern} {path}");
        }
    }
}
