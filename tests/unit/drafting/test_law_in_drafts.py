"""A whole draft that uses a period of law says so where it was not checked against any text."""

import sys
from dataclasses import replace
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from ways_room import room

from tasks.drafting.stage import draft
from tasks.matter.records import Deliverable
from tasks.toolbox.registry import ToolRegistry

SERVED = """UNITED STATES DISTRICT COURT, DISTRICT OF OREGON
Ferro Looms, Inc. v. Tansy Weavers LLC

RETURN OF SERVICE
A copy of the summons and complaint was served on Tansy Weavers LLC on Monday, May 4, 2026.
"""
JUDGED = """UNITED STATES DISTRICT COURT, DISTRICT OF OREGON
JUDGMENT IN A CIVIL CASE

Plaintiff recovers $90,000 of defendant.
Entered: Monday, June 8, 2026
"""
PENDING = """UNITED STATES DISTRICT COURT, DISTRICT OF OREGON
Ferro Looms, Inc. v. Tansy Weavers LLC

The complaint was filed and has not been served.
"""


class Bench(ToolRegistry):
    """The tools, but a deliverable is kept as it was written."""

    def call(self, name, arguments):
        if name != "build_deliverable":
            return super().call(name, arguments)
        Path(arguments["path"]).write_text(arguments["markdown"], encoding="utf-8")
        return {}


def memo(tmp_path, papers, words):
    job = room(papers, f"Please tell me {words}?", (words, "calculation")).job
    matter = job.matter.model_copy(update={"deliverables": (Deliverable(name="memo", filename="memo.docx"),)})
    made = replace(job, matter=matter, workspace=tmp_path / "attempt", toolbox=Bench(job.toolbox.desk))
    assert draft(made).outcome == "finished"
    return (tmp_path / "attempt" / "output" / "memo.docx").read_text(encoding="utf-8"), job.harness.knowledge


@pytest.mark.parametrize(
    ("paper", "words", "window", "mark"),
    [
        (SERVED, "when is the answer to the complaint due", "civil_procedure/answer", ""),  # confirmed: no mark
        (JUDGED, "the last day for the notice of appeal", "appeals/notice_of_appeal", "verify the period against"),
        (PENDING, "when is the answer to the complaint due", "civil_procedure/answer", "as of 2022-12-01"),
    ],
)
def test_a_draft_that_uses_a_period_says_how_it_stands(tmp_path, paper, words, window, mark):
    text, knowledge = memo(tmp_path, {"docket.txt": paper}, words)
    (row,) = (w for w in knowledge.windows if w.window_id == window)
    assert row.authority in text
    assert mark in text


def test_the_first_page_tells_a_period_that_was_not_checked_with_its_day(tmp_path):
    paper = JUDGED.replace("JUDGMENT IN A CIVIL CASE", "ORDER").replace("Entered", "The judgment was entered on")
    text, knowledge = memo(tmp_path, {"docket.txt": paper}, "the last day for the notice of appeal")
    (row,) = (w for w in knowledge.windows if w.window_id == "appeals/notice_of_appeal")
    assert knowledge.standings.of(row.model_dump()).verified == "not checked"
    first, _, _ = text.partition("## Findings")
    assert f"{row.authority}, not checked" in first, first
