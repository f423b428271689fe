"""Verification contracts: what has to be true is frozen before the work, and looked at after it.

>>> from counterfoil import contract
>>> draft = {
...     "contract_id": "checkout-v1",
...     "checks": [{"id": "report", "type": "file_exists", "params": {"path": "report.md"}}],
... }
>>> frozen = contract.freeze(draft, now="2026-01-01T09:00:00Z", by="human:dana")["contract"]
>>> run_env = {"now": "2026-01-01T10:00:00Z", "workspace": "/srv/shop"}
>>> plan = contract.plan(frozen, run_env)
>>> seen = {"request_id": "report/file", "plan_digest": plan["plan_digest"], "outcome": "absent"}
>>> contract.judge(frozen, plan, [seen], run_env)["verdict_word"]
'FAILED'

Dicts in, dicts out; nothing here opens a file or reads a clock. `counterfoil.contract.files` is a host that looks at
files. `docs/contracts.md` describes every member. A contract may be given as JSON text, which is read strictly.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from counterfoil import _core
from counterfoil.contract.errors import ContractError

__all__ = [
    "ContractError",
    "Object",
    "Signer",
    "attest",
    "call",
    "check_addresses",
    "check_integrity",
    "check_types",
    "codes",
    "freeze",
    "judge",
    "levels",
    "outcome",
    "plan",
    "propose",
    "reverify",
    "revise",
    "verdict",
    "verify_signature",
]

Object: TypeAlias = Mapping[str, Any]
"""What can be written as a JSON object."""
Signer: TypeAlias = Callable[[bytes], Object]
"""Takes the bytes to sign, and gives `{"algorithm", "public_key", "signature"}`: `ed25519` or `ecdsa_p256_sha256`, the
key in PEM, hexadecimal or base64, and the signature as bytes or in base64."""

_SURROGATES = re.compile("[\ud800-\udfff]")


def call(name: str, input: Object) -> Any:
    """Calls a function by its name in `docs/contracts.md` with an object of its arguments."""
    text = json.dumps(dict(input), ensure_ascii=False, default=_plain)
    if _SURROGATES.search(text):
        # Half a pair is refused with its place, and has to get there first.
        text = json.dumps(dict(input), default=_plain)
    done, found = _core.contract_call(_SURROGATES.sub("\ufffd", name), text)
    value = json.loads(found)
    if done:
        return value
    raise ContractError(**value)


def _plain(value: object) -> object:
    """What JSON has no word for and is an object or an array all the same."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Sequence | set | frozenset) and not isinstance(value, bytes | bytearray | memoryview):
        return list(value)
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def _given(**optional: Any) -> dict[str, Any]:
    return {name: value for name, value in optional.items() if value is not None}


def freeze(contract: Object | str, now: str, by: str) -> dict[str, Any]:
    """Freezes a draft, which stays as it is: `{contract, digest, terms_digest, warnings}`.

    `now` is a time such as `2026-01-01T09:00:00Z`, `by` who freezes: `human:dana`, `policy:…`, `service:…`, `model:…`.
    """
    found: dict[str, Any] = call("freeze", {"contract": contract, "now": now, "by": by})
    return found


def check_integrity(contract: Object | str) -> dict[str, Any]:
    """Whether a frozen contract is what was frozen: `{digest, terms_digest}`, or `verify.contract_tampered`."""
    found: dict[str, Any] = call("check_integrity", {"contract": contract})
    return found


def propose(contract: Object | str, checks: Iterable[Object], by: str) -> dict[str, Any]:
    """Adds checks beside a frozen contract, none of which is required: `{supplement, ignored}`."""
    found: dict[str, Any] = call("propose", {"contract": contract, "checks": list(checks), "by": by})
    return found


def revise(contract: Object | str, fields: Object, by: str) -> dict[str, Any]:
    """A draft with the next number, to be frozen anew: `{contract}`."""
    found: dict[str, Any] = call("revise", {"contract": contract, "fields": fields, "by": by})
    return found


def plan(contract: Object | str, run_env: Object, supplements: Iterable[Object] | None = None) -> dict[str, Any]:
    """What a host has to look at. It follows from the contract and the host's account of itself alone."""
    extra = _given(supplements=None if supplements is None else list(supplements))
    found: dict[str, Any] = call("plan", {"contract": contract, "run_env": run_env, **extra})
    return found


def check_addresses(plan: Object, request_id: str, addresses: Iterable[str]) -> dict[str, Any]:
    """Whether a host may connect to what a name resolved to: `{allowed, code, reason, addresses}`.

    One address that is not allowed forbids them all.
    """
    found: dict[str, Any] = call(
        "check_addresses", {"plan": plan, "request_id": request_id, "addresses": list(addresses)}
    )
    return found


def judge(
    contract: Object | str | None,
    plan: Object | None,
    observations: Iterable[Object] | None,
    run_env: Object,
    supplements: Iterable[Object] | None = None,
    *,
    run_id: str | None = None,
    loop_id: str | None = None,
    iteration: int | None = None,
    source_alias: str | None = None,
    revision_id: str | None = None,
    content_digest: str | None = None,
    interaction_script_digest: str | None = None,
    capture_digest: str | None = None,
    artifacts: Iterable[Object] | None = None,
    advisory_findings: Iterable[str] | None = None,
    cost: Object | None = None,
) -> dict[str, Any]:
    """Judges what a host saw, and gives the bundle, the content of `evidence.json`; `verdict_word` is its answer.

    What is named after `*` is kept beside the verdict and decides nothing. Without a contract the answer is UNVERIFIED.
    """
    extra = _given(
        contract=contract,
        plan=plan,
        observations=None if observations is None else list(observations),
        supplements=None if supplements is None else list(supplements),
        run_id=run_id,
        loop_id=loop_id,
        iteration=iteration,
        source_alias=source_alias,
        revision_id=revision_id,
        content_digest=content_digest,
        interaction_script_digest=interaction_script_digest,
        capture_digest=capture_digest,
        artifacts=None if artifacts is None else list(artifacts),
        advisory_findings=None if advisory_findings is None else list(advisory_findings),
        cost=cost,
    )
    found: dict[str, Any] = call("judge", {"run_env": run_env, **extra})
    return found


def verdict(
    contract: Object | str, results: Iterable[Object], advisory_findings: Iterable[str] | None = None
) -> dict[str, Any]:
    """The verdict over results that came from elsewhere."""
    extra = _given(advisory_findings=None if advisory_findings is None else list(advisory_findings))
    found: dict[str, Any] = call("verdict", {"contract": contract, "results": list(results), **extra})
    return found


def outcome(bundle: Object) -> dict[str, Any]:
    """The short form of a bundle for callers: one answer for each check, and no evidence."""
    found: dict[str, Any] = call("outcome", {"bundle": bundle})
    return found


def attest(
    contract: Object | str,
    bundle: Object,
    now: str,
    *,
    host: Object | None = None,
    sign: Signer | bool | None = None,
    seed: str | None = None,
    signature: Object | None = None,
    nonce: str | None = None,
    previous_attestation_digest: str | None = None,
    subjects: Iterable[Object] | None = None,
    resource_uri: str | None = None,
) -> dict[str, Any]:
    """Binds a bundle to its verdict; `files` of the result holds the exact text of every file of the run.

    `sign` is a function that signs, or True to demand a signature; `seed` is the seed of an Ed25519 key in hexadecimal,
    which signs here; `signature` was made before.
    """
    members = {"contract": contract, "bundle": bundle, "now": now} | _given(
        host=host,
        sign=True if callable(sign) else sign,
        seed=seed,
        signature=signature,
        nonce=nonce,
        previous_attestation_digest=previous_attestation_digest,
        subjects=None if subjects is None else list(subjects),
        resource_uri=resource_uri,
    )
    if callable(sign) and seed is None and signature is None:
        unsigned = call("attest", {**members, "sign": False})
        made = dict(sign(base64.b64decode(unsigned["pae"])))
        if isinstance(made.get("signature"), bytes | bytearray):
            made["signature"] = base64.b64encode(made["signature"]).decode()
        members["signature"] = made
    found: dict[str, Any] = call("attest", members)
    return found


def reverify(
    files: Mapping[str, str], trusted_keys: Iterable[str] | None = None, policy: Object | None = None
) -> dict[str, Any]:
    """Reads a run back and judges it again.

    `files` are the texts by name; `policy` may be `{"require_signature": True}`. The first thing that is wrong is
    raised, with its step in `details["step"]`.
    """
    extra = _given(trusted_keys=None if trusted_keys is None else list(trusted_keys), policy=policy)
    found: dict[str, Any] = call("reverify", {"files": dict(files), **extra})
    return found


def verify_signature(envelope: Object, keys: Iterable[str]) -> dict[str, Any]:
    """Whether a DSSE envelope is signed by one of the keys: `{valid, code, keyid, algorithm, …}`."""
    found: dict[str, Any] = call("verify_signature", {"envelope": envelope, "keys": list(keys)})
    return found


def check_types() -> list[dict[str, Any]]:
    """The types of checks with their parameters."""
    found: list[dict[str, Any]] = call("check_types", {})
    return found


def levels() -> list[dict[str, Any]]:
    """The levels of assurance, the weakest first: what each proves and what not."""
    found: list[dict[str, Any]] = call("levels", {})
    return found


def codes() -> list[dict[str, Any]]:
    """The codes of refusals and of checks that could not look, each with what to do."""
    found: list[dict[str, Any]] = call("codes", {})
    return found
