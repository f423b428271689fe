"""A Stop hook for Claude Code: tells the person what the last reply claims without a record. It never blocks.

In .claude/settings.json:

    {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "python examples/python/stop_hook.py"}]}]}}
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

import counterfoil

# The transcript is written behind the reply's back; it may lag a little.
TRIES, PAUSE = 10, 0.05


def last_line(path: str, reply: str | None) -> str | None:
    """What is unsupported in the transcript's last turn, once it holds the reply."""
    for _ in range(TRIES):
        session = counterfoil.load(path)
        if len(session) and (reply is None or reply.strip() in text(session.turns[-1])):
            found = counterfoil.verify_session(session).turns[-1].verification
            return found.line if found else None
        time.sleep(PAUSE)
    return None


def text(turn: counterfoil.Turn) -> str:
    """The turn's reply as one text."""
    reply = turn["reply"]
    return reply if isinstance(reply, str) else "\n\n".join(piece["text"] for piece in reply)


def answer(event: dict[str, Any]) -> dict[str, str]:
    """What the host is told: nothing, or one line for the person."""
    if event.get("stop_hook_active") or event.get("background_tasks") or not event.get("transcript_path"):
        return {}
    line = last_line(event["transcript_path"], event.get("last_assistant_message"))
    return {"systemMessage": f"counterfoil: {line}"} if line else {}


def main() -> None:
    """Fails open: whatever goes wrong here must not hold up the agent."""
    try:
        print(json.dumps(answer(json.load(sys.stdin))))
    except Exception:
        print("{}")


if __name__ == "__main__":
    main()
