//! Rules of the host: claims of its own domain as data, read like those of the readers and checked against calls.
//!
//! ```
//! use counterfoil::{transcript, verify, Options};
//! let options = Options::read(&serde_json::json!({"rules": [{
//!     "name": "deploy",
//!     "says": ["deployed", "rolled out"],
//!     "object": "production",
//!     "needs": {"role": "command", "matches": "kubectl|helm", "status": "ok"}
//! }]}))?;
//! let turn = transcript::turn(r#"{"reply": "I rolled out 2.1 to production.", "calls": []}"#)?;
//! let found = verify(&turn, &options).expect("a claim was read");
//! assert_eq!(found.claims[0].reader, "deploy");
//! assert_eq!(found.claims[0].reason.as_deref(), Some("no call in this turn meets the rule deploy"));
//! # Ok::<(), counterfoil::Error>(())
//! ```
//!
//! A clause that asserts one of `says`, with `object` in it where that is given, is a claim of the reader `name`. A call that
//! meets all of `needs` supports it. Rules are checked when they are read; a pattern's time is linear in the text.

use crate::error::Error;
use crate::evidence::facts::Facts;
use crate::evidence::roles::{last_part, Role};
use crate::options::{fault, named, object, shown};
use crate::prose::{Prose, TokenKind};
use crate::readers::READERS;
use crate::record::Status;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::fmt::Write as _;
use core::ops::Range;
use regex::{Regex, RegexBuilder};
use serde_json::Value;

/// The most rules.
pub const RULES: usize = 64;
/// The most phrases in `says`, and in `object`.
pub const PHRASES: usize = 32;
/// The most words of a phrase.
pub const WORDS: usize = 8;
/// The most characters of a name.
const NAME: usize = 40;
/// The most bytes of a pattern.
const PATTERN: usize = 1_000;
/// The most bytes that a pattern takes when it is compiled. It bounds the work for each character of a call.
const COMPILED: usize = 256 * 1024;

const KEYS: &[&str] = &["name", "says", "object", "needs"];
const NEEDS: &[&str] = &["role", "tool", "matches", "status"];

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    name: String,
    says: Vec<Phrase>,
    object: Vec<Phrase>,
    needs: Needs,
}

/// Words that stand one behind the other, folded as the prose folds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// The words.
    pub(crate) words: Vec<String>,
    /// The phrase in lower case, as it may stand in code.
    pub(crate) text: String,
}

/// What a call has to be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Needs {
    role: Option<Role>,
    tool: Option<String>,
    matches: Option<Pattern>,
    status: Option<Status>,
}

/// A regular expression.
#[derive(Clone, Debug)]
struct Pattern(Regex);

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_str() == other.0.as_str()
    }
}

impl Eq for Pattern {}

impl Rule {
    /// Reads a list of rules. The first thing that is wrong is an error that names its place.
    pub fn read(value: &Value) -> Result<Vec<Rule>, Error> {
        let wrong = |value: &Value| fault("rules", format!("expected a list of rules; found {}", shown(value)));
        let list = value.as_array().ok_or_else(|| wrong(value))?;
        if list.len() > RULES {
            return Err(fault("rules", format!("at most {RULES} rules; found {}", list.len())));
        }
        let mut rules: Vec<Rule> = Vec::with_capacity(list.len());
        for (i, value) in list.iter().enumerate() {
            let rule = Rule::one(&format!("rules[{i}]"), value)?;
            if let Some(first) = rules.iter().position(|other| other.name == rule.name) {
                return Err(fault(format!("rules[{i}].name"), format!("rules[{first}] has the same name")));
            }
            rules.push(rule);
        }
        Ok(rules)
    }

    fn one(path: &str, value: &Value) -> Result<Rule, Error> {
        let map = object(path, value)?;
        if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let message = format!("unknown key; a rule has {}", KEYS.join(", "));
            return Err(fault(format!("{path}.{key}"), message));
        }
        let get = |key: &str| map.get(key).unwrap_or(&Value::Null);
        let name = name(&format!("{path}.name"), get("name"))?;
        let says = phrases(&format!("{path}.says"), get("says"))?;
        let object = match get("object") {
            Value::Null => Vec::new(),
            one @ Value::String(_) => Vec::from([phrase(&format!("{path}.object"), one)?]),
            list => phrases(&format!("{path}.object"), list)?,
        };
        let needs = Needs::read(&format!("{path}.needs"), get("needs"))?;
        Ok(Rule { name, says, object, needs })
    }

    /// Its name, which is that of the reader in its claims.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn says(&self) -> &[Phrase] {
        &self.says
    }

    pub(crate) fn object(&self) -> &[Phrase] {
        &self.object
    }

    /// All the words that it names.
    pub(crate) fn words(&self) -> Vec<&str> {
        let phrases = self.says.iter().chain(&self.object);
        phrases.flat_map(|phrase| phrase.words.iter().map(String::as_str)).collect()
    }
}

fn text<'v>(path: &str, value: &'v Value) -> Result<&'v str, Error> {
    let text = value.as_str().filter(|text| !text.trim().is_empty());
    text.ok_or_else(|| fault(path, format!("expected a text; found {}", shown(value))))
}

fn name(path: &str, value: &Value) -> Result<String, Error> {
    let name = text(path, value)?;
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '_' | '-');
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) || !name.chars().all(plain) || name.len() > NAME {
        let message = format!(
            "expected a lower-case letter and then letters, digits, _ or -, at most {NAME} in all; found {}",
            shown(value)
        );
        return Err(fault(path, message));
    }
    if READERS.iter().any(|reader| reader.name == name) {
        return Err(fault(path, format!("{name} is the name of a reader")));
    }
    Ok(name.to_string())
}

fn phrases(path: &str, value: &Value) -> Result<Vec<Phrase>, Error> {
    let list = value.as_array().filter(|list| !list.is_empty());
    let list = list.ok_or_else(|| fault(path, format!("expected a list of phrases; found {}", shown(value))))?;
    if list.len() > PHRASES {
        return Err(fault(path, format!("at most {PHRASES} phrases; found {}", list.len())));
    }
    list.iter().enumerate().map(|(i, value)| phrase(&format!("{path}[{i}]"), value)).collect()
}

fn phrase(path: &str, value: &Value) -> Result<Phrase, Error> {
    let source = text(path, value)?;
    if source.len() > 200 {
        return Err(fault(path, "expected at most 200 bytes"));
    }
    let prose = Prose::read(source);
    let plain = prose.tokens.iter().all(|t| matches!(t.kind, TokenKind::Word | TokenKind::Number));
    let words: Vec<String> = prose.tokens.iter().map(|t| t.text.to_string()).collect();
    if words.is_empty() || words.len() > WORDS || !plain {
        let message = format!("expected one to {WORDS} words without marks; found {}", shown(value));
        return Err(fault(path, message));
    }
    Ok(Phrase { words, text: source.trim().to_lowercase() })
}

impl Needs {
    fn read(path: &str, value: &Value) -> Result<Needs, Error> {
        let mut needs = Needs::default();
        for (key, value) in object(path, value)? {
            let path = format!("{path}.{key}");
            if value.is_null() && NEEDS.contains(&key.as_str()) {
                continue;
            }
            match key.as_str() {
                "role" => needs.role = Some(named(&Role::ALL, &path, value)?),
                "tool" => needs.tool = Some(text(&path, value)?.to_lowercase()),
                "matches" => needs.matches = Some(Pattern::read(&path, value)?),
                "status" => needs.status = Some(named(&Status::ALL, &path, value)?),
                _ => return Err(fault(path, format!("unknown key; a call can need {}", NEEDS.join(", ")))),
            }
        }
        if needs == Needs::default() {
            return Err(fault(path, format!("expected at least one of {}", NEEDS.join(", "))));
        }
        Ok(needs)
    }

    /// Whether a call is what is needed, apart from how it ended.
    fn meant(&self, facts: &Facts<'_>) -> bool {
        self.role.is_none_or(|role| role == facts.role)
            && self.tool.as_ref().is_none_or(|tool| same_tool(tool, &facts.call.tool.to_lowercase()))
            && self.matches.as_ref().is_none_or(|pattern| pattern.fits(facts))
    }

    /// Whether it ended as it must. Without a status it only must have been made.
    fn ended(&self, facts: &Facts<'_>) -> bool {
        match self.status {
            Some(Status::Ok) => facts.succeeded && !facts.is_dry(),
            Some(status) => facts.call.status == status,
            None => facts.ran() && !facts.is_dry(),
        }
    }
}

impl Pattern {
    fn read(path: &str, value: &Value) -> Result<Pattern, Error> {
        let source = text(path, value)?;
        if source.len() > PATTERN {
            return Err(fault(path, format!("at most {PATTERN} bytes; found {}", source.len())));
        }
        RegexBuilder::new(source).size_limit(COMPILED).build().map(Pattern).map_err(|error| fault(path, plain(&error)))
    }

    /// Whether it matches the command line or the code that a call ran, or the call's form where it ran none.
    fn fits(&self, facts: &Facts<'_>) -> bool {
        let found = match facts.line.as_deref() {
            Some(line) => self.0.is_match(line),
            None => {
                let form = form(facts);
                let plain = form.get(facts.call.tool.len() - last_part(&facts.call.tool).len()..);
                self.0.is_match(&form) || plain.is_some_and(|plain| plain != form && self.0.is_match(plain))
            }
        };
        if !found {
            return false;
        }
        // Where single commands of the line match, one of them has to be in earnest.
        let mut matching = facts.commands.iter().filter(|command| self.0.is_match(&command.text)).peekable();
        matching.peek().is_none() || matching.any(|command| !command.dry)
    }
}

/// Whether two names in lower case are the same tool: alike, or one is the other's last part, as a server's tool is called
/// `mcp__vault__rotate` by one host and `rotate` by another.
fn same_tool(one: &str, other: &str) -> bool {
    one == other || one == last_part(other) || last_part(one) == other
}

/// Why a pattern is none, on one line.
fn plain(error: &regex::Error) -> String {
    match error {
        regex::Error::CompiledTooBig(_) => format!("the pattern takes more than {COMPILED} bytes when compiled"),
        other => {
            let text = other.to_string();
            let last = text.lines().last().unwrap_or_default();
            format!("not a regular expression: {}", last.trim_start_matches("error: "))
        }
    }
}

/// The whole call as `tool(key="value", …)`.
fn form(facts: &Facts<'_>) -> String {
    let mut out = format!("{}(", facts.call.tool);
    match &facts.call.arguments {
        Value::Null => {}
        Value::Object(map) => {
            for (i, (key, value)) in map.iter().enumerate() {
                let _ = write!(out, "{}{key}={value}", if i > 0 { ", " } else { "" });
            }
        }
        other => {
            let _ = write!(out, "{other}");
        }
    }
    out.push(')');
    out
}

/// Which calls of a record are those that the rules need. Each rule goes over the calls once, when a claim asks for it.
pub(crate) struct Met<'o> {
    rules: &'o [Rule],
    /// The calls that are meant, and whether they ended as they must.
    calls: Vec<OnceCell<Vec<(usize, bool)>>>,
}

impl<'o> Met<'o> {
    pub(crate) fn new(rules: &'o [Rule]) -> Self {
        Met { rules, calls: rules.iter().map(|_| OnceCell::new()).collect() }
    }

    /// The call that supports a claim of a rule in the turn that made the calls `now`: one of that turn, else an earlier one.
    /// Without one, the nearest call of the turn that only ended otherwise.
    pub(crate) fn call(&self, rule: usize, facts: &[Facts<'_>], now: &Range<usize>) -> Result<usize, Option<usize>> {
        let (Some(Rule { needs, .. }), Some(calls)) = (self.rules.get(rule), self.calls.get(rule)) else {
            return Err(None);
        };
        let calls = calls.get_or_init(|| {
            let meant = facts.iter().enumerate().filter(|(_, facts)| needs.meant(facts));
            meant.map(|(call, facts)| (call, needs.ended(facts))).collect()
        });
        let known = calls.get(..calls.partition_point(|(call, _)| *call < now.end)).unwrap_or(&[]);
        match known.iter().rev().find(|(_, met)| *met) {
            Some((call, _)) => Ok(*call),
            None => Err(known.last().map(|(call, _)| *call).filter(|call| now.contains(call))),
        }
    }

    /// Why a claim of a rule is not supported.
    pub(crate) fn reason(&self, rule: usize) -> String {
        format!("no call in this turn meets the rule {}", self.rules.get(rule).map_or("", Rule::name))
    }
}
