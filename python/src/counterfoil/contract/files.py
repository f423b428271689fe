"""A host that looks at files.

It carries out the requests of a plan for `file_exists`, `file_digest`, `directory_manifest`, `json_value` and the other
types of checks that need nothing but files:

    run_env = {"now": now(), **files.host("/srv/shop"), "actor": "model:agent"}
    plan = contract.plan(frozen, run_env)
    observations = files.observe(plan, "/srv/shop")

It looks only below the allowed roots, after links are resolved. What is not there is `absent`, what lies outside is
`refused`, and what cannot be looked at is `failed` or `timeout`, and never a fact. It does not isolate itself from
whoever did the work: its level is `deterministic_local`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from counterfoil import _core, contract
from counterfoil.contract.errors import ContractError
from counterfoil.contract.place import AbsentError, OutsideError, Workspace

__all__ = ["CAPABILITIES", "NAMES", "host", "now", "observe", "read_run", "write_run"]

CAPABILITIES = ("stat", "digest", "walk", "read")
"""What this host can do."""
NAMES = ("contract.json", "evidence.json", "attestation.json", "attestation.dsse.json")
"""The files of a run, the last of them only where it is signed."""

PIECE = 1 << 20
TEXTS = 40 << 20
"""The most characters of all texts that are read for one plan, as they are written in JSON."""
LONGEST = 4096
"""The longest path in a listing."""
NAME = "counterfoil.contract.files"


def now() -> str:
    """The time, as contracts write it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def host(workspace: str | os.PathLike[str]) -> dict[str, Any]:
    """The members of `run_env` that this host gives: `workspace`, `capabilities` and `backend`.

    The workspace is an absolute, existing directory, never the current one by accident.
    """
    try:
        if not Path(workspace).is_absolute():
            raise NotADirectoryError("is a relative path")
        real = Path(os.path.realpath(workspace, strict=True))
        if not real.is_dir():
            raise NotADirectoryError("is no directory")
    except (OSError, ValueError) as failure:
        code = "verify.workspace_unresolved"
        fix = next(row["fix"] for row in contract.codes() if row["code"] == code)
        raise ContractError(code, f"the workspace {_why(failure)}", fix, {}, False) from failure
    backend = {"name": NAME, "version": _core.__version__, "level": "deterministic_local"}
    return {"workspace": str(real), "capabilities": list(CAPABILITIES), "backend": backend}


def observe(
    plan: Mapping[str, Any], workspace: str | os.PathLike[str], clock: Callable[[], str] = now
) -> list[dict[str, Any]]:
    """Carries out the requests of a plan whose status is `run`, and gives an observation for each."""
    place = Workspace(os.fspath(workspace), plan.get("allowed_roots", ["."]))
    limits = plan.get("limits") or {}
    ends = time.monotonic() + limits.get("deadline_seconds", 300)
    looking = _Looking(place, TEXTS)
    seen = []
    for request in plan["requests"]:
        if request["status"] != "run":
            continue
        started = clock()
        until = min(ends, time.monotonic() + request["timeout_seconds"])
        found = looking.at(request["capability"], request["target"], until)
        seen.append(
            {
                "request_id": request["request_id"],
                "plan_digest": plan["plan_digest"],
                "outcome": "ok",
                "reason": None,
                "value": None,
                "truncated": False,
                **found,
                "started_at": started,
                "ended_at": clock(),
                "host": {"name": NAME, "version": _core.__version__, "capability": request["capability"]},
            }
        )
    return seen


class _TimeOutError(Exception):
    """The time of a request ran out."""


class _Looking:
    """Looks at one request after another."""

    def __init__(self, workspace: Workspace, texts: int) -> None:
        self.workspace = workspace
        self.left = texts
        self.ways = {"stat": self.stat, "digest": self.digest, "walk": self.walk, "read": self.read}

    def at(self, capability: str, target: Mapping[str, Any], until: float) -> dict[str, Any]:
        """The outcome of a request, with what was seen. No reason names a place of this machine."""
        way = self.ways.get(capability)
        if way is None:
            return {"outcome": "unavailable", "reason": f"verify.capability_missing: this host has no {capability}"}
        try:
            return way(target, until)
        except AbsentError:
            return {"outcome": "absent"}
        except OutsideError:
            return {"outcome": "refused", "reason": "the path leads out of the allowed roots"}
        except _TimeOutError:
            return {"outcome": "timeout", "reason": "the time of the check ran out"}
        except (OSError, ValueError) as failure:
            return {"outcome": "failed", "reason": _why(failure)}

    def stat(self, target: Mapping[str, Any], until: float) -> dict[str, Any]:
        found = self.workspace.stat(self.workspace.resolved(target["path"]))
        return {"value": {"kind": _kind(found), "size": found.st_size}}

    def digest(self, target: Mapping[str, Any], until: float) -> dict[str, Any]:
        place = self.workspace.resolved(target["path"])
        kind = _kind(self.workspace.stat(place))
        if kind != "file":
            return {"value": {"kind": kind}}
        digest, size, whole = self.sha256(place, target["max_bytes"], until)
        if not whole:
            return {"value": {"kind": kind, "bytes": size}, "truncated": True}
        return {"value": {"kind": kind, "sha256": digest, "bytes": size}}

    def read(self, target: Mapping[str, Any], until: float) -> dict[str, Any]:
        place = self.workspace.resolved(target["path"])
        kind = _kind(self.workspace.stat(place))
        if kind != "file":
            return {"value": {"kind": kind}}
        data = bytearray()
        for piece in self.pieces(place, until):
            data += piece
            if len(data) > target["max_bytes"]:
                return {"value": {"kind": kind}, "truncated": True}
        try:
            value = {"kind": kind, "text": data.decode("utf-8")}
        except UnicodeDecodeError:
            value = {"kind": kind, "base64": base64.b64encode(data).decode()}
        size = len(json.dumps(value, ensure_ascii=False).encode())
        if size > self.left:
            return {"value": {"kind": kind}, "truncated": True}
        self.left -= size
        return {"value": value}

    def walk(self, target: Mapping[str, Any], until: float) -> dict[str, Any]:
        top = self.workspace.resolved(target["path"])
        kind = _kind(self.workspace.stat(top))
        if kind != "directory":
            return {"value": {"kind": kind}}
        wanted = set(target.get("digests") or [])
        files: list[dict[str, Any]] = []
        for path, place in self.below(top, until):
            if len(files) == target["max_files"]:
                return {"value": {"files": files}, "truncated": True}
            if place is None:
                files.append({"path": path, "kind": "outside"})
                continue
            row = {"path": path, "kind": "file"}
            if path in wanted:
                digest, _, whole = self.sha256(place, 1 << 30, until)
                row |= {"sha256": digest} if whole else {}
            files.append(row)
        return {"value": {"files": files}}

    def below(self, top: Path, until: float) -> Iterator[tuple[str, Path | None]]:
        """The regular files below a directory by their paths from there, with their real places.

        A link that leads out has none. Directories that are links are not entered.
        """
        folders = [""]
        while folders:
            prefix = folders.pop()
            for name in sorted(self.names(top / prefix, until)):
                path = f"{prefix}/{name}" if prefix else name
                name.encode(
                    "utf-8"
                )  # A name that is not UTF-8 cannot be told, and a listing without it would be false.
                if len(path) > LONGEST:
                    raise ValueError("a path is too long to be listed")
                found = self.workspace.stat(top / path)
                if stat.S_ISDIR(found.st_mode):
                    folders.append(path)
                elif stat.S_ISREG(found.st_mode):
                    yield path, top / path
                elif stat.S_ISLNK(found.st_mode):
                    yield from self.link(path, top / path)

    def link(self, path: str, place: Path) -> Iterator[tuple[str, Path | None]]:
        try:
            real = self.workspace.resolved(str(place))
        except AbsentError:
            return
        except OutsideError:
            yield path, None
            return
        if stat.S_ISREG(self.workspace.stat(real).st_mode):
            yield path, real

    def names(self, folder: Path, until: float) -> list[str]:
        """The names in a folder, within the time."""
        if os.scandir not in os.supports_fd:
            with os.scandir(folder) as entries:
                return [entry.name for entry in _within(entries, until)]
        descriptor = self.workspace.open(folder, folder=True)
        try:
            with os.scandir(descriptor) as entries:
                return [entry.name for entry in _within(entries, until)]
        finally:
            os.close(descriptor)

    def sha256(self, place: Path, most: int, until: float) -> tuple[str, int, bool]:
        """The digest of a file, its size, and whether it was read to its end."""
        digest, size = hashlib.sha256(), 0
        if self.workspace.stat(place).st_size > most:
            return "", most, False
        for piece in self.pieces(place, until):
            digest.update(piece)
            size += len(piece)
            if size > most:
                return "", size, False
        return digest.hexdigest(), size, True

    def pieces(self, place: Path, until: float) -> Iterator[bytes]:
        """What a file holds. One that changes meanwhile was never the file that is told of."""
        descriptor = self.workspace.open(place)
        with os.fdopen(descriptor, "rb", buffering=0) as file:
            before = os.fstat(descriptor)
            for piece in _within(iter(lambda: file.read(PIECE), b""), until):
                yield piece or b""
            after = os.fstat(descriptor)
        if (before.st_size, before.st_mtime_ns) != (after.st_size, after.st_mtime_ns):
            raise ValueError("it changed while it was read")


def _within(items: Iterator[Any], until: float) -> Iterator[Any]:
    for item in items:
        if time.monotonic() > until:
            raise _TimeOutError
        yield item


def _kind(found: os.stat_result) -> str:
    if stat.S_ISLNK(found.st_mode):
        raise ValueError("it changed while it was looked at")
    return "file" if stat.S_ISREG(found.st_mode) else "directory" if stat.S_ISDIR(found.st_mode) else "other"


def _why(failure: Exception) -> str:
    """Why something could not be done, without the path."""
    if isinstance(failure, UnicodeError):
        return "a name is not UTF-8"
    return (isinstance(failure, OSError) and failure.strerror) or str(failure)


def write_run(folder: str | os.PathLike[str], files: Mapping[str, str]) -> None:
    """Writes the files of a run that `attest` gave, byte for byte. The folder is made; nothing in it is overwritten."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        if name not in NAMES:
            raise ValueError(f"{name} is no file of a run")
        with (Path(folder) / name).open("xb") as file:
            file.write(text.encode("utf-8"))


def read_run(folder: str | os.PathLike[str]) -> dict[str, str]:
    """The files of a run for `reverify`, byte for byte. Those that are not there are left out."""
    places = {name: Path(folder) / name for name in NAMES}
    return {name: place.read_bytes().decode("utf-8") for name, place in places.items() if place.exists()}
