//! “Updated `settings.py`”, while every edit of it changed nothing.

use super::super::edits::{self, Attempts};
use super::super::prelude::*;

pub(in crate::readers) const EDITS: Form =
    Form { reader: "empty", reads: Reads::Same(edits::PHRASES), check, asks: nothing_more };

fn check(claim: &Found, view: &View<'_, '_>) -> Support {
    match edits::attempts(claim, view) {
        Attempts { good: Some(call), .. } => Support::by(call),
        Attempts { may: None, nothing: Some(call), .. }
            if view.before(Act::Write).is_none() && !edits::unchanged(claim, view) =>
        {
            Support::Not(format!("{} changed nothing", view.facts(call).shown()), Some(call))
        }
        _ => Support::Leave,
    }
}
