"""Asks about a provision of the catalogue, or about a thing by its own words: what each document says of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from types import MappingProxyType

from tasks.asks.cues import cues_of
from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.answers import answer as answer_topic
from tasks.drafting.extractive.brief import Topic, topic_of
from tasks.drafting.extractive.lines import MESSAGES
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
from tasks.drafting.extractive.quoting import place_of, quote
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight
from tasks.sources.records import Span

_FEW = 9  # words of an ask that names a thing and is no question
_MOST_VALUES = 4  # answers of documents that the line of the table still tells apart
MOST_FIGURES = 2  # figures added to an answer; chosen by eye on the development contracts
_UNSTATED = MappingProxyType(
    {
        "duration": "no period stated",
        "money": "no amount in figures",
        "percent": "no rate stated",
        "date": "no date stated",
    }
)


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer an ask from what the documents say of its topic; None where it has none."""
    topic = _topic_of(ask, room)
    if topic is None:
        return None
    told: dict[str, Answer] = {}
    for reading in room.of(ask):
        got = _answered(topic, reading, room)
        if reading.identity.agreement or room.any_paper or (got.found and got.certain):
            told[reading.document] = got
    room.found[ask.ask_id] = (topic, told)
    return answered(ask, topic, told) if told else None


def _topic_of(ask: Ask, room: Room) -> Topic | None:
    """Return what an ask wants to know of the documents; None where it wants something else."""
    few = len(ask.words.split()) <= _FEW and not room.questions(ask.words)
    read = topic_of if few else topic_of_question
    words = ask.words if few else ask.subject
    topic = read(words, room.catalogue, room.cues) or topic_of(ask.subject, room.catalogue, room.cues)
    return trimmed_topic(topic, room.knowledge.vocabulary) if topic else None


def answered(ask: Ask, topic: Topic, answers: Mapping[str, Answer]) -> AskAnswer:
    """Return what is claimed of an ask from the answers of its documents."""
    entries = tuple(_entry(topic, name, got) for name, got in answers.items())
    if not ask.each and any(e.state is AskState.ANSWERED for e in entries):
        entries = tuple(e for e in entries if e.state is AskState.ANSWERED)
    state = state_of(entries)
    return AskAnswer(
        ask_id=ask.ask_id, state=state, answer=_line(entries), where=_where(entries, answers), entries=entries
    )


def _entry(topic: Topic, document: str, got: Answer) -> Entry:
    if got.found:
        ranked = sorted(got.support, key=lambda u: (-got.weight(u), u.start))
        spans = tuple(Span(document=document, start=u.pieces[0][0], end=u.pieces[-1][1]) for u in ranked)
        return Entry(
            document=document,
            state=AskState.ANSWERED,
            answer=got.value,
            support=spans,
            basis="" if spans else got.note or "the document's own head",
            topic=topic.provision.name if topic.provision.known else "",
            day=got.day.isoformat() if got.day else "",
            note=got.note,
            certain=got.certain,
        )
    return Entry(
        document=document,
        state=AskState.NOT_FOUND,
        answer=f"no {topic.words} provision was found",
        searched=(topic.words, *topic.provision.names[:3]),
        topic=topic.provision.name if topic.provision.known else "",
    )


def _line(entries: Sequence[Entry]) -> str:
    """Return the answer in one line: that of the document, or what the documents say, each value once."""
    if not entries:
        return ""
    if len(entries) == 1:
        return entries[0].answer
    said: dict[str, int] = {}
    for e in entries:
        if e.state is AskState.ANSWERED:
            said[" ".join(e.answer.split()[:14])] = said.get(" ".join(e.answer.split()[:14]), 0) + 1
    none = sum(e.state is AskState.NOT_FOUND for e in entries)
    parts = [f"{value} ({n} of {len(entries)})" for value, n in list(said.items())[:_MOST_VALUES]]
    parts += [f"{len(said) - _MOST_VALUES} further answers"] if len(said) > _MOST_VALUES else []
    parts += [f"none found in {none} of {len(entries)}"] if none else []
    return "; ".join(parts)


def _where(entries: Sequence[Entry], answers: Mapping[str, Answer]) -> str:
    told = [e for e in entries if e.state is AskState.ANSWERED]
    if len(entries) != 1 or not told:
        return f"{len(entries)} documents searched" if not told else "see the table of answers"
    got = answers[told[0].document]
    return f"[{told[0].document}, {place_of(max(got.support, key=got.weight))}]" if got.support else told[0].document


def _answered(topic: Topic, reading: SentencedDocument, room: Room) -> Answer:
    settings, log = room.settings, room.log
    log.searches += 1
    if topic.provision.answer == "agreement_date" and not reading.identity.agreement:
        got = _dated(topic, reading)
    elif topic.provision.known:
        got = answer_topic(topic, reading, settings)
        got = _by_heading(got, reading) if not got.found and topic.provision.answer == "clause" else got
    else:
        got = point(topic, reading, room.job.index, settings)
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
