//! RFC 6901, exactly: the empty pointer is the whole document and `/` is the member whose name is empty.

use super::json::Json;
use alloc::string::String;
use alloc::vec::Vec;

/// A pointer to a value inside a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    tokens: Vec<String>,
}

impl Pointer {
    /// Reads a pointer.
    pub(crate) fn parse(text: &str) -> Result<Pointer, &'static str> {
        if text.is_empty() {
            return Ok(Pointer { tokens: Vec::new() });
        }
        let Some(rest) = text.strip_prefix('/') else {
            return Err("a pointer is empty or starts with \"/\"");
        };
        let tokens = rest.split('/').map(token).collect::<Option<Vec<_>>>();
        let tokens = tokens.ok_or("in a pointer \"~\" stands only in \"~0\" (for ~) and \"~1\" (for /)")?;
        Ok(Pointer { tokens })
    }

    /// The value, if the document has one there. An index is written without sign and leading zeros; `-`, the place behind
    /// the last element, has no value.
    pub(crate) fn find<'a>(&self, document: &'a Json) -> Option<&'a Json> {
        self.tokens.iter().try_fold(document, |value, token| match value {
            Json::Object(members) => members.get(token),
            Json::Array(items) => items.get(index(token)?),
            _ => None,
        })
    }
}

fn token(text: &str) -> Option<String> {
    let mut parts = text.split('~');
    let mut out = String::from(parts.next()?);
    for part in parts {
        // What was a tilde and a digit is one character, whose neighbours are never read as an escape again.
        let (c, rest) = match part.as_bytes().first()? {
            b'0' => ('~', part.get(1..)?),
            b'1' => ('/', part.get(1..)?),
            _ => return None,
        };
        out.push(c);
        out.push_str(rest);
    }
    Some(out)
}

fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || (!token.starts_with('0') && token.bytes().all(|b| b.is_ascii_digit()));
    if plain {
        token.parse().ok()
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::json::{array, object};
    use super::*;

    fn found(pointer: &str, document: &Json) -> Option<Json> {
        Pointer::parse(pointer).unwrap().find(document).cloned()
    }

    #[test]
    fn the_examples_of_the_rfc() {
        let names = ["a/b", "c%d", "e^f", "g|h", "i\\j", "k\"l", " ", "m~n"];
        let mut members: Vec<(&str, Json)> =
            names.iter().enumerate().map(|(at, name)| (*name, Json::from(at))).collect();
        members.push(("foo", array(["bar", "baz"])));
        members.push(("", Json::from("empty")));
        let document = Json::Object(members.into_iter().map(|(k, v)| (k.into(), v)).collect());
        assert_eq!(found("", &document).as_ref(), Some(&document));
        assert_eq!(found("/foo/0", &document), Some("bar".into()));
        assert_eq!(found("/", &document), Some("empty".into()));
        let pointers = ["/a~1b", "/c%d", "/e^f", "/g|h", "/i\\j", "/k\"l", "/ ", "/m~0n"];
        for (at, pointer) in pointers.iter().enumerate() {
            assert_eq!(found(pointer, &document), Some(at.into()), "{pointer}");
        }
    }

    #[test]
    fn an_index_is_plain_digits() {
        let document = object([("a", object([("b", array([1_i64, 2]))]))]);
        assert_eq!(found("/a/b/1", &document), Some(2_i64.into()));
        for pointer in ["/a/b/-1", "/a/b/01", "/a/b/-", "/a/b/2", "/a/b/", "/a/b/+1", "/a/b/1.0", "/a/b/0/0"] {
            assert_eq!(found(pointer, &document), None, "{pointer}");
        }
        assert_eq!(found("/a/b/99999999999999999999999", &document), None);
    }

    #[test]
    fn a_tilde_is_an_escape_or_an_error() {
        for pointer in ["a", "#/a", "/x~2", "/x~", "/~", "/~~0", " /a"] {
            assert!(Pointer::parse(pointer).is_err(), "{pointer}");
        }
        // `~01` is `~1`, not `/`.
        let document = object([("~1", Json::Null), ("/", Json::Bool(true))]);
        assert_eq!(found("/~01", &document), Some(Json::Null));
        assert_eq!(found("/~1", &document), Some(Json::Bool(true)));
    }
}
