"""Runs the code blocks of the documents.

    python scripts/readme.py [FILE …]

A ```python block must run; all blocks of one document share their names. A comment `# → value`
behind an expression states its value. A ```js block is run by Node with the packed npm package, as one
module with the others of its document; `// → value` behind an expression states its value as text or
JSON. A ```console block is a `$ command` with what it prints, and a line `…` stands for any lines;
`echo $?` shows a status. Commands run from the root of the repository with the installed `counterfoil`
on the path.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTS = ["README.md", "python/README.md", "npm/README.md", "CONTRIBUTING.md", "docs"]
PACKED = ROOT / ".cache" / "npm-installed"
STATED = """function stated(found, wanted) {
  const text = typeof found === "string" ? found : JSON.stringify(found);
  if (text !== wanted) throw new Error(`${text}, not ${wanted}`);
}
"""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def python(code: str, names: dict[str, object], place: str) -> None:
    """Runs a block, statement by statement, and compares the values that its comments state."""
    lines = code.splitlines()
    for statement in ast.parse(code).body:
        last = lines[(statement.end_lineno or statement.lineno) - 1]
        stated = re.search(r"#\s*→\s*(.+)$", last)
        if isinstance(statement, ast.Expr) and stated:
            value = eval(compile(ast.Expression(statement.value), place, "eval"), names)
            if repr(value) != stated[1].strip() and str(value) != stated[1].strip():
                raise AssertionError(f"{ast.unparse(statement)} is {value!r}, not {stated[1]}")
        else:
            exec(compile(ast.Module([statement], []), place, "exec"), names)


def javascript(code: str) -> None:
    """Runs all blocks of a document as one module."""
    stated = re.compile(r"^(\S.*?);?\s*// → (.+)$", re.M)
    checked = stated.sub(lambda found: f"stated({found[1]}, {json.dumps(found[2])});", code)
    file = PACKED / "readme.mjs"
    file.write_text(STATED + checked, "utf-8")
    done = subprocess.run(["node", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=120)
    if done.returncode:
        raise AssertionError(done.stderr)


def console(text: str) -> None:
    """Runs each command and compares what it prints."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        env = {**os.environ, "PATH": path, "NO_COLOR": "1"}
        done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120)
        pattern = "".join(
            r"(?:.*\n)*?" if line == "…" else re.escape(line) + r"[ ]*\n" for line in expected.splitlines()
        )
        printed = "".join(line.rstrip() + "\n" for line in (done.stdout + done.stderr).splitlines())
        if not re.fullmatch(pattern, printed):
            raise AssertionError(f"$ {command}\nprinted\n{printed}and not\n{expected}")


def main() -> int:
    """Runs the blocks of the files named, or of all documents."""
    named = [Path(word) for word in sys.argv[1:]] or [ROOT / name for name in DOCUMENTS]
    files = [path for name in named for path in ([name] if name.is_file() else sorted(name.glob("**/*.md")))]
    ran, failed = 0, 0
    os.chdir(ROOT)
    for file in files:
        text = file.read_text("utf-8")
        blocks = [block[2] for block in BLOCK.finditer(text) if block[1] == "js"]
        if blocks and PACKED.exists():
            try:
                javascript("\n".join(blocks))
                ran += len(blocks)
            except Exception as failure:
                failed += 1
                print(f"{file.resolve().relative_to(ROOT)}: {failure}")
        names: dict[str, object] = {"__name__": "readme"}
        for block in BLOCK.finditer(text):
            place = f"{file.resolve().relative_to(ROOT)}:{text.count(chr(10), 0, block.start()) + 1}"
            try:
                if block[1] == "python":
                    python(block[2], names, place)
                elif block[1] == "console":
                    console(block[2])
                else:
                    continue
                ran += 1
            except Exception as failure:
                failed += 1
                print(f"{place}: {type(failure).__name__}: {failure}")
    print(f"{ran} blocks ran, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
