//! What is worked out of a turn once, for all of its claims.

use super::*;

impl View<'_, '_> {
    /// The look at what a call and a kind of work were about; `find` runs once for both.
    pub fn look(&self, call: usize, work: &'static str, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        let known = self.looks.borrow().get(&(call, work)).copied();
        known.unwrap_or_else(|| {
            let found = find();
            self.looks.borrow_mut().insert((call, work), found);
            found
        })
    }

    /// What `find` finds, which runs once a turn.
    pub fn shared(&self, what: Shared, find: impl FnOnce() -> Option<usize>) -> Option<usize> {
        *self.shared[what as usize].get_or_init(find)
    }

    /// Whether the agent was given a passing run of this kind; found once, since all that it was given is read for it.
    pub fn given_pass(&self, act: Act, find: impl FnOnce() -> bool) -> bool {
        *self.given[usize::from(act == Act::Test)].get_or_init(find)
    }

    /// One of the courses of the runs of this kind, tests or builds; `work_out` runs once a turn.
    pub fn course(&self, act: Act, which: usize, work_out: impl FnOnce() -> Course) -> &Course {
        self.courses[usize::from(act == Act::Test)][which.min(2)].get_or_init(work_out)
    }

    /// The runs of this kind, tests or builds, by what they are named by; `work_out` runs once a turn.
    pub fn runs(&self, act: Act, work_out: impl FnOnce() -> Runs) -> &Runs {
        self.runs[usize::from(act == Act::Test)].get_or_init(work_out)
    }

    /// What passed among the runs of this kind; `work_out` runs once a turn.
    pub fn passes(&self, act: Act, work_out: impl FnOnce() -> Passes) -> &Passes {
        self.passes[usize::from(act == Act::Test)].get_or_init(work_out)
    }

    /// What the turn's calls may have removed.
    pub fn removals(&self) -> &Removals {
        self.removals.get_or_init(|| Removals::of(self.calls()))
    }

    /// The paths that the turn's calls deleted, which `find` finds once.
    pub fn deletions(&self, find: impl FnOnce() -> Vec<(usize, String)>) -> &[(usize, String)] {
        self.deletions.get_or_init(find)
    }

    /// The last calls of the turn that may have done what a reply denies, which `find` finds once.
    pub fn acting(&self, find: impl FnOnce() -> Vec<usize>) -> &[usize] {
        self.acting.get_or_init(find)
    }

    /// The turn's calls by the program that they ran, which `sort` sorts once.
    pub fn by_program(&self, sort: impl FnOnce() -> BTreeMap<String, Vec<usize>>) -> &BTreeMap<String, Vec<usize>> {
        self.by_program.get_or_init(sort)
    }
}
