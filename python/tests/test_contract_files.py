"""The host that looks at files, on a real disk."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from counterfoil import contract
from counterfoil.contract import ContractError, files, place

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")

NOW = "2026-01-01T01:00:00Z"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "w"
    (folder / "out").mkdir(parents=True)
    (folder / "out" / "report.md").write_text("report", "utf-8")
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    return folder


def results(workspace: Path, *checks: dict[str, Any], **terms: Any) -> list[dict[str, Any]]:
    """Freezes checks, looks, and judges; gives what each came to."""
    numbered = [{"id": f"c{at}", **check} for at, check in enumerate(checks)]
    draft = {"contract_id": "c", "checks": numbered, **terms}
    frozen = contract.freeze(draft, NOW, "human:dana")["contract"]
    run_env = {"now": NOW, **files.host(workspace)}
    plan = contract.plan(frozen, run_env)
    seen = files.observe(plan, workspace)
    assert str(workspace.parent) not in str(seen)
    bundle = contract.judge(frozen, plan, seen, run_env)
    found: list[dict[str, Any]] = bundle["check_results"]
    return found


def exists(path: str, expected: bool = True) -> dict[str, Any]:
    return {"type": "file_exists", "params": {"path": path, "expected": expected}}


def passed(workspace: Path, *checks: dict[str, Any], **terms: Any) -> list[tuple[bool | None, str | None]]:
    return [(row["passed"], row["code"]) for row in results(workspace, *checks, **terms)]


def test_what_stands_at_a_path(workspace: Path) -> None:
    absolute = str(workspace / "out" / "report.md")
    found = passed(
        workspace,
        exists("out/report.md"),
        exists("out"),
        exists("none/at/all"),
        exists("none", False),
        exists("out/report.md/below"),
        exists(absolute),
        exists("x" * 300),
        exists("x" * 300, False),
    )
    assert [row[0] for row in found] == [True, False, False, True, False, True, None, None]


def test_a_link_is_what_it_leads_to_and_leads_nowhere_else(workspace: Path) -> None:
    links = {
        "inside": "out/report.md",
        "outside": "../secret.txt",
        "loop": "loop",
        "dangling": "none.txt",
        "dangling-out": "../none.txt",
        "etc": "/etc",
    }
    for name, target in links.items():
        (workspace / name).symlink_to(target)
    checks = [exists(name) for name in ("inside", "outside", "loop", "dangling", "dangling-out", "etc/hostname")]
    refused = (None, "verify.check_refused")
    assert passed(workspace, *checks) == [
        (True, None), refused, (None, "verify.check_crashed"), (False, None), refused, refused,
    ]  # fmt: skip
    expected = [exists(name, False) for name in ("dangling", "dangling-out", "outside", "loop", "etc/none")]
    assert [row[0] for row in passed(workspace, *expected)] == [True, None, None, None, None]


def test_roots_are_compared_name_by_name_and_stay_in_the_workspace(workspace: Path) -> None:
    (workspace / "output").mkdir()
    (workspace / "output" / "a.txt").write_text("a", "utf-8")
    (workspace / "out" / "link").symlink_to("../output/a.txt")
    (workspace / "away").symlink_to("../")
    assert passed(workspace, exists("out/report.md"), exists("out/link"), allowed_roots=["out"]) == [
        (True, None), (None, "verify.check_refused"),
    ]  # fmt: skip
    checks = [exists("away/secret.txt")]
    assert passed(workspace, *checks, allowed_roots=["away"]) == [(None, "verify.check_refused")]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read everything")
def test_what_may_not_be_read_is_neither_there_nor_not_there(workspace: Path) -> None:
    locked = workspace / "locked"
    locked.mkdir()
    (locked / "a.json").write_text("{}", "utf-8")
    (workspace / "b.json").write_text("{}", "utf-8")
    (workspace / "b.json").chmod(0)
    locked.chmod(0)
    try:
        checks = [exists("locked/a.json"), exists("locked/a.json", False), value("b.json", equals=1)]
        assert [row[0] for row in passed(workspace, *checks)] == [None, None, None]
    finally:
        locked.chmod(0o700)


def value(path: str, pointer: str = "", **params: Any) -> dict[str, Any]:
    return {"type": "json_value", "params": {"path": path, "pointer": pointer, **params}}


def test_a_digest_is_that_of_the_bytes(workspace: Path) -> None:
    data = os.urandom(3 << 20)
    (workspace / "data").write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    checks = [{"type": "file_digest", "params": {"path": path, "sha256": digest}} for path in ("data", "out", "none")]
    assert [row[0] for row in passed(workspace, *checks)] == [True, False, False]


def test_a_value_is_read_with_its_exact_digits(workspace: Path) -> None:
    text = '\ufeff{"total": 29.0, "big": 9007199254740993, "name": "Ünï"}'
    (workspace / "a.json").write_text(text, "utf-8")
    (workspace / "b.json").write_bytes(b'{"a": "\xff"}')
    found = passed(
        workspace,
        value("a.json", "/total", equals=29),
        value("a.json", "/big", equals_decimal="9007199254740993"),
        value("a.json", "/big", equals_decimal="9007199254740992"),
        value("a.json", "/name", equals="Ünï"),
        value("b.json", "/a", present=True),
        value("none.json", "/a", present=True),
        value("out", "/a", present=True),
    )
    assert [row[0] for row in found] == [True, True, False, True, False, False, False]


def test_a_listing_knows_files_and_links_out_of_the_roots(workspace: Path) -> None:
    out = workspace / "out"
    (out / "deep" / "er").mkdir(parents=True)
    (out / "deep" / "er" / "a.txt").write_text("a", "utf-8")
    (out / "inside").symlink_to("report.md")
    (out / "ln").symlink_to("../../secret.txt")
    (out / "folder").symlink_to("deep")
    (out / "up").symlink_to(workspace)
    os.mkfifo(out / "pipe")

    def manifest(*wanted: str, **params: Any) -> dict[str, Any]:
        return {"type": "directory_manifest", "params": {"path": "out", "expected_files": list(wanted), **params}}

    everything = ["deep/er/a.txt", "inside", "report.md"]
    digest = hashlib.sha256(b"a").hexdigest()
    found = results(
        workspace,
        manifest(*everything),
        manifest(*everything, exact=True),
        manifest("ln"),
        manifest("folder/er/a.txt"),
        manifest("report.md", digests={"deep/er/a.txt": digest}),
        manifest("report.md", digests={"deep/er/a.txt": "0" * 64}),
        {"type": "directory_manifest", "params": {"path": "out/report.md", "expected_files": ["a"]}},
        {"type": "directory_manifest", "params": {"path": "none", "expected_files": ["a"]}},
    )
    assert [row["passed"] for row in found] == [True, False, False, False, True, False, False, False]
    assert found[1]["observed"]["unexpected"] == ["ln"]


def test_a_pipe_is_no_file_and_is_not_waited_for(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    assert [row[0] for row in passed(workspace, exists("pipe"), value("pipe", equals=1))] == [False, False]


def plan_of(workspace: Path, *checks: dict[str, Any]) -> dict[str, Any]:
    draft = {"contract_id": "c", "checks": [{"id": f"c{at}", **check} for at, check in enumerate(checks)]}
    frozen = contract.freeze(draft, NOW, "human:dana")["contract"]
    return contract.plan(frozen, {"now": NOW, **files.host(workspace)})


def test_time_and_size_have_their_bounds(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "a.json").write_text('"' + "x" * 100 + '"', "utf-8")
    checks = [{**value("a.json", equals=1), "timeout_seconds": 0.000001}, exists("a.json")]
    outcomes = [seen["outcome"] for seen in files.observe(plan_of(workspace, *checks), workspace)]
    assert outcomes == ["timeout", "ok"]
    plan = plan_of(workspace, value("a.json", equals=1))
    monkeypatch.setattr(files, "TEXTS", 50)
    assert files.observe(plan, workspace)[0]["truncated"] is True
    monkeypatch.undo()
    plan["requests"][0]["target"]["max_bytes"] = 99
    assert files.observe(plan, workspace)[0]["truncated"] is True


def test_a_link_that_is_swapped_in_is_no_way_out(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever works in the workspace replaces a file, and then a directory, by a link after the path was resolved."""
    resolved = place.Workspace.resolved
    (workspace / "a.json").write_text("1", "utf-8")
    (workspace / "deep").mkdir()
    (workspace / "deep" / "secret.txt").write_text("1", "utf-8")

    def swapped(self: place.Workspace, path: str) -> Path:
        found = resolved(self, path)
        if path == "a.json":
            (workspace / "a.json").unlink()
            (workspace / "a.json").symlink_to("../secret.txt")
        else:
            (workspace / "deep").rename(workspace / "old")
            (workspace / "deep").symlink_to("..")
        return found

    monkeypatch.setattr(place.Workspace, "resolved", swapped)
    checks = [value("a.json", equals=1), value("deep/secret.txt", equals=1)]
    seen = files.observe(plan_of(workspace, *checks), workspace)
    assert [one["outcome"] for one in seen] == ["failed", "failed"]
    assert "secret" not in str([one["value"] for one in seen])


def test_a_file_that_changes_while_it_is_read_is_not_told_of(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "a").write_bytes(b"a" * 100)
    monkeypatch.setattr(files, "PIECE", 10)
    within = files._within

    def growing(items: Any, until: float) -> Any:
        for piece in within(items, until):
            with (workspace / "a").open("ab") as file:
                file.write(b"" if (workspace / "a").stat().st_size > 200 else b"b")
            yield piece

    monkeypatch.setattr(files, "_within", growing)
    check = {"type": "file_digest", "params": {"path": "a", "sha256": "0" * 64}}
    seen = files.observe(plan_of(workspace, check), workspace)[0]
    assert (seen["outcome"], seen["reason"]) == ("failed", "it changed while it was read")


def test_a_capability_that_is_missing_is_said(workspace: Path) -> None:
    check = {"id": "q", "type": "sqlite_query", "params": {"database": "a.db", "sql": "SELECT 1", "row_count": 1}}
    frozen = contract.freeze({"contract_id": "c", "checks": [check]}, NOW, "human:dana")["contract"]
    run_env = {"now": NOW, "workspace": str(workspace)}
    plan = contract.plan(frozen, run_env)
    seen = files.observe(plan, workspace)
    assert seen[0]["outcome"] == "unavailable"
    result = contract.judge(frozen, plan, seen, run_env)["check_results"][0]
    assert (result["passed"], result["code"]) == (None, "verify.capability_missing")


def test_a_workspace_is_absolute_and_there(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(workspace.parent)
    for wrong in ("w", ".", "", workspace / "none", workspace / "out" / "report.md"):
        with pytest.raises(ContractError) as raised:
            files.host(wrong)
        assert raised.value.code == "verify.workspace_unresolved" and raised.value.fix
    (workspace.parent / "link").symlink_to(workspace)
    assert files.host(workspace.parent / "link")["workspace"] == str(workspace.resolve())


def test_a_run_is_written_and_read_byte_for_byte(workspace: Path, tmp_path: Path) -> None:
    frozen = contract.freeze(
        {"contract_id": "c", "checks": [{"id": "a", **exists("out/report.md")}]}, NOW, "human:dana"
    )
    run_env = {"now": NOW, **files.host(workspace)}
    plan = contract.plan(frozen["contract"], run_env)
    bundle = contract.judge(frozen["contract"], plan, files.observe(plan, workspace), run_env)
    assert str(tmp_path) not in str(bundle)
    made = contract.attest(frozen["contract"], bundle, files.now())
    folder = tmp_path / "runs" / "1"
    files.write_run(folder, made["files"])
    digest = hashlib.sha256((folder / "evidence.json").read_bytes()).hexdigest()
    assert made["bundle_digest"] == f"sha256:{digest}"
    assert contract.reverify(files.read_run(folder))["proof"] is True
    with pytest.raises(FileExistsError):
        files.write_run(folder, made["files"])
    with pytest.raises(ValueError, match="is no file of a run"):
        files.write_run(folder, {"../a": ""})
    assert files.read_run(tmp_path) == {}
