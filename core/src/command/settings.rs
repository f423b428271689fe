//! Settings files: `counterfoil.toml`, or `[tool.counterfoil]` in `pyproject.toml`.

use super::flags::NO_MODEL;
use super::{Check, COLOR, FAIL_ON, WRITTEN};
use crate::error::{Error, ErrorKind};
use crate::options::{named, Mode, Options, KEYS};
use crate::render::flat;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde_json::{Map, Value};

/// The keys besides those of the options.
const OWN: &[&str] = &["format", "output", "fail-on", "color", "verbose"];

impl Check {
    /// Takes settings from the text of a file. What a flag has set stays; roles and readers are merged by name.
    ///
    /// In a file that is called `pyproject.toml` only the table `[tool.counterfoil]` is looked at. Errors name the file.
    pub fn configure(&mut self, text: &str, file: &str) -> Result<(), Error> {
        self.take(text, file).map_err(|error| {
            let path = if error.path().is_empty() { file.to_string() } else { format!("{file}: {}", error.path()) };
            // Keys are the file's own words: a line break or an escape in one must not reach the terminal.
            Error::new(error.kind(), flat(&path, 400), flat(error.message(), 400))
        })
    }

    fn take(&mut self, text: &str, file: &str) -> Result<(), Error> {
        let mut all: Value = toml::from_str(text).map_err(|error| not_toml(text, &error))?;
        if file.rsplit(['/', '\\']).next() == Some("pyproject.toml") {
            let table = all.pointer_mut("/tool/counterfoil").map(Value::take);
            match table {
                Some(table) => all = table,
                None => return Ok(()),
            }
        }
        let Value::Object(mut map) = all else {
            return Err(Error::new(ErrorKind::Option, "tool.counterfoil", "expected a table"));
        };
        let own: Map<String, Value> = OWN.iter().filter_map(|key| map.remove_entry(*key)).collect();
        if let Some(key) = map.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let known: Vec<&str> = OWN.iter().chain(KEYS).copied().collect();
            let near = super::suggestion(key, known.iter().copied());
            let message = format!("unknown setting{near}; the settings are {}", known.join(", "));
            return Err(Error::new(ErrorKind::Option, key, message));
        }
        if let Some(key) = nulls(&map) {
            return Err(Error::new(ErrorKind::Option, key, "expected a number; found nan or inf"));
        }
        let mode_given = map.contains_key("mode");
        let limits_given = map.contains_key("limits");
        let options = Options::read(&Value::Object(map))?;
        self.take_own(&own)?;
        if mode_given && options.mode == Mode::Model {
            return Err(Error::new(ErrorKind::Option, "mode", NO_MODEL));
        }
        if mode_given {
            self.mode = self.mode.or(Some(options.mode));
        }
        if limits_given {
            self.limits = self.limits.or(Some(options.limits));
        }
        for (tool, role) in options.roles {
            self.roles.entry(tool).or_insert(role);
        }
        for (reader, on) in options.readers {
            self.readers.entry(reader).or_insert(on);
        }
        self.tools = self.tools.take().or(options.tools);
        if self.canaries.is_empty() {
            self.canaries = options.canaries;
        }
        if self.rules.is_empty() {
            self.rules = options.rules;
        }
        Ok(())
    }

    fn take_own(&mut self, own: &Map<String, Value>) -> Result<(), Error> {
        let wrong = |key: &str, expected: &str| Error::new(ErrorKind::Option, key, format!("expected {expected}"));
        if let Some(value) = own.get("format") {
            let name = value.as_str().ok_or_else(|| wrong("format", "the name of a format"))?;
            let name = super::format(name).map_err(|message| Error::new(ErrorKind::Option, "format", message))?;
            self.format.get_or_insert(name);
        }
        if let Some(value) = own.get("output") {
            let written = named(WRITTEN, "output", value)?;
            self.output.get_or_insert(written);
        }
        if let Some(value) = own.get("fail-on") {
            let fail_on = named(FAIL_ON, "fail-on", value)?;
            self.fail_on.get_or_insert(fail_on);
        }
        if let Some(value) = own.get("color") {
            let color = named(COLOR, "color", value)?;
            self.color.get_or_insert(color);
        }
        if let Some(value) = own.get("verbose") {
            self.verbose |= value.as_bool().ok_or_else(|| wrong("verbose", "true or false"))?;
        }
        Ok(())
    }

    /// The options of the check.
    pub fn options(&self) -> Options {
        Options {
            mode: self.mode.unwrap_or_default(),
            roles: self.roles.clone(),
            readers: self.readers.clone(),
            limits: self.limits.unwrap_or_default(),
            tools: self.tools.clone(),
            canaries: self.canaries.clone(),
            rules: self.rules.clone(),
        }
    }
}

/// The first key without a value. TOML has no null: it stands for a number that JSON cannot hold.
fn nulls(map: &Map<String, Value>) -> Option<String> {
    map.iter().find_map(|(key, value)| match value {
        Value::Null => Some(key.clone()),
        Value::Object(inner) => {
            inner.iter().find(|(_, value)| value.is_null()).map(|(name, _)| format!("{key}.{name}"))
        }
        _ => None,
    })
}

/// Where a text stops being TOML, and why.
fn not_toml(text: &str, error: &toml::de::Error) -> Error {
    let start = error.span().map_or(0, |span| span.start);
    let line = text.bytes().take(start).filter(|&b| b == b'\n').count() + 1;
    Error::new(ErrorKind::Option, format!("line {line}"), error.message())
}

#[cfg(test)]
mod tests {
    use super::super::{parse, Invocation, Written};
    use super::*;
    use crate::evidence::roles::Role;

    fn check(args: &[&str]) -> Check {
        let args: Vec<String> = ["check", "a"].iter().chain(args).map(ToString::to_string).collect();
        match parse(&args) {
            Invocation::Check(check) => check,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn flags_win_over_the_file_name_by_name() {
        let mut check = check(&["--output", "json", "--roles", "a=read", "--readers", "-count"]);
        let text =
            "output = 'html'\nmode = 'off'\nfail-on = 'never'\ntools = ['x']\n[roles]\na = 'write'\nb = 'command'\n\
                    [readers]\ncount = true\ncall = false\n[limits]\nquote = 60\n";
        check.configure(text, "counterfoil.toml").unwrap();
        assert_eq!(check.output, Some(Written::Json));
        let options = check.options();
        assert_eq!(options.mode, Mode::Off);
        assert_eq!(options.roles.get("a"), Some(&Role::Read));
        assert_eq!(options.roles.get("b"), Some(&Role::Command));
        assert_eq!(options.readers.get("count"), Some(&false));
        assert_eq!(options.readers.get("call"), Some(&false));
        assert_eq!(options.limits.quote, 60);
        assert_eq!(options.tools, Some(alloc::vec!["x".to_string()]));
    }

    #[test]
    fn only_the_tools_table_of_a_pyproject_file_is_read() {
        let mut check = check(&[]);
        check.configure("[project]\nname = 'x'\n", "sub/pyproject.toml").unwrap();
        assert_eq!(check.format, None);
        check.configure("[tool.counterfoil]\nformat = 'native'\n[tool.ruff]\nx = 1\n", "pyproject.toml").unwrap();
        assert_eq!(check.format.as_deref(), Some("native"));
    }

    #[test]
    fn rules_stand_in_tables_of_their_own() {
        let mut check = check(&[]);
        let rule = |pattern: &str| {
            format!(
                "[[rules]]\nname = 'deploy'\nsays = ['deployed']\nneeds = {{ matches = '{pattern}', status = 'ok' }}\n"
            )
        };
        check.configure(&rule("helm"), "counterfoil.toml").unwrap();
        assert_eq!(check.options().rules[0].name(), "deploy");
        let error = check.configure(&rule("("), "counterfoil.toml").unwrap_err().to_string();
        assert_eq!(error, "counterfoil.toml: rules[0].needs.matches: not a regular expression: unclosed group");
    }

    #[test]
    fn an_error_is_one_line_whatever_the_keys_hold() {
        let error =
            check(&[]).configure("roles.\"a\\n\\u001b[2Jb\" = 'q'", "counter\nfoil.toml").unwrap_err().to_string();
        assert!(error.starts_with("counter foil.toml: roles.a ␛[2Jb: expected one of command,"), "{error:?}");
    }

    #[test]
    fn nesting_without_end_is_an_error() {
        let text = format!("a = {}", "[".repeat(100_000));
        assert!(check(&[]).configure(&text, "counterfoil.toml").is_err());
    }

    #[test]
    fn an_error_names_the_file_and_the_place() {
        let error = |text: &str| check(&[]).configure(text, "counterfoil.toml").unwrap_err().to_string();
        assert!(error("[roles]\nmy_shell = 'shel'")
            .starts_with("counterfoil.toml: roles.my_shell: expected one of command,"));
        assert!(error("reader = {}")
            .starts_with("counterfoil.toml: reader: unknown setting; did you mean readers?; the settings are"));
        assert!(error("a = 1\nb = ").starts_with("counterfoil.toml: line 2: "));
        assert_eq!(
            error("[limits]\nquote = nan"),
            "counterfoil.toml: limits.quote: expected a number; found nan or inf"
        );
        assert!(error("format = 'codx'")
            .starts_with("counterfoil.toml: format: no format is called \"codx\"; the nearest are codex, "));
        assert!(error("mode = 'model'").starts_with("counterfoil.toml: mode: check asks no model; "));
        assert_eq!(error("verbose = 3"), "counterfoil.toml: verbose: expected true or false");
        assert!(error("output = 'xml'").starts_with("counterfoil.toml: output: expected one of text, json, html"));
    }
}
