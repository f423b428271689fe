"""The package's functions, on what the vectors do not cover: shapes, errors, units, notebooks."""

from __future__ import annotations

import json
import pickle
import threading
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import counterfoil

FAILED: dict[str, Any] = {
    "tool": "bash",
    "arguments": {"command": "pytest -q"},
    "output": "3 failed, 39 passed in 2.41s",
    "exit": 1,
}
REPLY = "日本語 🎉 fertig. All tests pass."
TURN: dict[str, Any] = {"reply": REPLY, "calls": [FAILED]}


def result(turn: Any = TURN) -> counterfoil.Verification:
    found = counterfoil.verify(turn)
    assert found is not None
    return found


def test_a_turn_may_be_a_dict_a_typed_dict_or_text() -> None:
    call = counterfoil.Call(
        tool="bash", arguments={"command": "pytest -q"}, output="3 failed, 39 passed in 2.41s", exit=1
    )
    typed = counterfoil.Turn(reply=REPLY, calls=[call])
    assert result() == result(typed) == result(json.dumps(TURN))


@pytest.mark.parametrize("form", [bytes, bytearray, memoryview])
def test_a_turn_may_be_bytes(form: Any) -> None:
    given = form(json.dumps(TURN, ensure_ascii=False).encode("utf-8"))
    assert result(given) == result()
    assert counterfoil.ran(given) == counterfoil.ran(TURN)


def test_a_session_is_no_turn_and_the_error_names_what_checks_it() -> None:
    session: Any = counterfoil.load(json.dumps(TURN))
    for work in (counterfoil.verify, counterfoil.ran):
        with pytest.raises(counterfoil.Error) as caught:
            work(session)
        assert caught.value.kind == "shape"
        assert str(caught.value) == "expected a turn; found a Session, which verify_session checks"


def test_spans_point_into_the_text_of_a_reply_in_one_piece_or_in_several() -> None:
    pieces: list[counterfoil.Piece] = [{"text": "日本 🎉.", "interim": True}, {"text": "All tests pass."}]
    (claim,) = result({"reply": pieces, "calls": [FAILED]}).flagged
    forms: list[Any] = [pieces, tuple(pieces), {"reply": pieces}, ["日本 🎉.", "All tests pass."]]
    for form in forms:
        assert counterfoil.reply_text(form)[claim.span.start : claim.span.end] == "All tests pass"
    assert counterfoil.reply_text(TURN) == counterfoil.reply_text(REPLY) == REPLY
    assert counterfoil.reply_text({"calls": []}) == ""
    wrong: list[Any] = [None, 5, [{}], [None], {"reply": 5}, b"text"]
    for reply in wrong:
        with pytest.raises(counterfoil.Error, match="reply: expected a text or a list of pieces"):
            counterfoil.reply_text(reply)


def test_spans_slice_the_reply_in_code_points() -> None:
    (claim,) = result().flagged
    assert REPLY[claim.span.start : claim.span.end] == claim.text == "All tests pass"
    assert claim.flagged
    assert result().unit == "codepoints"


def test_a_result_goes_through_json_and_pickle_and_cannot_be_changed() -> None:
    first = result()
    assert counterfoil.Verification.from_dict(json.loads(first.to_json())) == first
    assert counterfoil.Verification.from_dict(first.to_dict()) == first
    assert pickle.loads(pickle.dumps(first)) == first
    assert isinstance(first.to_dict()["claims"], list)
    with pytest.raises(FrozenInstanceError):
        first.line = None  # type: ignore[misc]


def test_recode_counts_in_the_unit_of_a_browser_and_back() -> None:
    first = result()
    wide = counterfoil.recode(first, REPLY, "utf16")
    assert wide.unit == "utf16"
    assert wide.claims[0].span.start == first.claims[0].span.start + 1
    assert counterfoil.recode(wide, REPLY, "codepoints") == first
    assert counterfoil.recode(first.to_dict(), REPLY, "utf16", TURN) == wide.to_dict()
    with pytest.raises(counterfoil.Error, match="utf8, utf16, codepoints"):
        counterfoil.recode(first, REPLY, "utf32")  # type: ignore[call-overload]


def test_nothing_read_is_none() -> None:
    assert counterfoil.verify({"reply": "Hello.", "calls": []}) is None
    assert counterfoil.verify({"reply": REPLY, "calls": None}) is None
    assert counterfoil.verify(TURN, mode="off") is None


@pytest.mark.parametrize(
    ("turn", "kind", "path"),
    [
        ("not json", "json", ""),
        ({"reply": 5}, "shape", "reply"),
        ({"reply": "x", "calls": [{"tool": "bash"}, {"tool": "bash", "status": "done"}]}, "shape", "calls[1].status"),
        ({"reply": "x", "calls": [{"tool": {1, 2}}]}, "shape", ""),
    ],
)
def test_a_wrong_shape_names_its_place(turn: Any, kind: str, path: str) -> None:
    with pytest.raises(counterfoil.Error) as caught:
        counterfoil.verify(turn)
    assert caught.value.kind == kind
    assert path in caught.value.path
    assert caught.value.message
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(TypeError, match="rolls"):
        counterfoil.verify(TURN, rolls={})  # type: ignore[call-arg]
    with pytest.raises(counterfoil.Error, match="nosuchreader") as caught:
        counterfoil.verify(TURN, readers={"nosuchreader": True})
    assert caught.value.kind == "option"
    with pytest.raises(counterfoil.Error):
        counterfoil.verify(TURN, roles={"bash": "no such role"})
    with pytest.raises(counterfoil.Error):
        counterfoil.verify(TURN, limits={"flagged": {1}})  # type: ignore[dict-item]


def test_lone_surrogates_are_mended_and_spans_stay_right() -> None:
    reply = "\ud83d cut. All tests pass."
    for turn in ({"reply": reply, "calls": [FAILED]}, '{"reply": "' + reply + '", "calls": []}'):
        (claim,) = result(turn).flagged
        assert reply[claim.span.start : claim.span.end] == "All tests pass"
    assert counterfoil.cited("\udcff entry 7", [1]).missing == (7,)
    assert len(counterfoil.load('{"turns": [{"reply": "\ud83d", "calls": []}]}')) == 1


def test_load_takes_a_path_text_and_bytes(tmp_path: Path) -> None:
    text = json.dumps({"turns": [TURN]})
    file = tmp_path / "session.json"
    file.write_text(text, "utf-8")
    for source in (file, str(file), text, text.encode(), memoryview(text.encode())):
        session = counterfoil.load(source)
        assert len(session) == len(session.turns) == 1
        assert session.turns[0]["reply"] in (REPLY, [{"text": REPLY, "interim": False}])
        assert session.to_dict() == json.loads(session.to_json())
        assert session.notes == []
    with pytest.raises(FileNotFoundError):
        counterfoil.load(tmp_path / "missing.json")
    with pytest.raises(counterfoil.Error) as caught:
        counterfoil.load('{"nothing": "known"}')
    assert caught.value.kind == "format"


def test_a_session_is_checked_from_every_form(tmp_path: Path) -> None:
    session = {"turns": [TURN, {"reply": "Done.", "calls": []}]}
    file = tmp_path / "session.json"
    file.write_text(json.dumps(session), "utf-8")
    report = counterfoil.verify_session(counterfoil.load(file))
    for form in (session, json.dumps(session), str(file), file, json.dumps(session).encode()):
        assert counterfoil.verify_session(form) == report
    assert report.totals.turns == 2
    assert report.totals.flagged == 1
    assert report.totals.by_reader == {"outcome": 1}
    assert counterfoil.Report.from_dict(report.to_dict()) == report
    assert counterfoil.verify_session(counterfoil.load(file), mode="off").totals.flagged == 0


def test_a_callback_hears_how_far_the_check_has_come() -> None:
    session = counterfoil.load(json.dumps({"turns": [TURN, TURN]}))
    seen: list[tuple[int, int]] = []
    report = counterfoil.verify_session(session, progress=lambda *step: seen.append(step))
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    assert counterfoil.verify_session(session, progress=lambda *_: counterfoil.verify_session(session)) == report


def test_what_the_callback_raises_ends_the_check() -> None:
    session = counterfoil.load(json.dumps({"turns": [TURN, TURN]}))
    calls = []

    def stop(done: int, total: int) -> None:
        calls.append((done, total))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        counterfoil.verify_session(session, progress=stop)
    assert calls == [(1, 4)]
    with pytest.raises(TypeError):
        counterfoil.verify_session(session, progress=5)  # type: ignore[arg-type]
    assert counterfoil.verify_session(session).totals.turns == 2


def test_the_record_lines_come_from_the_turn_and_the_entries() -> None:
    assert counterfoil.ran(TURN) == "ran: bash (1 failed)"
    found = counterfoil.cited("Result (entry 19); entries 2-3 agree.", range(1, 4))
    assert found.missing == (19,)
    assert found.numbers == (19, 2, 3)
    assert found.line == "cited but not in this conversation: entry 19"


def test_the_readers_are_listed() -> None:
    names = [reader["name"] for reader in counterfoil.readers()]
    assert names[:3] == ["call", "command", "outcome"]
    assert len(set(names)) == len(names)


def test_a_notebook_shows_a_page_without_scripts() -> None:
    hostile = {"reply": "<script>alert(1)</script> All tests pass.", "calls": [FAILED]}
    for shown in (result(hostile), counterfoil.verify_session({"turns": [hostile]})):
        page = shown._repr_html_()
        assert page is not None
        assert "<script" not in page
        assert "tests pass" in page
    assert counterfoil.Verification.from_dict(result().to_dict())._repr_html_() is None


def test_checks_run_side_by_side() -> None:
    expected = result()
    found: list[counterfoil.Verification] = []
    threads = [threading.Thread(target=lambda: found.append(result())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


def test_the_version_is_that_of_the_result() -> None:
    assert result().version == counterfoil.__version__


@settings(max_examples=200, deadline=None)
@given(st.text(st.characters(exclude_categories=())), st.lists(st.text(max_size=40), max_size=3))
def test_no_reply_raises_and_every_span_fits(reply: str, outputs: list[str]) -> None:
    calls = [{"tool": "bash", "arguments": {"command": "pytest"}, "output": output} for output in outputs]
    for text in (reply, f"{reply} All 3 tests pass. {reply}"):
        found = counterfoil.verify({"reply": text, "calls": calls})
        for claim in found.claims if found else ():
            assert 0 <= claim.span.start < claim.span.end <= len(text)


@settings(max_examples=200, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_foreign_json_raises_only_the_one_error(value: Any) -> None:
    for work in (lambda: counterfoil.verify(json.dumps(value)), lambda: counterfoil.load(json.dumps(value).encode())):
        try:
            work()
        except counterfoil.Error as error:
            assert error.kind in ("json", "shape", "format")


def test_what_cannot_be_json_is_an_error_of_the_package() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    for wrong in (deep, {"reply": b"x"}, {"reply": object()}):
        with pytest.raises(counterfoil.Error):
            counterfoil.verify(wrong)  # type: ignore[arg-type]
    replies: list[Any] = [[{}], [1], 1, b"entry 5"]
    for reply in replies:
        with pytest.raises(counterfoil.Error, match="reply: expected a text or a list of pieces"):
            counterfoil.cited(reply, [])
    with pytest.raises(counterfoil.Error) as failure:
        counterfoil.verify({"reply": "Hello."}, limits={"quote": float("nan")})  # type: ignore[dict-item]
    assert failure.value.kind == "option"


def test_half_an_emoji_in_an_option_is_no_error() -> None:
    assert counterfoil.verify({"reply": "Hello.", "calls": []}, tools=["\ud83d"]) is None


def test_rules_of_the_host_are_read_and_checked() -> None:
    rule = {
        "name": "deploy",
        "says": ["deployed"],
        "object": "production",
        "needs": {"matches": "helm", "status": "ok"},
    }
    turn = {"reply": "日本 🎉. I deployed it to production.", "calls": []}
    found = counterfoil.verify(turn, rules=[rule])
    assert found is not None
    assert found.line == ('unsupported: "I deployed it to production" (no call in this turn meets the rule deploy)')
    report = counterfoil.verify_session({"turns": [turn]}, rules=[rule])
    assert report.totals.by_reader == {"deploy": 1}
    with pytest.raises(counterfoil.Error) as raised:
        counterfoil.verify(turn, rules=[rule, rule])
    assert (raised.value.kind, raised.value.path) == ("option", "rules[1].name")
