//! What is printed for people.

use super::super::canonical::canonical;
use super::super::error::ContractError;
use super::super::json::{array, Json};
use crate::render::flat;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

/// The most characters of a line that says what was seen.
const LINE: usize = 400;

/// A value as a line of JSON.
pub(super) fn json(value: &Json) -> String {
    format!("{}\n", canonical(value))
}

/// A refusal: the code, the sentence, the way out.
pub(super) fn error(error: &ContractError) -> String {
    format!("counterfoil: {}\n  fix: {}\n", flat(&error.to_string(), 600), error.fix())
}

fn said<'v>(value: &'v Json, name: &str) -> &'v str {
    value.get(name).and_then(Json::str).unwrap_or_default()
}

fn items<'v>(value: &'v Json, name: &str) -> &'v [Json] {
    value.get(name).and_then(Json::array).unwrap_or_default()
}

fn plural(count: usize, one: &str) -> String {
    format!("{count} {one}{}", if count == 1 { "" } else { "s" })
}

/// Rows in columns; the last column is as long as it is.
fn table(rows: &[Vec<String>]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (place, cell) in row.iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(place) {
                Some(known) => *known = width.max(*known),
                None => widths.push(width),
            }
        }
    }
    let mut out = String::new();
    for row in rows {
        let mut line = String::from(" ");
        for (cell, width) in row.iter().zip(&widths) {
            line.push(' ');
            line.push_str(cell);
            let missing = width.saturating_sub(cell.chars().count());
            line.extend(core::iter::repeat_n(' ', missing + 1));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

pub(super) fn frozen(frozen: &Json, out: Option<&str>) -> String {
    let contract = frozen.get("contract").unwrap_or(&Json::Null);
    let mut text = format!(
        "frozen  {}  by {} at {}\n  digest  {}\n  terms   {}\n  {}\n",
        said(contract, "contract_id"),
        flat(said(contract, "frozen_by"), 200),
        said(contract, "frozen_at"),
        said(frozen, "digest"),
        said(frozen, "terms_digest"),
        plural(items(contract, "checks").len(), "check"),
    );
    if items(frozen, "warnings").iter().any(|warning| warning.str() == Some("no_required_check")) {
        text.push_str("  warning: no check is required, so that the verdict will be UNVERIFIED\n");
    }
    if let Some(path) = out {
        let _ = writeln!(text, "written to {}", flat(path, 200));
    }
    text
}

pub(super) fn plan(plan: &Json) -> String {
    let rows: Vec<Vec<String>> = items(plan, "requests")
        .iter()
        .map(|row| {
            let target = row.get("target").unwrap_or(&Json::Null);
            let place = ["path", "database", "url"].iter().map(|name| said(target, name)).find(|text| !text.is_empty());
            let reason = flat(said(row, "reason"), LINE);
            let last = if reason.is_empty() { flat(place.unwrap_or_default(), 200) } else { reason };
            [said(row, "status"), said(row, "request_id"), said(row, "capability")]
                .map(ToString::to_string)
                .into_iter()
                .chain([last])
                .collect()
        })
        .collect();
    format!(
        "plan  {}  {}\n{}plan digest {}\n",
        said(plan, "contract_id"),
        plural(rows.len(), "request"),
        table(&rows),
        said(plan, "plan_digest"),
    )
}

/// The outcome for callers, and what the run is bound by.
pub(super) fn judged_json(outcome: Json, bundle: &Json, attested: &Json, names: &[&String]) -> Json {
    let Json::Object(mut members) = outcome else { return Json::Null };
    for name in ["limitations", "proof_eligible", "plan_digest"] {
        members.insert(name.to_string(), bundle.get(name).cloned().unwrap_or(Json::Null));
    }
    for name in ["bundle_digest", "signature_status"] {
        members.insert(name.to_string(), attested.get(name).cloned().unwrap_or(Json::Null));
    }
    members.insert("files".to_string(), array(names.iter().copied()));
    Json::Object(members)
}

pub(super) fn judged(bundle: &Json, attested: &Json, out: Option<&str>, names: &[&String]) -> String {
    let mut text = verdict(bundle, said(bundle, "contract_id"));
    let rows: Vec<Vec<String>> = items(bundle, "check_results").iter().map(result).collect();
    text.push_str(&table(&rows));
    text.push_str(&notes(bundle));
    let _ = writeln!(text, "evidence {}", said(attested, "bundle_digest"));
    text.push_str(signed(said(attested, "signature_status")));
    if let Some(folder) = out {
        let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        let _ = writeln!(text, "written to {}: {}", flat(folder, 200), names.join(", "));
    }
    text
}

/// A check in the words that keep "looked, and it is false" apart from "could not look".
fn result(row: &Json) -> Vec<String> {
    let status = match said(row, "status") {
        "pass" => "true",
        "fail" => "false",
        _ => "could not look",
    };
    let status = match row.get("required").and_then(Json::bool) {
        Some(true) => status.to_string(),
        _ => format!("{status} (advisory)"),
    };
    let code = said(row, "code");
    let summary = flat(said(row, "summary"), LINE);
    let last = if code.is_empty() { summary } else { format!("{summary} ({code})") };
    [status, said(row, "check_id").to_string(), said(row, "type").to_string(), last].into()
}

fn verdict(value: &Json, name: &str) -> String {
    let mut text = said(value, "verdict_word").to_string();
    if !name.is_empty() {
        text.push_str("  ");
        text.push_str(name);
    }
    text.push('\n');
    let message = value.get("error").map(|error| said(error, "message")).unwrap_or_default();
    if !message.is_empty() {
        let _ = writeln!(text, "  the verifier is at fault: {}", flat(message, LINE));
    }
    text
}

fn notes(value: &Json) -> String {
    let mut text = String::new();
    let assurance = said(value, "assurance");
    if !assurance.is_empty() {
        let _ = writeln!(text, "assurance {assurance}");
    }
    let limitations = items(value, "limitations");
    if !limitations.is_empty() {
        text.push_str("limitations\n");
    }
    for limitation in limitations {
        let _ = writeln!(text, "  {}", flat(limitation.str().unwrap_or_default(), LINE));
    }
    text
}

/// What the binding is worth. The word "signed" never describes a digest.
fn signed(status: &str) -> &'static str {
    match status {
        "unsigned_hash_bound" => {
            "bound by digests alone: keep the digest elsewhere, for a rewrite of all files is found by nothing else\n"
        }
        "valid_trusted" => "signed by a trusted key\n",
        _ => "signed\n",
    }
}

pub(super) fn read_back(read: &Json) -> String {
    let mut text = verdict(read, "");
    text.push_str("the files are what was written\n");
    match read.get("rejudged").and_then(Json::bool) {
        Some(true) => text.push_str("the stored observations lead to the same verdict again\n"),
        _ => {
            let _ = writeln!(text, "not judged again: {}", said(read, "rejudged_reason"));
        }
    }
    text.push_str(signed(said(read, "signature_status")));
    text.push_str(match read.get("proof").and_then(Json::bool) {
        Some(true) => "this is a proof, as far as the assurance goes\n",
        _ => "this is no proof\n",
    });
    text.push_str(&notes(read));
    let _ = writeln!(text, "contract {}", said(read, "contract_digest"));
    let _ = writeln!(text, "evidence {}", said(read, "bundle_digest"));
    text
}

pub(super) fn types(types: &Json) -> String {
    let rows = types.array().unwrap_or_default().iter().map(|row| {
        let needs: Vec<&str> = items(row, "capabilities").iter().filter_map(Json::str).collect();
        [said(row, "type").to_string(), needs.join(", "), said(row, "about").replace('`', "")].to_vec()
    });
    format!("{}Parameters: docs/contracts.md, or --output json.\n", table(&rows.collect::<Vec<_>>()))
}
