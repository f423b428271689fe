//! The readers.

/// The readers' names, in the order in which results name them.
pub const NAMES: &[&str] =
    &["call", "command", "outcome", "notification", "removal", "output", "count", "answer", "cited"];

/// What each reader reads, in a line, and whether it is on unless a host says otherwise.
pub const ABOUT: &[(&str, &str, bool)] = &[
    ("call", "a tool said to have been called", true),
    ("command", "a command line said to have been run, and how it ended", true),
    ("outcome", "tests or a build said to have passed", true),
    ("notification", "a person said to have been notified", true),
    ("removal", "something said to have been removed", true),
    ("output", "output shown as a call's own", true),
    ("count", "a number of things said to have been found", true),
    ("answer", "an answer said to be the person's", true),
    ("cited", "an entry of the conversation cited by its number", true),
];
