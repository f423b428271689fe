"""The cases of `tests/contract/*.json`, which every package runs; `tests/contract/README.md` has their shape."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from counterfoil import contract
from counterfoil.contract import ContractError

ROOT = Path(__file__).resolve().parents[2]
FROZEN = {"now": "2026-01-01T00:05:00Z", "by": "human:dana"}
RUN = {"now": "2026-01-01T01:00:00Z", "workspace": "w"}
ATTESTED = "2026-01-01T01:00:01Z"


def cases() -> list[Any]:
    files = sorted((ROOT / "tests" / "contract").glob("*.json"))
    found = [(file.stem, case) for file in files for case in json.loads(file.read_text("utf-8"))]
    return [pytest.param(case, id=f"{stem}: {case['name']}") for stem, case in found]


def planned(given: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Freezes and plans: the plan, and what was asked for it."""
    frozen = given["contract"]
    if not (isinstance(frozen, dict) and frozen.get("digest")):
        frozen = contract.freeze(**{**FROZEN, **given.get("freeze", {}), "contract": frozen})["contract"]
    asked = {"contract": frozen, "run_env": {**RUN, **given.get("run_env", {})}}
    asked["supplements"] = given.get("supplements")
    return contract.plan(**asked), asked


def judged(given: Mapping[str, Any]) -> tuple[Any, Any]:
    """Freezes, plans and judges: the bundle, and the frozen contract."""
    plan, asked = planned(given)
    seen = [{"plan_digest": plan["plan_digest"], **one} for one in given.get("observations", [])]
    own = ("contract", "run_env", "supplements", "observations", "freeze", "plan")
    rest = {name: value for name, value in given.items() if name not in own}
    plan = {**plan, **given.get("plan", {})}
    return contract.judge(plan=plan, observations=seen, **asked, **rest), asked["contract"]


def attested(given: Mapping[str, Any]) -> Any:
    """Runs, edits the bundle, and attests."""
    bundle, frozen = judged(given["run"])
    text = json.dumps(bundle, separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    for edit in given.get("edit_bundle", []):
        assert edit["find"] in text
        text = text.replace(edit["find"], edit["replace"], 1)
    return contract.attest(frozen, json.loads(text), **{"now": ATTESTED, **given.get("attest", {})})


def read_back(given: Mapping[str, Any]) -> Any:
    """The same, then edits the files and reads them back."""
    files = attested(given)["files"]
    for edit in given.get("edits", []):
        if edit.get("remove"):
            del files[edit["file"]]
        else:
            assert edit["find"] in files[edit["file"]]
            files[edit["file"]] = files[edit["file"]].replace(edit["find"], edit["replace"], 1)
    return contract.reverify(files, **given.get("reverify", {}))


def addresses(given: Mapping[str, Any]) -> Any:
    plan, _ = planned(given)
    return contract.check_addresses(plan, given["request_id"], given["addresses"])


OWN = {
    "run": lambda given: judged(given)[0],
    "attested": attested,
    "read_back": read_back,
    "addresses": addresses,
}


def found(case: Mapping[str, Any]) -> Any:
    name, given = case["call"], case["input"]
    try:
        return OWN[name](given) if name in OWN else contract.call(name, given)
    except ContractError as error:
        assert error.fix and isinstance(error.retryable, bool)
        return {"error": {"code": error.code, "message": error.message, "details": error.details}}


def same(expected: Any, value: Any, place: str = "") -> None:
    """Of objects the named members count, of arrays all elements. True is not 1."""
    if isinstance(expected, dict) and isinstance(value, dict):
        for name, wanted in expected.items():
            same(wanted, value.get(name), f"{place}.{name}")
    elif isinstance(expected, list) and isinstance(value, list) and len(expected) == len(value):
        for at, (wanted, one) in enumerate(zip(expected, value, strict=True)):
            same(wanted, one, f"{place}[{at}]")
    else:
        equal = expected == value and isinstance(expected, bool) == isinstance(value, bool)
        assert equal, f"{place}: expected {expected!r}, found {value!r}"


@pytest.mark.parametrize("case", cases())
def test_a_case_comes_out_as_expected(case: Mapping[str, Any]) -> None:
    same(case["expected"], found(case))


DRAFT: dict[str, Any] = {
    "contract_id": "c",
    "checks": [{"id": "a", "type": "file_exists", "params": {"path": "a.txt"}}],
}


def test_what_is_no_strict_json_is_refused_before_anything_else() -> None:
    for wrong in (float("nan"), float("inf"), 2**53, -(2**60), "\ud800"):
        with pytest.raises(ContractError) as raised:
            contract.freeze({**DRAFT, "title": wrong}, **FROZEN)
        assert raised.value.code == "verify.contract_invalid"
    with pytest.raises(ContractError) as raised:
        contract.freeze('{"contract_id": "a", "contract_id": "b"}', **FROZEN)
    assert (raised.value.code, raised.value.details["path"]) == ("verify.contract_invalid", "contract")
    with pytest.raises(TypeError):
        contract.freeze({**DRAFT, "title": b"bytes"}, **FROZEN)


def test_an_error_says_what_and_where_and_what_to_do() -> None:
    wrong = {**DRAFT, "checks": [{**DRAFT["checks"][0], "params": {"path": "a", "expcted": False}}]}
    with pytest.raises(ContractError) as raised:
        contract.freeze(wrong, **FROZEN)
    error = raised.value
    assert error.details["path"] == "contract.checks[0].params.expcted"
    assert str(error).startswith("verify.contract_invalid: contract.checks[0].params.expcted: unknown")
    assert (error.fix, error.retryable) == ("Correct the place that details.path names.", False)
    with pytest.raises(ContractError) as raised:
        contract.call("fry", {})
    assert "there is no function fry" in raised.value.message


def test_what_is_given_stays_as_it_is_and_any_mapping_will_do() -> None:
    from types import MappingProxyType

    draft = MappingProxyType({**DRAFT, "checks": tuple(map(MappingProxyType, DRAFT["checks"]))})
    frozen = contract.freeze(draft, **FROZEN)
    assert "digest" not in draft
    assert contract.check_integrity(frozen["contract"])["digest"] == frozen["digest"]
    assert contract.check_integrity(json.dumps(frozen["contract"], indent=2))["digest"] == frozen["digest"]


def test_every_function_of_the_core_has_a_name_here() -> None:
    with pytest.raises(ContractError) as raised:
        contract.call("", {})
    known = raised.value.message.split("; there are ")[1].split(", ")
    assert set(known) <= set(contract.__all__)
    assert all(getattr(contract, name).__doc__ for name in known)


def test_supplements_and_revisions() -> None:
    frozen = contract.freeze(DRAFT, **FROZEN)["contract"]
    more = {"id": "b", "type": "file_exists", "params": {"path": "b.txt"}}
    proposed = contract.propose(frozen, [DRAFT["checks"][0], more], "model:agent")
    assert proposed["ignored"] == ["a"]
    plan = contract.plan(frozen, RUN, [proposed["supplement"]])
    assert [row["request_id"] for row in plan["requests"]] == ["a/file", "b/file"]
    draft = contract.revise(frozen, {"title": "New"}, "human:dana")["contract"]
    assert (draft["revision"], draft["previous_digest"], draft["digest"]) == (1, frozen["digest"], None)


def test_tables_are_given() -> None:
    assert {"file_exists", "state_equals"} <= {row["type"] for row in contract.check_types()}
    assert contract.levels()[0]["level"] == "visual_advisory"
    assert all(row["fix"] for row in contract.codes())


def test_a_run_without_a_contract_is_unverified() -> None:
    bundle = contract.judge(None, None, None, RUN, advisory_findings=["looks fine"])
    assert (bundle["verdict_word"], bundle["assurance"]) == ("UNVERIFIED", "visual_advisory")
    assert contract.outcome(bundle)["verdict"] == "UNVERIFIED"
