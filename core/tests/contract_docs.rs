//! The tables of `docs/contracts.md` that the core makes: `UPDATE=1` writes them anew.
#![allow(clippy::unwrap_used, clippy::panic)]

use counterfoil::contract::strict::{parse, CALL};
use counterfoil::contract::wire::{call, functions};
use counterfoil::contract::Json;
use std::fmt::Write;
use std::fs;

fn ask(name: &str) -> Vec<Json> {
    let text = call(name, "{}").unwrap();
    parse(text.as_bytes(), &CALL).unwrap().array().unwrap().to_vec()
}

fn text<'a>(value: &'a Json, name: &str) -> &'a str {
    value.get(name).and_then(Json::str).unwrap_or_default()
}

fn codes_of(value: &Json, name: &str) -> String {
    let words: Vec<String> = value
        .get(name)
        .and_then(Json::array)
        .unwrap_or_default()
        .iter()
        .filter_map(Json::str)
        .map(|w| format!("`{w}`"))
        .collect();
    words.join(", ")
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn types() -> String {
    let mut out = "| type | passes when | a host needs |\n|---|---|---|\n".to_string();
    let types = ask("check_types");
    for row in &types {
        let name = text(row, "type");
        let _ =
            writeln!(out, "| [`{name}`](#{name}) | {} | {} |", cell(text(row, "about")), codes_of(row, "capabilities"));
    }
    for row in &types {
        let _ =
            write!(out, "\n### {}\n\n| parameter | kind | default | meaning |\n|---|---|---|---|\n", text(row, "type"));
        for param in row.get("params").and_then(Json::array).unwrap_or_default() {
            let default = match (param.get("required"), param.get("default").and_then(Json::str)) {
                (Some(Json::Bool(true)), _) => "needed".to_string(),
                (_, Some(default)) => format!("`{default}`"),
                _ => String::new(),
            };
            let (name, kind, about) = (text(param, "name"), cell(text(param, "kind")), cell(text(param, "about")));
            let _ = writeln!(out, "| `{name}` | {kind} | {default} | {about} |");
        }
    }
    out
}

fn levels() -> String {
    let mut out = "| level | proves | does not prove | a host declares |\n|---|---|---|---|\n".to_string();
    for row in ask("levels") {
        let facts = codes_of(&row, "facts").replace('|', "` or `");
        let _ = writeln!(
            out,
            "| `{}` | {} | {} | {facts} |",
            text(&row, "level"),
            text(&row, "proves"),
            text(&row, "does_not_prove")
        );
    }
    out
}

fn codes() -> String {
    let mut out = "| code | when | what to do |\n|---|---|---|\n".to_string();
    for row in ask("codes") {
        let _ = writeln!(out, "| `{}` | {} | {} |", text(&row, "code"), text(&row, "when"), text(&row, "fix"));
    }
    out
}

/// The page with what stands between a mark and its end replaced.
fn with(page: &str, mark: &str, table: &str) -> String {
    let start = page.find(&format!("<!-- {mark}")).unwrap_or_else(|| panic!("no mark {mark}"));
    let inner = start + page[start..].find("-->\n").unwrap() + 4;
    let end = inner + page[inner..].find("<!-- end -->").unwrap();
    format!("{}{table}{}", &page[..inner], &page[end..])
}

#[test]
fn the_tables_of_the_page_are_those_of_the_core() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contracts.md");
    let page = fs::read_to_string(path).unwrap();
    let made = with(&with(&with(&page, "types", &types()), "levels", &levels()), "codes", &codes());
    if std::env::var_os("UPDATE").is_some() {
        fs::write(path, &made).unwrap();
        return;
    }
    assert!(page == made, "docs/contracts.md has other tables (UPDATE=1 rewrites)");
}

#[test]
fn the_page_lists_every_function() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/contracts.md")).unwrap();
    let table = page.split("| function | takes | gives |").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let cells = table.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let listed: Vec<&str> = cells.flat_map(|cell| cell.split(", ")).map(|name| name.trim_matches('`')).collect();
    let mut functions = functions();
    let mut sorted = listed.clone();
    functions.sort_unstable();
    sorted.sort_unstable();
    assert_eq!(sorted, functions);
}
