//! Many claims about many calls: the work grows with each of them, not with their product, and what lies beyond the calls
//! that are compared is left alone.
#![allow(clippy::unwrap_used, missing_docs)]

use counterfoil::{verify, Call, Options, Piece, Turn, Verdict};
use serde_json::{json, Value};
use std::time::{Duration, Instant};

fn call(tool: &str, arguments: Value, output: &str, exit: Option<i64>) -> Call {
    Call { tool: tool.into(), arguments, output: Some(output.into()), exit, ..Call::default() }
}

fn ran(line: &str, output: &str, exit: i64) -> Call {
    call("bash", json!({ "command": line }), output, Some(exit))
}

fn turn(reply: String, calls: Vec<Call>) -> Turn {
    Turn { reply: vec![Piece { text: reply, interim: false }], calls: Some(calls), ..Turn::default() }
}

/// A shape: its name, what the reply claims for each number, and the call for each number.
type Shape = (&'static str, fn(usize) -> String, fn(usize) -> Call);

const SHAPES: &[Shape] = &[
    ("files removed", |i| format!("I removed the file `d/f{i}.txt`."), |i| ran(&format!("rm g{i}.txt"), "", 0)),
    ("removals failed", |i| format!("I removed the file `d/f{i}.txt`."), |i| ran(&format!("rm f{i}.txt"), "busy", 1)),
    ("parts removed", |i| format!("I removed the entry `f{i}`."), |_| ran("ls", "f", 0)),
    (
        "calls written",
        |i| format!("`read_file(path=\"a{i}.md\")` → 3 lines."),
        |i| call("read_file", json!({ "path": format!("b{i}.md") }), "x", None),
    ),
    ("lines that failed", |_| "`npm test` passes.".into(), |_| ran("npm test", "bad", 1)),
    ("tests of so many", |i| format!("{i} of {i} tests pass."), |_| ran("pytest", "1 failed, 3 passed in 1s", 1)),
    ("files updated", |i| format!("I updated `a{i}.py`."), |i| ran(&format!("python x{i}.py"), "bad", 1)),
    (
        "commits pushed",
        |i| format!("I pushed commit abcdef{} to `b{i}`.", i % 10),
        |i| ran(&format!("git push origin c{i}"), "ok", 0),
    ),
    ("commands run", |i| format!("I ran `git show a{i}`."), |i| ran(&format!("git log b{i}"), "", 0)),
    (
        "acts denied",
        |_| "Nothing was deleted. No files were changed. No emails were sent.".into(),
        |i| ran(&format!("rm c{i}.txt"), "error", 0),
    ),
];

/// Each claim is looked up in what was worked out once: a product of both would take minutes.
#[test]
fn many_claims_about_many_calls_cost_no_product_of_both() {
    for (name, reply, call) in SHAPES {
        let reply: Vec<String> = (0..500).map(reply).collect();
        let turn = turn(reply.join("\n\n"), (0..6_000).map(call).collect());
        let start = Instant::now();
        let _ = verify(&turn, &Options::default());
        let took = start.elapsed();
        println!("{name}: {took:?}");
        assert!(took < Duration::from_secs(30), "{name} took {took:?}");
    }
}

fn flagged(reply: &str, calls: Vec<Call>) -> bool {
    let result = verify(&turn(reply.into(), calls), &Options::default());
    let wrong = |verdict: Verdict| matches!(verdict, Verdict::Unsupported | Verdict::Contradicted);
    result.is_some_and(|r| r.claims.iter().any(|c| wrong(c.verdict)))
}

/// So many calls stand before or behind the one that shows it.
fn many(count: usize) -> Vec<Call> {
    (0..count).map(|i| ran(&format!("ls d{i}"), &format!("f{i}"), 0)).collect()
}

#[test]
fn evidence_far_from_the_end_of_a_turn_is_found_or_the_claim_left() {
    let mut written =
        vec![ran("pandoc a.md -o out/a.pdf", "[WARNING] no font", 1), ran("ls -l out/a.pdf", "120K out/a.pdf", 0)];
    written.extend(many(400));
    assert!(!flagged("I created `out/a.pdf`.", written));
    let mut installed = many(400);
    installed.push(ran("apt-get install -y jq", "ok", 0));
    assert!(!flagged("I ran `apt install jq`.", installed));
    let reads = (0..3_000).map(|i| call("read_file", json!({ "path": format!("b{i}.md") }), "x", None)).collect();
    assert!(!flagged("`read_file(path=\"b2999.md\")` → 3 lines.", reads));
    let mut sent = vec![ran("git push", "connection timed out", 1)];
    sent.extend(many(400));
    sent.push(ran("git status", "up to date with origin", 0));
    assert!(!flagged("I pushed the branch.", sent));
    let long = format!("{}a.pdf", "b.txt\n".repeat(20_000));
    let listed = vec![ran("pandoc a.md -o out/a.pdf", "[WARNING] no font", 1), ran("ls out", &long, 0)];
    assert!(!flagged("I created `out/a.pdf`.", listed));
    assert!(flagged("I ran `apt install jq`.", many(400)));
}
