"""Questions that ask for a kind of clause in other words: each agreement is read for that clause."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tasks.asks.records import Ask, AskAnswer, AskState, Entry, state_of
from tasks.drafting.extractive.answers import RULED_OUT
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.differing.kin import Role, deal_of
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways import passage, provision
from tasks.drafting.extractive.ways.absence import unknown_thing
from tasks.drafting.extractive.ways.finding import find
from tasks.drafting.extractive.ways.kinds import holds
from tasks.drafting.extractive.ways.question import parts_of, question_of
from tasks.drafting.extractive.ways.stated import span_of
from tasks.legaltext.parts_of_speech import tagged
from tasks.retrieval.posed import Posed
from tasks.sources.records import Span

_CLOSE = 2  # passages that a search gives where no such clause was found
_SCOPE = re.compile(
    r"\b(?:of |in |for |do |does )?(?:each|every|all|both|any)(?: one)? of (?:them|these|those|the)\b", re.I
)
# Tags of finite verbs and of question words.
_SAID_OR_ASKED = ("VB", "VH", "VD", "VM", "VVB", "VVZ", "VVD", "AVQ", "PNQ", "DTQ")
_YES = re.compile(r"^Yes(?:: |$)")
_UNSURE = "no clause of the kind “{kind}” was found, and it is not sure that the question means that"


def answer(ask: Ask, room: Room) -> AskAnswer | None:
    """Answer a question put to several agreements; None where it is like none that the catalogue knows.

    A request that says "the contracts" once and then asks on means all of them, so each is read whether or not the
    question says so itself. Where it is not sure that the question means this kind of clause, what is found is shown
    to be verified, and what is not found leaves the ask open.
    """
    if provision.topic_asked(ask, room) is not None:  # it is asked for by its name
        return None
    papers = [r for r in room.of(ask) if r.identity.agreement and not _changes_another(r, ask, room)]
    several = ask.each or len({_deal(r, room) for r in papers}) > 1
    meant = meaning(ask.words, room) if len(papers) > 1 and several else None
    if meant is None:
        return None
    sure = meant.likeness >= room.settings.posed_sure
    if not sure and unknown_thing(ask, [r.document for r in papers], room):
        return None
    by_words = None if sure else passage.answer(ask, room)
    if by_words is not None and all(e.state is AskState.ANSWERED and e.certain for e in by_words.entries):
        return by_words
    entries = tuple(_entries(ask, meant, papers, room, sure=sure))
    if not sure and not _hold_what_is_wanted(ask, entries, room):
        return by_words
    if not any(e.state is AskState.ANSWERED for e in entries) and not sure:
        return None
    return AskAnswer(ask_id=ask.ask_id, state=state_of(entries), entries=entries)


def _deal(reading: SentencedDocument, room: Room) -> str:
    """Return the first paper of the deal of a paper: a contract with its order forms is one agreement to ask about."""
    return next((p.reading.document for p in deal_of(reading.document, room.deals)), reading.document)


def _changes_another(reading: SentencedDocument, ask: Ask, room: Room) -> bool:
    """Tell whether a paper amends a contract of its deal: with it, it is one agreement, silent on most of its terms."""
    deal = deal_of(reading.document, room.deals)
    changes = any(p.role is Role.CHANGE and p.reading is reading for p in deal)
    return changes and reading.document not in ask.documents and any(p.role is Role.CONTRACT for p in deal)


def _hold_what_is_wanted(ask: Ask, entries: Sequence[Entry], room: Room) -> bool:
    """Tell whether a clause that was found holds the kind of value that is asked for: a sum, where it is "how much"."""
    wants = [p.wants for p in parts_of(ask.words, room.cues, room.notions) if p.wants]
    places = {(e.document, s.start) for e in entries for s in e.support}
    lines = [x for x in room.lines.lines if x.place in places]
    return not wants or any(holds(w, x) > 0 for w in wants for x in lines)


def is_name(words: str) -> bool:
    """Tell whether words only name a thing, "notice period to terminate": no verb of theirs is finite, none asks."""
    return not any(w.tag.startswith(_SAID_OR_ASKED) for w in tagged(provision.without_request(words)))


def meaning(words: str, room: Room) -> Posed | None:
    """Return the kind of clause that a question asks for; None if it is like none, or equally like another."""
    asked = _SCOPE.sub(" they ", room.grammar.each.sub(" it ", words))  # of which papers it is asked tells nothing
    read = room.posed.read(asked)
    return read if read is not None and read.is_meant(room.settings, is_name=is_name(words)) else None


def _entries(ask: Ask, meant: Posed, papers: Sequence[SentencedDocument], room: Room, *, sure: bool) -> Iterator[Entry]:
    topic, *beside = (Topic(p.name, p) for p in (meant.provision, *meant.beside))
    for reading in papers:
        got = provision.of_paper(topic, reading, room)
        other = _beside(beside, reading, room) if sure and not got.found else None
        if other is not None:
            yield other
        elif got.found:
            yield _told(provision.entry_of(topic, got), topic, sure=sure)
        elif sure:
            yield _denied(ask, _told(provision.entry_of(topic, got), topic, sure=sure), reading, room)
        else:
            yield _open(ask, (topic, *beside), reading, room)


def _denied(ask: Ask, entry: Entry, reading: SentencedDocument, room: Room) -> Entry:
    """Return a denial, to be verified where a sentence of the paper may answer in words that the kind does not know."""
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    found = find(parts, ask, [reading.document], room)
    likely = [f for f in found if f.best >= room.settings.denied_chance]
    if entry.state is not AskState.NOT_FOUND or not likely:
        return entry
    near = (span_of(w.line.unit) for f in likely for w in f.rivals if not w.scrap)
    return entry.model_copy(
        update={"certain": False, "nearest": tuple(dict.fromkeys((*near, *entry.nearest)))[:_CLOSE]}
    )


def _beside(kinds: Sequence[Topic], reading: SentencedDocument, room: Room) -> Entry | None:
    """Return, to be verified, a clause of another kind that the question may be after: then it is not denied."""
    for topic in kinds:
        got = provision.of_paper(topic, reading, room)
        if got.found:
            return _told(provision.entry_of(topic, got), topic, sure=False)
    return None


def _told(entry: Entry, topic: Topic, *, sure: bool) -> Entry:
    """Name the kind of clause in the place of "Yes", which says that there is one and not what was asked of it."""
    name = f"{topic.words[:1].upper()}{topic.words[1:]}: "
    said = _YES.sub(name, entry.answer)
    said = f"{name}{said[:1].lower()}{said[1:]}" if said == RULED_OUT else said
    return entry.model_copy(update={"answer": said, "certain": entry.certain and sure})


def _open(ask: Ask, kinds: Sequence[Topic], reading: SentencedDocument, room: Room) -> Entry:
    """Leave the ask open for a paper; the nearest passage is a clause of a kind like the missing one."""
    like = _beside(kinds[1:], reading, room)
    near: list[Span] = [*(like.support[:1] if like else ())]
    near += [p.span for p in room.search(ask.words, _CLOSE, [reading.document])]
    return Entry(
        document=reading.document,
        state=AskState.NOT_ATTEMPTED,
        reason=_UNSURE.format(kind=kinds[0].words),
        nearest=tuple(near[:_CLOSE]),
    )
