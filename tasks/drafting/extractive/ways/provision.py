"""Asks that name a provision of the catalogue: what each document says of it, in typed form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.answers import TopicAnswer
from tasks.drafting.extractive.answers import answer as answer_topic
from tasks.drafting.extractive.bound import bound_by
from tasks.drafting.extractive.brief import Topic, topic_of, topics_named
from tasks.drafting.extractive.lines import MESSAGES
from tasks.drafting.extractive.points import (
    GIST_WORDS,
    answering_figure,
    first_words,
    headed_sentences,
    sought,
)
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.legaltext.parts_of_speech import tagged
from tasks.sources.records import Span

_FEW = 9  # words of an ask that names a thing and is no question
_FOR = re.compile(r"\A(?!\W*(?:find|see)\b).{0,60}?\bfor\s+", re.I)  # "find the price for the option" reads nothing
_MODIFIES = ("NN", "AJ", "VVN", "VVG")  # tags of what tells one thing of a name from another
_BESIDE = 2  # words beside the name of a provision that only tell to state it


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer an ask from what the documents say of its topic; None where it has none."""
    topic = topic_asked(ask, room)
    if topic is None:
        return None
    told: dict[str, TopicAnswer] = {}
    for reading in room.of(ask):
        got = of_paper(topic, reading, room)
        if reading.identity.agreement or room.any_paper or (got.found and got.certain):
            told[reading.document] = got
    if not any(a.found for a in told.values()) and not any(r.identity.agreement for r in room.of(ask)):
        return None  # the catalogue knows how agreements write: of an offer or a letter its silence proves nothing
    return answered(ask, topic, told) if told else None


def topic_asked(ask: Ask, room: Room) -> Topic | None:
    """Return the provision of the catalogue that an ask names and nothing else; None where it asks in other words."""
    named = [t for t in topics_named(ask.words, room.catalogue, room.cues) if not room.cues.mere.fullmatch(t.words)]
    words = without_request(_behind_reading(ask.words, room))
    beside = len(words.split()) - sum(len(t.words.split()) for t in named)
    if len(named) == 1 and beside <= _BESIDE and not room.cues.question.search(ask.words):
        return None if _is_of_another(named[0], words, room) else named[0]  # "note its governing law"
    if len(ask.words.split()) > _FEW or room.grammar.asks(ask.words):
        return None
    return topic_of(ask.words, room.catalogue, room.cues)


def _is_of_another(topic: Topic, words: str, room: Room) -> bool:
    """Tell whether a word before the name of a provision makes it another thing: "territorial exclusivity".

    A name of several words is as full as it needs to be ("the current governing law"), and a word for a paper tells
    nothing apart ("lease term").
    """
    if len(re.findall(r"\w+", topic.words)) > 1:
        return False
    found = tagged(words)
    at = next((n for n, w in enumerate(found) if words.startswith(topic.words, w.start)), 0)
    before = found[at - 1] if at else None
    return (
        before is not None
        and before.tag.startswith(_MODIFIES)
        and not room.grammar.words["paper"].fullmatch(before.text)
    )


def _behind_reading(words: str, room: Room) -> str:
    """Return what the papers are to be read for: "review the agreement for change of control"."""
    behind = _FOR.search(words) if room.grammar.words["perusal"].match(words) else None
    return words[behind.end() :] if behind else words


def without_request(words: str) -> str:
    """Return what is asked for without the verb that asks: "give me the governing law"."""
    found = tagged(words)
    at = 0
    if found and found[0].tag in ("VVB", "VVI"):
        at = next((n for n, w in enumerate(found[1:], 1) if w.tag != "PNP"), 0)
    return words[found[at].start :] if found else words


def answered(ask: Ask, topic: Topic, answers: Mapping[str, TopicAnswer]) -> AskAnswer:
    """Return what is claimed of an ask from the answers of its documents."""
    entries = tuple(entry_of(topic, got) for got in answers.values())
    if not ask.each and any(e.state is AskState.ANSWERED for e in entries):
        entries = tuple(e for e in entries if e.state is AskState.ANSWERED)
    return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), entries=entries)


def entry_of(topic: Topic, got: TopicAnswer) -> Entry:
    """Return what is claimed of one paper: its answer, or that it has no such provision."""
    document = got.document
    if got.found:
        ranked = sorted(got.support, key=lambda u: (-got.weight(u), u.start))
        spans = tuple(Span(document=document, start=u.pieces[0][0], end=u.pieces[-1][1]) for u in ranked)
        return Entry(
            document=document,
            state=AskState.ANSWERED,
            answer=got.value,
            support=spans,
            basis="" if spans else got.note or "the document's own head",
            topic=topic.provision.name,
            day=got.day.isoformat() if got.day else "",
            note=got.note,
            certain=got.certain,
        )
    return Entry(
        document=document,
        state=AskState.NOT_FOUND,
        answer=f"no {topic.words} provision was found",
        searched=(topic.words, *topic.provision.names[:3]),
        nearest=tuple(
            Span(document=document, start=u.pieces[0][0], end=u.pieces[-1][1]) for u in (*got.denials, *got.near)
        ),
        certain=not got.near,
        topic=topic.provision.name,
    )


def of_paper(topic: Topic, reading: SentencedDocument, room: Room) -> TopicAnswer:
    """Return what one paper says of a topic, and note the look-up in the trace."""
    settings, log = room.settings, room.log
    log.searches += 1
    if topic.provision.answer == "agreement_date" and not reading.identity.agreement:
        got = _dated(topic, reading)
    else:
        got = answer_topic(topic, reading, settings)
        got = _by_heading(got, reading) if not got.found and topic.provision.answer == "clause" else got
    got = _with_bound(_with_plain_value(got, reading))
    arguments = {"path": reading.document, "topic": topic.words}
    log.look_up(f"Look for {topic.words} in {reading.document}.", "search", arguments, got.value or "none found")
    return got


def _dated(topic: Topic, reading: SentencedDocument) -> TopicAnswer:
    """Return the date of a message; any other document that is not an agreement has no agreement date."""
    first = reading.units[0] if reading.units and reading.text.media in MESSAGES else None
    sent = next(iter(reading.dates_of(first)), None) if first is not None else None
    if first is None or sent is None:
        return TopicAnswer(topic, reading.document, "")
    note = "Date of the message, which is no agreement."
    return TopicAnswer(topic, reading.document, sent.iso, date.fromisoformat(sent.iso), note)


def _by_heading(got: TopicAnswer, reading: SentencedDocument) -> TopicAnswer:
    """Return the text below a heading that names the provision; tried before reporting the provision as missing."""
    units = () if got.denials else tuple(headed_sentences(got.topic.provision, reading))
    if not units:
        return got
    return replace(got, value="Yes", support=units, weights=(1.0,) * len(units), certain=False)


def _with_bound(got: TopicAnswer) -> TopicAnswer:
    """Say in the answer whom a restriction binds, where its words do not say it already."""
    if not got.value.startswith("Yes") or not got.support:
        return got
    who = bound_by(max(got.support, key=got.weight).text)
    return got if not who or who in got.value else replace(got, value=f"{got.value}; binds {who}")


def _with_plain_value(got: TopicAnswer, reading: SentencedDocument) -> TopicAnswer:
    """Say in the answer itself what a clause provides, where the catalogue says no more than that there is one."""
    if got.value != "Yes" or not got.support:
        return got
    best = max(got.support, key=got.weight)
    figure, _ = answering_figure(sought(got.topic.words, reading.knowledge.vocabulary), best, reading)
    # The clause of the sentence in which the provision stands, not the words that lead up to it.
    core = quote(best, got.topic.provision, reading.text, GIST_WORDS)
    told = first_words(replace(best, text=core.fragments[0])).removesuffix(" …")
    return replace(got, value=f"Yes: {figure or told + ('' if core.closes else ' …')}")
