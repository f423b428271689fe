//! What a proof of read says of a claim to have read the probed address.
//!
//! The proof decides such a claim: the reader by itself is content with an address that the person named, and a probe's
//! always is. It accuses only where the host requires the read, the proof did not come out right, and no call shows that
//! the address was fetched or may have been.

use super::super::{form, Found, Support};
use super::open;
use crate::evidence::index::{strings, Part, View};
use crate::evidence::needles::{Scanner, LONGEST};
use crate::evidence::roles::Role;
use crate::probe::{Probe, ProofState};
use crate::result::Proof;
use crate::sort::{set, sorted};
use crate::text::fold::Folded;
use crate::text::span::quote;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

/// The proofs of read of one check, with where the record names them.
#[derive(Default)]
pub(crate) struct Probed<'o> {
    probes: &'o [Probe],
    /// The proofs by their addresses.
    at: BTreeMap<String, Vec<usize>>,
    /// For each proof the calls that name its address or its session, in order.
    calls: Vec<Vec<usize>>,
    /// For each part of the record the proofs that are shown with it.
    shown: Vec<Vec<usize>>,
}

impl<'o> Probed<'o> {
    /// Looks the proofs up in the record: one walk over its texts, however many there are. `whole` says that the parts are the
    /// whole session.
    pub(crate) fn new(probes: &'o [Probe], parts: &[Part<'_>], whole: bool) -> Self {
        if probes.is_empty() {
            return Probed::default();
        }
        let mut at: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (i, probe) in probes.iter().enumerate() {
            at.entry(address(&probe.url)).or_default().push(i);
        }
        let names = Names::new(probes);
        let mut calls = vec![Vec::new(); probes.len()];
        let mut shown: Vec<Vec<usize>> = Vec::with_capacity(parts.len());
        let mut folded = Folded::new();
        let mut number = 0;
        for part in parts {
            let mut here = BTreeSet::new();
            for call in part.calls {
                let mut named = BTreeSet::new();
                for text in strings(&call.arguments) {
                    names.find(text, &mut folded, &mut named);
                    named.extend(names.sessions.get(text).into_iter().flatten());
                }
                names.find(call.output.as_deref().unwrap_or(""), &mut folded, &mut named);
                for &probe in &named {
                    calls[probe].push(number);
                }
                here.extend(named);
                number += 1;
            }
            if let Some(turn) = part.turn {
                let pieces = turn.reply.iter().map(|piece| &piece.text);
                let given = turn.user.iter().chain(&turn.context);
                pieces.chain(given).for_each(|text| names.find(text, &mut folded, &mut here));
                shown.push(here.into_iter().collect());
            } else {
                shown.push(Vec::new());
            }
        }
        let mut probed = Probed { probes, at, calls, shown };
        if whole {
            probed.place_rest(parts);
        }
        probed
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
        let address = address(&claim.name);
        let bare = address.split('?').next().unwrap_or(&address);
        let Some(found) = self.at.get(&address).or_else(|| self.at.get(bare)) else { return support };
        let probes = || found.iter().filter_map(|&i| self.probes.get(i));
        let calls = || found.iter().filter_map(|&i| self.calls.get(i)).flatten().copied();
        let past = |call: &usize| *call < view.now().end;
        let flagged = matches!(support, Support::Not(..) | Support::Against(..));
        if probes().any(|probe| probe.state == ProofState::ReadVerified) {
            return if flagged || support == Support::Leave { Support::By(None, None) } else { support };
        }
        if let Some(call) = calls().filter(past).find(|&call| fetched(view, call)) {
            return if flagged || support == Support::By(None, None) { Support::by(call) } else { support };
        }
        let Some(required) = probes().find(|probe| probe.required) else {
            return if flagged { Support::Leave } else { support };
        };
        if open(claim, false, view).is_some() || view.wants_text() {
            return Support::Leave;
        }
        let near = calls().filter(|call| view.now().contains(call)).max().or_else(|| view.now().next_back());
        let state = required.state.name();
        let url = quote(&required.url, 80);
        Support::Not(
            format!("the proof of read of {url} came out as {state}, and no call shows that it was fetched"),
            near,
        )
    }
}

/// Whether a call that names an address may have brought what stands there.
fn fetched(view: &View<'_, '_>, call: usize) -> bool {
    let (facts, seen) = (view.facts(call), view.seen(call));
    let elsewhere = matches!(facts.role, Role::Write | Role::Notify | Role::Remove | Role::Ask);
    !elsewhere && !seen.inward && seen.executed && !seen.blank && facts.succeeded && !seen.refused(facts)
}

/// An address for comparing: no scheme, fragment or slash at its end, and its host in lower case.
fn address(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.split('#').next().unwrap_or(rest).trim_end_matches('/');
    let host = rest.find(['/', '?']).unwrap_or(rest.len());
    let (host, path) = rest.split_at(host);
    format!("{}{path}", host.to_ascii_lowercase())
}

/// The names of all proofs, ready for looking them up in texts.
struct Names<'o> {
    scanner: Scanner,
    /// For each needle its length and its proofs.
    needles: Vec<(usize, Vec<usize>)>,
    /// A tool may take the session's id alone.
    sessions: BTreeMap<&'o str, Vec<usize>>,
}

impl<'o> Names<'o> {
    fn new(probes: &'o [Probe]) -> Self {
        let mut texts: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
        let mut sessions: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (i, probe) in probes.iter().enumerate() {
            sessions.entry(&probe.session).or_default().push(i);
            let whole = address(&probe.url);
            // A tool may take the path of an address alone.
            let path = whole.split_once('/').map(|(_, path)| path).filter(|path| path.contains('/'));
            for text in [Some(whole.as_str()), path].into_iter().flatten() {
                let mut needle = crate::text::fold::fold(text);
                needle.truncate(LONGEST);
                texts.entry(needle).or_default().push(i);
            }
        }
        let scanner = Scanner::new(&texts.keys().map(Vec::as_slice).collect::<Vec<_>>());
        Names { scanner, needles: texts.into_iter().map(|(text, probes)| (text.len(), probes)).collect(), sessions }
    }

    /// Puts the proofs that a text names into `found`. `/s` names no `/s2`.
    fn find(&self, text: &str, folded: &mut Folded, found: &mut BTreeSet<usize>) {
        folded.fold(text);
        let bytes = folded.bytes.as_slice();
        self.scanner.scan(bytes, |id, at| {
            let Some((length, probes)) = self.needles.get(id) else { return };
            let next = bytes.get(at + length).copied().unwrap_or(b' ');
            if *length == LONGEST || !(next.is_ascii_alphanumeric() || matches!(next, b'_' | b'-')) {
                found.extend(probes);
            }
        });
    }
}
