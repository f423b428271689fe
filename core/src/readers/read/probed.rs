//! What a proof of read says of a claim to have read the probed address.
//!
//! The proof decides such a claim: the reader by itself is content with an address that the person named, and a probe's
//! always is. It accuses only where the host requires the read, the proof did not come out right, and neither a call nor
//! what the agent was given leaves it open that the page was read. A proof that came out as an earlier read shows that the page
//! did come to the one who reports: no claim to have read it is flagged then. Any other that the host does not require, and that
//! did not come out right, says nothing of any claim.

use super::super::{form, Found, Support};
use super::address::{alike, each, key, Named};
use super::given;
use super::shown::{asks_for_one, brought, may_have_named, may_show, tried, Naming, Output};
use crate::evidence::index::{strings, Part, View};
use crate::probe::{Probe, ProofState};
use crate::record::{Call, Turn};
use crate::result::Proof;
use crate::sort::{set, sorted};
use crate::text::span::quote;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

/// So many calls that name a page are looked at for one claim; where there are more, it is left alone.
const NAMING: usize = 256;

/// The proofs of read of one check, with where the record names them.
#[derive(Default)]
pub(crate) struct Probed<'o> {
    probes: &'o [Probe],
    names: Names<'o>,
    /// For each proof the calls that name its page, in order, and how.
    calls: Vec<Vec<(usize, Naming)>>,
    /// What each call's output is by its own words, and whether its arguments name the address of a probed page.
    outputs: Vec<(Output, bool)>,
    /// For each part of the record the proofs that are shown with it.
    shown: Vec<Vec<usize>>,
    /// For each part whether what the agent was given up to then may have been a probed page.
    given: Vec<bool>,
    /// How many calls were asked whether they may have shown a page that they do not name, and the first that may.
    open: Cell<(usize, Option<usize>)>,
}

impl<'o> Probed<'o> {
    /// Looks the proofs up in the record: one walk over its texts, however many there are. `whole` says that the parts are the
    /// whole session.
    pub(crate) fn new(probes: &'o [Probe], parts: &[Part<'_>], whole: bool) -> Self {
        if probes.is_empty() {
            return Probed::default();
        }
        let calls = vec![Vec::new(); probes.len()];
        let mut probed = Probed { probes, names: Names::new(probes), calls, ..Probed::default() };
        let mut handed = false;
        for part in parts {
            let mut here: BTreeSet<usize> = BTreeSet::new();
            for call in part.calls {
                here.extend(probed.hear(call));
            }
            let mut given = handed;
            if let Some(turn) = part.turn {
                let texts = turn.reply.iter().map(|piece| &piece.text).chain(&turn.user).chain(&turn.context);
                texts.for_each(|text| {
                    probed.names.find(text, |probe, _| {
                        here.insert(probe);
                    });
                });
                handed = handed || probed.names.handed(turn);
                given = handed || turn.user.as_deref().is_some_and(|text| !given::only_asks(text));
            } else {
                here.clear();
            }
            probed.shown.push(here.into_iter().collect());
            probed.given.push(given);
        }
        if whole {
            probed.place_rest(parts);
        }
        probed
    }

    /// Takes up the next call of the record; gives the proofs whose page it names.
    fn hear(&mut self, call: &Call) -> BTreeSet<usize> {
        let mut named: BTreeMap<usize, Naming> = BTreeMap::new();
        let note = |named: &mut BTreeMap<usize, Naming>, probe: usize, naming: Naming| {
            let held = named.entry(probe).or_insert(naming);
            *held = naming.max(*held);
        };
        for text in strings(&call.arguments) {
            self.names.find(text, |probe, naming| note(&mut named, probe, naming));
            let sessions = self.names.sessions.get(text).into_iter().flatten();
            sessions.for_each(|&probe| note(&mut named, probe, Naming::Session));
        }
        let addressed = named.values().any(|naming| *naming == Naming::Address);
        let output = call.output.as_deref().unwrap_or("");
        self.names.find(output, |probe, _| note(&mut named, probe, Naming::Output));
        let mut kind = if given::is_document(output) { Output::Document } else { Output::Plain };
        if kind == Output::Document {
            let mut whose = given::sessions(output).peekable();
            let told = whose.peek().is_some();
            let known: Vec<usize> = whose.filter_map(|id| self.names.sessions.get(id)).flatten().copied().collect();
            kind = if told && known.is_empty() { Output::Other } else { kind };
            for probe in known {
                note(&mut named, probe, Naming::Document);
            }
        }
        let number = self.outputs.len();
        self.outputs.push((kind, addressed));
        for (&probe, &naming) in &named {
            self.calls[probe].push((number, naming));
        }
        named.into_keys().collect()
    }

    /// A proof that no turn names is shown with the last one, so that no verdict is lost.
    fn place_rest(&mut self, parts: &[Part<'_>]) {
        let named = set(self.shown.iter().flatten().copied());
        let last = parts.iter().rposition(|part| part.turn.is_some_and(|turn| turn.calls.is_some()));
        if let Some(shown) = last.and_then(|last| self.shown.get_mut(last)) {
            shown.extend((0..self.probes.len()).filter(|probe| !named.contains(probe)));
            *shown = sorted(core::mem::take(shown), usize::cmp);
        }
    }

    /// The proofs that belong to a part, as a result shows them.
    pub(crate) fn shown(&self, part: usize) -> Vec<Proof> {
        let probes = self.shown.get(part).into_iter().flatten().filter_map(|&i| self.probes.get(i));
        let proof = |Probe { session, url, state, required }: &Probe| Proof {
            session: session.clone(),
            url: url.clone(),
            state: *state,
            required: *required,
            meaning: state.meaning().to_string(),
        };
        probes.map(proof).collect()
    }

    /// What the record and the proofs say of a claim together; `support` is what the record says alone.
    pub(crate) fn weigh(&self, claim: &Found, view: &View<'_, '_>, support: Support) -> Support {
        if self.probes.is_empty() || claim.wide || form(claim).reader != "read" {
            return support;
        }
        let about = self.about(&claim.name);
        let probes = || about.iter().filter_map(|&i| self.probes.get(i));
        let flagged = matches!(support, Support::Not(..) | Support::Against(..));
        if probes().any(|probe| probe.state == ProofState::ReadVerified) {
            return if flagged || support == Support::Leave { Support::By(None, None) } else { support };
        }
        let stale = probes().any(|probe| probe.state == ProofState::ReadStale);
        let Some(required) = probes().find(|probe| probe.required) else {
            return if stale && flagged { Support::Leave } else { support };
        };
        let (calls, all) = self.naming(&about, view);
        if let Some(&(call, _)) = calls.iter().find(|&&(call, naming)| brought(view, call, naming)) {
            return if flagged || support == Support::By(None, None) { Support::by(call) } else { support };
        }
        let given = self.given.get(view.part()).copied().unwrap_or(false) || view.material() || view.wants_text();
        // Its values are the words that leave it open whether this page was read now.
        let doubted = !claim.values.is_empty();
        // A page that was opened, or told to have failed, was asked for and need not have come.
        let may = |&(call, naming): &(usize, Naming)| {
            may_have_named(view, call, naming) || (claim.keyed && tried(view, call, naming))
        };
        if stale || given || doubted || !all || calls.iter().any(may) || self.open(view).is_some() {
            return Support::Leave;
        }
        let near = calls.iter().map(|&(call, _)| call).filter(|call| view.now().contains(call)).max();
        let (state, url) = (required.state.name(), quote(&required.url, 80));
        Support::Not(
            format!("the proof of read of {url} came out as {state}, and no call shows that it was fetched"),
            near.or_else(|| view.now().next_back()),
        )
    }

    /// The proofs about the page that a claim names.
    fn about(&self, name: &str) -> Vec<usize> {
        let whole = key(name);
        let page = whole.split('?').next().unwrap_or(&whole);
        let found = self.names.at.get(&whole).or_else(|| self.names.at.get(page));
        let same = |i: &usize| self.probes.get(*i).is_some_and(|probe| alike(&probe.url, name));
        found.into_iter().flatten().copied().filter(same).collect()
    }

    /// The last calls up to the end of the turn that name one of these pages, and whether these are all.
    fn naming(&self, about: &[usize], view: &View<'_, '_>) -> (Vec<(usize, Naming)>, bool) {
        let end = view.now().end;
        let before = |calls: &[(usize, Naming)]| calls.partition_point(|&(call, _)| call < end);
        let lists = about.iter().filter_map(|&i| self.calls.get(i));
        let mut all = lists.flat_map(|calls| calls.iter().take(before(calls)).rev().copied());
        let found: Vec<(usize, Naming)> = all.by_ref().take(NAMING).collect();
        (found, all.next().is_none())
    }

    /// The first call of the record, up to the end of the turn, that may have shown a page which it does not name. Each call is
    /// asked once, whatever the number of claims and turns.
    fn open(&self, view: &View<'_, '_>) -> Option<usize> {
        let (mut done, mut first) = self.open.get();
        let end = view.now().end;
        while first.is_none() && done < end {
            let (output, addressed) = self.outputs.get(done).copied().unwrap_or((Output::Plain, false));
            let another = addressed && asks_for_one(view, done);
            first = (!another && may_show(view, done, output)).then_some(done);
            done += 1;
        }
        self.open.set((done, first));
        first.filter(|call| *call < end)
    }
}

/// The names of all proofs, ready for looking them up in texts.
#[derive(Default)]
struct Names<'o> {
    /// The proofs by their addresses.
    at: BTreeMap<String, Vec<usize>>,
    /// A tool may take the path of an address alone.
    paths: BTreeMap<String, Vec<usize>>,
    /// And it may take the session's id alone.
    sessions: BTreeMap<&'o str, Vec<usize>>,
}

impl<'o> Names<'o> {
    fn new(probes: &'o [Probe]) -> Self {
        let mut names = Names::default();
        for (i, probe) in probes.iter().enumerate() {
            let whole = key(&probe.url);
            if let Some((_, path)) = whole.split_once('/').filter(|(_, path)| path.contains('/')) {
                names.paths.entry(path.to_string()).or_default().push(i);
            }
            names.at.entry(whole).or_default().push(i);
            names.sessions.entry(&probe.session).or_default().push(i);
        }
        names
    }

    /// Tells `visit` the proofs whose page a text names. `/s` names no `/s2`.
    fn find(&self, text: &str, mut visit: impl FnMut(usize, Naming)) {
        each(text, |named| {
            let (found, naming) = match named {
                Named::Whole(key) => (self.at.get(key), Naming::Address),
                Named::Path(path) => (self.paths.get(path), Naming::Path),
            };
            found.into_iter().flatten().for_each(|&probe| visit(probe, naming));
        });
    }

    /// Whether something that the agent was given in a turn is a probed page, or says that one was handed over.
    fn handed(&self, turn: &Turn) -> bool {
        let tells = |text: &str| {
            let mut named = false;
            self.find(text, |_, _| named = true);
            named && !given::only_asks(text)
        };
        let mut said = turn.user.iter().chain(turn.said.iter().flatten());
        said.any(|text| given::hands_over(text) || tells(text))
            || turn.context.iter().any(|text| given::is_document(text) || tells(text))
    }
}
