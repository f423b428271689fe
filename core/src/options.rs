//! What a host may set, and how it is read from JSON.

use crate::error::{Error, ErrorKind};
use crate::evidence::roles::Role;
use crate::probe::Probe;
use crate::readers::READERS;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// How much is checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: every verification is `None`. The lines `ran` and `cited` of a report stay.
    Off,
    /// The readers.
    #[default]
    Readers,
    /// The readers, and for what they leave open one question to a model that the host brings: see [`crate::model`].
    /// [`crate::verify`] itself asks nobody, so that with it the mode is the same as [`Mode::Readers`].
    Model,
}

/// Bounds on what one result shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most flagged claims that are listed; the others are counted.
    pub flagged: usize,
    /// The most characters of a claim that are quoted.
    pub quote: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { flagged: 12, quote: 120 }
    }
}

/// Settings of a check. `Options::default()` is what the command line uses without flags and settings file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much is checked.
    pub mode: Mode,
    /// Roles of the host's own tools, by name in any case; they win over the built-in table.
    pub roles: BTreeMap<String, Role>,
    /// Readers and rules switched on or off by name; the others keep their default.
    pub readers: BTreeMap<String, bool>,
    /// Bounds on what one result shows.
    pub limits: Limits,
    /// Names of the tools on offer, for turns that do not bring their own.
    pub tools: Option<Vec<String>>,
    /// What came of proofs of read: shown beside the claims.
    pub canaries: Vec<Probe>,
    /// The host's own rules.
    #[cfg(feature = "rules")]
    pub rules: Vec<crate::rules::Rule>,
}

/// The keys of the options object.
pub const KEYS: &[&str] = &["mode", "roles", "readers", "limits", "tools", "canaries", "rules"];

impl Options {
    /// Reads the options object of a host. Absent and `null` mean the default.
    ///
    /// Strict: the first unknown name or wrong value is an error that names its place. The keys are those of [`KEYS`];
    ///
    /// ```
    /// use counterfoil::Options;
    /// let given = serde_json::json!({"roles": {"my_shell": "command"}, "readers": {"count": false}});
    /// let options = Options::read(&given)?;
    /// assert_eq!(options.readers.get("count"), Some(&false));
    ///
    /// let error = Options::read(&serde_json::json!({"limits": {"quote": 0}})).unwrap_err();
    /// assert_eq!(error.to_string(), "limits.quote: expected a whole number from 1; found 0");
    /// # Ok::<(), counterfoil::Error>(())
    /// ```
    pub fn read(value: &Value) -> Result<Options, Error> {
        let mut options = Options::default();
        if value.is_null() {
            return Ok(options);
        }
        let map = object("", value)?;
        for (key, value) in map {
            if value.is_null() && KEYS.contains(&key.as_str()) {
                continue;
            }
            match key.as_str() {
                "mode" => options.mode = named(&Mode::ALL, "mode", value)?,
                "roles" => options.roles = roles(value)?,
                "limits" => options.limits = limits(value)?,
                "tools" => options.tools = Some(tools(value)?),
                "canaries" => options.canaries = Probe::read(value)?,
                "rules" => options.take_rules(value)?,
                // Their names may be those of rules, which are known when all is read.
                "readers" => {}
                _ => return Err(fault(key, format!("unknown option; the options are {}", KEYS.join(", ")))),
            }
        }
        if let Some(value) = map.get("readers").filter(|value| !value.is_null()) {
            options.readers = readers(value, &options.rule_names())?;
        }
        Ok(options)
    }

    /// The names of the host's rules, by which they are switched off like readers.
    #[cfg(feature = "rules")]
    pub(crate) fn rule_names(&self) -> Vec<&str> {
        self.rules.iter().map(crate::rules::Rule::name).collect()
    }

    #[cfg(not(feature = "rules"))]
    #[allow(clippy::unused_self)] // Such a build has no rules.
    pub(crate) fn rule_names(&self) -> Vec<&str> {
        Vec::new()
    }

    #[cfg(feature = "rules")]
    fn take_rules(&mut self, value: &Value) -> Result<(), Error> {
        self.rules = crate::rules::Rule::read(value)?;
        Ok(())
    }

    /// Without rules there are no patterns, which weigh much where a package is fetched by a browser.
    #[cfg(not(feature = "rules"))]
    fn take_rules(&mut self, value: &Value) -> Result<(), Error> {
        let _ = self;
        match value.as_array() {
            Some(list) if list.is_empty() => Ok(()),
            _ => Err(fault(
                "rules",
                "rules are not part of this build; import counterfoil/rules, or build with the feature rules",
            )),
        }
    }
}

impl Mode {
    /// Every mode with its name on the wire.
    pub const ALL: [(&'static str, Mode); 3] = [("off", Mode::Off), ("readers", Mode::Readers), ("model", Mode::Model)];
}

fn roles(value: &Value) -> Result<BTreeMap<String, Role>, Error> {
    let mut roles = BTreeMap::new();
    for (tool, role) in object("roles", value)? {
        roles.insert(tool.clone(), named(&Role::ALL, &format!("roles.{tool}"), role)?);
    }
    Ok(roles)
}

fn readers(value: &Value, rules: &[&str]) -> Result<BTreeMap<String, bool>, Error> {
    let mut readers = BTreeMap::new();
    for (name, on) in object("readers", value)? {
        let path = format!("readers.{name}");
        let mut known = READERS.iter().map(|r| r.name).chain(rules.iter().copied());
        if !known.any(|known| known == name) {
            let names = READERS.iter().map(|r| r.name).chain(rules.iter().copied()).collect::<Vec<_>>().join(", ");
            return Err(fault(path, format!("no reader of this name; the readers are {names}")));
        }
        let on = on.as_bool().ok_or_else(|| fault(path, format!("expected true or false; found {}", shown(on))))?;
        readers.insert(name.clone(), on);
    }
    Ok(readers)
}

fn limits(value: &Value) -> Result<Limits, Error> {
    let mut limits = Limits::default();
    for (key, value) in object("limits", value)? {
        let place = match key.as_str() {
            "flagged" => &mut limits.flagged,
            "quote" => &mut limits.quote,
            _ => return Err(fault(format!("limits.{key}"), "unknown limit; the limits are flagged, quote")),
        };
        if !value.is_null() {
            // A machine with small addresses takes a larger number for all that it can count.
            let number = value.as_u64().filter(|&n| n > 0).map(|n| usize::try_from(n).unwrap_or(usize::MAX));
            let wrong =
                || fault(format!("limits.{key}"), format!("expected a whole number from 1; found {}", shown(value)));
            *place = number.ok_or_else(wrong)?;
        }
    }
    Ok(limits)
}

fn tools(value: &Value) -> Result<Vec<String>, Error> {
    let list =
        value.as_array().ok_or_else(|| fault("tools", format!("expected a list of names; found {}", shown(value))))?;
    let text = |(i, tool): (usize, &Value)| {
        let wrong = || fault(format!("tools[{i}]"), format!("expected a name; found {}", shown(tool)));
        tool.as_str().map(ToString::to_string).ok_or_else(wrong)
    };
    list.iter().enumerate().map(text).collect()
}

/// The value of a name in one of the tables of names.
pub(crate) fn named<T: Copy>(table: &[(&str, T)], path: &str, value: &Value) -> Result<T, Error> {
    let found = value.as_str().and_then(|name| table.iter().find(|(known, _)| *known == name));
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = table.iter().map(|&(name, _)| name).collect();
        fault(path, format!("expected one of {}; found {}", names.join(", "), shown(value)))
    })
}

pub(crate) fn object<'a>(path: &str, value: &'a Value) -> Result<&'a Map<String, Value>, Error> {
    value.as_object().ok_or_else(|| fault(path, format!("expected an object; found {}", shown(value))))
}

/// A value as an error shows it: short ones whole, others by their kind.
pub(crate) fn shown(value: &Value) -> String {
    match value {
        Value::Array(list) if list.is_empty() => "an empty list".into(),
        Value::String(text) if text.trim().is_empty() => "an empty text".into(),
        Value::Object(_) => "an object".into(),
        Value::Array(_) => "a list".into(),
        Value::String(text) => format!("{:?}", crate::text::span::quote(text, 40)),
        other => other.to_string(),
    }
}

pub(crate) fn fault(path: impl ToString, message: impl ToString) -> Error {
    Error::new(ErrorKind::Option, path, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn error(value: &Value) -> String {
        Options::read(value).expect_err("an error").to_string()
    }

    #[test]
    fn nothing_given_is_the_default() {
        assert_eq!(Options::read(&json!({})), Ok(Options::default()));
        let nulls = json!({"mode": null, "roles": null, "readers": null, "limits": null, "tools": null, "canaries": null,
            "rules": null});
        assert_eq!(Options::read(&nulls), Ok(Options::default()));
        assert_eq!(Options::read(&json!({"limits": {"quote": null}})), Ok(Options::default()));
    }

    #[test]
    fn every_option_is_read() {
        let value = json!({"mode": "off", "roles": {"my_shell": "command"}, "readers": {"count": false},
            "limits": {"flagged": 3, "quote": 60}, "tools": ["bash"]});
        let options = Options::read(&value).unwrap();
        assert_eq!(options.mode, Mode::Off);
        assert_eq!(options.roles.get("my_shell"), Some(&Role::Command));
        assert_eq!(options.readers.get("count"), Some(&false));
        assert_eq!(options.limits, Limits { flagged: 3, quote: 60 });
        assert_eq!(options.tools, Some(alloc::vec!["bash".to_string()]));
    }

    #[test]
    fn an_error_names_the_place_what_was_expected_and_what_stands_there() {
        assert_eq!(
            error(&json!({"roles": {"my_shell": "shel"}})),
            "roles.my_shell: expected one of command, code, read, write, remove, search, fetch, notify, ask, agent, \
             look, unknown; found \"shel\""
        );
        let names: Vec<&str> = READERS.iter().map(|r| r.name).collect();
        assert_eq!(
            error(&json!({"readers": {"counts": true}})),
            alloc::format!("readers.counts: no reader of this name; the readers are {}", names.join(", "))
        );
        assert_eq!(
            error(&json!({"readers": {"count": "yes"}})),
            "readers.count: expected true or false; found \"yes\""
        );
        assert_eq!(
            error(&json!({"role": {}})),
            "role: unknown option; the options are mode, roles, readers, limits, tools, canaries, rules"
        );
        assert_eq!(error(&json!({"mode": 3})), "mode: expected one of off, readers, model; found 3");
        assert_eq!(error(&json!({"limits": {"quote": -1}})), "limits.quote: expected a whole number from 1; found -1");
        assert_eq!(error(&json!({"tools": ["a", 1]})), "tools[1]: expected a name; found 1");
        assert_eq!(error(&json!([])), "expected an object; found an empty list");
        assert_eq!(error(&json!([1])), "expected an object; found a list");
    }
}
