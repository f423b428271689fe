"""Checks a reply at the end of an agent loop of one's own: no transcript file, no adapter.

python examples/python/check_own_loop.py
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import counterfoil

TOOLS = {"list_folder": "look"}


def list_folder(path: str) -> counterfoil.Call:
    """A tool: lists a folder and records what happened as a call."""
    output = "\n".join(sorted(entry.name for entry in Path(path).iterdir()))
    return counterfoil.Call(tool="list_folder", arguments={"path": path}, output=output, status="ok")


def report(reply: str, calls: Sequence[counterfoil.Call]) -> str:
    """The reply with the lines that counterfoil would put under it."""
    turn = counterfoil.Turn(reply=reply, calls=list(calls), tools=list(TOOLS))
    result = counterfoil.verify(turn, roles=TOOLS)
    lines = [reply, counterfoil.ran(turn), result.line if result else None]
    return "\n  ".join(line for line in lines if line)


def main() -> None:
    """Two turns: one tells what happened, the other does not."""
    call = list_folder(str(Path(__file__).parent))
    print(report(f"The folder lists {len((call['output'] or '').splitlines())} files.", [call]))
    print(report("I looked through the folder and sent a notification to the team.", [call]))


if __name__ == "__main__":
    main()
