"""What others make of our digests and envelopes: rfc8785, securesystemslib, cryptography, where they are installed."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterfoil import contract
from counterfoil.contract import ContractError

SEED = bytes(range(32))
PUBLIC = "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
KEYID = "a050837d85070582ccf7394b0988847cc312cb88259b894899f6f239cf1791a5"
NOW = "2026-01-01T01:00:00Z"
DRAFT: dict[str, Any] = {
    "contract_id": "c",
    "checks": [{"id": "a", "type": "file_exists", "params": {"path": "a.txt"}}],
}
RUN = {"now": NOW, "workspace": "w"}

GOLDEN = {
    "payloadType": "application/vnd.in-toto+json",
    "payload": base64.b64encode(
        b'{"_type":"https://in-toto.io/Statement/v1","predicate":{"verdict":"VERIFIED"},'
        b'"predicateType":"https://example.invalid/verification/v1","subject":[{"digest":{"sha256":"'
        + b"0" * 64
        + b'"},"name":"evidence.json"}]}'
    ).decode(),
    "signatures": [
        {
            "keyid": KEYID,
            "sig": "FNaZBrlmID6lOLjzjYQ76MSWGzYJ6ctuiHsiRDy0h/cvd5NqnGy8DoiXLCSNytvya6+Ldvz2UmLtxlgYgqW4CA==",
        }
    ],
}


def bundle(seen: str = "ok") -> tuple[Any, Any]:
    frozen = contract.freeze(DRAFT, NOW, "human:dana")["contract"]
    plan = contract.plan(frozen, RUN)
    one = {"request_id": "a/file", "plan_digest": plan["plan_digest"], "outcome": seen, "value": {"kind": "file"}}
    return frozen, contract.judge(frozen, plan, [one], RUN)


def private(kind: str) -> Any:
    """A private key, with its public one in PEM."""
    ed25519 = pytest.importorskip("cryptography.hazmat.primitives.asymmetric.ed25519", reason=MISSING)
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    key = (
        ed25519.Ed25519PrivateKey.from_private_bytes(SEED)
        if kind == "ed25519"
        else ec.generate_private_key(ec.SECP256R1())
    )
    pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    return key, pem


MISSING = "cryptography is not installed"


def signer(key: Any, pem: str, kind: str) -> contract.Signer:
    """A function of the caller that signs; a key in a module of hardware would do it so, too."""

    def sign(message: bytes) -> dict[str, Any]:
        if kind == "ed25519":
            made = key.sign(message)
        else:
            from cryptography.hazmat.primitives import hashes
            from cryptography.hazmat.primitives.asymmetric import ec

            made = key.sign(message, ec.ECDSA(hashes.SHA256()))
        return {"algorithm": kind, "public_key": pem, "signature": made}

    return sign


KINDS = ["ed25519", "ecdsa_p256_sha256"]


def test_the_golden_envelope_verifies() -> None:
    found = contract.verify_signature(GOLDEN, [PUBLIC])
    assert (found["valid"], found["keyid"]) == (True, KEYID)
    assert found["pae_digest"] == "sha256:cc4d3d438b65d0188d3b1a52d1303cc166fabfeba611c16bf5be5e367b5c00b7"
    other = {**GOLDEN, "payloadType": "application/json"}
    assert contract.verify_signature(other, [PUBLIC])["code"] == "verify.signature_invalid"


@pytest.mark.parametrize("kind", KINDS)
def test_a_function_of_the_caller_signs(kind: str) -> None:
    key, pem = private(kind)
    frozen, made = bundle()
    attested = contract.attest(frozen, made, NOW, sign=signer(key, pem, kind))
    assert attested["signature_status"] == f"signed_{kind}"
    read = contract.reverify(attested["files"], [pem], {"require_signature": True})
    assert (read["signature_status"], read["proof"]) == ("valid_trusted", True)
    with pytest.raises(ContractError) as raised:
        contract.reverify(attested["files"], [PUBLIC if kind != "ed25519" else private(KINDS[1])[1]])
    assert raised.value.code == "verify.signature_untrusted"


def test_a_wrong_signature_and_none_are_refused() -> None:
    frozen, made = bundle()
    wrong = {"algorithm": "ed25519", "public_key": PUBLIC, "signature": bytes(64)}
    for sign, code in ((lambda _: wrong, "verify.signature_invalid"), (True, "verify.signing_unavailable")):
        with pytest.raises(ContractError) as raised:
            contract.attest(frozen, made, NOW, sign=sign)
        assert raised.value.code == code
    attested = contract.attest(frozen, made, NOW, seed=SEED.hex())
    assert attested["attestation"]["public_key"] == PUBLIC


def envelopes() -> list[tuple[str, dict[str, Any], str]]:
    """The golden envelope, and ours of both kinds, each with the key in PEM."""
    found = [("golden", GOLDEN, private("ed25519")[1])]
    for kind in KINDS:
        key, pem = private(kind)
        attested = contract.attest(*bundle(), NOW, sign=signer(key, pem, kind))
        found.append((kind, json.loads(attested["files"]["attestation.dsse.json"]), pem))
    seeded = contract.attest(*bundle("absent"), NOW, seed=SEED.hex())
    found.append(("seed", json.loads(seeded["files"]["attestation.dsse.json"]), private("ed25519")[1]))
    return found


def test_securesystemslib_accepts_the_envelopes_and_no_other_payload() -> None:
    dsse = pytest.importorskip("securesystemslib.dsse", reason="securesystemslib is not installed")
    from cryptography.hazmat.primitives.serialization import load_pem_public_key
    from securesystemslib.exceptions import VerificationError
    from securesystemslib.signer import SSlibKey  # type: ignore[attr-defined]

    for name, envelope, pem in envelopes():
        key = SSlibKey.from_crypto(load_pem_public_key(pem.encode()), keyid=envelope["signatures"][0]["keyid"])
        read = dsse.Envelope.from_dict(json.loads(json.dumps(envelope)))
        assert list(read.verify([key], 1)) == [key.keyid], name
        statement = json.loads(read.payload)
        assert statement["subject"][0]["name"] == "evidence.json"
        other = dsse.Envelope(read.payload.replace(b"evidence", b"evidenca"), read.payload_type, read.signatures)
        with pytest.raises(VerificationError):
            other.verify([key], 1)


def test_a_key_is_named_by_the_digest_of_its_der_form() -> None:
    from_pem = {}
    for name, envelope, pem in envelopes():
        der = base64.b64decode("".join(pem.splitlines()[1:-1]))
        from_pem[name] = hashlib.sha256(der).hexdigest()
        assert envelope["signatures"][0]["keyid"] == from_pem[name]
    assert from_pem["golden"] == KEYID


NUMBERS = st.integers(-(2**53) + 1, 2**53 - 1) | st.floats(allow_nan=False, allow_infinity=False).filter(
    lambda number: abs(number) < 2**53 or number != int(number)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


@given(equals=VALUES, title=TEXTS, description=TEXTS, seconds=st.floats(0.001, 600))
def test_rfc8785_gives_the_same_digests(equals: Any, title: str, description: str, seconds: float) -> None:
    rfc8785 = pytest.importorskip("rfc8785", reason="rfc8785 is not installed")
    check = {
        "id": "a",
        "type": "json_value",
        "params": {"path": "a.json", "equals": equals},
        "description": description,
        "timeout_seconds": seconds,
    }
    frozen = contract.freeze({"contract_id": "c", "title": title, "checks": [check]}, NOW, "human:dana")
    digest = frozen["contract"].pop("digest")
    assert digest == "sha256:" + hashlib.sha256(rfc8785.dumps(frozen["contract"])).hexdigest()
