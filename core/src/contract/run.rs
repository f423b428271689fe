//! What the host says of itself and of the run: the time, where it may look, what it can do, and how apart it is.

use super::codes::Code;
use super::error::ContractError;
use super::fields::{wrong, Fields};
use super::json::{array, named, object, Json, Object};
use super::level::Level;
use super::model::moment;
use super::principal::Principal;
use super::shown::Mask;
use super::time::Moment;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

pub(super) const MEMBERS: &[&str] =
    &["now", "workspace", "backend", "offline", "capabilities", "actor", "work_started_at", "outside"];

/// The host's account of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The time of judging, in UTC.
    pub now: String,
    /// A token for the workspace, or its absolute path, which is then taken out of all that is shown. It is not stored.
    pub workspace: Option<String>,
    /// The host's name and version.
    pub host: (String, String),
    /// The level that the host claims.
    pub claimed: Level,
    /// What it declares about its isolation.
    pub facts: Json,
    /// Whether no request may leave the machine.
    pub offline: bool,
    /// What the host can do; `None` when it does not say.
    pub capabilities: Option<Vec<String>>,
    /// Who did the work.
    pub actor: Option<Principal>,
    /// When the work began.
    pub work_started_at: Option<String>,
    /// Requests whose absolute path leaves the workspace. A bundle holds them in place of the workspace's path, so that the same plan
    /// follows from it.
    pub outside: Vec<String>,
}

impl Run {
    /// Reads `{now, workspace, backend: {name, version, level, facts}, offline, capabilities, actor, work_started_at, outside}`.
    pub fn read(value: &Json) -> Result<Run, ContractError> {
        let fields = Fields::of(value, MEMBERS)?;
        let now = moment(&fields, "now")?.ok_or_else(|| ContractError::at("now", "missing"))?;
        let none = Json::Object(Object::new());
        let backend = Fields::of(fields.value("backend").unwrap_or(&none), &["name", "version", "level", "facts"])
            .map_err(|error| error.inside("backend"))?;
        let text = |name| -> Result<String, ContractError> {
            Ok(backend.text(name, 200).map_err(|error| error.inside("backend"))?.unwrap_or("unknown").to_string())
        };
        let level = backend.text("level", 64).map_err(|error| error.inside("backend"))?;
        let level = level.unwrap_or(Level::DeterministicLocal.name());
        let facts = backend.value("facts").cloned().unwrap_or_else(|| none.clone());
        if facts.object().is_none() {
            return Err(wrong("backend.facts", "an object", &facts));
        }
        Ok(Run {
            now,
            workspace: fields.text("workspace", 4096)?.map(ToString::to_string),
            host: (text("name")?, text("version")?),
            claimed: Level::of_name(level).ok_or_else(|| ContractError::at("backend.level", "unknown"))?,
            facts,
            offline: fields.bool("offline")?.unwrap_or(false),
            capabilities: fields.texts("capabilities", 100)?,
            actor: Principal::read(&fields, "actor")?,
            work_started_at: moment(&fields, "work_started_at")?,
            outside: fields.texts("outside", 200)?.unwrap_or_default(),
        })
    }

    /// The account for a bundle: without the workspace, whose place is nobody's business, and with the requests that leave it, if any.
    pub(crate) fn stored(&self, mask: &Mask<'_>, outside: &[&str]) -> Json {
        let mut members = named(&mut self.account(mask).into_iter());
        if !outside.is_empty() {
            members.insert("outside".to_string(), array(outside.iter().copied()));
        }
        Json::Object(members)
    }

    fn account(&self, mask: &Mask<'_>) -> [(&'static str, Json); 7] {
        [
            ("now", self.now.as_str().into()),
            ("workspace", self.workspace.as_ref().map(|_| "given").into()),
            (
                "backend",
                object([
                    ("name", self.host.0.as_str().into()),
                    ("version", self.host.1.as_str().into()),
                    ("level", self.claimed.name().into()),
                    ("facts", mask.value(&self.facts)),
                ]),
            ),
            ("offline", self.offline.into()),
            ("capabilities", self.capabilities.as_ref().map_or(Json::Null, array)),
            ("actor", self.actor.as_ref().map(Principal::text).into()),
            ("work_started_at", self.work_started_at.clone().into()),
        ]
    }

    /// The level that it is believed to have.
    pub(crate) fn level(&self) -> Level {
        Level::believed(self.claimed, &self.facts)
    }

    /// Whether it can do something, or does not say.
    pub(crate) fn can(&self, capability: &str) -> bool {
        self.capabilities.as_ref().is_none_or(|known| known.iter().any(|name| name == capability))
    }

    /// The workspace, unless it is a place that depends on where a process happens to stand.
    pub(crate) fn workspace(&self) -> Result<&str, ContractError> {
        let given = self.workspace.as_deref().unwrap_or_default();
        let relative = matches!(given, "" | "." | "..")
            || given.starts_with("./")
            || given.starts_with("../")
            || given.starts_with(".\\")
            || given.starts_with("..\\");
        match relative {
            false => Ok(given),
            true if given.is_empty() => {
                Err(ContractError::new(Code::WorkspaceUnresolved, "no workspace was established"))
            }
            true => Err(ContractError::new(Code::WorkspaceUnresolved, "the workspace is a relative path")),
        }
    }

    /// The time of judging.
    pub(crate) fn moment(&self) -> Option<Moment> {
        Moment::parse(&self.now)
    }
}
