"""The plan of a work product: what is answered to each ask, and what the papers record beside."""

from __future__ import annotations

from collections.abc import Sequence

from skills_repo.schema import Procedure
from tasks.asks.records import AskAnswer
from tasks.asks.table import ask_table
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.brief import Topic, title_of_request
from tasks.drafting.extractive.dependencies import dependencies_of
from tasks.drafting.extractive.generic import survey_of
from tasks.drafting.extractive.memo import Report
from tasks.drafting.extractive.ownership import NO_TERMS, NOT_OURS, is_supplement
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import recomputed
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.survey import Survey
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.editing import Marking
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.drafting.records import DraftJob


def report_of(
    job: DraftJob,
    readings: tuple[SentencedDocument, ...],
    settings: Procedure,
    log: Transcript,
    markings: Sequence[Marking] = (),
) -> tuple[Report | Survey, tuple[AskAnswer, ...]]:
    """Answer the asks of the brief; survey the papers where nothing in them answers one."""
    room = Room(job, readings, settings, log, markings=markings)
    claims = answer_asks(room)
    if not any(got.found for _, told in room.found.values() for got in told.values()):
        return survey_of(job, readings, settings, log, claims), claims
    topics = {topic.provision.name: topic for topic, _ in reversed(room.found.values())}
    asked = tuple(topics.values())[::-1]
    told = {topic.provision.name: answers for topic, answers in room.found.values()}
    names = {name for answers in told.values() for name in answers}
    chosen = [r for r in room.ours if r.document in names]
    answers = {r.document: tuple(_of(t, told[t.provision.name], r) for t in asked) for r in chosen}
    set_aside = [(r.document, NOT_OURS if r in room.strangers else NO_TERMS) for r in readings if r not in chosen]
    report = Report(
        title=_title(job, asked),
        request=job.matter.instructions,
        readings=tuple(chosen),
        topics=asked,
        answers=answers,
        settings=settings,
        coverage=job.state.coverage,
        set_aside=tuple(set_aside),
        extra=tuple(f"- Recomputed: {c}" for c in recomputed(chosen)),
        dependencies=dependencies_of(job, chosen, answers, settings),
        quiet=frozenset(r.document for r in chosen if not r.identity.agreement or is_supplement(r, chosen)),
        asked=ask_table(job.asks, claims),
    )
    return report, claims


def _of(topic: Topic, told: dict[str, Answer], reading: SentencedDocument) -> Answer:
    return told.get(reading.document) or Answer(topic, reading.document, "")


def _title(job: DraftJob, asked: Sequence[Topic]) -> str:
    """Return the subject: what the questions are about, where the folder alone gave the matter its name."""
    title = title_of_request(job.matter)
    words = "; ".join(t.words for t in asked)
    return words[:1].upper() + words[1:] if all(t.question for t in asked) and " " not in title else title
