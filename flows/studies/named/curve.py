"""Harness-optimisation curve: each version that a learning run promoted, over a corpus (--learned ID)."""

from __future__ import annotations

from flows.studies.request import Arm, StudyRequest
from tasks.learning.ledger import read

# What each point of score costs is no question here: it compares within a run, and each version has a run of its own.
QUESTIONS = ("how_did_each_cell_do", "which_matters_were_rescued_by_which_harness")


def arms(ask: StudyRequest) -> list[Arm]:
    """Return the cells under the harness that the learning run began with, and under each that it promoted.

    Raises:
        SolonError: There is no such learning run, or it promoted nothing.
    """
    home = ask.settings.home / "learning" / ask.learned
    rows = read(home / "ledger.jsonl") if ask.learned else []
    if not rows:
        raise ask.misuse(f"there is no learning run {ask.learned!r}", "name one with --learned ID")
    promoted = dict.fromkeys(row.candidate_version for row in rows if row.accepted)
    if not promoted:
        raise ask.misuse(f"{ask.learned} promoted nothing", "take more steps: solon learn CORPUS --learn-id ID")
    folders = [None, *(home / "harnesses" / version for version in promoted)]
    return [Arm(cell, harness=folder) for folder in folders for cell in ask.cells]
