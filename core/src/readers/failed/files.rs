//! “I created `NOTES.md`”, while the only call that could have was turned away.

use super::super::edits::{self, Attempts};
use super::super::prelude::*;
use crate::evidence::looks;

pub(in crate::readers) const FILES: Form =
    Form { reader: "failed", reads: Reads::Phrases(edits::PHRASES, edits::read), check, asks: nothing_more };

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    match edits::attempts(claim, view) {
        Attempts { good: None, may: None, nothing: None, failed: Some(call) } if view.before(Act::Write).is_none() => {
            if let Some(look) = looks::written(view, call, &claim.name) {
                return Support::by(look);
            }
            let reason = view.facts(call).ended();
            reason.map_or(Support::Leave, |reason| Support::Not(reason, Some(call)))
        }
        _ => Support::Leave,
    }
}
