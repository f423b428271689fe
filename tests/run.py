"""Runs every vector of tests/vectors against the installed package.

    pytest tests/run.py

A case is a turn and what is to be found in it. Claims are given by their quoted words, never by
offsets, so that the same file tests the units of every language.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

import counterfoil

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

VECTORS = Path(__file__).resolve().parent / "vectors"
TURN = ("reply", "calls", "earlier", "user", "said", "context", "tools", "entries", "complete", "reasons")
EXPECTED = ("claims", "line", "ran", "cited", "numbers", "missing", "capped")
CLAIM = ("quote", "reader", "verdict", "reason", "call", "earlier", "evidence", "line")

Case = dict[str, Any]


def cases() -> list[Any]:
    found = []
    for file in sorted(VECTORS.glob("**/*.toml")):
        for case in tomllib.loads(file.read_text("utf-8")).get("case", []):
            found.append(pytest.param(case, id=f"{file.stem}/{case['name']}"))
    return found


def test_there_are_vectors() -> None:
    assert cases(), f"no vectors in {VECTORS}"


@pytest.mark.parametrize("case", cases())
def test_vector(case: Case) -> None:
    unknown = set(case) - {"name", "note", "options", *TURN, *EXPECTED}
    assert not unknown, f"fields this runner does not know: {sorted(unknown)}"
    turn = {field: case[field] for field in TURN if field in case}
    text = reply(turn)
    if "claims" in case or ("line" in case and "numbers" not in case and "missing" not in case):
        check_claims(case, turn, text)
    if "ran" in case:
        # TOML has no null: an empty text stands for no line.
        assert counterfoil.ran(turn) == (case["ran"] or None)
    if {"numbers", "missing", "capped", "cited"} & set(case):
        check_citations(case, text)


def check_claims(case: Case, turn: Case, text: str) -> None:
    """The claims in reading order, by what they quote."""
    found = counterfoil.verify(turn, **case.get("options", {}))
    claims = found.claims if found else ()
    for claim in claims:
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert text[claim.span.start : claim.span.end].startswith(claim.text.removesuffix("…"))
        assert claim.line == text.count("\n", 0, claim.span.start) + 1
    if "claims" in case:
        expected = case["claims"]
        got = [seen(claim, text, turn) for claim in claims]
        asked = [{field: part.get(field) for field in part} for part in expected]
        narrowed = [{field: g.get(field) for field in e} for g, e in zip(got, expected, strict=False)]
        assert narrowed == asked and len(got) == len(expected), f"found {got}"
        for part in expected:
            assert set(part) <= set(CLAIM), f"fields this runner does not know: {sorted(set(part) - set(CLAIM))}"
    if "line" in case:
        assert (found.line if found else None) == (case["line"] or None)


def seen(claim: counterfoil.Claim, text: str, turn: Case) -> Case:
    """A claim in the words of a vector."""
    evidence = None
    if claim.evidence is not None:
        source = turn["calls"][claim.call] if claim.call is not None else turn["earlier"][claim.earlier]
        evidence = source["output"][claim.evidence.start : claim.evidence.end]
    return {
        "quote": text[claim.span.start : claim.span.end],
        "reader": claim.reader,
        "verdict": claim.verdict,
        "reason": claim.reason,
        "call": claim.call,
        "earlier": claim.earlier,
        "line": claim.line,
        "evidence": evidence,
    }


def check_citations(case: Case, text: str) -> None:
    """The entries cited; their line is `cited`, or `line` where the case is about nothing else."""
    found = counterfoil.cited(text, case.get("entries", []))
    if "numbers" in case:
        assert list(found.numbers) == case["numbers"]
    if "missing" in case:
        assert list(found.missing) == case["missing"]
    if "capped" in case:
        assert found.capped == case["capped"]
    if "cited" in case or ("line" in case and "claims" not in case):
        assert found.line == (case.get("cited", case.get("line")) or None)


def reply(turn: Case) -> str:
    """The text that spans point into."""
    pieces = turn["reply"]
    return pieces if isinstance(pieces, str) else "\n\n".join(piece["text"] for piece in pieces)
