//! The sessions that are measured, made from a seed.

use serde_json::{json, Value};
use std::fmt::Write as _;

/// A small generator of numbers, so that every run measures the same text.
pub struct Dice(pub u64);

impl Dice {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    pub fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const NAMES: &[&str] =
    &["parser", "session", "invoice", "harbour", "index", "cache", "report", "user", "token", "queue"];
const VERBS: &[&str] =
    &["reads", "writes", "checks", "loads", "merges", "drops", "sorts", "renames", "retries", "folds"];

/// About `size` bytes that a tool may have printed: a log, a listing, or source text.
fn output(dice: &mut Dice, size: usize) -> String {
    let mut text = String::new();
    let kind = dice.below(3);
    while text.len() < size {
        let (name, verb, number) = (dice.pick(NAMES), dice.pick(VERBS), dice.below(9000));
        let _ = match kind {
            0 => writeln!(
                text,
                "2026-10-{:02}T08:{:02}:11Z INFO {name} {verb} {number} rows in {}.{} ms",
                number % 28 + 1,
                number % 60,
                number % 97,
                number % 10
            ),
            1 => writeln!(text, "-rw-r--r-- 1 mira mira {number:>6} Oct 14 07:55 src/{name}_{number}.rs"),
            _ => writeln!(text, "{number:>5}\tfn {name}_{verb}(input: &str) -> usize {{ input.len() + {number} }}"),
        };
    }
    text
}

/// A call with a typical command, and how it ended.
pub fn call(dice: &mut Dice, size: usize) -> Value {
    let (name, number) = (dice.pick(NAMES), dice.below(400));
    let mut text = output(dice, size);
    let (tool, arguments, exit) = match dice.below(6) {
        0 => {
            let _ = writeln!(text, "test result: ok. {number} passed; 0 failed; 0 ignored; finished in 1.20s");
            ("bash", json!({"command": "cargo test --workspace 2>&1 | tail -40"}), 0)
        }
        1 => ("read_file", json!({"path": format!("src/{name}.rs")}), 0),
        2 => ("edit_file", json!({"path": format!("src/{name}.rs"), "old": "let a = 1;", "new": "let a = 2;"}), 0),
        3 => ("bash", json!({"command": format!("grep -rn '{name}' src && ls -la src")}), 0),
        4 => ("bash", json!({"command": "npm run build"}), dice.below(3)),
        _ => ("web_search", json!({"query": format!("{name} {number} format")}), 0),
    };
    json!({"tool": tool, "arguments": arguments, "output": text, "exit": exit})
}

/// A reply of about eight claims; with `size`, prose goes on until it is that long.
pub fn reply(dice: &mut Dice, size: usize) -> String {
    let (name, other, number) = (dice.pick(NAMES), dice.pick(NAMES), dice.below(400));
    let mut text = format!(
        "## What changed\n\nI read `src/{name}.rs` and found {number} matches for the old name. The {other} now {} its \
         rows before it {} them, so that a late one is no longer lost.\n\n- Edited `src/{name}.rs` and `src/{other}.rs`\n\
         - **Ran** `cargo test --workspace`: all {number} tests passed\n- The build succeeded with exit code 0\n\
         - Removed the stale cache file `target/{other}.json`\n\n```rust\nlet a = {number};\n```\n\n### Next\n\n\
         If you want, I can also look at the {other}. Once the review is done, the branch should be merged. \
         The {name} took {}.{} ms, and no files outside `src` were changed.\n",
        dice.pick(VERBS), dice.pick(VERBS), number % 97, number % 10
    );
    while text.len() < size {
        let _ = write!(
            text,
            "\nThe {} {} the {} and `{}_{}` was written.",
            dice.pick(NAMES),
            dice.pick(VERBS),
            dice.pick(NAMES),
            dice.pick(NAMES),
            dice.below(90)
        );
    }
    text
}

/// A native session of so many turns, as text.
pub fn session(turns: usize) -> String {
    let mut dice = Dice(1873);
    let turn = |_| {
        let calls: Vec<Value> = (0..6).map(|_| call(&mut dice, 2000)).collect();
        json!({"user": "Please go on.", "reply": reply(&mut dice, 0), "calls": calls, "said": []})
    };
    json!({"turns": (0..turns).map(turn).collect::<Vec<Value>>()}).to_string()
}

/// The lines of a turn in a format.
pub fn lines(dice: &mut Dice, format: &str, turn: usize) -> String {
    let calls: Vec<Value> = (0..6).map(|_| call(dice, 2000)).collect();
    let reply = reply(dice, 0);
    if format == "native" {
        return format!("{}\n", json!({"user": "Please go on.", "reply": reply, "calls": calls}));
    }
    let mut text = String::new();
    let mut count = 0;
    let mut add = |role: &str, content: &Value, result: Option<&Value>| {
        let above = (turn + count > 0).then(|| format!("u{}", 100 * turn + count));
        count += 1;
        let message = json!({"role": role, "id": format!("m{turn}-{count}"), "content": content});
        let mut line = json!({"type": role, "uuid": format!("u{}", 100 * turn + count), "parentUuid": above, "sessionId": "s",
            "timestamp": "2026-10-14T07:55:00Z", "cwd": "/home/mira/harbour", "message": message});
        if let Some(output) = result {
            line["toolUseResult"] = json!({"stdout": output, "stderr": "", "interrupted": false});
        }
        let _ = writeln!(text, "{line}");
    };
    add("user", &json!("Please go on."), None);
    for (i, call) in calls.iter().enumerate() {
        let id = format!("c{turn}-{i}");
        let name = if call["tool"] == "bash" { "Bash" } else { "Read" };
        add("assistant", &json!([{"type": "tool_use", "id": id, "name": name, "input": call["arguments"]}]), None);
        let content = json!([{"type": "tool_result", "tool_use_id": id, "content": call["output"], "is_error": call["exit"] != 0}]);
        add("user", &content, Some(&call["output"]));
    }
    add("assistant", &json!([{"type": "text", "text": reply}]), None);
    text
}
