"""Inspect's `.eval` archives: a zip of a header and samples, handed to the core as Inspect's log in JSON."""

from __future__ import annotations

import importlib
import io
import json
import struct
import zipfile
from collections.abc import Iterator
from typing import IO, Any

from counterfoil.errors import Error

__all__ = ["START", "pieces", "whole"]

START = b"PK\x03\x04"
"""What a zip archive starts with."""
ZSTANDARD = 93
"""The number of the method in a zip, which Python knows from 3.14 on."""
LARGEST = 1 << 28
"""The most bytes of one sample, unpacked."""
ALL = 1 << 30
"""The most bytes of all samples. What is meant to fill the memory ends here."""
HEADERS = ("header.json", "_journal/start.json")
KEPT = ("version", "status", "eval")


def whole(data: bytes) -> bytes:
    """What the core reads: bytes as they are, and an archive as its log."""
    return b"".join(pieces(io.BytesIO(data))) if data.startswith(START) else data


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """The log in an archive, a sample at a time."""
    try:
        with zipfile.ZipFile(file) as archive:
            yield from log(archive)
    except (zipfile.BadZipFile, EOFError, struct.error) as failure:
        raise Error("json", "", f"not a readable zip archive: {failure}") from failure


def log(archive: zipfile.ZipFile) -> Iterator[bytes]:
    names = {info.filename: info for info in archive.infolist()}
    head = next((names[name] for name in HEADERS if name in names), None)
    if head is None:
        raise Error("format", "", "not a transcript I know: a zip archive without Inspect's header.json")
    text = unpacked(archive, head, LARGEST)
    try:
        header: Any = json.loads(text)
    except (ValueError, RecursionError) as failure:
        raise Error("json", head.filename, f"not JSON: {failure}") from failure
    given = header if isinstance(header, dict) else {}
    yield json.dumps({key: given[key] for key in KEPT if key in given})[:-1].encode()
    yield b', "samples": [' if given.keys() & set(KEPT) else b'"samples": ['
    left, first = ALL, True
    for name, info in names.items():
        if name.startswith("samples/") and name.endswith(".json"):
            text = unpacked(archive, info, min(left, LARGEST))
            left -= len(text)
            yield text if first else b", " + text
            first = False
    yield b"]}"


def unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """A file of the archive. What it says of its size is not believed."""
    try:
        with archive.open(info) as file:
            text = file.read(most + 1)
    except NotImplementedError:
        if info.compress_type != ZSTANDARD:
            raise Error("json", info.filename, "it is packed by a method that is not known") from None
        text = from_zstandard(archive, info, most)
    except (RuntimeError, OSError, ValueError) as failure:
        raise Error("json", info.filename, f"it cannot be unpacked: {failure}") from failure
    except Exception as failure:  # zlib.error and that of zstd have no base of their own.
        if isinstance(failure, zipfile.BadZipFile):
            raise
        raise Error("json", info.filename, f"it cannot be unpacked: {failure}") from failure
    if len(text) > most:
        raise Error("json", info.filename, f"it is larger than the {most} bytes that are read of it")
    return text


def from_zstandard(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int) -> bytes:
    """The same where Python's zip does not know the method."""
    try:
        zstandard: Any = importlib.import_module("zstandard")
    except ImportError:
        advice = "it is packed with zstd; install counterfoil[inspect], or use Python 3.14"
        raise Error("json", info.filename, advice) from None
    file: Any = archive.fp
    file.seek(info.header_offset)
    start = file.read(30)
    name, extra = struct.unpack("<HH", start[26:30])
    file.seek(name + extra, io.SEEK_CUR)
    packed = file.read(min(info.compress_size, ALL))
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            text: bytes = reader.read(most + 1)
    except zstandard.ZstdError as failure:
        raise Error("json", info.filename, f"it cannot be unpacked: {failure}") from failure
    return text
