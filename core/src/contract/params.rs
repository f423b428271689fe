//! The parameters of a type of check as data: what each may be, whether it is needed, and what holds when it is left out.

use super::decimal::Decimal;
use super::error::ContractError;
use super::fields::{shown_name, wrong};
use super::json::{Json, Object};
use super::{origin, paths, pointer, strict};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use regex::{Regex, RegexBuilder};

/// What a parameter may be.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// `true` or `false`; no text that says so.
    Bool,
    /// A string that is not empty.
    Text,
    /// A string that is not blank.
    Term,
    /// A path.
    Path,
    /// An array of paths.
    Paths,
    /// A JSON pointer.
    Pointer,
    /// 64 hexadecimal digits of any case, with or without `sha256:`.
    Sha256,
    /// A whole number within bounds.
    Int(i64, i64),
    /// A number not below zero.
    Size,
    /// A number's text, of any size.
    Decimal,
    /// An array of strings that are not empty.
    Texts,
    /// Any value, `null` among them.
    Value,
    /// One of these words.
    Word(&'static [&'static str]),
    /// An address of http or https.
    Url,
    /// A regular expression.
    Pattern,
    /// A program and its arguments.
    Argv,
    /// What a rule of its own reads, with what it expects in words for the documents.
    Own(&'static str, fn(&Json) -> Result<(), ContractError>),
}

/// Whether a parameter may be left out.
#[derive(Clone, Copy)]
pub(crate) enum Need {
    /// It has to be there.
    Must,
    /// It may be left out, and is then absent.
    May,
    /// What it is when it is left out, as JSON.
    Default(&'static str),
}

/// A parameter of a type of check.
#[derive(Clone, Copy)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) need: Need,
    pub(crate) about: &'static str,
}

/// A parameter that has to be there.
pub(crate) const fn must(name: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, kind, need: Need::Must, about }
}

/// A parameter that may be left out.
pub(crate) const fn may(name: &'static str, kind: Kind, about: &'static str) -> Param {
    Param { name, kind, need: Need::May, about }
}

/// A parameter with a default.
pub(crate) const fn or(name: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Param {
    Param { name, kind, need: Need::Default(default), about }
}

/// The most bytes of a pattern, and of it compiled.
const PATTERN: usize = 1_000;
const COMPILED: usize = 1 << 20;
/// The most bytes of it compiled with classes of ASCII alone. Every place in a pattern may be tried at every character of a text, and
/// the tables of Unicode's classes would hide how many places there are.
const PLACES: usize = 1 << 14;

impl Kind {
    /// The kind in words, for the documents.
    pub(crate) fn words(self) -> String {
        let words = match self {
            Kind::Bool => "boolean",
            Kind::Text | Kind::Term => "string",
            Kind::Path => "path",
            Kind::Paths => "array of paths",
            Kind::Pointer => "JSON pointer",
            Kind::Sha256 => "SHA-256",
            Kind::Int(least, most) => return format!("integer {least} to {most}"),
            Kind::Size => "number ≥ 0",
            Kind::Decimal => "string of digits",
            Kind::Texts => "array of strings",
            Kind::Value => "any value",
            Kind::Word(words) => return words.join(", "),
            Kind::Url => "http or https address",
            Kind::Pattern => "regular expression",
            Kind::Argv => "array of strings",
            Kind::Own(words, _) => words,
        };
        words.to_string()
    }

    /// Whether a value is one of the kind.
    pub(crate) fn check(self, value: &Json) -> Result<(), ContractError> {
        match self {
            Kind::Bool => value.bool().map(|_| ()).ok_or_else(|| wrong("", "true or false", value)),
            Kind::Value => Ok(()),
            Kind::Own(_, check) => check(value),
            Kind::Int(least, most) => integer(value, least, most),
            Kind::Size => match value.number() {
                Some(number) if !number.text().starts_with('-') => Ok(()),
                Some(number) => {
                    Err(ContractError::at("", format!("expected no number below zero; found {}", number.text())))
                }
                None => Err(wrong("", "a number", value)),
            },
            Kind::Paths => each(value, |text| checked(paths::syntax(text))),
            Kind::Texts => {
                each(value, |text| if text.is_empty() { Err("an empty string".to_string()) } else { Ok(()) })
            }
            Kind::Argv => argv(value),
            _ => {
                let text = value.str().ok_or_else(|| wrong("", "a string", value))?;
                self.text(text).map_err(|message| ContractError::at("", message))
            }
        }
    }

    fn text(self, text: &str) -> Result<(), String> {
        match self {
            Kind::Text if text.is_empty() => Err("an empty string".to_string()),
            Kind::Term if text.trim().is_empty() => Err("a blank string".to_string()),
            Kind::Path => checked(paths::syntax(text)),
            Kind::Pointer => checked(pointer::Pointer::parse(text)),
            Kind::Sha256 => sha256(text).map(|_| ()).ok_or_else(|| "expected 64 hexadecimal digits".to_string()),
            Kind::Decimal => decimal(text).map(|_| ()).ok_or_else(|| "expected a number in JSON's grammar".to_string()),
            Kind::Word(words) if !words.contains(&text) => Err(format!("expected one of {}", words.join(", "))),
            Kind::Url => checked(origin::Url::parse(text)),
            Kind::Pattern => pattern(text).map(|_| ()),
            _ => Ok(()),
        }
    }
}

fn checked<T, E: ToString>(result: Result<T, E>) -> Result<(), String> {
    result.map(|_| ()).map_err(|message| message.to_string())
}

fn integer(value: &Json, least: i64, most: i64) -> Result<(), ContractError> {
    match value.integer() {
        Some(number) if (least..=most).contains(&number) => Ok(()),
        Some(number) => Err(ContractError::at("", format!("expected {least} to {most}; found {number}"))),
        None => Err(wrong("", "a whole number", value)),
    }
}

fn each(value: &Json, check: impl Fn(&str) -> Result<(), String>) -> Result<(), ContractError> {
    let items = value.array().ok_or_else(|| wrong("", "an array of strings", value))?;
    for (index, item) in items.iter().enumerate() {
        let place = format!("[{index}]");
        let text = item.str().ok_or_else(|| wrong(&place, "a string", item))?;
        check(text).map_err(|message| ContractError::at(&place, message))?;
    }
    Ok(())
}

/// A list of 1 to 256 strings without NUL, the first of which is not empty. No shell reads a command, so that a single string
/// would be the name of a program with spaces in it.
pub(crate) fn argv(value: &Json) -> Result<(), ContractError> {
    let items = value.array().ok_or_else(|| wrong("", "an array of strings, the program first", value))?;
    if items.is_empty() || items.len() > 256 {
        return Err(ContractError::at("", format!("expected 1 to 256 strings; found {}", items.len())));
    }
    each(value, |text| if text.contains('\0') { Err("a NUL character".to_string()) } else { Ok(()) })?;
    match items.first().and_then(Json::str).unwrap_or_default() {
        "" => Err(ContractError::at("[0]", "an empty name of a program")),
        name if name.contains(['/', '\\']) && !paths::is_absolute(name) => Err(ContractError::at(
            "[0]",
            "a path relative to the workspace; name a program by its absolute path or by its name alone, and give it the script",
        )),
        name if is_batch(name) => Err(ContractError::at("[0]", "a batch file, which a shell would read")),
        _ => Ok(()),
    }
}

/// Windows gives `.bat` and `.cmd` to its shell, with rules of quoting that no list of arguments survives; it takes no notice of dots and
/// spaces behind the name.
fn is_batch(name: &str) -> bool {
    let name = name.trim_end_matches(['.', ' ']).to_ascii_lowercase();
    matches!(name.rsplit_once('.'), Some((_, "bat" | "cmd")))
}

/// The 64 digits in lower case.
pub(crate) fn sha256(text: &str) -> Option<String> {
    let digits = text.strip_prefix("sha256:").unwrap_or(text);
    (digits.len() == 64 && digits.bytes().all(|b| b.is_ascii_hexdigit())).then(|| digits.to_ascii_lowercase())
}

/// The number that a string of digits holds.
pub(crate) fn decimal(text: &str) -> Option<Decimal> {
    let number = strict::document(text.as_bytes()).ok().filter(|_| text.trim() == text)?;
    Decimal::parse(number.number()?.text())
}

/// A regular expression of linear time and bounded size.
pub(crate) fn pattern(text: &str) -> Result<Regex, String> {
    if text.len() > PATTERN {
        return Err(format!("a pattern of more than {PATTERN} bytes"));
    }
    let plain = regex::bytes::RegexBuilder::new(text).unicode(false).size_limit(PLACES).build();
    if matches!(plain, Err(regex::Error::CompiledTooBig(_))) {
        return Err("pattern too large".to_string());
    }
    RegexBuilder::new(text).size_limit(COMPILED).build().map_err(|error| {
        let whole = error.to_string();
        let last = whole.lines().last().unwrap_or_default();
        format!("no regular expression: {}", last.trim_start_matches("error: "))
    })
}

/// The parameters with every default written out; each is of its kind, and there is no other.
pub(crate) fn materialised(given: &Object, params: &[Param]) -> Result<Object, ContractError> {
    if let Some(name) = given.keys().find(|name| params.iter().all(|param| param.name != name.as_str())) {
        let known: Vec<&str> = params.iter().map(|param| param.name).collect();
        return Err(ContractError::at(shown_name(name), format!("unknown; known are {}", known.join(", "))));
    }
    let mut out = Object::new();
    for param in params {
        let default = || match param.need {
            Need::Default(text) => strict::document(text.as_bytes()).ok(),
            _ => None,
        };
        match given.get(param.name).cloned().or_else(default) {
            Some(value) => {
                param.kind.check(&value).map_err(|error| error.inside(param.name))?;
                out.insert(param.name.to_string(), value);
            }
            None if matches!(param.need, Need::Must) => return Err(ContractError::at(param.name, "missing")),
            None => {}
        }
    }
    Ok(out)
}

/// Parameters that [`materialised`] has read. The getters give what is of the kind and nothing else.
#[derive(Clone, Copy)]
pub(crate) struct Params<'a>(pub(crate) &'a Object);

impl<'a> Params<'a> {
    pub(crate) fn value(self, name: &str) -> Option<&'a Json> {
        self.0.get(name)
    }

    pub(crate) fn has(self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// The text; empty when it is not there.
    pub(crate) fn text(self, name: &str) -> &'a str {
        self.value(name).and_then(Json::str).unwrap_or_default()
    }

    pub(crate) fn bool(self, name: &str) -> bool {
        self.value(name).and_then(Json::bool).unwrap_or_default()
    }

    pub(crate) fn integer(self, name: &str) -> Option<i64> {
        self.value(name)?.integer()
    }

    pub(crate) fn decimal(self, name: &str) -> Option<Decimal> {
        Decimal::parse(self.value(name)?.number()?.text())
    }

    pub(crate) fn array(self, name: &str) -> &'a [Json] {
        self.value(name).and_then(Json::array).unwrap_or_default()
    }

    pub(crate) fn texts(self, name: &str) -> Vec<&'a str> {
        self.array(name).iter().filter_map(Json::str).collect()
    }
}
