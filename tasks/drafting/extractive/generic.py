"""A report for a brief that names no topics: what the documents say on the points that usually matter."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.drafting.extractive.answers import Settings, answer
from tasks.drafting.extractive.brief import Topic, title_of_request
from tasks.drafting.extractive.catalogue import Provision
from tasks.drafting.extractive.memo import Report
from tasks.drafting.extractive.reading import Reading
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import DraftJob

USUAL = (
    "parties", "agreement date", "effective date", "expiration date", "renewal term", "governing law", "payment terms",
    "termination for convenience", "termination for cause", "restriction on assignment", "change of control",
    "indemnification", "cap on liability",
)  # fmt: skip


def general_report(
    job: DraftJob, readings: Sequence[Reading], known: Sequence[Provision], settings: Settings, log: Transcript
) -> Report:
    """Report on the usual points of every document that is an agreement."""
    by_name = {p.name: p for p in known}
    asked = tuple(Topic(n, by_name[n]) for n in USUAL if n in by_name)
    answers = {r.document: tuple(answer(t, r, settings) for t in asked) for r in readings}
    log.searches += len(asked) * len(readings)
    return Report(
        title=title_of_request(job.matter),
        request=job.matter.instructions,
        readings=tuple(readings),
        topics=asked,
        answers=answers,
        settings=settings,
        coverage=job.state.coverage,
    )
