"""`make bench`: the core's own figures, then those of the npm package in Node and the ratio of both.

python scripts/bench.py WHEELS
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


FLOOD = """
import asyncio, os, resource, time
from counterfoil.canary import Canary, app
canary = Canary(os.urandom(32))
answer = app(canary)
def most(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
async def receive(): return {"type": "http.request"}
async def send(message): assert message.get("status", 200) == 200
async def flood(count):
    for i in range(count):
        name = f"{i:0>128}"
        headers = [(b"host", b"localhost"), (b"user-agent", name.encode())]
        scope = {"type": "http", "method": "GET", "path": f"/canary/{name}", "headers": headers, "client": (name, 1)}
        await answer(scope, receive, send)
asyncio.run(flood(20_000))
first, start = most(), time.perf_counter()
asyncio.run(flood(1_000_000))
assert canary.issued == 8192
print(first, most(), time.perf_counter() - start)
"""
# Texts that are made and read in pieces: the format and the megabytes. The last is more than would fit the memory.
LONG = [("native", 500), ("claude-code", 500), ("native", 2000)]


def bench(*words: str, example: str = "bench") -> str:
    """What one of the core's own benches prints."""
    command = ["cargo", "run", "--quiet", "--release", "-p", "counterfoil", "--features", "canary"]
    command += ["--example", example, "--", *words]
    text = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    print(text, end="", flush=True)
    return text


def main() -> int:
    """Prints rows as the core's bench does: what, how much, and from what."""
    text = bench(*sys.argv[1:])
    for format, megabytes in LONG:
        bench("--long", format, str(megabytes))
    bench(example="canary_bench")
    flood("Python", sys.executable, "-c", FLOOD)
    native = {
        name: float(re.search(rf"^{row} / serde_json parse .* (\d+) ms /", text, re.M)[1])  # type: ignore[index]
        for name, row in (("check", "check"), ("read", "read the session"))
    }
    if shutil.which("node") is None or not (ROOT / ".cache" / "npm-installed").exists():
        print("npm package: skipped, it is not built")
        return 0
    flood("Node", "node", "npm/test/bench.mjs", "--flood")
    found = json.loads(subprocess.run(["node", "npm/test/bench.mjs"], cwd=ROOT, check=True, capture_output=True).stdout)
    for name, what in (("check", "check"), ("read", "read the session")):
        ratio = found[name] / native[name]
        row(f"wasm / native, {what}", f"{ratio:.2f}", f"{found[name]:.0f} ms / {native[name]:.0f} ms; at most 1.5")
    row("Node: 4.5 KB reply, 40 calls of 2 KB", f"{found['turn']:.2f} ms", "under 2 ms")
    row("Node: first call after load", f"{found['first']:.1f} ms", f"at most 20 ms; load {found['load']:.1f} ms")
    row("Node: a session of 50 MB as text", f"{found['whole']:.0f} ms", f"memory {found['memory']:.1f} x its text")
    return 0


def flood(what: str, *command: str) -> None:
    """What a server holds after a million ids of as many clients, above what it held after 20,000 of them."""
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    first, last, took = map(float, done.stdout.split())
    detail = f"more memory after 10^6 ids than after 20,000; {1e6 / took / 1e3:.0f} k/s; at most 50"
    row(f"{what}: a flood on a server of proofs", f"{last - first:.1f} MB", detail)
    if last - first > 50:
        raise SystemExit(f"{what}: memory grows with what is asked")


def row(what: str, value: str, detail: str) -> None:
    print(f"{what:<44} {value:>9}  {detail}")


if __name__ == "__main__":
    sys.exit(main())
