"""The tables of the documents name what there is: all of it, in its order, and nothing else."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import counterfoil

DOCS = Path(__file__).resolve().parents[2] / "docs"


def column(page: str, heading: str, first: str) -> list[str]:
    """The code in the first cells of the table whose first column is called `first`, under a heading."""
    text = (DOCS / f"{page}.md").read_text("utf-8")
    section = re.split(rf"^#+ `?{heading}`?$", text, flags=re.M)[1]
    section = re.split(r"^#+ ", section, flags=re.M)[0] if heading else section
    table = section.split(f"| {first} |", 1)[1].split("\n\n", 1)[0]
    return re.findall(r"^\| `([^`]+)`", table, re.M)


def definitions(schema: str) -> dict[str, Any]:
    """Every type in a schema by its name."""
    found: dict[str, Any] = json.loads((DOCS / "schema" / f"{schema}.json").read_text("utf-8"))
    return {**found.get("$defs", {}), found["title"]: found}


def names(values: dict[str, Any]) -> list[str]:
    """The words of an enum."""
    parts: list[dict[str, Any]] = values.get("oneOf", [values])
    return [word for part in parts for word in ([part["const"]] if "const" in part else part["enum"])]


def offered(**options: Any) -> list[str]:
    """The names that the error of a wrong option lists."""
    with pytest.raises(counterfoil.Error) as raised:
        counterfoil.verify({"reply": "", "calls": []}, **options)
    return re.split(r", ", re.sub(r"^.* one of |; found.*$", "", raised.value.message))


@pytest.mark.parametrize(
    ("page", "heading", "schema"),
    [
        ("record", "Call", "turn"),
        ("record", "Turn", "turn"),
        ("record", "Piece", "turn"),
        ("record", "Session", "session"),
        ("result", "Verification", "verification"),
        ("result", "Claim", "verification"),
        ("result", "Span", "verification"),
        ("result", "Report", "report"),
        ("result", "TurnReport", "report"),
        ("result", "Totals", "report"),
        ("result", "Citations", "citations"),
    ],
)
def test_the_tables_of_fields_are_those_of_the_schemas(page: str, heading: str, schema: str) -> None:
    assert column(page, heading, "field") == list(definitions(schema)[heading]["properties"])


@pytest.mark.parametrize(
    ("page", "heading", "first", "schema", "kind"),
    [
        ("record", "Status", "status", "turn", "Status"),
        ("result", "Claim", "verdict", "verification", "Verdict"),
        ("result", "Verification", "status", "verification", "Outcome"),
        ("model-step", "Failures", "kind", "verification", "ModelFailure"),
    ],
)
def test_the_tables_of_words_are_those_of_the_schemas(
    page: str, heading: str, first: str, schema: str, kind: str
) -> None:
    assert sorted(column(page, heading, first)) == sorted(names(definitions(schema)[kind]))


def test_every_role_has_its_row() -> None:
    assert column("record", "Roles", "role") == offered(roles={"x": "no role"})


def test_every_reader_has_its_part() -> None:
    text = (DOCS / "readers.md").read_text("utf-8")
    assert re.findall(r"^## `(\w+)`$", text, re.M) == [reader["name"] for reader in counterfoil.readers()]


def test_every_format_has_its_row() -> None:
    with pytest.raises(counterfoil.Error) as raised:
        counterfoil.load("{}", format="none")
    known = raised.value.message.removeprefix("expected one of ").split(";")[0].split(", ")
    assert column("formats", "Formats", "format") == known


def test_every_flag_has_its_row() -> None:
    from counterfoil import _core

    answer = _core.invocation(["--help"]).answer
    assert answer is not None
    assert column("command", "Flags", "flag") == re.findall(r"^  (?:-\w, |    )(--[\w-]+)", answer[0], re.M)
