//! “Updated `settings.py`”, while every edit of it changed nothing.

use super::super::prelude::*;
use super::super::text::is_path;
use super::super::voice::{outside, voice, Voice};
use crate::evidence::roles::Role;
use crate::evidence::stale::changed_nothing;

pub(in crate::readers) const EDITS: Form =
    Form { reader: "empty", reads: Reads::Phrases(PHRASES, read), check, asks: nothing_more };

const PHRASES: &[&str] = &["adjusted|changed|corrected|edited|fixed|modified|patched|renamed|replaced|rewrote|updated"];

fn read(reading: &mut Reading<'_, '_>, index: usize, found: &Match) {
    let clause = reading.clause(index);
    let at = found.tokens.start;
    if !reading.asserts(clause, at) || outside(reading, clause) || voice(reading, clause, at) == Voice::Other {
        return;
    }
    let file = |t: &&Token<'_>| matches!(t.kind, TokenKind::Code | TokenKind::Word) && is_path(&t.text);
    let mut files = reading.tokens(clause).iter().filter(file);
    if let (Some(path), None) = (files.next(), files.next()) {
        reading.claim(index, Found { name: path.text.to_lowercase(), ..Found::default() });
    }
}

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    let name = claim.name.rsplit(['/', '\\']).next().unwrap_or("");
    let mut last = None;
    for (call, facts) in view.calls().filter(|(_, f)| f.ran()) {
        let writes = facts.role == Role::Write;
        let meant = writes && view.values(call).texts.iter().any(|t| t.len() <= 400 && t.ends_with(name.as_bytes()));
        if meant && (changed_nothing(facts) || !facts.succeeded) {
            last = Some((call, changed_nothing(facts)));
        } else if meant {
            return Support::by(call);
        } else {
            // A call that names no file, or that may write any, may have made the edit.
            let unnamed = || view.values(call).texts.iter().all(|t| t.len() > 400 || !t.contains(&b'.'));
            let may = facts.acts.could(Act::Write) || facts.acts.could(Act::Wrap);
            if if writes { unnamed() } else { may } {
                return Support::Leave;
            }
        }
    }
    if view.before(Act::Write).is_some() {
        return Support::Leave;
    }
    match last {
        Some((call, true)) => Support::Not(format!("{} changed nothing", view.facts(call).shown()), Some(call)),
        Some((call, false)) => {
            view.facts(call).ended().map_or(Support::Leave, |reason| Support::Not(reason, Some(call)))
        }
        None => Support::Leave,
    }
}
