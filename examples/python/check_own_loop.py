"""Checks a reply at the end of an agent loop of one's own: no transcript file, no adapter.

python examples/python/check_own_loop.py
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence

import counterfoil

TOOLS = {"run_python": "code"}


def run_python(code: str) -> counterfoil.Call:
    """A tool: runs code and records what happened as a call."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    output = done.stdout + done.stderr
    return counterfoil.Call(tool="run_python", arguments={"code": code}, output=output, exit=done.returncode)


def report(reply: str, calls: Sequence[counterfoil.Call]) -> str:
    """The reply with the lines that counterfoil would put under it."""
    turn = counterfoil.Turn(reply=reply, calls=list(calls), tools=list(TOOLS))
    result = counterfoil.verify(turn, roles=TOOLS)
    lines = [reply, counterfoil.ran(turn), result.line if result else None]
    return "\n  ".join(line for line in lines if line)


def main() -> None:
    """Two turns: one tells what happened, the other does not."""
    call = run_python("print(sum(range(10)))")
    print(report("I ran the code; it printed `45`.", [call]))
    print(report("I ran the code and sent a notification to the team.", [call]))


if __name__ == "__main__":
    main()
