//! What a simple command or a tool may have done.

/// A kind of act that a reply may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Act {
    /// Ran tests.
    Test,
    /// Built or compiled something.
    Build,
    /// Notified, mailed or messaged somebody.
    Notify,
    /// Removed a file, folder, branch, container, table, record.
    Remove,
    /// Wrote, edited, moved or created a file.
    Write,
    /// Changed something outside the files: committed, pushed, deployed, published, booked.
    Publish,
    /// Searched.
    Search,
    /// Fetched from the network.
    Fetch,
    /// Ran programs that its line does not name: a script, a wrapper, a container, code.
    Wrap,
}

/// The acts of one call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Acts {
    /// Acts that its name or line names, as one bit each.
    pub did: u16,
    /// Acts that it may have done besides.
    pub may: u16,
}

impl Acts {
    /// It did the act or may have done it.
    pub fn could(self, act: Act) -> bool {
        (self.did | self.may) & (1 << act as u16) != 0
    }

    /// Its name or its line names the act.
    pub fn names(self, act: Act) -> bool {
        self.did & (1 << act as u16) != 0
    }
}
