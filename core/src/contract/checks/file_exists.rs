//! A regular file is there, or is not.
//!
//! # Sees
//! A stat after links are resolved: `{kind}` of `file`, `directory`, `other`. Nothing at the end of the path, or of a link whose
//! target would lie inside the roots, is `absent`.
//!
//! # Decides
//! (a regular file is there) = `expected`. A directory is no file. What could not be looked at is neither there nor not there.
use super::prelude::*;

pub(super) const TYPE: CheckType = CheckType {
    name: "file_exists",
    about: "a regular file is there, or with `expected: false` is not",
    capabilities: &[Capability::Stat],
    params: &[
        must("path", Kind::Path, "the file, relative to the workspace"),
        or("expected", Kind::Bool, "true", "whether it has to be there"),
    ],
    validate: |_| Ok(()),
    requests: |params| [Request::new("file", Capability::Stat).path("path", params.text("path"))].into(),
    decide,
};

fn decide(case: &Case<'_>) -> Decided {
    let look = case.look("file")?;
    let kind = match look.fields(&["kind", "size"])? {
        None => "absent",
        Some(fields) => match fields.text("kind", 20).map_err(|error| Undecided::crashed(&error))? {
            Some(kind @ ("file" | "directory" | "other")) => kind,
            _ => return Err(Undecided::crashed(&fault("value.kind", "expected file, directory or other"))),
        },
    };
    let (path, wanted) = (case.params.text("path"), case.params.bool("expected"));
    let found = match kind {
        "file" => "is a file",
        "directory" => "is a directory, not a file",
        "other" => "is no regular file",
        _ => "is not there",
    };
    let expected = object([("file", wanted.into())]);
    let observed = object([("kind", kind.into())]);
    Ok(Decision::of((kind == "file") == wanted, expected, observed, format!("{path} {found}")))
}
