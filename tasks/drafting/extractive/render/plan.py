"""From a matter to what is rendered: every ask answered, its line told, the constraints checked on the draft."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from skills_repo.schema import Procedure
from tasks.asks.records import AskAnswer, AskState
from tasks.drafting.extractive.ownership import NO_TERMS, NOT_OURS, UNUSED
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import recomputed
from tasks.drafting.extractive.render.lines import with_lines
from tasks.drafting.extractive.render.memo import memorandum
from tasks.drafting.extractive.render.ties import ties_of
from tasks.drafting.extractive.render.told import Told
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.form import observed
from tasks.drafting.extractive.ways.registry import answer_asks
from tasks.drafting.records import DraftJob

_TITLE_WORDS = 12
_NAMED = 3  # asks that a title made of them names


def told_of(
    job: DraftJob, readings: Sequence[SentencedDocument], settings: Procedure, log: Transcript, tabular: bool = False
) -> Told:
    """Answer the asks of the brief and gather what the work product is rendered from.

    Args:
        job: The matter.
        readings: Its readable documents.
        settings: The procedure of the routed skill.
        log: Records the work.
        tabular: Whether one of the deliverables is a table.
    """
    room = Room(job, readings, settings, log)
    answers = answer_asks(room)
    told = Told(
        title="",
        asks=job.asks,
        answers={a.ask_id: a for a in answers},
        readings={r.document: r for r in readings},
        settings=settings,
        cues=room.cues,
        catalogue={p.name: p for p in room.catalogue},
        coverage=job.state.coverage,
        set_aside=_set_aside(room, answers),
        computed=tuple(recomputed(room.ours)),
    )
    told = replace(told, title=_title(job, told))
    told = replace(told, ties=ties_of(job, told)).with_answers(with_lines(told))
    checked = observed(room, told.answers.values(), memorandum(told), tabular=tabular)
    return told.with_answers([*told.answers.values(), *checked])


def _set_aside(room: Room, answers: Sequence[AskAnswer]) -> tuple[tuple[str, str], ...]:
    """Return the documents of which nothing is told, each with the reason."""
    entries = [e for a in answers for e in a.entries]
    spans = [s for e in entries for s in (*e.support, *e.nearest)]
    told = {e.document for e in entries} | {s.document for s in spans}
    open_ended = any(e.state is not AskState.ANSWERED for e in entries if not e.document)
    return tuple(
        (r.document, NOT_OURS if r in room.strangers else UNUSED if r.identity.agreement or open_ended else NO_TERMS)
        for r in room.readings
        if r.document not in told
    )


def _title(job: DraftJob, told: Told) -> str:
    """Return the title of the matter; where only a folder gave one, what is asked."""
    given = re.sub(r"\s+", " ", job.matter.title).strip()
    if given:
        return given
    asked = [told.label(ask).rstrip("?") for ask, _ in told.asks_in(*AskState)]
    words = "; ".join(asked[:_NAMED]) or job.matter.matter_id
    cut = " ".join(words.split()[:_TITLE_WORDS]) + (" …" if len(words.split()) > _TITLE_WORDS else "")
    return cut + (f" and {len(asked) - _NAMED} further points" if len(asked) > _NAMED else "")
