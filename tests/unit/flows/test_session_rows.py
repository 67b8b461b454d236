"""What was asked with ``solon ask`` lands: each question once, whatever else of its session is read again later."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from flows.land import land_runs
from flows.runs.session_rows import session_rows
from flows.settings import load_settings
from tasks.matter.failures import SolonError
from warehouse import land as landing
from warehouse.sql import run_query

LEASE = """LEASE AGREEMENT

This Lease Agreement is made on March 1, 2021 between Alder Estates LLC ("Landlord") and Birch Bakery Inc. ("Tenant").

1. Rent. Tenant shall pay base rent of $4,000 per month.

2. Assignment. Tenant shall not assign this Lease without the written consent of Landlord.
"""
ASKED = "what_was_asked_in_sessions"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with a session of two questions."""
    monkeypatch.setattr(landing, "check_all", lambda con: ())
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "lease.txt").write_text(LEASE, encoding="utf-8")
    ask(tmp_path, "What is the base rent?", "Who pays the lighthouse keeper?")
    return tmp_path / "home"


def ask(place: Path, *questions: str) -> None:
    flags = [flag for question in questions for flag in ("--question", question)]
    assert main(["ask", str(place / "room"), "--home", str(place / "home"), "--session", "one", *flags]) == 0


def land(home: Path) -> int:
    result = land_runs(load_settings({"home": home}), knowledge=False)
    assert (result.published, result.quarantined) == (True, ())
    return sum(result.landed.values())


@pytest.mark.slow
def test_the_questions_of_a_session_land_once(home: Path, tmp_path: Path) -> None:
    assert land(home) == 2
    rent, keeper = run_query(home / "warehouse" / "solon.duckdb", ASKED).to_dicts()
    assert (rent["number"], rent["state"], rent["kind"]) == (1, "answered", "fact")
    assert "$4,000" in rent["answer"]
    assert (rent["documents"], rent["passages"], rent["open_so_far"]) == (1, 1, 0)
    assert rent["asked_utc"] is not None
    assert (keeper["number"], keeper["state"], keeper["passages"], keeper["open_so_far"]) == (
        2, "searched and not found", 0, 1,
    )  # fmt: skip
    assert land(home) == 0
    ask(tmp_path, "May the tenant assign the lease?")
    assert land(home) == 1
    assert run_query(home / "warehouse" / "solon.duckdb", ASKED)["number"].to_list() == [1, 2, 3]


def test_a_session_of_an_earlier_version_lands_without_its_time(home: Path) -> None:
    (path,) = home.glob("sessions/*/one/session.json")
    kept = json.loads(path.read_text())
    for exchange in kept["exchanges"]:
        del exchange["asked_utc"], exchange["profile"]
    path.write_text(json.dumps(kept))
    land(home)
    assert run_query(home / "warehouse" / "solon.duckdb", ASKED)["asked_utc"].to_list() == [None, None]


@pytest.mark.slow
def test_a_session_that_cannot_be_read_keeps_no_other_out(home: Path) -> None:
    (path,) = home.glob("sessions/*/one/session.json")
    torn = path.parent.parent / "torn" / "session.json"
    torn.parent.mkdir()
    torn.write_text('{"name": "torn", "fol')
    with pytest.raises(SolonError, match="cannot be read"):
        list(session_rows(torn))
    assert land_runs(load_settings({"home": home}), ["a-run"], knowledge=False).passed_over == ()
    result = land_runs(load_settings({"home": home}), knowledge=False)
    assert [line for line in result.passed_over if "torn" in line]
    assert run_query(home / "warehouse" / "solon.duckdb", ASKED).height == 2
