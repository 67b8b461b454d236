"""Renders docs/questions.md: every named question with its sentence and what it answers on a small made-up warehouse.

To write the page anew: ``WRITE_PAGES=1 pytest tests/unit/warehouse/test_trace_questions.py -k on_the_page``.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from tests.unit.warehouse.conftest import (
    FAILURE,
    RUN,
    START,
    attempt_row,
    everything_about,
    judgement_row,
    traced_about,
    verdict_row,
)
from warehouse.checklist_records import ChecklistItemRow, ChecklistScoreRow
from warehouse.land import land
from warehouse.learning_records import EditRow, HoldoutAccessRow
from warehouse.parts import write_parts
from warehouse.records import FailureRow
from warehouse.row import Row
from warehouse.session_records import SessionAskRow
from warehouse.sql import named_queries, run_query

PAGE = Path(__file__).resolve().parents[3] / "docs" / "questions.md"
SHOWN = 3
HEAD = """# Questions to the warehouse

`solon sql NAME` answers each of these; `--run-id R` keeps the rows of one run, `--json` is for machines. Attempts that
an earlier version traced have no measures: they count as attempts and not as measured. The samples come from a small
made-up warehouse (`tests/unit/warehouse/questions_page.py` writes this page); a question without rows there shows its
columns alone.
"""


def sample_rows() -> list[Row]:
    """Two matters under two cells, an attempt that failed, edits of the learner, a matter solved and judged twice."""
    basic = {"cell": "basic:local", "runtime": "basic", "profile": "local", "turns": 9}
    bill = {"input_uncached": 9000, "cache_read": 40000, "output": 700, "calls": 9, "cost_usd": 0.05}
    rows: list[Row] = [RUN, FAILURE]
    for number, statuses in enumerate(("ppf", "ppp", "pfu", "pff")):
        matter = {"matter_id": f"tax/opinion-{number % 2:03d}"}
        more = {**basic, **bill, "cost_source": "priced"} if number > 1 else {}
        rows += everything_about(number, statuses, **matter, **more)
        quiet = {"skill_loaded": "", "lookups": 12, "audited_before_finishing": False, "tool_errors": 0}
        measures = {"cached_reads_usd": 0.02} if number > 1 else quiet
        rows += traced_about(number, fired=number == 2, leaked=number == 3, **measures)
    failed = {"outcome": "failed", "failure_cause": "provider", "failure_message": "overloaded", "release_status": ""}
    rows.append(attempt_row(4, matter_id="tax/opinion-000", **basic, **failed, ended_utc=START + timedelta(seconds=1)))
    told = {"run_id": "r1", "attempt_id": "a4", "stage": "drafting", "subject": "local", "cause": "provider"}
    rows.append(FailureRow.model_validate({**told, "message": "overloaded", "remedy": "try later"}))
    edit = {"learn_id": "l1", "step": 1, "edit_id": "1", "surface": "skills", "decision": "rejected"}
    scores = {"score_before": 0.5, "score_after": 0.4, "minibatch": 8, "decided_utc": START, "policy": "best_so_far"}
    rows.append(EditRow.model_validate(edit | scores))
    better = {"learn_id": "s1", "step": 2, "decision": "accepted", "score_before": 0.5, "score_after": 0.75}
    rows.append(EditRow.model_validate(edit | scores | better | {"harness_after": "g" * 64}))
    look = {"learn_id": "s1", "look": 1, "step": 2, "side": "test", "purpose": "gain", "matters": 9, "attempts": 18}
    rows.append(HoldoutAccessRow.model_validate(look | {"harness_version": "g" * 64, "read_utc": START}))
    return [*rows, *_harnesses(), *_twice(), *_checklist(), *_session()]


def _session() -> list[Row]:
    """A dialogue of two questions about a folder of three documents."""
    of = {"room": "lease-0123456789ab", "session": "one", "asked_utc": START, "documents": 3, "turns": 2}
    rent = {"number": 1, "question": "What is the rent?", "words": "the rent", "kind": "fact", "state": "answered"}
    bonus = {"number": 2, "question": "And the bonus?", "words": "the bonus", "kind": "fact", "missing": 1}
    return [
        SessionAskRow.model_validate(of | rent | {"ask_id": "1", "answer": "$4,000 a month", "passages": 1}),
        SessionAskRow.model_validate(of | bonus | {"ask_id": "1", "state": "searched and not found"}),
    ]


def _checklist() -> list[Row]:
    """One work product by a reference checklist of two items."""
    of = {"attempt_id": "a0", "judge_profile": "checklist", "judged_utc": START}
    scores = {"checklist": "gavel-26", "checklist_version": "v1", "alpha": 0.9, "applicable": 2, "s_checklist": 250 / 3}
    court = {"position": 0, "item_id": "filing_date", "item_group": "dates", "manner": "single", "relation": "equal"}
    relief = {"position": 1, "item_id": "remedies", "item_group": "outcome", "manner": "list", "reference_values": 4}
    return [
        ChecklistScoreRow.model_validate(
            of | scores | {"residual_ratio": 0.1, "s_residual": 50.0, "s_style": 80.0, "s_gavel": 80.0}
        ),
        ChecklistItemRow.model_validate(
            of | court | {"status": "pass", "reference_values": 1, "candidate_values": 1, "matched": 1, "score": 1.0}
        ),
        ChecklistItemRow.model_validate(
            of | relief | {"status": "fail", "candidate_values": 2, "matched": 2, "score": 2 / 3}
        ),
    ]


def _harnesses() -> list[Row]:
    """Two matters under the harness that a learning run began with, and under the one it accepted."""
    rows: list[Row] = []
    for number, (harness, statuses) in enumerate((("h", "pff"), ("h", "ppf"), ("g", "ppf"), ("g", "ppp"))):
        when = START + timedelta(hours=1 + number // 2)
        times = {"started_utc": when, "ended_utc": when}
        matter = {"matter_id": f"tax/opinion-{number % 2:03d}", "output": 1000 * number, "calls": 1, **times}
        version = {"run_id": f"s1-{harness * 10}", "cell": "learner", "harness_version": harness * 64}
        rows += everything_about(10 + number, statuses, **version, **matter)
        rows += traced_about(10 + number, fired=False, served=400 * number)
    return rows


def _twice() -> list[Row]:
    """One matter in two epochs, one of them judged twice: what varies is the answer, or the judge."""
    rows: list[Row] = []
    for number, statuses in ((20, "ppf"), (21, "pff")):
        of = {"run_id": "r2", "cell": "repeated", "matter_id": "tax/opinion-000", "epoch": number - 19}
        rows += everything_about(number, statuses, **of)
    again = START + timedelta(days=1)
    rows.append(judgement_row(20, 3).model_copy(update={"judged_utc": again}))
    return rows + [verdict_row(20, f"C-{i:03d}", "pass", judged_utc=again) for i in range(3)]


def sample_warehouse(folder: Path) -> Path:
    """Land the sample below a folder; returns the published file."""
    write_parts(folder / "parts", sample_rows())
    result = land(folder / "parts", folder / "w.duckdb")
    assert result.published, result.lines()
    assert not result.quarantined, result.lines()
    return folder / "w.duckdb"


def page(database: Path) -> str:
    """Return the page."""
    parts = [HEAD]
    for name, sentence in named_queries().items():
        answer = run_query(database, name).head(SHOWN)
        nested = [column for column, kind in answer.schema.items() if kind.is_nested()]
        table = answer.drop(nested).write_csv(float_precision=4).strip()
        parts.append(f"## {name}\n\n{sentence}\n\n```csv\n{table}\n```\n")
    return "\n".join(parts)
