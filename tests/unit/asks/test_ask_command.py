"""``solon ask`` shows what a brief asks before anything is drafted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from flows.cli import main
from tasks.asks.records import Asks

LEASE = "LEASE\n\nThis Lease is made on 3 March 2020 between {} and {}.\n1. Term. Two years.\n"
BRIEF = "We act for the tenant. May it assign, and what is the rent under the Harbour lease? Put it in a table."


@pytest.fixture
def shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    room = tmp_path / "room"
    room.mkdir()
    (room / "a.txt").write_text(LEASE.format("Harbour Mills Ltd", "Lantern Foods Inc."))
    (room / "b.txt").write_text(LEASE.format("Alder Estates LLC", "Birch Bakers Inc."))
    monkeypatch.chdir(tmp_path)

    def show(*given: str) -> str:
        assert main(["ask", str(room), "--home", str(tmp_path / ".solon"), *given]) == 0
        return capsys.readouterr().out

    return show


def test_the_asks_are_shown_with_their_kinds_and_papers(shown: Callable[..., str]) -> None:
    lines = [" ".join(line.split()) for line in shown("--ask", BRIEF).splitlines()]
    assert lines == [
        "1 yes_no May it assign [May the tenant assign] · of the data room",
        "2 fact what is the rent under the Harbour lease · of a.txt",
        "3 constraint Put it in a table · of the data room",
        "background We act for the tenant",
        "background and",
    ]


def test_machines_read_the_same_asks(shown: Callable[..., str]) -> None:
    asks = Asks.model_validate(json.loads(shown("--ask", BRIEF, "--json")))
    assert [a.kind.value for a in asks.asks] == ["yes_no", "fact", "constraint"]
    assert asks.brief == BRIEF
