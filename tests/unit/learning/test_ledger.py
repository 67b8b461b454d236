"""The ledger of edits: what a crash tears is passed over, what is strange is refused, and no text breaks a line."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tasks.learning import ledger
from tasks.learning.records import GateVerdict, LedgerRow
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.reasons import Reason


def row(**fields: Any) -> LedgerRow:
    base: dict[str, Any] = {
        "learn_id": "l", "step": 0, "minibatch": 2, "base_version": "a", "candidate_version": "b", "surface": "skills",
        "path": "skills/x/y/SKILL.md", "rationale": "try more", "diff": "+ a\n", "edit_digest": "d", "gates": (),
        "decision": None, "accepted": False,
    }  # fmt: skip
    return LedgerRow.model_validate({**base, **fields})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "deep" / "ledger.jsonl"


def test_what_is_appended_is_read_in_its_order(path: Path) -> None:
    rows = [
        row(step=n, reason=Reason.DATE_WRONG, accepted=n == 1, decided_utc=datetime(2026, 1, n + 1, tzinfo=UTC))
        for n in range(3)
    ]
    for one in rows:
        ledger.append(path, one)
    assert ledger.read(path) == rows
    assert path.read_bytes().count(b"\n") == 3


def test_no_ledger_is_an_empty_one(path: Path) -> None:
    assert ledger.read(path) == []
    path.parent.mkdir()
    path.write_bytes(b"")
    assert ledger.read(path) == []
    ledger.append(path, row())
    assert ledger.read(path) == [row()]


@pytest.mark.parametrize(
    "end", ["\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\r", "\r\n", "\n"]
)
def test_an_end_of_line_in_a_text_ends_no_row(path: Path, end: str) -> None:
    """Otherwise the row of an accepted edit would be forgotten as if a crash had torn it."""
    kept = [row(rationale=f"more{end}of it", diff=f"+ a{end}b", accepted=True), row(step=1)]
    for one in kept:
        ledger.append(path, one)
    assert ledger.read(path) == kept


@pytest.mark.parametrize("cut", range(1, 24))
def test_a_tear_anywhere_loses_its_row_alone(path: Path, cut: int) -> None:
    """The last bytes of the row are of its rationale: a tear leaves half of "é" or of the euro sign, too."""
    ledger.append(path, row())
    whole = row(step=1, rationale="é€𝛼 é€𝛼").model_dump_json().encode()
    place = whole.index("é".encode())
    with path.open("ab") as stream:
        stream.write(whole[: place + cut])
    assert ledger.read(path) == [row()]
    ledger.append(path, row(step=2))
    assert ledger.read(path) == [row(), row(step=2)]


def test_a_row_whose_end_alone_is_torn_is_whole(path: Path) -> None:
    ledger.append(path, row())
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    ledger.append(path, row(step=1))
    assert ledger.read(path) == [row(), row(step=1)]


@pytest.mark.parametrize("noise", [b"", b"   ", b"{", b"}{", b"nothing", b"\xff\xfe", b"\x00\x00\x00", b"[1, 2", b'"a'])
def test_what_is_no_json_is_a_torn_line(path: Path, noise: bytes) -> None:
    ledger.append(path, row())
    path.write_bytes(noise + b"\n" + path.read_bytes() + noise)
    assert ledger.read(path) == [row()]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"accepted": "perhaps"}, "accepted"),
        ({"path": 7}, "path"),
        ({"step": None}, "step"),
        ({"reason": "because"}, "reason"),
        ({"gates": [{"gate": "luck", "passed": True}]}, "gates.0.gate"),
        ({"decided_utc": "2026-01-01T00:00:00"}, "decided_utc"),  # a time of no zone
        ({"later_field": 1}, "later_field"),
    ],
)
def test_a_whole_line_that_is_strange_is_refused_by_its_number_and_field(
    path: Path, change: dict[str, Any], where: str
) -> None:
    ledger.append(path, row())
    strange = {**json.loads(row(step=1).model_dump_json()), **change}
    with path.open("a", encoding="utf-8") as stream:
        stream.write(json.dumps(strange) + "\n")
    with pytest.raises(SolonError) as caught:
        ledger.read(path)
    failure = caught.value.failure
    assert (failure.cause, failure.subject) == (FailureCause.INPUT, "ledger.jsonl, line 2")
    assert f"({where}: " in failure.message
    assert "another --learn-id" in failure.remedy


@pytest.mark.parametrize("line", ["1", "null", "[]", '"text"', "true"])
def test_a_whole_line_that_is_no_row_at_all_is_refused(path: Path, line: str) -> None:
    path.parent.mkdir()
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(SolonError, match="line 1"):
        ledger.read(path)


def test_a_half_character_of_a_proposer_does_not_end_the_step(path: Path) -> None:
    """A model may write one in its JSON; the gates refuse the edit, and its row must still be written."""
    ledger.append(path, row(rationale="more \ud800 of it", diff="+ \udfff\n"))
    (kept,) = ledger.read(path)
    assert (kept.rationale, kept.diff) == ("more ? of it", "+ ?\n")


def test_history_tells_what_was_tried_once_each_and_not_what_was_overtaken() -> None:
    overtaken = GateVerdict(gate="scope", passed=False, reason=ledger.OVERTAKEN)
    passed = GateVerdict(gate="scope", passed=True)
    rows = [
        row(rationale="one", gates=(passed,)),
        row(rationale="two", gates=(overtaken,)),
        row(rationale="three", gates=(passed, GateVerdict(gate="form", passed=False, reason="no"))),
        row(rationale="", surface="none"),
        row(rationale="rules has no edit left", surface="none"),
        row(rationale="four"),
    ]
    assert ledger.history(rows) == ("one", "three", "four")
    assert ledger.history([]) == ()


def test_what_people_read_names_the_reason() -> None:
    assert row(reason=None).told == "try more"
    assert row(reason=Reason.DATE_WRONG).told == f"try more (answers: {Reason.DATE_WRONG.sentence})"


def written(path: Path) -> list[bytes]:
    for n in range(4):
        ledger.append(path, row(step=n, accepted=n == 1))
    return path.read_bytes().splitlines(keepends=True)


@pytest.mark.parametrize(
    "by_hand",
    [
        lambda lines: [lines[0].replace(b'"accepted":false', b'"accepted":true'), *lines[1:]],
        lambda lines: [lines[0], *lines[2:]],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [*lines[:2], lines[1], *lines[2:]],
        lambda lines: [*lines[:3], row(step=9).model_dump_json().encode() + b"\n"],
    ],
    ids=["changed", "taken out", "exchanged", "said twice", "put in without a hash"],
)
def test_a_ledger_that_was_edited_by_hand_is_refused(path: Path, by_hand: Callable[[list[bytes]], list[bytes]]) -> None:
    lines = written(path)
    assert len(ledger.read(path)) == 4
    path.write_bytes(b"".join(by_hand(lines)))
    with pytest.raises(SolonError, match="was changed after it was written"):
        ledger.read(path)


def test_a_torn_line_is_no_break_and_what_an_earlier_version_wrote_is_read(path: Path) -> None:
    path.parent.mkdir(parents=True)
    old = {name: value for name, value in json.loads(row().model_dump_json()).items() if name != "chain"}
    path.write_bytes(json.dumps(old).encode() + b'\n{"learn_id": "l", "st')
    ledger.append(path, row(step=1))
    ledger.append(path, row(step=2))
    assert [one.step for one in ledger.read(path)] == [0, 1, 2]


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_rows_that_are_missing_at_the_end_are_noticed(path: Path, kept: int) -> None:
    for step in range(3):
        ledger.append(path, row(step=step))
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:kept]))
    with pytest.raises(SolonError, match="its end was taken away") as refused:
        ledger.read(path)
    assert "3 rows" in refused.value.failure.message
    assert f"{kept} are here" in refused.value.failure.message


def test_a_ledger_that_is_gone_and_left_its_head_is_noticed(path: Path) -> None:
    ledger.append(path, row())
    path.unlink()
    with pytest.raises(SolonError, match="its end was taken away"):
        ledger.read(path)


def test_another_end_than_that_of_the_head_is_noticed(path: Path) -> None:
    """A file of as many rows, each chained to the one before, which is not the file that was written."""
    for step in range(2):
        ledger.append(path, row(step=step))
    head = ledger.head_of(path).read_bytes()
    path.unlink()
    ledger.head_of(path).unlink()
    for step in range(2):
        ledger.append(path, row(step=step, accepted=True))
    ledger.head_of(path).write_bytes(head)
    with pytest.raises(SolonError, match="taken away or changed"):
        ledger.read(path)


def test_a_crash_before_the_head_is_written_loses_nothing(path: Path) -> None:
    ledger.append(path, row(step=0))
    head = ledger.head_of(path).read_bytes()
    ledger.append(path, row(step=1))
    ledger.head_of(path).write_bytes(head)
    assert ledger.read(path) == [row(step=0), row(step=1)]
    ledger.append(path, row(step=2))
    assert json.loads(ledger.head_of(path).read_text())["rows"] == 3
    ledger.head_of(path).write_text("{}")
    with pytest.raises(SolonError, match="no head of a ledger"):
        ledger.read(path)


def test_a_ledger_of_an_earlier_version_has_no_head(path: Path) -> None:
    for step in range(2):
        ledger.append(path, row(step=step))
    ledger.head_of(path).unlink()
    assert len(ledger.read(path)) == 2
