"""Writes python/THIRD-PARTY.txt, which both packages hold: the licences of the crates that are linked into them.

python scripts/notices.py           compares; exit 1 when the file is out of date
UPDATE=1 python scripts/notices.py  rewrites
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "python" / "THIRD-PARTY.txt"
PACKAGES = ("counterfoil-wasm", "counterfoil-canary-wasm", "counterfoil-contract-wasm", "counterfoil-python")
HEAD = """counterfoil is built with these crates. The wheel and the npm package hold code of them in compiled form,
and of Rust's standard library (MIT OR Apache-2.0), https://github.com/rust-lang/rust

"""


def linked() -> list[dict[str, Any]]:
    """The crates whose code is linked: no macros, no build scripts, nothing of a workspace."""
    command = ["cargo", "metadata", "--format-version", "1", "--locked"]
    found = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    todo = [id for id, package in packages.items() if package["name"] in PACKAGES]
    seen = set(todo)
    while todo:
        for dependency in nodes[todo.pop()]["deps"]:
            package = packages[dependency["pkg"]]
            normal = any(kind["kind"] is None for kind in dependency["dep_kinds"])
            macro = any("proc-macro" in target["kind"] for target in package["targets"])
            if normal and not macro and package["id"] not in seen:
                seen.add(package["id"])
                todo.append(package["id"])
    crates = [packages[id] for id in seen if packages[id]["source"]]
    return sorted(crates, key=lambda package: (package["name"], package["version"]))


def licence(package: dict[str, Any]) -> str:
    """The text of a crate's licence: the shortest of those that it offers, which is the most permissive."""
    folder = Path(package["manifest_path"]).parent
    names = [path for path in folder.iterdir() if path.is_file() and path.name.upper().startswith(("LICEN", "UNLICEN"))]
    texts = [path.read_text("utf-8").replace("\r\n", "\n").strip() for path in sorted(names)]
    return min(texts, key=len, default="The crate brings no text of its licence.")


def text() -> str:
    """Crates with the same licence text stand together."""
    groups: dict[str, list[str]] = {}
    for package in linked():
        terms = package["license"] or "see its licence"
        line = f"{package['name']} {package['version']} ({terms}) {package['repository'] or ''}".rstrip()
        groups.setdefault(licence(package), []).append(line)
    parts = ["\n".join(names) + "\n\n" + body + "\n" for body, names in groups.items()]
    return HEAD + ("\n" + "-" * 72 + "\n\n").join(parts)


def main() -> int:
    """Compares or rewrites."""
    made = text()
    if os.environ.get("UPDATE"):
        FILE.write_text(made, "utf-8")
    elif not FILE.exists() or FILE.read_text("utf-8") != made:
        print(f"{FILE.name} is out of date: UPDATE=1 python scripts/notices.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
