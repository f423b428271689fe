"""What is written twice is the same in both places."""

from __future__ import annotations

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

    assert not requires("counterfoil")


def test_schemas_and_types_are_those_of_the_core() -> None:
    found = subprocess.run([sys.executable, ROOT / "scripts" / "generate.py"], capture_output=True, text=True)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_make_target_is_in_the_help() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.M)
    assert phony is not None
    for target in phony.group(1).split():
        assert re.search(rf"^{target}:.*## ", makefile, re.M), target


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
