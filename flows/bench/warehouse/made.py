"""Made-up attempts in the proportions of the Parthenon paper: 60 criteria and 48 actions each, ten cells."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from warehouse.columns import VerdictStatus
from warehouse.records import (
    ActionRow,
    AttemptKeyRow,
    AttemptRow,
    JudgementRow,
    MatterRow,
    PlanRow,
    RunRow,
    SpendRow,
    VerdictRow,
)
from warehouse.release_records import CoverageRow, FindingRow, GateRow
from warehouse.row import Row
from warehouse.trace_records import DefectRow, FlowCheckRow, MeasureRow, MessageRow, ServedRow

START = datetime(2024, 1, 1, tzinfo=UTC)
RUN = "bench"
# Of the made runs: cells of a run, and its practice areas; actions of an attempt, and documents of a matter.
CELLS, AREAS = 10, 24
ACTIONS, DOCUMENTS = 48, 8
_CLASSES = ("numbers_dates", "coverage", "missing_facts", "legal_rule_use", "other")
_OUTCOMES = ("omitted", "denied", "partial", "wrong_value", "asserted")
_WORK = ("analyze", "draft", "review", "research")
_BUCKETS = ("read", "tool", "write", "other")
_FLAGGED = "The price is $5 million."


def started(attempts: int) -> list[Row]:
    """Return the rows of the run itself: its start and what it planned."""
    told = RunRow(
        run_id=RUN, started_utc=START, corpus="made up", n_matters=attempts // CELLS, harness_version="h" * 64
    )
    planned = [
        PlanRow(run_id=RUN, started_utc=START, cell=cell, matter_id=matter, epoch=0, work_key=_hash(f"{cell} {matter}"))
        for cell, matter in map(_place, range(attempts))
    ]
    return [told, *planned]


def made_up(number: int, criteria: int = 60) -> list[Row]:
    """Return every row of one attempt."""
    cell, matter = _place(number)
    name = f"{RUN}/{matter}/{cell}/1"
    ended = START + timedelta(seconds=number)
    return [
        *_solved(name, number, cell, matter),
        JudgementRow(attempt_id=name, judge_profile="anchor", judged_utc=ended, criteria=criteria),
        *(_verdict(name, number, k, ended) for k in range(criteria)),
        SpendRow(attempt_id=name, run_id=RUN, role="judge", profile="anchor", spent_utc=ended),
        *_traced(name, number),
    ]


def _place(number: int) -> tuple[str, str]:
    """Return cell and matter of an attempt: all matters under one cell, then under the next."""
    matter = number // CELLS
    return f"cell-{number % CELLS}", f"area-{matter % AREAS:02d}/matter-{matter:04d}"


def _solved(name: str, number: int, cell: str, matter: str) -> Iterator[Row]:
    about = {"area": matter.partition("/")[0], "work_type": _WORK[number // CELLS % 4], "title": f"The matter {matter}"}
    digest = _hash(matter)
    yield AttemptRow.model_validate(
        {
            **about, "attempt_id": name, "run_id": RUN, "cell": cell, "cell_digest": _hash(cell), "runtime": "basic",
            "profile": "local", "matter_id": matter, "matter_digest": digest, "outcome": "finished", "words": 1200,
            "release_status": "released", "seconds": float(number % 900), "n_documents": DOCUMENTS, "turns": ACTIONS,
            "n_deliverables": 1, "harness_version": "h" * 64, "skill_id": "other/general", "started_utc": START,
            "ended_utc": START + timedelta(seconds=number), "input_uncached": 9_000, "cache_read": 40_000,
            "output": 3_000, "calls": ACTIONS, "cost_usd": 0.05, "cost_source": "priced",
        }
    )  # fmt: skip
    yield AttemptKeyRow(attempt_id=name, work_key=_hash(f"{cell} {matter}"))
    formats = {"n_documents": DOCUMENTS, "document_formats": "docx pdf", "deliverable_formats": "docx"}
    yield MatterRow.model_validate({"matter_digest": digest, "matter_id": matter, **about, **formats})
    for position, gate in enumerate(("asks", "number", "date", "skeleton", "citation", "completeness")):
        yield GateRow(attempt_id=name, gate=gate, position=position, status="passed", checked=9, verified=9)
    for position in range(4):
        said = {"text": "$5 million", "sentence": f"{_FLAGGED} " * 4, "remedy": "name its source"}
        about_it = {"gate": "number", "kind": "unsourced", "severity": "flag", "deliverable": "memo.docx"}
        yield FindingRow.model_validate({"attempt_id": name, "position": position, **about_it, **said})
    for k in range(DOCUMENTS):
        yield CoverageRow(attempt_id=name, document=f"document-{k}.docx", status="read", characters=20_000 + k)


def _verdict(name: str, number: int, k: int, judged: datetime) -> VerdictRow:
    status: VerdictStatus = "fail" if (number + k) % 5 == 0 else "unscored" if (number * 7 + k) % 997 == 0 else "pass"
    return VerdictRow(
        attempt_id=name,
        judge_profile="anchor",
        judged_utc=judged,
        criterion_id=f"C-{k:03d}",
        title=f"States the point {k} of matter {number // CELLS}",
        status=status,
        cause="judge" if status == "unscored" else "",
        match_kind=("date", "value", "span", "absence")[k % 4],
        error_class=_CLASSES[(number + k) // 5 % 5] if status == "fail" else "",
        outcome=_OUTCOMES[k % 5] if status == "fail" else "",
        reasoning=f"Under point {k} the memorandum of attempt {number} says what is asked for, and cites its place. ",
        quote=_quote(number, k) if status == "pass" or (status == "fail" and k % 2) else "",
    )


def _quote(number: int, k: int) -> str:
    """Return words of the draft that a verdict quotes; the gates flag those of every tenth criterion."""
    return f"Point {k} of {number}: the parties agree as follows, and the schedule says when." if k % 10 else _FLAGGED


def _traced(name: str, number: int) -> Iterator[Row]:
    for k in range(ACTIONS):
        told = {"bucket": _BUCKETS[k % 4], "tool": "read", "arguments": f'{{"path": "document-{k % DOCUMENTS}.docx"}}'}
        preview = f"Clause {k} of {number}: the parties agree as follows. "
        yield ActionRow.model_validate(
            {"attempt_id": name, "position": k, "turn": k, "result_preview": preview, **told}
        )
    yield MeasureRow(
        attempt_id=name, trace_format="lab", words=3_000, actions=ACTIONS, first_read_turn=1, first_write_turn=20,
        documents=DOCUMENTS, documents_opened=DOCUMENTS, characters=160_000, served=90_000, cached_reads_usd=0.01,
    )  # fmt: skip
    for k in range(DOCUMENTS):
        yield ServedRow(attempt_id=name, document=f"document-{k}.docx", characters=20_000, served=11_000)
    yield DefectRow(attempt_id=name, defect="D2", evidence="1 of 8 documents are named and were never opened")
    for k in range(4):
        sent = {"role": "solver", "side": "solver", "sha256": _hash(f"{number} {k}"), "characters": 900, "requests": 2}
        yield MessageRow.model_validate({"attempt_id": name, **sent})
    yield FlowCheckRow(attempt_id=name, status="sound", requests=ACTIONS)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
