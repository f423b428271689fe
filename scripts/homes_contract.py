"""The command lines of contracts of Python and Node, run on the same words; `homes.py` counts what differs."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

JUDGE = ["contract", "judge", "contract.json", "--workspace", "{own}/w"]
WORDS = [
    ["contract"],
    ["contract", "help"],
    ["contract", "freese"],
    ["contract", "freeze"],
    ["contract", "check-types"],
    ["contract", "check-types", "--output", "json"],
    ["contract", "freeze", "draft.json", "--by", "human:dana"],
    ["contract", "freeze", "draft.json", "--by", "human:dana", "-o", "contract.json"],
    ["contract", "freeze", "draft.json", "--by", "human:dana", "-o", "contract.json"],
    ["contract", "freeze", "draft.json", "--by", "human:dana", "--output", "json"],
    ["contract", "freeze", "contract.json", "--by", "human:dana"],
    ["contract", "freeze", "missing.json", "--by", "human:dana"],
    ["contract", "freeze", "latin.json", "--by", "human:dana"],
    ["contract", "freeze", "w", "--by", "human:dana", "--output=json"],
    ["contract", "freeze", "-", "--by", "human:dana"],
    ["contract", "plan", "contract.json", "--workspace", "w"],
    ["contract", "plan", "contract.json", "--workspace", "{own}/missing"],
    ["contract", "plan", "contract.json", "--workspace", "{own}/draft.json"],
    ["contract", "plan", "contract.json", "--workspace", "{own}/w", "--offline"],
    ["contract", "plan", "contract.json", "--workspace", "{own}/w", "--output", "json"],
    [*JUDGE, "--actor", "model:a", "--work-started", "2100-01-01T00:00:00Z"],
    [*JUDGE, "--output", "json"],
    [*JUDGE, "--out", "made/run"],
    [*JUDGE, "--out", "made/run"],
    [*JUDGE, "--out", "draft.json"],
    [*JUDGE, "--observations", "missing.json"],
    [*JUDGE, "--key", "key.pem", "--out", "made/signed"],
    [*JUDGE, "--key", "public.pem"],
    ["contract", "reverify", "made/run"],
    ["contract", "reverify", "made/run", "--output", "json"],
    ["contract", "reverify", "made/run", "--require-signature"],
    ["contract", "reverify", "made/signed"],
    ["contract", "reverify", "made/signed", "--key", "public.pem"],
    ["contract", "reverify", "made/signed", "--key", "draft.json"],
    ["contract", "reverify", "made"],
    ["contract", "reverify", "missing"],
]
READ_BACK = ["contract", "reverify", "made/signed", "--key", "public.pem"]
# What differs by the time, and digests of that.
MASKS = [(rb"[0-9a-f]{64}", b"DIGEST"), (rb"vr_[0-9a-f]{12}", b"RUN"), (rb"\d{4}-\d\d-\d\dT[\d:.]+Z", b"TIME")]


def inputs(own: Path) -> None:
    """A draft, a workspace, and the key that the bytes 0 to 31 make."""
    shutil.rmtree(own, ignore_errors=True)
    (own / "w" / "out" / "deep").mkdir(parents=True)
    (own / "w" / "order.json").write_text('\ufeff{"total": 29.0}', "utf-8")
    (own / "w" / "out" / "report.md").write_text("日本 🎉\n", "utf-8")
    (own / "w" / "out" / "deep" / "🎉").write_text("", "utf-8")
    for target, name in (("../../draft.json", "out/ln"), ("b", "a"), ("a", "b"), ("none", "dangling")):
        (own / "w" / name).symlink_to(target)
    looked: list[tuple[str, dict[str, Any]]] = [
        ("json_value", {"path": "order.json", "pointer": "/total", "equals": 29}),
        ("file_digest", {"path": "out/report.md", "sha256": "0" * 64}),
        ("directory_manifest", {"path": "out", "exact": True, "expected_files": ["report.md"]}),
        ("json_schema", {"path": "order.json", "schema": {"type": "object"}}),
        ("sqlite_query", {"database": "orders.db", "sql": "SELECT 1", "row_count": 1}),
        *(("file_exists", {"path": path}) for path in ("out", "a", "dangling", "out/ln", "x" * 300, "../draft.json")),
    ]
    checks = [{"id": str(n), "type": kind, "params": params} for n, (kind, params) in enumerate(looked)]
    draft = {"contract_id": "c", "title": "日本 🎉", "checks": checks}
    (own / "draft.json").write_text(json.dumps(draft), "utf-8")
    (own / "latin.json").write_bytes(b"\xff")
    private = base64.b64encode(bytes.fromhex("302e020100300506032b657004220420") + bytes(range(32))).decode()
    public = "MCowBQYDK2VwAyEAA6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg="
    for name, kind, body in (("key.pem", "PRIVATE", private), ("public.pem", "PUBLIC", public)):
        (own / name).write_text(f"-----BEGIN {kind} KEY-----\n{body}\n-----END {kind} KEY-----\n", "utf-8")


def contract_lines(folder: Path, programs: Sequence[list[str]]) -> tuple[int, list[str]]:
    """How often the command lines were run, each in a folder of its own, and where they print or end differently. A run
    that one of them signed is read back by both."""
    folders = [(folder / str(number)).resolve() for number in range(len(programs))]
    for own in folders:
        inputs(own)
    runs = [(words, [ran(*place, words) for place in zip(programs, folders, strict=True)]) for words in WORDS]
    runs += [(READ_BACK, [ran(program, own, READ_BACK) for program in programs]) for own in folders]
    return len(runs), [f"{words}\n  Python {p!r}\n  Node   {n!r}" for words, (p, n) in runs if p != n]


def ran(program: list[str], own: Path, words: list[str]) -> tuple[int, bytes, bytes]:
    """The exit status and what was printed, masked."""
    given = [word.replace("{own}", str(own)) for word in words]
    done = subprocess.run([*program, *given], cwd=own, input=b"{}", capture_output=True)
    return done.returncode, masked(done.stdout, own), masked(done.stderr, own)


def masked(printed: bytes, own: Path) -> bytes:
    """Without what differs by the time and the place."""
    printed = printed.replace(os.fsencode(own), b"OWN")
    for pattern, mask in MASKS:
        printed = re.sub(pattern, mask, printed)
    return printed
