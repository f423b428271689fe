//! Which calls are shown first: those that a result word of the reply could mean, failures before successes.

use super::open::Open;
use crate::evidence::roles::{role_of, Role};
use crate::options::Options;
use crate::prose::TokenKind;
use crate::record::{Call, Status};
use crate::sort::sorted;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use serde_json::Value;

/// The most words of a reply that calls are compared with.
const WORDS: usize = 256;
/// How much of each end of a text is compared.
const END: usize = 160;
/// The most arguments of a call that are compared.
const ARGUMENTS: usize = 8;

/// The most calls of earlier turns that are weighed, so that each turn of a long session costs the same.
const EARLIER: usize = 200;

/// What a word of the reply may mean: calls of these roles, or calls that were turned away.
struct Meaning {
    words: &'static [&'static str],
    roles: &'static [Role],
}

const RUNS: &[Role] = &[Role::Command, Role::Code];
const LOOKS: &[Role] = &[Role::Read, Role::Look, Role::Fetch, Role::Search, Role::Command, Role::Code];

const MEANINGS: &[Meaning] = &[
    Meaning {
        words: &[
            "built", "compiled", "executed", "exited", "failed", "launched", "output", "passed", "printed", "ran",
            "returned", "started", "tested", "tests",
        ],
        roles: RUNS,
    },
    Meaning {
        words: &[
            "checked",
            "confirmed",
            "found",
            "inspected",
            "looked",
            "opened",
            "read",
            "reviewed",
            "saw",
            "verified",
        ],
        roles: LOOKS,
    },
    Meaning {
        words: &["alerted", "displayed", "emailed", "messaged", "notified", "posted", "sent", "shown"],
        roles: &[Role::Notify, Role::Command, Role::Code],
    },
    Meaning {
        words: &["cleaned", "cleared", "deleted", "dropped", "removed"],
        roles: &[Role::Remove, Role::Write, Role::Command, Role::Code],
    },
    Meaning {
        words: &[
            "added", "changed", "created", "edited", "fixed", "modified", "moved", "renamed", "replaced", "saved",
            "updated", "wrote",
        ],
        roles: &[Role::Write, Role::Remove, Role::Command, Role::Code],
    },
    Meaning { words: &["fetched", "searched", "visited"], roles: &[Role::Search, Role::Fetch, Role::Command] },
    Meaning {
        words: &["booked", "committed", "deployed", "merged", "published", "pushed", "released", "uploaded"],
        roles: RUNS,
    },
    Meaning { words: &["agreed", "answered", "approved", "chose", "declined", "selected"], roles: &[Role::Ask] },
];

/// Words after which calls that were turned away are meant.
const TURNED_AWAY: &[&str] = &["blocked", "declined", "denied", "refused", "rejected"];

/// A call with what is said of it.
#[derive(Clone, Copy)]
pub(super) struct Ranked<'a> {
    pub(super) call: &'a Call,
    /// Its number among the calls of its turn or of the earlier turns, from 1.
    pub(super) number: usize,
    /// It was made in an earlier turn.
    pub(super) earlier: bool,
    /// How near it is to what the reply reports.
    meant: u8,
    failed: bool,
    shared: usize,
}

/// The calls of earlier turns, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Before<'a> {
    turns: Vec<&'a [Call]>,
    count: usize,
}

impl<'a> Before<'a> {
    /// Adds those of a turn.
    pub(super) fn add(&mut self, calls: &'a [Call]) {
        self.count += calls.len();
        self.turns.push(calls);
    }

    /// The last of them with their numbers, the latest first.
    fn last(&self) -> impl Iterator<Item = (usize, &'a Call)> + '_ {
        let calls = self.turns.iter().rev().flat_map(|calls| calls.iter().rev());
        calls.take(EARLIER).enumerate().map(|(back, call)| (self.count - back, call))
    }
}

/// The calls of a turn and of those before it, in the order in which they are shown.
pub(super) struct Order<'a> {
    pub(super) calls: Vec<Ranked<'a>>,
    /// How many calls of earlier turns are not among them.
    pub(super) beyond: usize,
}

impl<'a> Order<'a> {
    pub(super) fn of(open: &Open<'_>, calls: &'a [Call], before: &Before<'a>, options: &Options) -> Self {
        let asked = Asked::of(open);
        let mut roles: BTreeMap<&str, Role> = BTreeMap::new();
        let mut seen = Vec::new();
        let now = calls.iter().enumerate().map(|(i, call)| (i + 1, call, false));
        let earlier = before.last().map(|(number, call)| (number, call, true));
        let mut ranked = Vec::with_capacity(calls.len());
        for (mark, (number, call, earlier)) in now.chain(earlier).enumerate() {
            let role = *roles.entry(&call.tool).or_insert_with(|| role_of(&call.tool, &options.roles));
            let shared = asked.shared(call, mark + 1, &mut seen);
            let meant = u8::from(asked.means(role, call)) + u8::from(shared > 0);
            ranked.push(Ranked { call, number, earlier, meant, failed: failed(call), shared });
        }
        let later = |a: &Ranked<'_>, b: &Ranked<'_>| (a.earlier, b.number).cmp(&(b.earlier, a.number));
        let calls = sorted(ranked, |a, b| {
            let (near, far) = ((b.meant, b.failed, b.shared), (a.meant, a.failed, a.shared));
            near.cmp(&far).then_with(|| later(a, b))
        });
        Order { calls, beyond: before.count.saturating_sub(EARLIER) }
    }
}

/// Whether a call is known to have come to no good end.
fn failed(call: &Call) -> bool {
    let bad =
        matches!(call.status, Status::Error | Status::Denied | Status::Declined | Status::Timeout | Status::Cancelled);
    bad || call.exit.is_some_and(|exit| exit != 0) || call.error.is_some()
}

/// What the open clauses of a reply speak of.
struct Asked {
    roles: Vec<Role>,
    turned_away: bool,
    /// The hashes of their words, in order, and a bit for each.
    words: Vec<u64>,
    bits: [u64; 64],
}

impl Asked {
    fn of(open: &Open<'_>) -> Self {
        let mut asked =
            Asked { roles: vec![Role::Unknown, Role::Agent], turned_away: false, words: Vec::new(), bits: [0; 64] };
        let tokens = open.clauses.iter().filter_map(|clause| open.prose.clauses.get(clause.index));
        for token in tokens.flat_map(|clause| open.prose.of(clause)) {
            if asked.words.len() >= WORDS {
                break;
            }
            if token.kind == TokenKind::Word {
                asked.turned_away |= TURNED_AWAY.contains(&&*token.text);
                let meanings = MEANINGS.iter().filter(|meaning| meaning.words.contains(&&*token.text));
                asked.roles.extend(meanings.flat_map(|meaning| meaning.roles));
            }
            each_word(token.text.as_bytes(), &mut |hash| asked.words.push(hash));
        }
        asked.words = sorted(core::mem::take(&mut asked.words), Ord::cmp);
        asked.words.dedup();
        for hash in &asked.words {
            if let Some(bits) = asked.bits.get_mut((hash >> 6) as usize % 64) {
                *bits |= 1 << (hash % 64);
            }
        }
        asked
    }

    fn means(&self, role: Role, call: &Call) -> bool {
        let away = matches!(call.status, Status::Denied | Status::Declined);
        self.roles.contains(&role) || (self.turned_away && (away || failed(call)))
    }

    /// How many words of the reply a call has in its name, its arguments or its output, near their ends. `seen` holds for
    /// each word the mark of the last call that had it.
    fn shared(&self, call: &Call, mark: usize, seen: &mut Vec<usize>) -> usize {
        seen.resize(self.words.len(), 0);
        let mut shared = 0;
        let mut look = |hash: u64| {
            let bits = self.bits.get((hash >> 6) as usize % 64).copied().unwrap_or(0);
            if bits & (1 << (hash % 64)) == 0 {
                return;
            }
            if let Some(last) = self.words.binary_search(&hash).ok().and_then(|at| seen.get_mut(at)) {
                shared += usize::from(*last != mark);
                *last = mark;
            }
        };
        let mut ends = |text: &str| {
            let bytes = text.as_bytes();
            let head = bytes.len().min(END);
            each_word(bytes.get(..head).unwrap_or(&[]), &mut look);
            each_word(bytes.get(bytes.len().saturating_sub(END).max(head)..).unwrap_or(&[]), &mut look);
        };
        ends(&call.tool);
        match &call.arguments {
            Value::String(text) => ends(text),
            Value::Object(map) => map.values().take(ARGUMENTS).filter_map(Value::as_str).for_each(&mut ends),
            _ => {}
        }
        call.output.iter().chain(&call.error).for_each(|text| ends(text));
        shared
    }
}

/// Hands on the hash of each word of at least three bytes, in lower case as far as it is ASCII.
fn each_word(bytes: &[u8], hear: &mut impl FnMut(u64)) {
    let (mut hash, mut len) = (FNV, 0);
    for byte in bytes.iter().chain(b" ") {
        if byte.is_ascii_alphanumeric() || *byte >= 0x80 {
            hash = (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(PRIME);
            len += 1;
        } else {
            if len >= 3 {
                // The lower bits of a product depend on few of its bits.
                hear(hash ^ (hash >> 32));
            }
            (hash, len) = (FNV, 0);
        }
    }
}

/// The offset and the prime of the 64-bit hash FNV-1a.
pub(super) const FNV: u64 = 0xcbf2_9ce4_8422_2325;
pub(super) const PRIME: u64 = 0x0100_0000_01b3;
