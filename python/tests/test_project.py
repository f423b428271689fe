"""What is written twice is the same in both places."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import counterfoil

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["LICENSE-MIT", "LICENSE-APACHE"])
def test_the_wheel_has_the_licences_of_the_project(name: str) -> None:
    assert (ROOT / name).read_text("utf-8") == (ROOT / "python" / name).read_text("utf-8")


def test_crate_wheel_and_changelog_have_one_version() -> None:
    cargo = (ROOT / "Cargo.toml").read_text("utf-8")
    assert f'version = "{counterfoil.__version__}"' in cargo
    assert f"## {counterfoil.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_installed_package_has_no_requirements() -> None:
    from importlib.metadata import requires

    assert not [needed for needed in requires("counterfoil") or [] if "extra ==" not in needed]


def test_schemas_and_types_are_those_of_the_core() -> None:
    found = subprocess.run([sys.executable, ROOT / "scripts" / "generate.py"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_make_target_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony is not None
    for target in phony.group(1).split():
        assert re.search(rf"^{target}:.*## ", makefile, re.M), target


def test_the_npm_package_has_the_version_of_the_crate() -> None:
    package = json.loads((ROOT / "npm" / "package.json").read_text("utf-8"))
    assert package["version"] == counterfoil.__version__
    source = (ROOT / "npm" / "src" / "version.ts").read_text("utf-8")
    assert f'version = "{counterfoil.__version__}"' in source


def test_the_first_taste_of_each_home_is_short() -> None:
    for name in ("rust/check_session.rs", "node/check_session.mjs", "browser/page.js", "python/check_own_loop.py"):
        assert len((ROOT / "examples" / name).read_text("utf-8").splitlines()) < 60, name


def test_the_cell_of_the_notebook_shows_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    notebook = json.loads((ROOT / "examples" / "python" / "check_session.ipynb").read_text("utf-8"))
    code = ast.parse("".join(notebook["cells"][0]["source"]))
    last = code.body.pop()
    assert isinstance(last, ast.Expr)
    names: dict[str, object] = {}
    exec(compile(code, "cell", "exec"), names)
    shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)._repr_html_()
    assert "All 43 tests pass" in shown


def test_the_example_for_rust_marks_what_the_session_does_not_carry() -> None:
    words = ["cargo", "run", "--quiet", "-p", "counterfoil-example", "--bin", "check_session", "--"]
    found = subprocess.run([*words, "examples/sessions/harbour.jsonl"], cwd=ROOT, capture_output=True, text=True)
    assert found.stdout.startswith("turn 2: [All 43 tests pass].\n"), found.stderr


def test_the_example_of_a_loop_of_ones_own() -> None:
    script = ROOT / "examples" / "python" / "check_own_loop.py"
    found = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True).stdout
    assert found.count("ran: list_folder") == 2
    assert found.count("unsupported: ") == 1
    assert "no notification call in this turn succeeded" in found


def test_the_stop_hook_speaks_of_the_last_turn_and_fails_open() -> None:
    script = ROOT / "examples" / "python" / "stop_hook.py"
    event = {"transcript_path": str(ROOT / "examples" / "sessions" / "harbour.jsonl")}
    for given, spoken in (
        (event, True),
        ({**event, "stop_hook_active": True}, False),
        ({"transcript_path": "/x"}, False),
    ):
        words = [sys.executable, str(script)]
        found = subprocess.run(words, input=json.dumps(given), capture_output=True, text=True, check=True).stdout
        assert ("notification" in json.loads(found).get("systemMessage", "")) is spoken
