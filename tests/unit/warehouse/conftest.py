"""Rows to land."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from warehouse.land import land
from warehouse.parts import write_parts
from warehouse.records import ActionRow, AttemptRow, FailureRow, JudgementRow, RunRow, SpendRow, VerdictRow
from warehouse.release_records import CoverageRow, FindingRow, GateRow
from warehouse.row import Row
from warehouse.trace_records import (
    CallRow,
    DefectRow,
    FiringRow,
    FlowCheckRow,
    MandatoryToolRow,
    MeasureRow,
    MessageRow,
    RescoringRow,
    ServedRow,
)

START = datetime(2024, 3, 4, 9, 0, tzinfo=UTC)
RUN = RunRow(run_id="r1", started_utc=START, corpus="examples", harness_version="h" * 64)
FAILURE = FailureRow(run_id="r1", stage="matter", subject="tax/bad", cause="input", message="task.json is not JSON")


def attempt_row(number: int = 0, **changes: object) -> AttemptRow:
    values: dict[str, object] = {
        "attempt_id": f"a{number}",
        "run_id": "r1",
        "cell": "extractive",
        "cell_digest": "c" * 64,
        "runtime": "extractive",
        "matter_id": f"tax/opinion-{number:03d}",
        "matter_digest": "d" * 64,
        "area": "tax",
        "title": f"Opinion {number}",
        "outcome": "finished",
        "release_status": "released",
        "seconds": 2.5,
        "words": 900,
        "n_documents": 3,
        "harness_version": "h" * 64,
        "started_utc": START,
        "ended_utc": START + timedelta(seconds=2.5),
    }
    return AttemptRow.model_validate(values | changes)


def verdict_row(number: int = 0, criterion: str = "C-001", status: str = "pass", **changes: object) -> VerdictRow:
    values: dict[str, object] = {
        "attempt_id": f"a{number}",
        "judge_profile": "anchor",
        "judged_utc": START + timedelta(minutes=1),
        "criterion_id": criterion,
        "title": f"States {criterion}",
        "status": status,
        "cause": "judge" if status == "unscored" else "",
        "match_kind": "date",
        "error_class": "numbers_dates" if status == "fail" else "",
        "reasoning": "The memorandum says so.",
    }
    return VerdictRow.model_validate(values | changes)


def judgement_row(number: int, criteria: int) -> JudgementRow:
    judged = START + timedelta(minutes=1)
    return JudgementRow(attempt_id=f"a{number}", judge_profile="anchor", judged_utc=judged, criteria=criteria)


def everything_about(number: int, statuses: str = "ppf", **changes: object) -> list[Row]:
    words = {"p": "pass", "f": "fail", "u": "unscored"}
    name = f"a{number}"
    return [
        attempt_row(number, **changes),
        judgement_row(number, len(statuses)),
        *(verdict_row(number, f"C-{i:03d}", words[s]) for i, s in enumerate(statuses)),
        GateRow(attempt_id=name, gate="number", position=0, status="flagged", checked=4, verified=3, n_findings=1),
        FindingRow(attempt_id=name, position=0, gate="number", kind="unsourced", severity="flag", text="$5 million"),
        CoverageRow(attempt_id=name, document="lease.docx", status="read", characters=1200),
        ActionRow(attempt_id=name, position=0, turn=1, tool="read", bucket="read"),
        ActionRow(attempt_id=name, position=1, turn=1, tool="write", bucket="write"),
        SpendRow(
            attempt_id=name,
            role="judge",
            profile="anchor",
            spent_utc=START,
            output=10,
            cost_usd=0.01,
            cost_source="priced",
        ),
    ]


def traced_about(number: int, fired: bool = True, leaked: bool = False, **measures: object) -> list[Row]:
    """What a trace tells of an attempt, beside ``everything_about`` it."""
    name = f"a{number}"
    told: dict[str, object] = {
        "trace_format": "lab", "words": 1500, "actions": 7, "lookups": 0, "tool_errors": 1, "first_read_turn": 2,
        "first_write_turn": 4, "audited_before_finishing": True, "skill_loaded": "consent-review", "documents": 2,
        "documents_opened": 1, "characters": 1600, "served": 800, "cached_reads_usd": 0.0,
    }  # fmt: skip
    sent = [("solver", "solver", "1" * 64), ("judge", "judge", "2" * 64), *[("solver", "solver", "2" * 64)] * leaked]
    check = {
        "status": "violated",
        "leaked": 1,
        "problems": "1 messages that the judge was sent were sent to others too",
    }
    firing = {"mechanism": "landing", "moment": "end", "note": "moved to output", "n_files": 1, "files": "memo.docx"}
    return [
        MeasureRow.model_validate({"attempt_id": name} | told | measures),
        ServedRow(attempt_id=name, document="lease.docx", characters=1200, served=800),
        ServedRow(attempt_id=name, document="rents.xlsx", characters=400, served=0),
        MandatoryToolRow(attempt_id=name, tool="authority", calls=number % 2),
        MandatoryToolRow(attempt_id=name, tool="date_scan", calls=2),
        DefectRow(attempt_id=name, defect="D2", evidence="1 of 2 documents are named and were never opened"),
        DefectRow(attempt_id=name, defect="D5", by_construction=True, evidence="the cell allows no pass of revision"),
        *[FiringRow.model_validate({"attempt_id": name, "position": 0, **firing})] * fired,
        *(MessageRow(attempt_id=name, role=r, side=s, sha256=h, characters=90, requests=2) for r, s, h in sent),
        RescoringRow(
            attempt_id=name,
            judge_profile="anchor",
            judged_utc=START + timedelta(minutes=1),
            role="judge",
            side="judge",
            sha256="4" * 64,
            characters=70,
            requests=1,
        ),
        CallRow(
            attempt_id=name,
            position=0,
            role="solver",
            kind="chat",
            profile="local",
            sha256="3" * 64,
            output=40,
            input_uncached=900,
            calls=1,
        ),
        CallRow(
            attempt_id=name,
            position=1,
            role="solver",
            kind="chat",
            profile="local",
            sha256="3" * 64,
            output=40,
            input_uncached=900,
            calls=1,
            replayed=True,
        ),
        FlowCheckRow.model_validate({"attempt_id": name, "status": "sound", "requests": 4} | (check if leaked else {})),
    ]


@pytest.fixture
def run_row() -> RunRow:
    return RUN


@pytest.fixture
def failure_row() -> FailureRow:
    return FAILURE


@pytest.fixture
def make_attempt() -> Callable[..., AttemptRow]:
    return attempt_row


@pytest.fixture
def make_verdict() -> Callable[..., VerdictRow]:
    return verdict_row


@pytest.fixture
def everything() -> Callable[..., list[Row]]:
    return everything_about


@pytest.fixture
def warehouse_of(tmp_path: Path) -> Callable[[list[Row]], Path]:
    """Make a warehouse of rows for whoever asks questions: put there at once, for a landing takes five times as long.

    Called again, it makes one of these rows and those of before.
    """
    from tests.unit.warehouse.bulk import Bulk  # not above: a test imports this file in a process without pytest

    held: dict[str, Row] = {}

    def make(rows: list[Row]) -> Path:
        held.update((repr(row), row) for row in rows)
        bulk = Bulk(tmp_path)
        bulk.rows([*held.values()])
        return bulk.close()

    return make


@pytest.fixture(scope="session")
def one_landed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the parts of attempt 0 and the warehouse they landed in, to be copied."""
    folder = tmp_path_factory.mktemp("one-landed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("warehouse.land.check_all", lambda con: ())  # the suites have their own tests
        write_parts(folder / "parts", everything_about(0))
        assert land(folder / "parts", folder / "warehouse.duckdb").published
    return folder


@pytest.fixture
def whole() -> None:
    """Let a landing compute what is kept as tables and check the expectations, as it does for users."""


@pytest.fixture
def bare(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the tables of scores and the expectations out of landings in this process: most of what they cost.

    For modules whose subject is how parts come in; a test that looks at scores or violations asks for ``whole``.
    """
    if "whole" not in request.fixturenames:
        monkeypatch.setattr("warehouse.land.check_all", lambda con, suites=None: ())
        monkeypatch.setattr("warehouse.land.recompute", lambda con: None)
