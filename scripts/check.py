"""Runs every check of the project, goes on after a failure, and sums up.

    python scripts/check.py          all
    python scripts/check.py --lint   formatters and linters only

What cannot run on this machine is listed as skipped, with the reason.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ROOT / "python"
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve()
BIN = Path(sys.executable).parent
WHEEL_LIMIT = 3_700_000
CODE = ["src", "tests", "../tests/run.py", "../scripts", "../examples/python"]
SMOKE = "import counterfoil; assert counterfoil.verify({'reply': 'Hello.', 'calls': []}) is None; counterfoil.readers()"


@dataclass
class Step:
    """One check."""

    name: str
    work: Callable[[], tuple[str, str]]
    lint: bool = False


@dataclass
class Result:
    """What came of it: ok, FAILED or skipped; the runner's own last words."""

    name: str
    state: str
    words: str
    seconds: float


def run(*command: str | Path, folder: Path = ROOT, summary: str = "") -> tuple[str, str]:
    """Runs a command and passes its output on; the words are its lines that match `summary`."""
    words = [str(word) for word in command]
    process = subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        sys.stdout.write(line)
        sys.stdout.flush()
        lines.append(line.strip())
    failed = process.wait() != 0
    found = [line.strip("= ") for line in lines if summary and re.search(summary, line)]
    return ("FAILED" if failed else "ok"), "\n".join(found)


def cargo(*words: str, summary: str = "") -> Callable[[], tuple[str, str]]:
    return lambda: run("cargo", *words, summary=summary)


def tool(name: str, *words: str, summary: str = "") -> Callable[[], tuple[str, str]]:
    return lambda: run(BIN / name, *words, folder=PYTHON, summary=summary)


def python(*words: str, summary: str = "") -> Callable[[], tuple[str, str]]:
    return lambda: run(sys.executable, *words, folder=PYTHON, summary=summary)


def pytest(*words: str) -> Callable[[], tuple[str, str]]:
    cache = f"cache_dir={ROOT / '.cache' / 'pytest'}"
    return python("-m", "pytest", "-o", cache, *words, summary=r"\d+ (passed|failed|error)")


def tests() -> tuple[str, str]:
    """All Rust tests, and one line that adds up the programs'. Their random inputs come from one seed."""
    os.environ.setdefault("PROPTEST_RNG_SEED", "1")
    features = "counterfoil/contract,counterfoil/sign"
    state, words = run(
        "cargo", "test", "--workspace", "--features", features, "--no-fail-fast", summary=r"^test result:"
    )
    counts = [sum(map(int, re.findall(rf"(\d+) {what}", words))) for what in ("passed", "failed", "ignored")]
    programs = len(words.splitlines())
    verdict = "ok" if state == "ok" else "FAILED"
    passed, failed, ignored = counts
    return state, f"test result: {verdict}. {passed} passed; {failed} failed; {ignored} ignored; {programs} programs"


def accuracy() -> tuple[str, str]:
    """The labelled sets: no honest line is flagged, and nothing is lost that docs/accuracy.md records."""
    run_it = ["cargo", "run", "--quiet", "-p", "counterfoil", "--example", "accuracy", "--", "--gate"]
    state, words = run(*run_it, summary="^(accuracy|skipped):")
    return state, "; ".join(re.sub("^accuracy: ", "", line) for line in words.splitlines())


def fuzz() -> tuple[str, str]:
    """The fuzz targets with seeded inputs: a minute on build servers, a moment elsewhere; `make fuzz` runs longer."""
    seconds = os.environ.setdefault("FUZZ_SECONDS", "60" if os.environ.get("CI") else "10")
    state, words = run(ROOT / "scripts" / "fuzz.sh", "--stable", summary=r"^test result:")
    return state, f"{words} ({seconds} s)"


def wheel() -> Path:
    return next((TARGET / "wheels").glob("counterfoil-*.whl"))


def wheel_size() -> tuple[str, str]:
    size = wheel().stat().st_size
    return ("ok" if size <= WHEEL_LIMIT else "FAILED"), f"{size / 1e6:.2f} MB of at most {WHEEL_LIMIT / 1e6:.0f}"


def interpreters() -> Iterator[tuple[str, str | None]]:
    """Other Python versions, on the path or kept by pyenv."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in ("3.10", "3.11", "3.12", "3.13", "3.14"):
        if version == "{}.{}".format(*sys.version_info):
            continue
        found = [shutil.which(f"python{version}"), *sorted(map(str, kept.glob(f"{version}.*/bin/python")))]
        works = (p for p in found if p and subprocess.run([p, "-c", ""], capture_output=True).returncode == 0)
        yield version, next(works, None)


def smoke(path: str | None) -> tuple[str, str]:
    """Imports the wheel under another Python. It has no requirements, so that unpacking is enough."""
    if path is None:
        return "skipped", "not on this machine"
    with tempfile.TemporaryDirectory() as folder:
        zipfile.ZipFile(wheel()).extractall(folder)
        env = {**os.environ, "PYTHONPATH": folder, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([path, "-c", SMOKE], env=env, capture_output=True, text=True)
    return ("ok", "") if done.returncode == 0 else ("FAILED", done.stderr.strip())


NPM = ROOT / "npm"
PACKED = ROOT / ".cache" / "npm-installed"
NODE = r"^# (pass|fail|skipped) "


def node(*words: str) -> tuple[str, str]:
    """A run of node's own test runner, with one line that adds up what it says; what is skipped has its reason."""
    if why := no_npm():
        return "skipped", why
    state, words_ = run("node", "--test", "--test-reporter=tap", *words, folder=NPM, summary=rf"{NODE}|# SKIP ")
    counts = dict(re.findall(r"^# (pass|fail|skipped) (\d+)$", words_, re.M))
    reasons = sorted(set(re.findall(r"# SKIP (.+)$", words_, re.M)))
    line = f"{counts.get('pass', 0)} passed, {counts.get('fail', 0)} failed, {counts.get('skipped', 0)} skipped"
    return state, f"{line}: {', '.join(reasons)}" if reasons else line


def no_npm() -> str:
    """Why the npm package is not here; empty where it is."""
    note = ROOT / ".cache" / "no-npm"
    if note.exists() and (text := note.read_text("utf-8").strip()):
        return text
    return "" if PACKED.exists() else "the npm package is not built"


def npm(name: str, *words: str, summary: str = "") -> Callable[[], tuple[str, str]]:
    """One of the JavaScript tools."""
    path = NPM / "node_modules" / ".bin" / name
    return lambda: run(path, *words, folder=NPM, summary=summary) if path.exists() else ("skipped", no_npm())


def npm_size() -> tuple[str, str]:
    """What the built files weigh. A size fails only here: a package that is too large can still be built and used."""
    if why := no_npm():
        return "skipped", why
    state, words = run("node", "scripts/npm.mjs", "--weigh", summary="KB gzip")
    return state, "; ".join(re.sub(r"\s+", " ", line) for line in words.splitlines()[:2])


def installed(name: str, *words: str) -> bool:
    return shutil.which(name) is not None and subprocess.run([name, *words], capture_output=True).returncode == 0


def steps() -> list[Step]:
    code = [path for path in CODE if (PYTHON / path).exists()]
    config = "--config=pyproject.toml"
    return [
        Step("rustfmt", cargo("fmt", "--all", "--check"), lint=True),
        Step("clippy", cargo("clippy", "--workspace", "--all-targets", "--", "-D", "warnings"), lint=True),
        Step(
            "clippy schema",
            cargo("clippy", "-p", "counterfoil", "--features", "schema", "--", "-D", "warnings"),
            lint=True,
        ),
        Step(
            "clippy wasm",
            cargo("clippy", "-p", "counterfoil-wasm", "--all-features", "--", "-D", "warnings"),
            lint=True,
        ),
        Step(
            "clippy core",
            cargo("clippy", "-p", "counterfoil", "--all-features", "--all-targets", "--", "-D", "warnings"),
            lint=True,
        ),
        Step(
            "clippy entries",
            cargo("clippy", "-p", "counterfoil-canary-wasm", "-p", "counterfoil-contract-wasm", "--", "-D", "warnings"),
            lint=True,
        ),
        Step("biome", npm("biome", "ci", "--colors=off", ".", summary="^Checked"), lint=True),
        Step("ruff", tool("ruff", "check", config, *code), lint=True),
        Step("ruff format", tool("ruff", "format", "--check", config, *code), lint=True),
        Step("mypy", tool("mypy", *code, summary=r"^(Success|Found)"), lint=True),
        Step("cargo test", tests),
        Step(
            "schemas",
            cargo(
                *("test", "-p", "counterfoil", "--features", "json-schema,sign"),
                *("--test", "contract", "--test", "contract_schema"),
                summary=r"^test result:",
            ),
        ),
        Step("accuracy", accuracy),
        Step("generated", python("../scripts/generate.py", summary="generated files")),
        Step("notices", python("../scripts/notices.py")),
        Step("stubtest", python("-m", "mypy.stubtest", "counterfoil._core", summary=r"^(Success|Found)")),
        Step("python tests", pytest("tests")),
        Step("vectors", pytest("../tests/run.py")),
        Step("README", python("../scripts/readme.py", summary="blocks")),
        Step("property tests", fuzz),
        Step("tsc", npm("tsc", "--noEmit")),
        Step("npm tests", lambda: node(*sorted(str(path) for path in (NPM / "test").glob("*.test.mjs")))),
        Step("vectors in Node", lambda: node("../tests/run.mjs")),
        Step("four homes", python("../scripts/homes.py", summary="^homes:")),
        Step("npm size", npm_size),
        Step("wheel size", wheel_size),
        *(Step(f"python {version}", partial(smoke, path)) for version, path in interpreters()),
    ]


def main() -> int:
    """Runs the steps; 1 when any failed."""
    results = []
    for step in steps():
        if "--lint" in sys.argv and not step.lint:
            continue
        print(f"\n--- {step.name}", flush=True)
        start = time.monotonic()
        try:
            state, words = step.work()
        except (OSError, StopIteration) as failure:
            state, words = "FAILED", str(failure) or "its input was not built"
        results.append(Result(step.name, state, words, time.monotonic() - start))
    print("\n--- summary")
    for result in results:
        words = result.words.splitlines()[-1] if result.words else ""
        print(f"{result.state:8} {result.seconds:6.1f} s  {result.name:14} {words}".rstrip())
    failed = [result.name for result in results if result.state == "FAILED"]
    skipped = [result.name for result in results if result.state == "skipped"]
    print(f"{len(results) - len(failed) - len(skipped)} ok, {len(failed)} failed, {len(skipped)} skipped")
    # Build servers read the runners' own lines.
    for result in results:
        if result.words and re.search(r"test result:|\d+ passed|\d+ failed", result.words):
            print(result.words.splitlines()[-1])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
