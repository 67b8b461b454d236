"""The plan for a request in prose: which passages, events, figures and periods bear on it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from skills_repo.schema import Procedure
from tasks.asks.cues import cues_of
from tasks.asks.records import AskAnswer
from tasks.asks.table import ask_table
from tasks.drafting.extractive.brief import title_of_request, without_output
from tasks.drafting.extractive.dates import agreement_date
from tasks.drafting.extractive.digest import bearing, read_digest, request_words
from tasks.drafting.extractive.find_provision import Found
from tasks.drafting.extractive.lines import MESSAGES
from tasks.drafting.extractive.ownership import NOT_OURS, is_stranger
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import recomputed
from tasks.drafting.extractive.survey import Asked, Survey, planned
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import DraftJob
from tasks.retrieval.records import Passage, Skeleton
from tasks.sources.records import DocumentState

_CLAUSE = re.compile(r"[;.:]\s+|\n+|, and (?=[a-z]+ )|,\s+(?=(?:flag|identify|assess|recalculate|compare)\b)")
PARTS = 6  # parts of the request that are searched for
_WORK = re.compile(
    r"^(?:and |then |please |to )*(?:review|prepare|draft|produce|provide|analy[sz]e|compile|create|write|generate|use"
    r"|using|read)\b[^,;]{0,60}?\b(?:memo(?:randum)?|report|letter|matrix|brief|summary|chart|tracker|analysis|list"
    r"|checklist|deck|documents?|materials|agreements?|files?|papers?)\b"
    r"(?:,? (?:on|of|for|covering|addressing|about|that|with|to|and)\b)* ?",
    re.I,
)
_GAPS = re.compile(
    r"^(?:gaps?|issues?|risks?|errors?|deviations?|conflicts?|problems?) (?:in|of|with|from|between) ", re.I
)
# Parts of the work product, not of the papers.
_OWN = re.compile(
    r"(?:with |the |memo(?:randum)? |for |general counsel |client |partner )*(?:memo|recommend\w*|next steps?"
    r"|open (?:items?|points?|issues?)|action items?|prioriti[sz]ed|severity|executive summary|conclusions?"
    r"|client[- ]ready)\b.{0,30}",
    re.I,
)


def survey_of(
    job: DraftJob,
    readings: Sequence[SentencedDocument],
    settings: Procedure,
    log: Transcript,
    claims: Sequence[AskAnswer],
) -> Survey:
    """Gather what bears on a request that lists no points."""
    brief = without_output(job.matter.instructions, cues_of(job.harness.knowledge))
    request = f"{job.matter.title}. {brief}"
    strangers = [r for r in readings if is_stranger(r, readings, request)]
    ours = [r for r in readings if r not in strangers] or list(readings)
    names = [r.document for r in ours]
    asked = []
    seen: set[str] = set()
    for words in list(_parts(brief))[:PARTS] or [job.matter.title]:
        found = [p for p in job.index.search(words, settings.passages_per_topic + 2, names) if p.text not in seen]
        found = found[: settings.passages_per_topic]
        seen.update(p.text for p in found)
        log.searches += 1
        log.act(f"Search for: {words}", "search", {"query": words}, f"{len(found)} passages")
        asked.append(Asked(words[:1].upper() + words[1:], tuple(found)))
    return Survey(
        title=title_of_request(job.matter),
        table=ask_table(job.asks, claims),
        request=brief,
        papers=tuple(_paper(r, job.state.documents) for r in ours),
        digest=read_digest(ours, job.state.documents, request),
        asked=tuple(asked),
        computed=tuple(recomputed(ours)),
        coverage=job.state.coverage,
        set_aside=tuple((r.document, NOT_OURS) for r in strangers),
    )


def for_sections(job: DraftJob, skeleton: Skeleton | None, log: Transcript) -> dict[str, tuple[Passage, ...]]:
    """Return passages for the sections of a skeleton that no part of a survey fits."""
    parts = list(_parts(without_output(job.matter.instructions, cues_of(job.harness.knowledge)))) or [job.matter.title]
    found = {}
    seen: set[str] = set()
    for title in [t for t, kind in planned(skeleton) if not kind]:
        log.searches += 1
        query = f"{title} {parts[0]}"
        asked = request_words(query)
        near = [p for p in job.index.search(query, 4) if p.text not in seen and bearing(p.text, asked) >= 2]
        found[title] = tuple(near[:2])
        seen.update(p.text for p in near[:2])
    return found


def _parts(request: str) -> Iterator[str]:
    """Yield the parts of a request worth searching for: its clauses, without the words of the work itself."""
    for clause in _CLAUSE.split(request):
        words = clause.strip(" .,")
        while stripped := _WORK.match(words):
            words = words[stripped.end() :].strip(" .,")
        for part in re.split(r",\s+(?:and\s+)?|\s+and\s+(?=\w+ \w+)", _GAPS.sub("", words)):
            if len(part.split()) >= 2 and not _OWN.fullmatch(part):
                yield " ".join(part.split()[:25])


def _paper(reading: SentencedDocument, states: Sequence[DocumentState]) -> tuple[str, str, str, str, str]:
    state = next((s for s in states if s.document == reading.document), None)
    day = ""
    if reading.identity.agreement:
        day = agreement_date(reading, Found()).value
    elif reading.text.media in MESSAGES and reading.units:
        day = next((d.iso for d in reading.dates_of(reading.units[0])), "")
    people = "; ".join(reading.identity.parties[:4])
    return reading.document, state.document_type if state else "", reading.identity.title, day, people
