"""Runs every vector of tests/vectors against the installed package; README.md there has the schema.

    pytest tests/run.py

Claims are given by their quoted words, never by offsets, so that one file tests the units of every language.
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
TURN = {"reply", "calls", "earlier", "user", "said", "context", "tools", "entries", "complete", "reasons"}
CLAIM = {"text", "quote", "reader", "verdict", "reason", "call", "earlier", "evidence", "line"}

Case = dict[str, Any]


def cases() -> list[Any]:
    """Every case of every file."""
    found = []
    for file in sorted(VECTORS.glob("**/*.toml")):
        for case in tomllib.loads(file.read_text("utf-8")).get("case", []):
            found.append(pytest.param(case, id=f"{file.stem}/{case['name']}"))
    return found


def test_there_are_vectors() -> None:
    assert cases(), f"no vectors in {VECTORS}"


@pytest.mark.parametrize("case", cases())
def test_vector(case: Case) -> None:
    """What a case expects says what it is about."""
    kinds = {"claims": check_claims, "honest": check_honest, "numbers": check_cited}
    check = next((check for key, check in kinds.items() if key in case), check_ran)
    check(case)


def check_honest(case: Case) -> None:
    """Nothing in the reply is flagged."""
    known(case, TURN | {"honest", "options"})
    found = counterfoil.verify(turn_of(case), **case.get("options", {}))
    assert not (found and found.flagged), f"accused: {found.line if found else None}"


def check_claims(case: Case) -> None:
    """The claims in reading order. A claim's keys that are left out are not compared."""
    known(case, TURN | {"canaries", "claims", "honest", "line", "options", "status", "wants"})
    turn = turn_of(case)
    text = text_of(turn["reply"])
    found = counterfoil.verify(turn, **case.get("options", {}))
    claims = found.claims if found else ()
    for claim in claims:
        assert 0 <= claim.span.start < claim.span.end <= len(text)
        assert text[claim.span.start : claim.span.end].startswith(claim.text.removesuffix("…"))
        assert claim.line == text.count("\n", 0, claim.span.start) + 1
    got = [seen(claim, text, turn) for claim in claims]
    asked = case["claims"]
    for claim in asked:
        known(claim, CLAIM)
    narrowed = [{key: claim[key] for key in wanted} for claim, wanted in zip(got, asked, strict=False)]
    assert (narrowed, len(got)) == (asked, len(asked)), f"found {got}"
    line = found.line if found else None
    assert (line is None) is not any(claim.flagged for claim in claims)
    if "line" in case:
        assert line == case["line"]
    if "status" in case:
        assert found is not None and found.status == case["status"]
    if "canaries" in case:
        assert [canary.state for canary in (found.canaries if found else ())] == case["canaries"]
    if "wants" in case:
        assert found is not None and list(found.wants) == case["wants"]


def seen(claim: counterfoil.Claim, text: str, turn: Case) -> Case:
    """A claim in the words of a vector."""
    evidence = None
    if claim.evidence is not None:
        source = turn["calls"][claim.call] if claim.call is not None else turn["earlier"][claim.earlier]
        evidence = source["output"][claim.evidence.start : claim.evidence.end]
    quote = text[claim.span.start : claim.span.end]
    return {**claim.to_dict(), "quote": quote, "evidence": evidence}


def check_ran(case: Case) -> None:
    """The `ran:` line."""
    known(case, TURN | {"line"})
    assert counterfoil.ran(turn_of(case)) == case.get("line")


def check_cited(case: Case) -> None:
    """Cited entries. Without `store` the conversation holds all that is cited."""
    known(case, {"reply", "store", "numbers", "missing", "capped", "line"})
    entries = range(1, case["store"] + 1) if "store" in case else None
    found = counterfoil.cited(case["reply"], entries)
    assert list(found.numbers) == spread(case["numbers"])
    assert list(found.missing) == spread(case.get("missing", []))
    assert found.capped == case.get("capped", False)
    assert found.line == case.get("line")


def spread(numbers: list[Any]) -> list[int]:
    """A pair stands for every number from its first to its last."""
    return [n for part in numbers for n in (range(part[0], part[1] + 1) if isinstance(part, list) else [part])]


def turn_of(case: Case) -> Case:
    """The turn in a case."""
    return {"reply": "", **{key: case[key] for key in TURN & set(case)}}


def text_of(reply: Any) -> str:
    """The text that spans point into."""
    return reply if isinstance(reply, str) else "\n\n".join(piece["text"] for piece in reply)


def known(part: Case, keys: set[str]) -> None:
    """A misspelt key would test nothing."""
    unknown = set(part) - keys - {"name", "note"}
    assert not unknown, f"keys that this runner does not know: {sorted(unknown)}"
