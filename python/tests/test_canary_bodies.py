"""Bodies that are slow, huge, cut off or in pieces, and connections that go on: over real sockets."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator

import pytest
from served import raw, read, request, served

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module", params=["h11", "httptools"])
def patient(request: pytest.FixtureRequest) -> Iterator[int]:
    if request.param == "httptools":
        pytest.importorskip("httptools")
    with served(request.param, body_seconds=1, per_minute=100_000) as port:
        yield port


POST = b"POST /canary/verify HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"


def coded(answer: bytes) -> tuple[int, str]:
    status, _, body = read(answer)
    return status, json.loads(body)["error"]["code"]


def test_a_slow_body_is_given_up(patient: int) -> None:
    start = time.monotonic()
    assert coded(raw(patient, POST + b'Content-Length: 100\r\n\r\n{"')) == (408, "too_slow")
    assert 0.9 < time.monotonic() - start < 5
    # One byte at a time is no way around it.
    with socket.create_connection(("127.0.0.1", patient), 20) as line:
        line.sendall(POST + b"Content-Length: 1000\r\n\r\n")
        start = time.monotonic()
        answer = b""
        line.settimeout(0.1)
        while not answer and time.monotonic() - start < 10:
            line.sendall(b" ")
            with contextlib.suppress(TimeoutError):
                answer = line.recv(65_536)
        assert read(answer)[0] == 408
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("size", [65_537, 900_000])
@pytest.mark.parametrize("length", [True, False])
def test_a_huge_body_is_refused_and_its_sender_hears_why(patient: int, size: int, length: bool) -> None:
    body = b"x" * size
    if length:
        answer = raw(patient, POST + f"Content-Length: {size}\r\n\r\n".encode() + body)
    else:
        answer = raw(patient, POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunked(body))
    assert coded(answer) == (413, "too_large")


def chunked(body: bytes, size: int = 4096) -> bytes:
    parts = [body[i : i + size] for i in range(0, len(body), size)]
    return b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"


def test_an_endless_body_is_cut(patient: int) -> None:
    start = time.monotonic()
    sent = 0
    with socket.create_connection(("127.0.0.1", patient), 20) as line, contextlib.suppress(OSError):
        line.sendall(POST + b"Transfer-Encoding: chunked\r\n\r\n")
        while sent < 200_000_000:
            line.sendall(chunked(b"x" * 65_536, 65_536)[: -len("0\r\n\r\n")])
            sent += 65_536
    assert sent < 100_000_000
    assert time.monotonic() - start < 10


def test_a_body_in_chunks_is_read(patient: int) -> None:
    body = json.dumps({"session": "s", "reply": "x" * 5000}).encode()
    answer = raw(patient, POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n" + chunked(body, 7))
    assert read(answer)[0] == 200


def test_a_body_that_is_cut_off_and_a_client_that_goes_harm_nobody(patient: int) -> None:
    for data in (
        POST + b'Content-Length: 100\r\n\r\n{"',
        b"GET /canary/s HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /ca",
    ):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", patient), 20) as line:
                line.sendall(data)
    kept = http.client.HTTPConnection("127.0.0.1", patient, timeout=20)
    kept.request("GET", "/canary/s")
    assert kept.getresponse().status == 200
    kept.close()


def test_one_connection_takes_several_questions(patient: int) -> None:
    line = http.client.HTTPConnection("127.0.0.1", patient, timeout=20)
    statuses: list[int] = []
    for method, path, body, kinds in [
        ("GET", "/canary/s", None, {}),
        ("POST", "/canary/verify", '{"session": "s"}', JSON),
        ("POST", "/canary/verify", "{}", {"Content-Type": "text/plain"}),
        ("PUT", "/canary/s", "x" * 1000, {}),
        ("HEAD", "/canary/s", None, {}),
        ("OPTIONS", "/canary/s", None, {}),
        ("GET", "/canary/s", None, {}),
    ]:
        line.request(method, path, body, kinds)
        if not statuses:
            first = line.sock
        answer = line.getresponse()
        answer.read()
        statuses.append(answer.status)
    assert statuses == [200, 200, 415, 405, 405, 405, 200]
    assert line.sock is first, "it was one connection"
    line.close()
    both = b"GET /canary/a HTTP/1.1\r\nHost: localhost\r\n\r\n" + request({"target": "/canary/b"})
    assert raw(patient, both).count(b"HTTP/1.1 200 OK") == 2
