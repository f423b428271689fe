//! What kind of thing a tool does.

/// A tool's role: what its calls can be evidence for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Runs a shell command line.
    Command,
    /// Runs code: python, a notebook cell.
    Code,
    /// Reads a file.
    Read,
    /// Writes or edits a file.
    Write,
    /// Removes something.
    Remove,
    /// Searches files, a repository or the web.
    Search,
    /// Fetches a page or an address.
    Fetch,
    /// Notifies a person.
    Notify,
    /// Asks the person.
    Ask,
    /// Starts a sub-agent.
    Agent,
    /// Returns state and changes nothing.
    Look,
    /// Not known: may have done any act that its name or arguments do not rule out.
    #[default]
    Unknown,
}

impl Role {
    /// Every role with its name on the wire.
    pub const ALL: [(&'static str, Role); 12] = [
        ("command", Role::Command),
        ("code", Role::Code),
        ("read", Role::Read),
        ("write", Role::Write),
        ("remove", Role::Remove),
        ("search", Role::Search),
        ("fetch", Role::Fetch),
        ("notify", Role::Notify),
        ("ask", Role::Ask),
        ("agent", Role::Agent),
        ("look", Role::Look),
        ("unknown", Role::Unknown),
    ];
}
