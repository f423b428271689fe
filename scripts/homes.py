"""Asks all four homes for their results on every vector and compares them, with spans recoded to bytes.

    python scripts/homes.py

Rust is built in debug mode, Python is the installed wheel, Node and Chromium take the packed npm package.
The command lines of Python and Node are run on the same words and compared byte for byte. A home that is
not on this machine is named.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from homes_contract import contract_lines

import counterfoil

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / ".cache" / "homes"
PACKED = ROOT / ".cache" / "npm-installed"
PROGRAMS = (
    [sys.executable, "-m", "counterfoil"],
    ["node", str(PACKED / "node_modules/counterfoil/dist/cli.js")],
)
NODE_SKIPPED = 77
TURN = {
    "reply",
    "calls",
    "earlier",
    "user",
    "said",
    "context",
    "tools",
    "model",
    "entries",
    "complete",
    "reasons",
}
SESSION = "examples/sessions/harbour.jsonl"
# The same words for both command lines; {folder} holds what `inputs` writes.
WORDS = [
    [],
    ["help"],
    ["--version"],
    ["check"],
    ["chek", SESSION],
    [SESSION],
    ["check", "--outptu", "json", SESSION],
    ["check", "--output", "xml", SESSION],
    ["check", "--format"],
    ["check", SESSION],
    ["check", "-v", "--color", "always", SESSION],
    ["check", "-o", "json", SESSION, "{folder}/emoji.json"],
    ["check", "-o", "html", SESSION, "{folder}/emoji.json"],
    [
        "check",
        "--fail-on=never",
        "--readers",
        "-outcome",
        "--roles",
        "x=command",
        SESSION,
    ],
    ["check", "--mode", "off", SESSION],
    ["formats"],
    ["formats", "-o", "json"],
    ["formats", "-v"],
    ["convert", SESSION, "--to", "native"],
    ["convert", "{folder}/broken.json", "--to=native"],
    ["convert", "{folder}/missing.json", "--to=native"],
    ["convert", SESSION],
    ["check", "{folder}"],
    ["check", "-o", "json", "{folder}/*mo*.js*", "examples/**/*.jsonl", "none/*.json"],
    ["check", "docs/schema/..", "examples/rust"],
    ["check", "-v", "{folder}/mixed"],
    ["check", "-o", "json", "{folder}/mixed", "{folder}/mixed/package.json", "{folder}/missing.json"],
    ["check", "{folder}/mixed/*.md", "{folder}/mixed/pack*"],
    ["check", "-o", "html", "{folder}/mixed/pipe.json", "{folder}/mixed/packed.gz"],
    ["check", "--format", "nope", SESSION],
    ["check", "--format", "openai-chat", SESSION],
    [
        "check",
        SESSION,
        "{folder}/emoji.json",
        "{folder}/missing.json",
        "{folder}",
        "{folder}/broken.json",
        "",
    ],
    [
        "check",
        "{folder}/emoji.json/below.json",
        "{folder}/latin.json",
        "{folder}/utf16.json",
        "{folder}/empty.json",
    ],
    ["check", "--", "-"],
    ["check", "--config", "{folder}/off.toml", SESSION],
    ["check", "--config", "{folder}/wrong.toml", SESSION],
    ["check", "--config", "{folder}/rules.toml", SESSION],
    ["check", "--config", "{folder}/wrong_rules.toml", SESSION],
    ["check", "--config", "{folder}/latin.json", SESSION],
    ["check", "--config", "{folder}/./missing.toml", SESSION],
    ["check", "--config", "{folder}", SESSION],
    ["check", "--config", "//missing//x.toml", SESSION],
    ["check", "--config", "", SESSION],
    ["check", "--config", "{folder}/cr.toml", SESSION],
    ["check", "--config", "{folder}/large.toml", SESSION],
    ["check", "{folder}/begun.json"],
    ["canary"],
    ["canary", "selftest"],
    ["canary", "serv"],
    ["canary", "serve", "--port", "x"],
    ["canary", "vectors"],
    ["canary", "vectors", "--emit"],
    ["canary", "vectors", "--verify", "tests/canary/vectors.json"],
    ["canary", "vectors", "--verify", "{folder}/emoji.json"],
    ["canary", "vectors", "--verify", "{folder}/missing.json"],
    ["canary", "vectors", "--verify", "{folder}/latin.json"],
    ["canary", "vectors", "--verify", "{folder}"],
    ["canary", "vectors", "--verify", ""],
    ["contract"],
    ["contract", "frieze"],
    ["contract", "check-types"],
    ["contract", "check-types", "--output", "json"],
    ["contract", "freeze", "{folder}/missing.json", "--by", "human:dana"],
    ["contract", "plan", "{folder}/emoji.json", "--workspace", "shop"],
    ["contract", "judge", "{folder}/latin.json", "--workspace", "/"],
    ["contract", "reverify", "{folder}"],
    ["contract", "reverify", "{folder}", "--key", "{folder}/emoji.json", "--output", "json"],
    ["eval"],
    ["eval", "--help"],
    ["eval", "--modle", "x"],
    ["eval", "{folder}/missing.json"],
    ["eval", "{folder}/emoji.json"],
    ["eval", "{folder}/latin.json"],
    ["eval", "{folder}"],
    ["eval", "{folder}/cases.json", "{folder}/empty.json"],
    ["eval", SESSION, "--model", "other:x"],
    ["eval", "{folder}/labelled.json", "--compare", "{folder}/missing.json"],
    ["eval", "{folder}/labelled.json", "--compare", "{folder}"],
    ["eval", "{folder}/labelled.json", "--audit", "{folder}/none/audit.jsonl"],
    ["eval", "{folder}/labelled.json"],
    ["eval", "{folder}/labelled.json", "-o", "json", "--audit", "{folder}/audit.jsonl"],
    ["check", "--mode", "model", SESSION],
    ["check", "--config", "{folder}/model.toml", SESSION],
    ["check", "--audit", "{folder}/audit.jsonl", SESSION, "{folder}/emoji.json"],
    ["check", "--audit", "{folder}/none/audit.jsonl", SESSION],
    ["check", "--audit", "{folder}", SESSION],
    ["check", "--audit="],
    ["check", "canary"],
    ["--mode", "off", "canary"],
]
# Words that end with an error, which a standard error that takes nothing must not change.
FAILING = [
    ["chek"],
    ["canary", "serv"],
    ["contract", "frieze"],
    ["check", "--config", "{folder}/missing.toml", SESSION],
    ["check", "{folder}/missing.json"],
]
# What `eval` prints of the time, which is never the same, and the columns that it moves.
SECONDS = re.compile(rb' *\b\d+(\.\d+)? m?s\b|"(seconds|p50|p95)":[0-9.e-]+| +')
COLUMNS = ["100", "4294967296", "1_0", "0", "99999999999999999999"]

Cases = list[dict[str, Any]]
Found = dict[str, Any]


def cases() -> Cases:
    """Every vector as what a home is asked: a turn, options, a text that cites, and the entries there are."""
    found = []
    for file in sorted((ROOT / "tests" / "vectors").glob("*.toml")):
        for number, case in enumerate(tomllib.loads(file.read_text("utf-8")).get("case", [])):
            turn = {"reply": "", **{key: case[key] for key in TURN & set(case)}}
            reply = turn["reply"]
            text = reply if isinstance(reply, str) else "\n\n".join(piece["text"] for piece in reply)
            entries = list(range(1, case["store"] + 1)) if "store" in case else None
            options = case.get("options", {})
            name = f"{file.stem}/{number}: {case['name']}"
            found.append(
                {
                    "id": name,
                    "turn": turn,
                    "options": options,
                    "text": text,
                    "entries": entries,
                }
            )
    return found


def python(asked: Cases) -> Found:
    """The wheel."""
    found: Found = {}
    for case in asked:
        result = counterfoil.verify(case["turn"], **case["options"])
        bytes_ = result and counterfoil.recode(result, case["turn"]["reply"], "utf8")
        found[case["id"]] = {
            "verify": bytes_ and bytes_.to_dict(),
            "ran": counterfoil.ran(case["turn"]),
            "cited": counterfoil.cited(case["text"], case["entries"]).to_dict(),
        }
    return found


def program(*words: str) -> Found | str:
    """A home that prints its results; its last words where it cannot run."""
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True)
    if done.returncode == NODE_SKIPPED:
        return done.stderr.strip()
    if done.returncode:
        raise SystemExit(f"{' '.join(words[:3])}: {done.stderr.strip()}")
    found: Found = json.loads(done.stdout)
    return found


def homes(asked: Cases) -> dict[str, Found | str]:
    """What each home finds."""
    file = FOLDER / "cases.json"
    file.write_text(json.dumps(asked), "utf-8")
    rust = [
        "cargo",
        "run",
        "--quiet",
        "-p",
        "counterfoil-example",
        "--bin",
        "results",
        "--",
        str(file),
    ]
    found: dict[str, Found | str] = {
        "rust": program(*rust),
        "python": json.loads(json.dumps(python(asked))),
    }
    if not PACKED.exists() or shutil.which("node") is None:
        return {
            **found,
            "node": "the npm package is not built",
            "chromium": "the npm package is not built",
        }
    found["node"] = program("node", "npm/test/home.mjs", "node", str(file))
    found["chromium"] = program("node", "npm/test/home.mjs", "chromium", str(file))
    return found


def inputs() -> None:
    """Files for the command lines."""
    call = {
        "tool": "bash",
        "arguments": {"command": "pytest 日本"},
        "output": "🎉é 1 failed",
        "exit": 1,
    }
    session = {"turns": [{"reply": "日本 🎉 All tests pass. \ud83d done", "calls": [call]}]}
    (FOLDER / "emoji.json").write_text(json.dumps(session), "utf-8")
    (FOLDER / "utf16.json").write_text(json.dumps(session, ensure_ascii=True), "utf-16")
    (FOLDER / "broken.json").write_text("{'no json", "utf-8")
    (FOLDER / "empty.json").write_text(" \n", "utf-8")
    (FOLDER / "latin.json").write_bytes(json.dumps(session).encode() + b"\xff\xe9")
    (FOLDER / "off.toml").write_text('\ufeffmode = "off"\r\n', "utf-8")
    (FOLDER / "cr.toml").write_bytes(b'mode = "off"\rmode = "off"\r')
    (FOLDER / "large.toml").write_text("[limits]\nflagged = 5000000000\n", "utf-8")
    (FOLDER / "begun.json").write_text("[]", "utf-8")
    (FOLDER / "model.toml").write_text('mode = "model"\n', "utf-8")
    labelled = {
        "id": "日本",
        "label": "fabricated",
        "reply": "All tests pass.",
        "calls": [call],
        "unsupported": ["All"],
    }
    (FOLDER / "labelled.json").write_text(json.dumps({"cases": [labelled]}), "utf-8")
    (FOLDER / "wrong.toml").write_text("mode = 'of'\n", "utf-8")
    mixed = FOLDER / "mixed"
    mixed.mkdir(exist_ok=True)
    (mixed / "package.json").write_text('{"name": "x"}', "utf-8")
    (mixed / "broken.jsonl").write_text("{'no json", "utf-8")
    (mixed / "run.traj").write_text(json.dumps(session), "utf-8")
    (mixed / "log.md").write_text("", "utf-8")
    (mixed / "packed.gz").write_bytes(b"\x1f\x8b\x08\0\0\0\0\0")
    if hasattr(os, "mkfifo") and not (mixed / "pipe.json").exists():
        os.mkfifo(mixed / "pipe.json")
    rule = "[[rules]]\nname = 'table'\nsays = ['fixed', 'sent', 'changed']\nneeds = {{ matches = '{}' }}\n"
    (FOLDER / "rules.toml").write_text(rule.format("no such call"), "utf-8")
    (FOLDER / "wrong_rules.toml").write_text(rule.format("("), "utf-8")


def command_lines() -> tuple[int, list[str]]:
    """How often Python's and Node's command lines were run, and where they print or end differently."""
    inputs()
    piped = (ROOT / SESSION).read_bytes()

    def both(words: list[str], stderr: Any = subprocess.PIPE, columns: str = "100") -> list[Any]:
        given = [word.replace("{folder}", str(FOLDER.relative_to(ROOT))) for word in words]
        env = {**os.environ, "COLUMNS": columns, "PYTHONIOENCODING": "utf-8"}
        done = [
            subprocess.run(
                [*p, *given],
                cwd=ROOT,
                env=env,
                input=piped,
                stdout=subprocess.PIPE,
                stderr=stderr,
            )
            for p in PROGRAMS
        ]
        timeless = [SECONDS.sub(b" ", run.stdout) if words[:1] == ["eval"] else run.stdout for run in done]
        return [(run.returncode, out, run.stderr) for run, out in zip(done, timeless, strict=True)]

    runs = [(words, both(words)) for words in WORDS]
    runs += [(["COLUMNS=" + columns], both(["check", SESSION], columns=columns)) for columns in COLUMNS]
    if Path("/dev/full").exists():
        with Path("/dev/full").open("wb") as full:
            runs += [(words, both(words, stderr=full)) for words in FAILING]
    differences = [f"{words}\n  Python {p!r}\n  Node   {n!r}" for words, (p, n) in runs if p != n]
    return len(runs), differences


def main() -> int:
    """Prints what differs, and which homes were asked."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    asked = cases()
    found = homes(asked)
    skipped = {home: why for home, why in found.items() if isinstance(why, str)}
    there = {home: results for home, results in found.items() if not isinstance(results, str)}
    differences = [
        f"{home}: {case['id']}\n  {results[case['id']]}\n  rust: {there['rust'][case['id']]}"
        for home, results in there.items()
        for case in asked
        if results[case["id"]] != there["rust"][case["id"]]
    ]
    lines = 0
    if "node" in there:
        for compared in (command_lines, lambda: contract_lines(FOLDER / "contract", PROGRAMS)):
            count, differing = compared()
            lines += count
            differences += differing
    for difference in differences:
        print(difference)
    left = "".join(f"; {home} skipped: {why}" for home, why in skipped.items())
    print(
        f"homes: {', '.join(there)}: {len(asked)} vectors, {lines} command lines, {len(differences)} differences{left}"
    )
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
