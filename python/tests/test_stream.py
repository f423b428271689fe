"""Transcripts in pieces, and Inspect's archives."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import counterfoil
from counterfoil import archive

SESSION = Path(__file__).parents[2] / "examples" / "sessions" / "harbour.jsonl"
CALL = {"tool": "bash", "arguments": {"command": "pytest"}, "output": "🎉 1 failed", "exit": 1}
LINE = json.dumps({"reply": "🎉 All tests pass.", "calls": [CALL]}, ensure_ascii=False) + "\n"


def test_the_turns_of_a_file_are_those_of_the_session() -> None:
    whole = counterfoil.load(SESSION)
    stream = counterfoil.iter_turns(SESSION)
    assert list(stream) == whole.turns
    assert (stream.id, stream.notes) == (whole.id, whole.notes)
    assert stream.format is not None
    assert stream.format["name"] == "claude-code"


@pytest.mark.parametrize("live", [False, True])
def test_the_reports_are_those_of_the_session(live: bool) -> None:
    whole = counterfoil.verify_session(SESSION)
    assert list(counterfoil.verify_turns(str(SESSION), live=live)) == list(whole.turns)
    named = counterfoil.verify_turns(LINE * 3, format="native", readers={"outcome": False}, live=live)
    assert all(report.verification is None for report in named)


def test_every_source_gives_the_same() -> None:
    data = (LINE * 3).encode()
    sources: list[Any] = [
        LINE * 3,
        data,
        io.BytesIO(data),
        io.StringIO(LINE * 3),
        [data[:30], data[30:]],
        iter([LINE] * 3),
    ]
    for source in sources:
        assert [turn["user"] for turn in counterfoil.iter_turns(source)] == [None] * 3


def test_turns_come_before_the_text_has_ended() -> None:
    taken = []

    def lines() -> Iterator[str]:
        for number in range(5):
            taken.append(number)
            yield LINE

    reports = counterfoil.verify_turns(lines(), live=True)
    first = next(reports)
    assert len(taken) < 5
    assert first.verification is not None
    claim = first.verification.claims[0]
    assert "🎉 All tests pass."[claim.span.start : claim.span.end] == "All tests pass"


def test_what_cannot_be_read_is_an_error_at_once_or_at_the_end() -> None:
    with pytest.raises(FileNotFoundError):
        counterfoil.iter_turns("missing.jsonl")
    with pytest.raises(counterfoil.Error, match="expected one of"):
        counterfoil.iter_turns(LINE, format="nothing")
    with pytest.raises(counterfoil.Error, match="found int"):
        counterfoil.iter_turns(3)  # type: ignore[arg-type]
    with pytest.raises(counterfoil.Error, match="not a transcript I know"):
        list(counterfoil.iter_turns('{"a": 1}\n{"a": 2}\n'))
    stream = counterfoil.iter_turns(b"")
    with pytest.raises(counterfoil.Error, match="the text is empty"):
        next(stream)


HEADER = {"version": 2, "status": "success", "eval": {"task": "boats"}, "results": {"scores": []}}
SAMPLE = {
    "id": 1,
    "epoch": 1,
    "messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi."}],
}


def packed(files: dict[str, str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return out.getvalue()


def log_of(data: bytes) -> Any:
    return json.loads(b"".join(archive.pieces(io.BytesIO(data))))


def test_an_archive_becomes_the_log_that_it_holds() -> None:
    names = {"header.json": json.dumps(HEADER), "samples/1_epoch_1.json": json.dumps(SAMPLE), "summaries.json": "[]"}
    expected = {"version": 2, "status": "success", "eval": {"task": "boats"}, "samples": [SAMPLE]}
    assert log_of(packed(names)) == expected
    names["samples/2_epoch_1.json"] = json.dumps(SAMPLE)
    assert len(log_of(packed(names))["samples"]) == 2
    journal = {"_journal/start.json": json.dumps(HEADER), "samples/1_epoch_1.json": json.dumps(SAMPLE)}
    assert log_of(packed(journal)) == expected


def test_what_is_no_log_or_too_large_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(counterfoil.Error, match=r"without Inspect's header.json"):
        counterfoil.load(packed({"a.txt": "x"}))
    with pytest.raises(counterfoil.Error, match="not a readable zip archive"):
        counterfoil.load(b"PK\x03\x04 and no more")
    with pytest.raises(counterfoil.Error, match=r"header.json: not JSON"):
        counterfoil.load(packed({"header.json": "{"}))
    monkeypatch.setattr(archive, "LARGEST", 1000)
    bomb = packed({"header.json": json.dumps(HEADER), "samples/1.json": " " * 1_000_000})
    with pytest.raises(counterfoil.Error, match="larger than the 1000 bytes"):
        counterfoil.load(bomb)
    with pytest.raises(counterfoil.Error, match=r"^header.json: it is larger than the 1000 bytes"):
        counterfoil.load(packed({"header.json": json.dumps({**HEADER, "status": "x" * 2000})}))
    damaged = bytearray(packed({"header.json": json.dumps(HEADER)}))
    damaged[45:50] = b"\xff" * 5
    with pytest.raises(counterfoil.Error):
        counterfoil.load(bytes(damaged))


def test_zstd_is_unpacked_where_it_can_be() -> None:
    if sys.version_info >= (3, 14):
        data = packed({"header.json": json.dumps(HEADER)}, 93)
    else:
        zstandard = pytest.importorskip("zstandard")
        text = json.dumps(HEADER).encode()
        data = zipped(zstandard.ZstdCompressor().compress(text), text)
    assert log_of(data) == {"version": 2, "status": "success", "eval": {"task": "boats"}, "samples": []}


def zipped(small: bytes, text: bytes) -> bytes:
    """An archive with one file that was packed by another program."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
        made.writestr("header.json", small)
    data = bytearray(out.getvalue())
    at = data.index(b"PK\x01\x02")
    for place in (8, at + 10):
        data[place : place + 2] = (93).to_bytes(2, "little")
    for place in (22, at + 24):
        data[place : place + 4] = len(text).to_bytes(4, "little")
    return bytes(data)
