//! The types of checks: one file a type, one row each in [`TYPES`]. A type says what its parameters are, what has to be seen, and
//! what follows from it. It decides by the parameters and what was seen alone.

use super::check::Terms;
use super::codes::Code;
use super::decimal::Decimal;
use super::error::ContractError;
use super::fields::Fields;
use super::json::{array, object, Json, Object};
use super::model::Contract;
use super::observe::{Look, Undecided};
use super::params::{Need, Param, Params};
use super::run::Run;
use super::strict;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

mod accessibility;
mod browser_dom;
mod command_exit;
mod content;
mod directory_manifest;
#[cfg(any(test, feature = "json-schema"))]
mod effort;
mod file_digest;
mod file_exists;
mod http_request;
mod human_approval;
mod json_schema;
mod json_value;
mod live_console;
mod live_evidence;
mod net;
mod numeric_invariant;
mod references;
mod selector;
mod sqlite;
mod sqlite_query;
mod state_equals;
mod test_report;
#[cfg(feature = "json-schema")]
mod validator;
mod visual_absent;

/// What a file of a type needs.
pub(super) mod prelude {
    pub(crate) use super::super::check::Terms;
    pub(crate) use super::super::codes::Code;
    pub(crate) use super::super::decimal::{equal, equal_within, within, Decimal};
    pub(crate) use super::super::error::ContractError;
    pub(crate) use super::super::fields::Fields;
    pub(crate) use super::super::json::{array, object, Json, Object};
    pub(crate) use super::super::observe::{Look, Undecided};
    pub(crate) use super::super::params::{may, must, or, Kind, Param, Params};
    pub(crate) use super::{
        absent, fail, fault, pass, unread, vacuous, whole, Capability, Case, CheckType, Decided, Decision, Request,
    };
    pub(crate) use alloc::format;
    pub(crate) use alloc::string::{String, ToString};
    pub(crate) use alloc::vec::Vec;
}

/// Every type, in the order of the documents.
pub(crate) const TYPES: &[CheckType] = &[
    file_exists::TYPE,
    file_digest::TYPE,
    directory_manifest::TYPE,
    json_value::TYPE,
    json_schema::TYPE,
    sqlite_query::TYPE,
    http_request::TYPE,
    browser_dom::TYPE,
    command_exit::TYPE,
    numeric_invariant::TYPE,
    visual_absent::TYPE,
    live_console::TYPE,
    live_evidence::TYPE,
    human_approval::TYPE,
    test_report::TYPE,
    accessibility::TYPE,
    state_equals::TYPE,
];

/// A type of check.
pub(crate) struct CheckType {
    /// Its name on the wire.
    pub(crate) name: &'static str,
    /// What passes, in one line.
    pub(crate) about: &'static str,
    /// What a host has to be able to do for it, at most.
    pub(crate) capabilities: &'static [Capability],
    /// Its parameters.
    pub(crate) params: &'static [Param],
    /// The rules that go beyond the kind of each parameter: what excludes what, and what could not fail.
    pub(crate) validate: fn(&Terms<'_>) -> Result<(), ContractError>,
    /// What has to be seen.
    pub(crate) requests: fn(Params<'_>) -> Vec<Request>,
    /// What follows from what was seen.
    pub(crate) decide: fn(&Case<'_>) -> Decided,
}

/// What a host has to be able to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Capability {
    /// Stat after links are resolved.
    Stat,
    /// Stream a file through SHA-256.
    Digest,
    /// List a directory.
    Walk,
    /// Read a file.
    Read,
    /// Ask an SQLite database, read only.
    Sqlite,
    /// Ask a server.
    Http,
    /// Look at a page in a browser of its own.
    Browser,
    /// Run axe in that browser.
    Axe,
    /// Run a program.
    Command,
    /// Recognise text in frames.
    Ocr,
    /// Read the log of a session.
    Console,
    /// Read the store of a session's evidence.
    Evidence,
    /// Read the store of approvals.
    Approval,
}

impl Capability {
    /// The name on the wire.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Capability::Stat => "stat",
            Capability::Digest => "digest",
            Capability::Walk => "walk",
            Capability::Read => "read",
            Capability::Sqlite => "sqlite",
            Capability::Http => "http",
            Capability::Browser => "browser",
            Capability::Axe => "axe",
            Capability::Command => "command",
            Capability::Ocr => "ocr",
            Capability::Console => "console",
            Capability::Evidence => "evidence",
            Capability::Approval => "approval",
        }
    }

    /// Whether it sends something over a network.
    pub(crate) fn is_network(self) -> bool {
        matches!(self, Capability::Http | Capability::Browser | Capability::Axe)
    }

    /// Whether it looks into the workspace.
    pub(crate) fn is_local(self) -> bool {
        use Capability::*;
        matches!(self, Stat | Digest | Walk | Read | Sqlite | Command)
    }
}

/// Something to be seen. The plan guards its paths and its address, and gives it its id.
pub(crate) struct Request {
    /// Its name inside the check, such as `file`.
    pub(crate) name: String,
    pub(crate) capability: Capability,
    /// What the host is told.
    pub(crate) target: Object,
    /// Paths that have to lie inside the roots.
    pub(crate) paths: Vec<String>,
    /// The address that has to be of a listed origin.
    pub(crate) url: Option<String>,
}

impl Request {
    pub(crate) fn new(name: impl ToString, capability: Capability) -> Request {
        Request { name: name.to_string(), capability, target: Object::new(), paths: Vec::new(), url: None }
    }

    /// The same with a word for the host.
    #[must_use]
    pub(crate) fn with(mut self, name: &str, value: impl Into<Json>) -> Request {
        self.target.insert(name.to_string(), value.into());
        self
    }

    /// The same with a parameter of the check, if it is there, under its own name.
    #[must_use]
    pub(crate) fn given(mut self, params: Params<'_>, name: &str) -> Request {
        if let Some(value) = params.value(name) {
            self.target.insert(name.to_string(), value.clone());
        }
        self
    }

    /// The same with a path, guarded by the roots.
    #[must_use]
    pub(crate) fn path(mut self, name: &str, path: &str) -> Request {
        self.paths.push(path.to_string());
        self.with(name, path)
    }

    /// The same with an address, guarded by the origins.
    #[must_use]
    pub(crate) fn url(mut self, name: &str, url: &str) -> Request {
        self.url = Some(url.to_string());
        self.with(name, url)
    }
}

/// What a check is decided on.
pub(crate) struct Case<'a> {
    pub(crate) params: Params<'a>,
    pub(crate) contract: &'a Contract,
    pub(crate) run: &'a Run,
    /// What was seen, by the name of the request.
    pub(crate) looks: &'a [(String, Result<Look<'a>, Undecided>)],
}

impl<'a> Case<'a> {
    /// What was seen for a request, or why not.
    pub(crate) fn look(&self, name: &str) -> Result<Look<'a>, Undecided> {
        let found = self.looks.iter().find(|(known, _)| known == name).map(|(_, look)| look.clone());
        found.unwrap_or_else(|| Err(Undecided::new(Code::ObservationMissing, "no observation answers the request")))
    }
}

/// What a check decided.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    pub(crate) passed: bool,
    pub(crate) expected: Json,
    pub(crate) observed: Json,
    /// One sentence. Paths in it are those of the contract.
    pub(crate) summary: String,
    /// What a reader has to know beside it.
    pub(crate) limitations: Vec<String>,
    /// The code that goes with a failure, if one does.
    pub(crate) code: Option<Code>,
}

/// A decision, or why there is none.
pub(crate) type Decided = Result<Decision, Undecided>;

impl Decision {
    /// A decision either way.
    pub(crate) fn of(passed: bool, expected: Json, observed: Json, summary: impl ToString) -> Decision {
        Decision { passed, expected, observed, summary: summary.to_string(), limitations: Vec::new(), code: None }
    }

    /// The same with a limitation.
    #[must_use]
    pub(crate) fn limited(mut self, limitation: impl ToString) -> Decision {
        self.limitations.push(limitation.to_string());
        self
    }

    /// The same with a code.
    #[must_use]
    pub(crate) fn coded(mut self, code: Code) -> Decision {
        self.code = Some(code);
        self
    }
}

/// What was expected was seen.
#[allow(clippy::unnecessary_wraps)] // It is what a `decide` gives.
pub(crate) fn pass(expected: Json, observed: Json, summary: impl ToString) -> Decided {
    Ok(Decision::of(true, expected, observed, summary))
}

/// Something else was seen.
#[allow(clippy::unnecessary_wraps)] // As above.
pub(crate) fn fail(expected: Json, observed: Json, summary: impl ToString) -> Decided {
    Ok(Decision::of(false, expected, observed, summary))
}

/// The refusal of parameters that break a rule between them.
pub(crate) fn fault(path: &str, message: impl ToString) -> ContractError {
    ContractError::at(path, message)
}

/// What the host saw is not of the form of the type.
pub(crate) fn unread(error: ContractError) -> Undecided {
    Undecided::crashed(&error.inside("value"))
}

/// A whole number that the host has to give.
pub(crate) fn whole(fields: &Fields<'_>, name: &str, least: i64, most: i64) -> Result<i64, Undecided> {
    fields.integer(name, least, most).map_err(unread)?.ok_or_else(|| unread(fault(name, "missing")))
}

/// There was nothing to look at, which is neither the one nor the other.
pub(crate) fn absent(reason: impl ToString) -> Decided {
    Err(Undecided::new(Code::EvidenceAbsent, reason))
}

/// The refusal of a check that could not fail.
pub(crate) fn vacuous(message: impl ToString) -> ContractError {
    ContractError::new(Code::CheckVacuous, message)
}

/// A number's text as a value for a bundle, whose numbers are doubles: one that no double holds exactly is told as a string.
pub(crate) fn exact(text: &str) -> Json {
    match strict::parse(text.as_bytes(), &strict::CONTRACT) {
        Ok(value) if Decimal::of(&value) == Decimal::parse(text) => value,
        _ => Json::String(super::shown::cut(text, 1_000)),
    }
}

/// The row of a type.
pub(crate) fn find(name: &str) -> Option<&'static CheckType> {
    TYPES.iter().find(|row| row.name == name)
}

/// The names of the types.
pub(crate) fn names() -> Vec<&'static str> {
    TYPES.iter().map(|row| row.name).collect()
}

/// The types as JSON, for hosts and for the documents:
/// `[{type, about, capabilities, params: [{name, kind, required, default, about}]}]`.
pub(crate) fn documented() -> Json {
    array(TYPES.iter().map(|row| {
        let params = row.params.iter().map(|param| {
            let default = match param.need {
                Need::Default(text) => Json::from(text),
                _ => Json::Null,
            };
            object([
                ("name", param.name.into()),
                ("kind", param.kind.words().into()),
                ("required", matches!(param.need, Need::Must).into()),
                ("default", default),
                ("about", param.about.into()),
            ])
        });
        object([
            ("type", row.name.into()),
            ("about", row.about.into()),
            ("capabilities", array(row.capabilities.iter().map(|capability| capability.name()))),
            ("params", array(params)),
        ])
    }))
}
