"""`make demo`: checks the bundled session and says how to check one's own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SESSION = "examples/sessions/harbour.jsonl"
FLAGGED = 1


def main() -> int:
    """Fails only when the check itself does: to find something is what the demo is for."""
    print(f"\n$ counterfoil check {SESSION}", flush=True)
    command = [sys.executable, "-m", "counterfoil", "check", SESSION]
    status = subprocess.run(command, cwd=ROOT).returncode
    if status not in (0, FLAGGED):
        return status
    program = ".cache/npm-installed/node_modules/counterfoil/dist/cli.js"
    if (ROOT / program).exists():
        answers = [
            subprocess.run([*words, "check", "--output", "json", SESSION], cwd=ROOT, capture_output=True).stdout
            for words in ([sys.executable, "-m", "counterfoil"], ["node", program])
        ]
        if answers[0] != answers[1]:
            print("Node gives another answer than Python.")
            return 1
        print("\nThe npm package gives the same answer in Node.")
    print(
        "\nThe session is made up: a small project, four turns, two claims that its record does not carry.\n"
        "\nCheck your own. Claude Code keeps its sessions here:\n"
        "\n    .venv/bin/counterfoil check ~/.claude/projects/*/*.jsonl\n"
        "\nFrom other agents and SDKs, give the messages as JSON; the format is found out by its keys:\n"
        "\n    .venv/bin/counterfoil check messages.json\n"
        "\nNothing leaves this machine, and exit 1 says that something was found."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
