"""The plan of a work product: which points to answer for which documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from skills_repo.schema import Procedure
from tasks.asks.cues import BriefCues, cues_of
from tasks.asks.records import Ask, AskAnswer, AskKind, AskState
from tasks.asks.table import ask_table
from tasks.drafting.extractive.answers import Answer, answer
from tasks.drafting.extractive.asks import OPEN, answered, left_open, observed
from tasks.drafting.extractive.brief import Topic, title_of_request, topic_of
from tasks.drafting.extractive.dependencies import dependencies_of
from tasks.drafting.extractive.generic import survey_of
from tasks.drafting.extractive.lines import MESSAGES
from tasks.drafting.extractive.memo import Report
from tasks.drafting.extractive.ownership import NO_TERMS, NOT_OURS, is_stranger, is_supplement, speaks_of_any_paper
from tasks.drafting.extractive.points import (
    GIST_WORDS,
    answering_figure,
    figures,
    first_words,
    headed_sentences,
    point,
    sought,
    trimmed_topic,
)
from tasks.drafting.extractive.questions import topic_of_question, unanswered_part
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.recalculating import recomputed
from tasks.drafting.extractive.survey import Survey
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.units import Unit
from tasks.drafting.records import DraftJob
from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import Provision, catalogue_of

_FEW = 9  # words of an ask that names a thing and is no question
MOST_FIGURES = 2  # figures added to an answer; chosen by eye on the development contracts
_UNSTATED = MappingProxyType(
    {
        "duration": "no period stated",
        "money": "no amount in figures",
        "percent": "no rate stated",
        "date": "no date stated",
    }
)


def report_of(
    job: DraftJob, readings: tuple[SentencedDocument, ...], settings: Procedure, log: Transcript
) -> tuple[Report | Survey, tuple[AskAnswer, ...]]:
    """Answer the asks of the brief that are about what documents say; survey the papers where none is."""
    known, cues = catalogue_of(job.harness.knowledge), cues_of(job.harness.knowledge)
    read = {a.ask_id: t for a in job.asks.asks if (t := _topic_of(a, job, known, cues)) is not None}
    request = f"{job.matter.title}. {job.matter.instructions}"
    strangers = [r for r in readings if is_stranger(r, readings, request)]
    ours = [r for r in readings if r not in strangers] or list(readings)
    everything = speaks_of_any_paper(job.matter.instructions) or not any(r.identity.agreement for r in ours)
    asked = tuple({t.provision.name: t for t in reversed(list(read.values()))}.values())[::-1]
    answers: dict[str, tuple[Answer, ...]] = {}
    chosen: list[SentencedDocument] = []
    for reading in ours if asked else ():
        got = tuple(_answered(t, reading, job, settings, log) for t in asked)
        if reading.identity.agreement or everything or _is_informative(got):
            chosen.append(reading)
            answers[reading.document] = got
    claims = tuple(_claim(a, read.get(a.ask_id), asked, answers, job) for a in job.asks.asks)
    if not any(c.state is AskState.ANSWERED and read.get(c.ask_id) for c in claims):
        return survey_of(job, readings, settings, log, claims), claims
    set_aside = [(r.document, NOT_OURS if r in strangers else NO_TERMS) for r in readings if r not in chosen]
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


def _topic_of(ask: Ask, job: DraftJob, known: Sequence[Provision], cues: BriefCues) -> Topic | None:
    """Return what an ask wants to know of the documents; None where it wants something else."""
    if ask.kind in OPEN or ask.kind is AskKind.CONSTRAINT:
        return None
    few = len(ask.words.split()) <= _FEW and not cues.asks(ask.words)
    topic = topic_of(ask.words, known, cues) if few else topic_of_question(ask.subject, known, cues)
    topic = topic or topic_of(ask.subject, known, cues)
    return trimmed_topic(topic, job.harness.knowledge.vocabulary) if topic else None


def _claim(
    ask: Ask,
    topic: Topic | None,
    asked: Sequence[Topic],
    answers: Mapping[str, Sequence[Answer]],
    job: DraftJob,
) -> AskAnswer:
    if ask.kind is AskKind.CONSTRAINT:
        return observed(ask, "observed")
    if topic is None:
        return left_open(ask, OPEN.get(ask.kind, "it names nothing that could be looked up"), job)
    at = next(i for i, t in enumerate(asked) if t.provision.name == topic.provision.name)
    told = {name: got[at] for name, got in answers.items() if not ask.documents or name in ask.documents}
    if not told:
        return left_open(ask, "no document of the data room has operative terms", job)
    return answered(ask, topic, told)


def _title(job: DraftJob, asked: Sequence[Topic]) -> str:
    """Return the subject: what the questions are about, where the folder alone gave the matter its name."""
    title = title_of_request(job.matter)
    words = "; ".join(t.words for t in asked)
    return words[:1].upper() + words[1:] if all(t.question for t in asked) and " " not in title else title


def _is_informative(answers: Sequence[Answer]) -> bool:
    """Tell whether a document that is not an agreement says something certain on a point."""
    return any(a.found and a.certain for a in answers)


def _answered(topic: Topic, reading: SentencedDocument, job: DraftJob, settings: Procedure, log: Transcript) -> Answer:
    log.searches += 1
    if topic.provision.answer == "agreement_date" and not reading.identity.agreement:
        got = _dated(topic, reading)
    elif topic.provision.known:
        got = answer(topic, reading, settings)
        got = _by_heading(got, reading) if not got.found and topic.provision.answer == "clause" else got
    else:
        got = point(topic, reading, job.index, settings)
    got = (
        _to_the_question(_with_plain_value(got, reading), reading)
        if topic.question
        else _with_plain_value(got, reading)
    )
    arguments = {"path": reading.document, "topic": topic.words}
    log.act(f"Look for {topic.words} in {reading.document}.", "search", arguments, got.value or "none found")
    return got


def _dated(topic: Topic, reading: SentencedDocument) -> Answer:
    """Return the date of a message; any other document that is not an agreement has no agreement date."""
    first = reading.units[0] if reading.units and reading.text.media in MESSAGES else None
    sent = next(iter(reading.dates_of(first)), None) if first is not None else None
    if first is None or sent is None:
        return Answer(topic, reading.document, "")
    note = "Date of the message, which is no agreement."
    return Answer(topic, reading.document, sent.iso, date.fromisoformat(sent.iso), note)


def _by_heading(got: Answer, reading: SentencedDocument) -> Answer:
    """Return the text below a heading that names the provision; tried before reporting the provision as missing."""
    units = () if got.denials else tuple(headed_sentences(got.topic.provision, reading))
    if not units:
        return got
    return replace(got, value="Yes", support=units, weights=(1.0,) * len(units), certain=False)


def _to_the_question(got: Answer, reading: SentencedDocument) -> Answer:
    """Add the figure that a question asks for, and say so where the clause does not say what is asked of it."""
    if not got.found or got.topic.provision.answer != "clause":
        return got
    told = list(
        dict.fromkeys(f for kind in got.topic.kinds for u in _main_sentences(got) for f in figures(kind, u, reading))
    )
    told = told[:MOST_FIGURES]
    # "Yes" says that there is such a clause; to a question it would read as the answer.
    value = got.value.removeprefix("Yes").lstrip(":; ")
    effects = [e for e in value.split("; ") if e in dict(got.topic.provision.effects)]
    absent = [] if told else [n for kind in got.topic.kinds[:1] if (n := _UNSTATED.get(kind))]
    value = "; ".join([*(effects if effects or told else [value.rstrip(".") or "provided for"]), *told, *absent])
    missing = unanswered_part(got.topic, straight(" ".join(u.text for u in got.support)), cues_of(reading.knowledge))
    if missing:
        value = f"no word on {missing} in the clause ({value})"
    return replace(got, value=value[:1].upper() + value[1:])


def _main_sentences(got: Answer) -> list[Unit]:
    """Return the sentences that support an answer, the best first, without those that merely continue them."""
    best = max((got.weight(u) for u in got.support), default=0.0)
    return sorted((u for u in got.support if got.weight(u) >= 0.6 * best), key=lambda u: -got.weight(u))


def _with_plain_value(got: Answer, reading: SentencedDocument) -> Answer:
    """Say in the answer itself what a clause provides, where the catalogue says no more than that there is one."""
    if got.value != "Yes" or not got.support:
        return got
    best = max(got.support, key=got.weight)
    figure, _ = answering_figure(sought(got.topic.words, reading.knowledge.vocabulary), best, reading)
    # The clause of the sentence in which the provision stands, not the words that lead up to it.
    core = quote(best, got.topic.provision, reading.text, GIST_WORDS)
    told = first_words(replace(best, text=core.fragments[0])).removesuffix(" …")
    return replace(got, value=f"Yes: {figure or told + ('' if core.closes else ' …')}")
