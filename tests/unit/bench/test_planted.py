"""Errors planted by hand: each alone in its draft, found by what is new on its line; no place or two is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from flows.bench.gates.planted import measure_planted, read_errors, render_planted
from flows.cli import main
from tasks.harness import find_harness
from tasks.matter.failures import SolonError
from tests.unit.bench.test_gates_bench import LEASE

MEMO = """# Memorandum

## Rent

Tenant shall pay base rent of $8,500 per month [Lease Agreement § 1].

The deposit is $99,999 [Lease Agreement § 1].

| Topic | Answer |
|---|---|
| Rent | $8,500 per month [Lease Agreement § 1] |

## Law

The lease is governed by the laws of the State of Ohio [Lease Agreement § 5].
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "lease-agreement.txt").write_text(LEASE, encoding="utf-8")
    (tmp_path / "memo.md").write_text(MEMO, encoding="utf-8")
    return tmp_path


def listed(room: Path, *errors: dict[str, Any]) -> Path:
    file = room / "errors.json"
    file.write_text(json.dumps([{"draft": "memo.md", "sources": "room", **e} for e in errors]), encoding="utf-8")
    return file


def measured(room: Path, *errors: dict[str, Any]) -> dict[str, Any]:
    return measure_planted(listed(room, *errors), find_harness(None), room / "cache", room / "scratch")


def test_each_error_is_planted_alone_and_counted_by_kind(room: Path) -> None:
    result = measured(
        room,
        {"kind": "amount", "old": "base rent of $8,500", "new": "base rent of $9,500"},
        {"kind": "wrong law", "old": "State\nof Ohio [Lease", "new": "State of Texas [Lease"},
        {"kind": "polarity", "old": "The lease is governed", "new": "The lease remains governed"},
    )
    assert [r["caught"] for r in result["records"]] == [True, True, False]
    assert result["kinds"]["amount"] == {"planted": 1, "caught": 1, "share": 100.0}
    assert (result["mechanical"]["share"], result["others"]["share"]) == (100.0, 50.0)
    assert result["kinds"]["date"] == {"planted": 0, "caught": 0, "share": None}
    table = render_planted(result)
    assert "missed: polarity: “The lease is governed” -> “The lease remains governed” (memo.md)" in table
    assert "“$99,999”" in table


def test_a_flag_that_the_clean_draft_has_catches_nothing(room: Path) -> None:
    result = measured(room, {"kind": "amount", "old": "deposit is $99,999", "new": "deposit is $99,998"})
    (record,) = result["records"]
    (draft,) = result["drafts"]
    assert any("$99,999" in f["text"] for f in draft["flags"])
    assert (record["caught"], record["findings"]) == (False, [])


def test_what_both_share_stays_as_it_is(room: Path) -> None:
    from flows.bench.gates.planted import _change

    assert _change("Rent\n\nis $5", 10, "Rent is $6") == (19, 21, "$6")
    assert _change("shall not assign", 0, "shall assign") == (6, 10, "")
    assert _change("shall assign", 0, "shall not assign") == (5, 5, " not")
    assert _change("assign it", 0, "Never assign it") == (0, 0, "Never ")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("$8,500", "$9,500", "record 1 (memo.md): “$8,500” stands 2 times in it"),
        ("$7,777", "$9,500", "stands 0 times"),
        ("  ", "x", "stands 0 times"),
        ("Rent | $8,500", "Rent | $8,500", "is replaced by itself"),
    ],
)
def test_an_error_that_has_no_one_place_is_refused(room: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(SolonError) as refused:
        measured(room, {"kind": "amount", "old": old, "new": new})
    assert said in refused.value.failure.line()


def test_a_list_that_is_none_is_refused_with_the_form(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SolonError, match="kinds that there are not: typo"):
        read_errors(listed(room, {"kind": "typo", "old": "a", "new": "b"}))
    (room / "errors.json").write_text('{"draft": 1}', encoding="utf-8")
    with pytest.raises(SolonError, match="is no list of errors"):
        read_errors(room / "errors.json")
    (room / "errors.json").write_text('[{"draft": "none", "kind": "date", "old": "a", "new": "b"}]', encoding="utf-8")
    assert main(["bench", "gates", "--planted", str(room / "errors.json"), "--home", str(room / "home")]) == 2
    assert "is not there" in capsys.readouterr().err
