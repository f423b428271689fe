"""`counterfoil contract`, end to end: every exit status, and folders that were tampered with."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from counterfoil import cli

DRAFT: dict[str, Any] = {
    "contract_id": "checkout-v1",
    "title": "Checkout writes a real order",
    "checks": [
        {"id": "report", "type": "file_exists", "params": {"path": "out/report.md"}},
        {"id": "total", "type": "json_value", "params": {"path": "out/order.json", "pointer": "/total", "equals": 29}},
        {"id": "files", "type": "directory_manifest", "params": {"path": "out", "expected_files": ["report.md"]}},
    ],
}

Run = Callable[..., "tuple[int, str, str]"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str | Path) -> tuple[int, str, str]:
        status = cli.main(["contract", *map(str, words)])
        out, err = capsys.readouterr()
        return status, out, err

    return run


@pytest.fixture
def shop(tmp_path: Path, run: Run) -> Path:
    out = tmp_path / "w" / "out"
    out.mkdir(parents=True)
    (out / "report.md").write_text("# Report\n", "utf-8")
    (out / "order.json").write_text('{"total": 29.0}', "utf-8")
    (tmp_path / "draft.json").write_text(json.dumps(DRAFT), "utf-8")
    assert run("freeze", tmp_path / "draft.json", "--by", "human:dana", "-o", tmp_path / "c.json")[0] == 0
    return tmp_path


def judge(run: Run, shop: Path, *words: str | Path) -> tuple[int, str, str]:
    return run("judge", shop / "c.json", "--workspace", shop / "w", *words)


def test_from_a_draft_to_a_run_that_is_read_back(shop: Path, run: Run) -> None:
    status, out, err = run("plan", shop / "c.json", "--workspace", shop / "w")
    assert (status, err) == (0, "")
    assert "  run  report/file    stat  out/report.md\n" in out
    status, out, err = judge(run, shop, "--out", shop / "run", "--actor", "model:agent")
    assert (status, err) == (0, ""), out
    assert out.startswith("VERIFIED  checkout-v1\n  true  report  file_exists         out/report.md is a file\n")
    evidence = (shop / "run" / "evidence.json").read_bytes()
    assert f"evidence sha256:{hashlib.sha256(evidence).hexdigest()}\n" in out
    assert str(shop).encode() not in evidence
    assert sorted(path.name for path in (shop / "run").iterdir()) == [
        "attestation.json", "contract.json", "evidence.json",
    ]  # fmt: skip
    assert (shop / "run" / "contract.json").read_bytes() == (shop / "c.json").read_bytes()
    status, out, err = run("reverify", shop / "run")
    assert (status, err) == (0, "")
    assert "this is a proof" in out
    status, out, err = judge(run, shop, "--out", shop / "run")
    assert (status, out) == (3, "")
    assert "is there already, and nothing is overwritten" in err


def test_every_verdict_has_its_status_when_judged_and_when_read_back(shop: Path, run: Run) -> None:
    (shop / "w" / "out" / "report.md").unlink()
    assert judge(run, shop, "--out", shop / "failed")[:1] == (1,)
    status, out, _ = run("reverify", shop / "failed")
    assert (status, out.splitlines()[0], "this is no proof" in out) == (1, "FAILED", True)
    (shop / "w" / "out" / "report.md").symlink_to(shop / "c.json")
    status, out, _ = judge(run, shop, "--out", shop / "unclear")
    assert (status, out.splitlines()[0]) == (1, "FAILED  checkout-v1"), "the listing has looked, and it is not there"
    draft = {**DRAFT, "checks": DRAFT["checks"][:1]}
    (shop / "one.json").write_text(json.dumps(draft), "utf-8")
    run("freeze", shop / "one.json", "--by", "human:dana", "-o", shop / "c1.json")
    status, out, _ = run("judge", shop / "c1.json", "--workspace", shop / "w", "--out", shop / "null")
    assert (status, out.splitlines()[0]) == (2, "INCONCLUSIVE  checkout-v1")
    assert "could not look" in out and "verify.check_refused" in out
    assert run("reverify", shop / "null")[0] == 2


def test_json_is_for_programs(shop: Path, run: Run) -> None:
    found = json.loads(judge(run, shop, "--output", "json", "--work-started", "2020-01-01T00:00:00Z")[1])
    assert (found["verdict"], found["proof_eligible"], found["files"]) == ("VERIFIED", False, [])
    assert found["limitations"] == ["the contract was frozen after the work had begun"]
    assert [check["passed"] for check in found["checks"]] == [True, True, True]
    status, out, err = run("plan", shop / "draft.json", "--workspace", shop / "w", "--output", "json")
    assert (status, err) == (3, "")
    assert json.loads(out)["error"]["code"] == "verify.contract_not_frozen"
    assert {row["type"] for row in json.loads(run("check-types", "--output=json")[1])} >= {"file_exists"}


def keys(folder: Path, kind: str) -> tuple[Path, Path]:
    pytest.importorskip("cryptography", reason="cryptography is not installed")
    from cryptography.hazmat.primitives.asymmetric import ec, ed25519
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

    private: Any = (
        ed25519.Ed25519PrivateKey.generate() if kind == "ed25519" else ec.generate_private_key(ec.SECP256R1())
    )
    form = PrivateFormat.TraditionalOpenSSL if kind == "sec1" else PrivateFormat.PKCS8
    secret, public = folder / f"{kind}.pem", folder / f"{kind}.pub"
    secret.write_bytes(private.private_bytes(Encoding.PEM, form, NoEncryption()))
    public.write_bytes(private.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return secret, public


@pytest.mark.parametrize("kind", ["ed25519", "p256", "sec1"])
def test_a_run_is_signed(shop: Path, run: Run, kind: str) -> None:
    secret, public = keys(shop, kind)
    status, out, err = judge(run, shop, "--out", shop / "run", "--key", secret)
    assert (status, err) == (0, "")
    assert "attestation.dsse.json" in out
    assert run("reverify", shop / "run", "--key", public, "--require-signature")[0] == 0
    status, out, err = run("reverify", shop / "run")
    assert (status, out) == (3, "")
    assert err.startswith("counterfoil: verify.signature_untrusted: ")
    (shop / "run" / "attestation.dsse.json").unlink()
    assert "verify.signature_status_mismatch" in run("reverify", shop / "run", "--key", public)[2]


def tampered(folder: Path, name: str, find: str, replace: str) -> None:
    text = (folder / name).read_text("utf-8")
    assert find in text
    (folder / name).write_text(text.replace(find, replace, 1), "utf-8")


@pytest.mark.parametrize(
    ("name", "find", "replace", "code"),
    [
        ("evidence.json", '"verdict":"fail"', '"verdict":"pass"', "verify.attestation_tampered"),
        ("evidence.json", "{", '{"aaa":1,', "verify.attestation_tampered"),
        ("evidence.json", "}", "}}", "verify.attestation_invalid"),
        ("contract.json", "29", "30", "verify.contract_tampered"),
        ("attestation.json", '"verdict":"fail"', '"verdict":"pass"', "verify.attestation_mismatch"),
        ("attestation.json", '"created_at":"2', '"created_at":"3', "verify.attestation_tampered"),
    ],
)
def test_a_folder_that_was_tampered_with_is_refused(
    shop: Path, run: Run, name: str, find: str, replace: str, code: str
) -> None:
    (shop / "w" / "out" / "order.json").write_text("{}", "utf-8")
    assert judge(run, shop, "--out", shop / "run")[0] == 1
    tampered(shop / "run", name, find, replace)
    status, out, err = run("reverify", shop / "run")
    assert (status, out) == (3, "")
    assert err.startswith(f"counterfoil: {code}: "), err
    assert "\n  fix: " in err


def test_a_file_that_is_missing_or_is_not_text_is_refused(shop: Path, run: Run) -> None:
    judge(run, shop, "--out", shop / "run")
    (shop / "run" / "evidence.json").write_bytes(b"\xff")
    assert "evidence.json: it is not UTF-8 text" in run("reverify", shop / "run")[2]
    (shop / "run" / "evidence.json").unlink()
    assert run("reverify", shop / "run")[2].startswith("counterfoil: verify.run_not_found: ")
    status, _, err = run("plan", shop / "none.json", "--workspace", shop / "w")
    assert (status, "verify.contract_unreadable" in err, "there is no such file" in err) == (3, True, True)


def test_a_workspace_is_absolute_and_there(shop: Path, run: Run) -> None:
    for wrong in ("w", shop / "none", shop / "c.json"):
        status, out, err = run("judge", shop / "c.json", "--workspace", wrong)
        assert (status, out) == (3, "")
        assert err.startswith("counterfoil: verify.workspace_unresolved: "), err


def test_what_another_host_saw_is_brought(shop: Path, run: Run) -> None:
    check = {"id": "rows", "type": "sqlite_query", "params": {"database": "a.db", "sql": "SELECT 1", "row_count": 1}}
    (shop / "d.json").write_text(json.dumps({**DRAFT, "checks": [*DRAFT["checks"], check]}), "utf-8")
    run("freeze", shop / "d.json", "--by", "human:dana", "-o", shop / "c2.json")
    words = [shop / "c2.json", "--workspace", shop / "w", "--capability", "sqlite"]
    plan = json.loads(run("plan", *words, "--output", "json")[1])
    value = {"columns": ["1"], "rows": [[1]]}
    seen = {"request_id": "rows/rows", "plan_digest": plan["plan_digest"], "outcome": "ok", "value": value}
    (shop / "seen.json").write_text(json.dumps([seen]), "utf-8")
    assert run("judge", *words, "--observations", shop / "seen.json", "--out", shop / "run")[0] == 0
    assert run("reverify", shop / "run")[0] == 0
    assert run("judge", *words)[0] == 2


def test_words_that_are_wrong_are_a_refusal(run: Run) -> None:
    assert run("frieze")[0] == 3
    assert run("--help")[:1] == (0,)
    assert run()[1] == run("help")[1]


def test_a_frozen_contract_can_be_sent_into_a_file(shop: Path) -> None:
    program = "import sys; from counterfoil.cli import main; sys.exit(main(sys.argv[1:]))"
    words = ["contract", "freeze", str(shop / "draft.json"), "--by", "human:dana"]
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, timeout=60)
    assert json.loads(done.stdout)["frozen_by"] == "human:dana"
    assert done.stderr.startswith("frozen  checkout-v1  by human:dana")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names of files are UTF-8 here")
def test_a_name_that_is_not_utf_8_is_found(shop: Path, run: Run) -> None:
    odd = shop / os.fsdecode(b"run\xff")
    assert judge(run, shop, "--out", odd)[0] == 0
    assert run("reverify", odd)[0] == 0
