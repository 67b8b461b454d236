"""From a matter to what is rendered: every ask answered, its line told, the constraints checked on the draft."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from skills_repo.schema import Procedure
from tasks.asks.records import Ask, AskAnswer, AskState
from tasks.drafting.extractive.differing.contrast import Contrast, contrast_of
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.ownership import NO_TERMS, NOT_OURS, UNUSED
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import recomputed
from tasks.drafting.extractive.render.contrasts import heeding_contrasts
from tasks.drafting.extractive.render.lines import with_lines
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.ties import Ties, ties_of
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.room import NoSecondReader, Room, SecondReader
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.as_amended import heeding_amendments
from tasks.drafting.extractive.ways.form import observed
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.drafting.extractive.ways.unread import heeding_scans, heeding_unread
from tasks.drafting.records import DraftJob
from tasks.retrieval.records import Skeleton

_BRIEF = {"memo_words": 100, "passages_per_topic": 1, "ledger": False, "recommend_actions": False}
_SUBJECT_WORDS = 24  # what a subject line takes in two lines
_NAMED = 3  # asks that a subject names


@dataclass(frozen=True)
class Craft:
    """How the asks of a brief are answered and the draft is written.

    Attributes:
        second: Reviews every answer of the ways.
        answer: Answers the asks of a room.
        ties: What each finding depends on.
        write: The draft as Markdown, its sections named as a skeleton asks.
        form: What such a draft is called in the trace.
    """

    second: SecondReader = field(default_factory=NoSecondReader)
    answer: Callable[[Room], tuple[AskAnswer, ...]] = answer_asks
    ties: Callable[[DraftJob, Told], Ties] = ties_of
    write: Callable[[Told, Skeleton | None], str] = memorandum
    form: str = "memorandum"


def told_of(
    job: DraftJob,
    readings: Sequence[SentencedDocument],
    settings: Procedure,
    log: Transcript,
    tabular: bool = False,
    markings: Sequence[Marking] = (),
    craft: Craft | None = None,
) -> Told:
    """Answer the asks of the brief and gather what the work product is rendered from.

    Args:
        job: The matter.
        readings: Its readable documents.
        settings: The procedure of the routed skill.
        log: Records the work.
        tabular: Whether one of the deliverables is a table.
        markings: What became of the changes that the brief instructs.
        craft: How the asks are answered and the draft is written; as the extractive runtime does it when None.
    """
    craft = craft or Craft()
    room = Room(job, readings, settings, log, markings=markings, second=craft.second)
    return told_in(room, craft.answer(room), craft, tabular)


def told_in(room: Room, answers: Sequence[AskAnswer], craft: Craft, tabular: bool = False) -> Told:
    """Gather what the work product is rendered from, once the asks are answered; arguments as of ``told_of``."""
    job, readings, settings = room.job, room.readings, room.settings
    answers = heeding_amendments(answers, room)
    answers = heeding_scans(heeding_unread(job.asks, answers, job.state.coverage), job.texts)
    told = Told(
        title="",
        subject="",
        asks=job.asks,
        answers={a.ask_id: a for a in answers},
        readings={r.document: r for r in readings},
        settings=settings,
        cues=room.cues,
        catalogue={p.name: p for p in room.catalogue},
        coverage=job.state.coverage,
        set_aside=(),
        computed=tuple(recomputed(room.ours)),
        signature=room.second.signature(),
        contrasts={a.ask_id: found for a in job.asks.asks if (found := _contrasts(a, answers, room))},
    )
    told = told.with_answers(heeding_contrasts(told))
    told = replace(told, set_aside=_set_aside(room, tuple(told.answers.values()), told.contrasts))
    subject = job.asks.title or _subject(told)
    told = replace(told, subject=subject, title=re.sub(r"\s+", " ", job.matter.title).strip() or subject)
    told = replace(told, ties=craft.ties(job, told)).with_answers(with_lines(told))
    brief = replace(told, settings=settings.model_copy(update=_BRIEF))
    checks = [(t, observed(room, told.answers.values(), craft.write(t, None), tabular=tabular)) for t in (told, brief)]
    # What makes a draft short enough is left out of it only where that meets one more constraint.
    chosen, checked = max(checks, key=lambda c: (sum(a.state is AskState.ANSWERED for a in c[1]), c[0] is told))
    return chosen.with_answers([*told.answers.values(), *checked])


def _contrasts(ask: Ask, answers: Sequence[AskAnswer], room: Room) -> Sequence[Contrast]:
    """Return what the papers say to an ask, set against each other, where any says it otherwise or in other words."""
    got = next((a for a in answers if a.ask_id == ask.ask_id), None)
    return contrast_of(ask, got, room) if got is not None else ()


def _set_aside(
    room: Room, answers: Sequence[AskAnswer], contrasts: Mapping[str, Sequence[Contrast]]
) -> tuple[tuple[str, str], ...]:
    """Return the documents of which nothing is told, each with the reason."""
    entries = [e for a in answers for e in a.entries]
    spans = [s for e in entries for s in (*e.support, *e.nearest)]
    told = {e.document for e in entries} | {s.document for s in spans}
    told |= {document for found in contrasts.values() for c in found for document in c.documents}
    open_ended = any(e.state is not AskState.ANSWERED for e in entries if not e.document)
    return tuple(
        (r.document, NOT_OURS if r in room.strangers else UNUSED if r.identity.agreement or open_ended else NO_TERMS)
        for r in room.readings
        if r.document not in told
    )


def _subject(told: Told) -> str:
    """Return what is asked, in few words: the first points by their names, and how many follow."""
    asked = [told.label(ask).rstrip("?") for ask, _ in told.asks_in(*AskState)]
    words = "; ".join(asked[:_NAMED]).split() or ["Memorandum"]
    cut = " ".join(words[:_SUBJECT_WORDS]) + (" …" if len(words) > _SUBJECT_WORDS else "")
    rest = len(asked) - _NAMED
    return cut + (f" and {rest} further point{'s' if rest > 1 else ''}" if rest > 0 else "")
