"""`counterfoil contract …`: reads and writes files, and looks. Every word it prints comes from the core."""

from __future__ import annotations

import json
import os
import platform
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from counterfoil import _core
from counterfoil.api import sound
from counterfoil.cli import contents, home, reason, standard_input, write
from counterfoil.contract import files

__all__ = ["run"]


def run(words: list[str]) -> int:
    """Does one step after another of what the words behind `contract` ask for; gives the exit status."""
    # A file's name need not be UTF-8; the core is given the sound form and the system the real one.
    real = {sound(word): word for word in words}
    given: dict[str, Any] = {
        "host": {
            "name": files.NAME,
            "version": _core.__version__,
            "platform": platform.system(),
            "release": platform.release(),
        },
        "run_id": f"vr_{secrets.token_hex(6)}",
        "files": {},
    }
    while True:
        given["now"] = files.now()
        step = json.loads(_core.contract_step(list(map(sound, words)), json.dumps(given, ensure_ascii=False)))
        if "read" in step:
            given["files"] |= {path: read(named(path, real)) for path in step["read"]}
        elif "workspace" in step:
            given["workspace"] = directory(named(step["workspace"], real))
        elif "observe" in step:
            given["observations"] = files.observe(step["observe"]["plan"], step["observe"]["workspace"])
        else:
            end = step["end"]
            failed = None if end["write"] is None else written(end["write"], real)
            if failed is None:
                write(end["stdout"], end["stderr"])
                return int(end["exit"])
            given["unwritten"] = failed


def named(path: str, real: Mapping[str, str]) -> str:
    """The path as it was typed: the words name files, and folders in which the core names files."""
    for word, typed in real.items():
        if word != typed and path.startswith(word):
            return home(typed + path[len(word) :])
    return home(path)


def failure(problem: Exception) -> dict[str, Any]:
    return {
        "error": sound(reason(problem)),
        "absent": isinstance(problem, FileNotFoundError | NotADirectoryError),
        "exists": isinstance(problem, FileExistsError),
    }


def read(path: str) -> dict[str, Any]:
    """A file's text. Its bytes are bound by digests, so that nothing is taken from them."""
    try:
        data = b"".join(standard_input() if path == "-" else contents(path, None))
        return {"text": data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"error": "it is not UTF-8 text"}
    except (OSError, ValueError) as problem:
        return failure(problem)


def directory(path: str) -> dict[str, Any]:
    """The real place of a directory that exists."""
    try:
        real = os.path.realpath(path, strict=True)
        if not Path(real).is_dir():
            return {"error": "it is no directory"}
        return {"path": sound(real)} if sound(real) == real else {"error": "its name is not UTF-8"}
    except (OSError, ValueError) as problem:
        return failure(problem)


def written(wanted: Mapping[str, Any], real: Mapping[str, str]) -> dict[str, Any] | None:
    """Writes files that are not there yet; gives what went wrong."""
    path = wanted["folder"] or ""
    try:
        if path:
            Path(named(path, real)).mkdir(parents=True, exist_ok=True)
        for path, text in wanted["files"]:
            with Path(named(path, real)).open("xb") as file:
                file.write(text.encode("utf-8"))
    except (OSError, ValueError) as problem:
        return {"path": path, **failure(problem)}
    return None
