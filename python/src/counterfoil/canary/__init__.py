"""Proof of read: a probe document with a value that only someone to whom its bytes came can report.

>>> import os, time
>>> from counterfoil.canary import Canary
>>> canary = Canary(os.urandom(32))
>>> issued = canary.issue("session-1", time.time())
>>> canary.verify("session-1", f"The value is {issued.sentinel}.", time.time()).state
'HALLUCINATED'
>>> canary.verify_reply("session-1", f"The value is {issued.sentinel}.", time.time()).state
'READ_VERIFIED'

The derivation is that of the published protocol `occam-canary-v1`. One key for one process, never stored, logged or
shown. Times are Unix seconds, which the host gives.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

from counterfoil import _core
from counterfoil.api import sound
from counterfoil.canary.asgi import app
from counterfoil.canary.issued import Issued, from_core
from counterfoil.canary.options import described, known, written
from counterfoil.errors import Error

__all__ = ["Canary", "Issued", "State", "Verdict", "app", "find_sentinel", "headers", "new_session", "sentinel"]

State = Literal["READ_VERIFIED", "READ_STALE", "REPLAY_SUSPECT", "HALLUCINATED"]
"""What an answer shows, the best first."""


@dataclass(frozen=True)
class Verdict:
    """A verdict. It never holds what the right answer would have been."""

    state: State
    distance: int | None
    """How many buckets ago the sentinel was made; None when nothing fits."""
    meaning: str
    """What the verdict shows and what not, in one sentence."""
    event: Mapping[str, Any]
    """For an audit; it holds no sentinel."""


class Canary:
    """Issues sentinels and judges what comes back.

    `root_key` is 32 random bytes, `os.urandom(32)`, one for one process. It is not kept: two keys are derived from it.
    """

    __slots__ = ("_core",)

    def __init__(
        self,
        root_key: bytes,
        *,
        bucket_seconds: int = 300,
        sentinel_bytes: int = 32,
        fresh_tolerance: int = 1,
        stale_horizon: int = 24,
        retention_hours: int = 24,
        log_size: int = 8192,
        **unknown: NoReturn,
    ) -> None:
        """A wrong option raises `Error` with its name.

        Ranges: bucket_seconds 30 to 3600, sentinel_bytes 16 to 32, fresh_tolerance 0 to 8, stale_horizon 1 to 512
        and more than the tolerance, retention_hours 1 to 168 and no shorter than the horizon, log_size 256 to
        1048576.
        """
        options = {
            "bucket_seconds": bucket_seconds,
            "sentinel_bytes": sentinel_bytes,
            "fresh_tolerance": fresh_tolerance,
            "stale_horizon": stale_horizon,
            "retention_hours": retention_hours,
            "log_size": log_size,
        }
        known(unknown, options)
        for name, value in options.items():
            if value is None:
                raise Error("option", name, "expected a whole number; found null")
        self._core = _core.Canary(_key(root_key), written(options))

    def issue(self, session_id: str, now: float, client: str | None = None, agent: str = "") -> Issued:
        """Makes the sentinel of a session for the bucket of `now` and notes that it was issued.

        Of `client`, such as an address, only a digest is kept; of `agent` 256 characters.
        """
        who = None if client is None else _text(client, "client")
        made = self._core.issue(_text(session_id, "session"), _time(now), who, _text(agent, "agent"))
        return from_core(json.loads(made))

    def verify(self, session_id: str, claim: str | None, now: float) -> Verdict:
        """Says what a claim shows at `now`. None is an answer without a sentinel."""
        said = None if claim is None else _text(claim, "claim")
        return Verdict(**json.loads(self._core.verify(_text(session_id, "session"), said, _time(now))))

    def verify_reply(self, session_id: str, reply: str, now: float) -> Verdict:
        """As `verify`, on a whole reply: each value of `find_sentinel` is tried, and the best verdict is given."""
        found = self._core.verify_reply(_text(session_id, "session"), _text(reply, "reply"), _time(now))
        return Verdict(**json.loads(found))

    @property
    def issued(self) -> int:
        """How many issuances are remembered."""
        return self._core.issued()

    @property
    def options(self) -> dict[str, int]:
        """The settings, all of them."""
        found: dict[str, int] = json.loads(self._core.options())
        return found

    def export_log(self) -> str:
        """The log as JSON text, for another process with the same key. It holds no sentinel and no address."""
        return self._core.export()

    def import_log(self, log: str) -> None:
        """Takes in a log that `export_log` wrote."""
        self._core.take(_text(log, "log"))

    def __repr__(self) -> str:
        return f"<counterfoil.canary.Canary {self.issued} issued>"

    def __reduce__(self) -> Any:
        raise TypeError("a Canary holds keys and is not pickled; export_log gives its log")


def sentinel(root_key: bytes, session_id: str, bucket: int, length: int = 32) -> str:
    """The sentinel of a session in a bucket of time, from the root key, as the published vectors show it."""
    if isinstance(bucket, bool) or not isinstance(bucket, int) or not -(2**63) <= bucket < 2**63:
        raise Error("shape", "bucket", "expected a whole number of 64 bits")
    bytes_ = length if isinstance(length, int) and 0 <= length < 2**31 else 0
    return _core.sentinel(_key(root_key), _text(session_id, "session"), bucket, bytes_)


def find_sentinel(reply: str, length: int = 32) -> list[str]:
    """What a reader of a reply would copy as a sentinel of so many bytes, at most 16."""
    known = isinstance(length, int) and 16 <= length <= 32
    return _core.find_sentinel(_text(reply, "reply"), length) if known else []


def new_session() -> str:
    """A fresh session's id of 128 random bits."""
    return secrets.token_hex(16)


def headers() -> dict[str, str]:
    """The headers of the page."""
    return dict(json.loads(_core.canary_headers()))


def _key(root_key: object) -> bytes:
    if isinstance(root_key, bytes | bytearray | memoryview):
        return bytes(root_key)
    raise Error("option", "root_key", f"expected 32 random bytes; found {type(root_key).__name__}")


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        _core.canary_no_text(path, described(value))
    return sound(value)


def _time(now: object) -> float:
    """A time as the core takes it, which refuses what is no number."""
    is_time = isinstance(now, int | float) and not isinstance(now, bool) and abs(now) < 1e300
    return float(now) if is_time else math.nan  # type: ignore[arg-type]
