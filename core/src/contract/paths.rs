//! What can be said of a path without a file system.
//!
//! A contract is checked on systems that read `\` in two ways, so a path passes only if every reading of it stays inside the
//! roots. Links are left to the host, and so are absolute paths where the workspace is a token and not a path.

use alloc::string::String;
use alloc::vec::Vec;

const BOTH: &[char] = &['/', '\\'];

/// Refuses at draft what no system opens.
pub(crate) fn syntax(path: &str) -> Result<(), &'static str> {
    if path.is_empty() {
        return Err("a path is not empty");
    }
    if path.contains('\0') {
        return Err("a path has no NUL");
    }
    Ok(())
}

/// Refuses at draft what is no root below the workspace, or the workspace itself.
pub(crate) fn root(path: &str) -> Result<(), &'static str> {
    syntax(path)?;
    form(path)?;
    if is_absolute(path) {
        return Err("a root is relative to the workspace");
    }
    if path.split(BOTH).any(|name| name == "..") {
        return Err("a root has no \"..\"");
    }
    folders(path, BOTH).map(|_| ())
}

/// Whether a path stays inside one of the roots, which are relative to the workspace as the path is.
pub(crate) fn guard(path: &str, roots: &[String]) -> Result<(), &'static str> {
    syntax(path)?;
    form(path)?;
    if is_absolute(path) {
        return Ok(());
    }
    let readings: &[&[char]] = if path.contains('\\') { &[BOTH, &['/']] } else { &[&['/']] };
    for separators in readings {
        let place = folders(path, separators)?;
        if !roots.iter().any(|root| folders(root, BOTH).is_ok_and(|root| place.starts_with(&root))) {
            return Err("the path leaves the allowed roots");
        }
    }
    Ok(())
}

/// Whether an absolute path stays inside one of the roots of a workspace. Of a workspace that is no absolute path nothing can be said.
pub(crate) fn below(path: &str, workspace: &str, roots: &[String]) -> bool {
    if !is_absolute(workspace) {
        return true;
    }
    // A path with a drive is of Windows alone, which reads both separators and no case.
    let drive = !path.starts_with('/');
    if drive == workspace.starts_with('/') {
        return false;
    }
    let readings: &[&[char]] = if drive || !path.contains('\\') { &[BOTH] } else { &[BOTH, &['/']] };
    let same = |a: &[&str], b: &[&str]| {
        let pairs = || a.iter().zip(b);
        a.len() >= b.len() && pairs().all(|(a, b)| if drive { a.eq_ignore_ascii_case(b) } else { a == b })
    };
    readings.iter().all(|separators| {
        let (Ok(place), Ok(start)) = (folders(path, separators), folders(workspace, separators)) else { return false };
        let rest = place.get(start.len()..).unwrap_or_default();
        same(&place, &start) && roots.iter().any(|root| folders(root, BOTH).is_ok_and(|root| same(rest, &root)))
    })
}

/// Whether a path says where it starts: `/a`, `C:\a`, `C:/a`. It is allowed only where the host finds it inside the roots.
pub(crate) fn is_absolute(path: &str) -> bool {
    match path.as_bytes() {
        [b'/', ..] => true,
        [letter, b':', b'/' | b'\\', ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// The spellings of Windows that no contract needs: each names a place by other rules than folder after folder.
fn form(path: &str) -> Result<(), &'static str> {
    match path.as_bytes() {
        [b'/' | b'\\', b'/' | b'\\', b'?' | b'.', b'/' | b'\\', ..] | [b'\\', b'?', b'?', b'\\', ..] => {
            Err("the path names a device")
        }
        [b'/' | b'\\', b'/' | b'\\', ..] => Err("the path names a share of a network"),
        [b'\\', ..] => Err("the path is relative to a drive"),
        [letter, b':', rest @ ..] if letter.is_ascii_alphabetic() && !matches!(rest, [b'/' | b'\\', ..]) => {
            Err("the path is relative to a drive")
        }
        _ => Ok(()),
    }
}

/// The folders from the workspace down to a path.
fn folders<'a>(path: &'a str, separators: &[char]) -> Result<Vec<&'a str>, &'static str> {
    let mut folders = Vec::new();
    for name in path.split(separators) {
        match name {
            "" | "." => {}
            ".." if folders.pop().is_some() => {}
            ".." => return Err("the path leaves the workspace"),
            // Windows drops dots and spaces from the end of a name, so that `.. ` goes up there.
            name if name.trim_end_matches(['.', ' ']).is_empty() => {
                return Err("a name in the path is of dots and spaces alone");
            }
            name => folders.push(name),
        }
    }
    Ok(folders)
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn inside(path: &str, roots: &[&str]) -> bool {
        let roots: Vec<String> = roots.iter().map(ToString::to_string).collect();
        guard(path, &roots).is_ok()
    }

    #[test]
    fn a_path_below_the_workspace_passes() {
        for path in
            ["a", "a/b", "./a", "a/../b", "a//b", "a/", ".", "a\\b", "a.b", "a..b", "..a", ".a", "日本/語", "ab:c"]
        {
            assert!(inside(path, &["."]), "{path}");
        }
    }

    #[test]
    fn what_leaves_is_refused_in_either_spelling() {
        let paths = [
            "..",
            "../secret.txt",
            "a/../../secret.txt",
            "a/b/../../../c",
            "..\\secret.txt",
            "a\\..\\..\\secret.txt",
            "a/..\\..\\secret.txt",
            ".. /secret.txt",
            ".../secret.txt",
            "a/. ./b",
        ];
        for path in paths {
            assert!(!inside(path, &["."]), "{path}");
        }
    }

    #[test]
    fn a_root_is_compared_name_by_name() {
        assert!(inside("out", &["out"]));
        assert!(inside("out/a", &["src", "out"]));
        assert!(inside("./x/../out/a", &["./out/"]));
        assert!(!inside("output/a", &["out"]));
        assert!(!inside("a", &["out"]));
        assert!(!inside("out/../a", &["out"]));
        // Where `\` is no separator this is a file beside the root.
        assert!(!inside("out\\a", &["out"]));
        assert!(!inside("out\\..\\a", &["out"]));
        assert!(!inside("a", &[]));
    }

    #[test]
    fn a_root_is_below_the_workspace_or_is_it() {
        for path in [".", "./", "out", "out/a", "out\\a"] {
            assert_eq!(root(path), Ok(()), "{path}");
        }
        for path in ["", "..", "a/..", "a\\..", "/a", "C:\\a", "C:a", "\\\\a\\b", "a\0", "a/.. "] {
            assert!(root(path).is_err(), "{path}");
        }
    }

    #[test]
    fn devices_shares_and_drives_are_refused() {
        let paths = [
            "\\\\server\\share",
            "//server/share",
            "\\/server",
            "\\\\?\\C:\\a",
            "//?/C:/a",
            "\\\\.\\pipe\\a",
            "\\??\\C:\\a",
            "C:a",
            "c:",
            "C:..\\a",
            "\\a",
        ];
        for path in paths {
            assert!(!inside(path, &["."]), "{path}");
        }
    }

    #[test]
    fn an_absolute_path_is_the_hosts_to_compare() {
        for path in ["/home/dana/w/a", "C:\\w\\a", "c:/w/a"] {
            assert!(is_absolute(path) && inside(path, &["."]), "{path}");
        }
    }

    #[test]
    fn an_absolute_path_is_compared_with_the_workspace() {
        let below = |path, workspace, root: &str| below(path, workspace, &[root.to_string()]);
        for (path, workspace, root) in [
            ("/srv/shop", "/srv/shop", "."),
            ("/srv/shop/a", "/srv/shop/", "."),
            ("/srv//x/../shop/./a", "/srv/shop", "."),
            ("/srv/shop/out/a", "/srv/shop", "out"),
            ("c:\\W\\a", "C:/w", "."),
            ("C:/w/Out/a", "C:\\w", "out"),
            ("/a", "/", "."),
            ("/etc/passwd", "w", "."),
        ] {
            assert!(below(path, workspace, root), "{path} in {workspace}");
        }
        for (path, workspace, root) in [
            ("/etc/passwd", "/srv/shop", "."),
            ("/srv/shopx/f", "/srv/shop", "."),
            ("/srv", "/srv/shop", "."),
            ("/SRV/shop/a", "/srv/shop", "."),
            ("/srv/shop/../a", "/srv/shop", "."),
            ("/srv/shop/..\\a", "/srv/shop", "."),
            ("/srv/shop/a\\..\\..\\b", "/srv/shop", "."),
            ("/srv/shop/src/a", "/srv/shop", "out"),
            ("C:\\Windows\\x", "/srv/shop", "."),
            ("C:\\Windows\\x", "C:\\w", "."),
            ("D:\\w\\x", "C:\\w", "."),
            ("C:\\w\\..\\x", "C:\\w", "."),
            ("/w/a", "C:\\w", "."),
        ] {
            assert!(!below(path, workspace, root), "{path} in {workspace}");
        }
    }

    #[test]
    fn nul_and_nothing_are_no_paths() {
        assert!(syntax("").is_err() && syntax("a\0b").is_err() && syntax("a").is_ok());
        assert!(!inside("a\0", &["."]));
    }
}
