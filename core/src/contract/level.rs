//! How independent the one who judged was from what was judged.

use super::json::{object, Json};
use alloc::string::ToString;

/// The ladder of independence, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Someone or something looked.
    VisualAdvisory,
    /// The same observations give the same answer, without a model.
    DeterministicLocal,
    /// A worker of its own, which could not read keys or outlive its deadline.
    IsolatedLocal,
    /// The one who acted could not write what was read.
    ExternalReadOnly,
    /// A named person looked.
    HumanAttested,
    /// Another machine judged and signed.
    RemoteAttested,
}

/// What a level proves, what it does not, and who may claim it.
#[derive(Clone, Copy, Debug)]
pub struct LevelInfo {
    /// The level.
    pub level: Level,
    /// Its name on the wire.
    pub name: &'static str,
    /// What it proves.
    pub proves: &'static str,
    /// What it does not prove.
    pub lacks: &'static str,
    /// What a host has to declare to be believed; `a|b` is one of the two. Nothing that it declares reaches the last two levels.
    pub facts: &'static [&'static str],
}

/// Every level, weakest first.
pub const LEVELS: &[LevelInfo] = &[
    LevelInfo {
        level: Level::VisualAdvisory,
        name: "visual_advisory",
        proves: "someone or something looked",
        lacks: "anything about the result",
        facts: &[],
    },
    LevelInfo {
        level: Level::DeterministicLocal,
        name: "deterministic_local",
        proves: "the answer can be had again, without a model",
        lacks: "that the judge is apart from the judged",
        facts: &[],
    },
    LevelInfo {
        level: Level::IsolatedLocal,
        name: "isolated_local",
        proves: "the worker could not read keys, corrupt its parent or outlive its deadline",
        lacks: "independence from an agent of the same user of the system",
        facts: &["separate_process", "env_allowlisted", "roots_bounded", "deadline_enforced", "group_kill"],
    },
    LevelInfo {
        level: Level::ExternalReadOnly,
        name: "external_read_only",
        proves: "the one who acted could not write what was read",
        lacks: "that the target is honest",
        facts: &["other_identity|container", "read_only_mount", "probe"],
    },
    LevelInfo {
        level: Level::HumanAttested,
        name: "human_attested",
        proves: "a named person looked",
        lacks: "that it can be had again",
        facts: &[],
    },
    LevelInfo {
        level: Level::RemoteAttested,
        name: "remote_attested",
        proves: "another machine judged and signed",
        lacks: "that the other machine is honest",
        facts: &[],
    },
];

impl Level {
    fn info(self) -> Option<&'static LevelInfo> {
        LEVELS.get(self as usize)
    }

    /// The name on the wire.
    pub fn name(self) -> &'static str {
        self.info().map_or("", |info| info.name)
    }

    /// The level of a name.
    pub fn of_name(name: &str) -> Option<Level> {
        LEVELS.iter().find(|info| info.name == name).map(|info| info.level)
    }

    /// The level that a host is believed to have: what it claims, capped by the facts that it declares. Every host can have an
    /// answer again, so that none is below that; and nothing that a host declares reaches the last two.
    pub(crate) fn believed(claimed: Level, facts: &Json) -> Level {
        let holds =
            |info: &LevelInfo| info.facts.iter().all(|names| names.split('|').any(|name| declared(facts, name)));
        let reached = LEVELS
            .iter()
            .filter(|info| info.level <= claimed && info.level <= Level::ExternalReadOnly && holds(info))
            .map(|info| info.level)
            .next_back();
        reached.unwrap_or(Level::DeterministicLocal).max(Level::DeterministicLocal)
    }

    /// What the level proves and what not, for a bundle.
    pub(crate) fn facts(self) -> Json {
        let info = self.info();
        object([
            ("level", self.name().into()),
            ("proves", info.map_or("", |info| info.proves).to_string().into()),
            ("does_not_prove", info.map_or("", |info| info.lacks).to_string().into()),
        ])
    }
}

/// A fact counts when it is `true`; a probe is the text of what was tried, and counts when it is not blank.
fn declared(facts: &Json, name: &str) -> bool {
    match facts.get(name) {
        Some(Json::Bool(value)) => *value && name != "probe",
        Some(Json::String(text)) => name == "probe" && !text.trim().is_empty(),
        _ => false,
    }
}
