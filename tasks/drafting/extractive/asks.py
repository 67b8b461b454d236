"""What the extractive runtime answers to each ask, and what it leaves open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry, state_of
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.quoting import place_of
from tasks.drafting.records import DraftJob
from tasks.sources.records import Span

OPEN = {
    AskKind.JUDGMENT: "needs a lawyer's judgment; no model is at work here",
    AskKind.DRAFTING: "needs drafting; no model is at work here",
}
_NEAREST = 2  # passages shown beside what was not answered
_MOST_VALUES = 4  # answers of documents that the line of the table still tells apart


def answered(ask: Ask, topic: Topic, answers: Mapping[str, Answer]) -> AskAnswer:
    """Return what is claimed of an ask from the answers of its documents."""
    entries = tuple(_entry(topic, name, got) for name, got in answers.items())
    if not ask.each and any(e.state is AskState.ANSWERED for e in entries):
        entries = tuple(e for e in entries if e.state is AskState.ANSWERED)
    state = state_of(entries)
    return AskAnswer(
        ask_id=ask.ask_id, state=state, answer=_line(topic, entries), where=_where(entries, answers), entries=entries
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


def _line(topic: Topic, entries: Sequence[Entry]) -> str:
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


def left_open(ask: Ask, reason: str, job: DraftJob) -> AskAnswer:
    """Return an ask that is not attempted, with the passages nearest to it for the lawyer who will."""
    found = job.index.search(ask.subject, _NEAREST, list(ask.documents) or None)
    entry = Entry(state=AskState.NOT_ATTEMPTED, reason=reason, nearest=tuple(p.span for p in found))
    return AskAnswer(ask_id=ask.ask_id, state=AskState.NOT_ATTEMPTED, answer=reason, entries=(entry,))


def observed(ask: Ask, how: str) -> AskAnswer:
    """Return a constraint that the work product observes by its form."""
    entry = Entry(state=AskState.ANSWERED, answer=how, basis="the form of this work product")
    return AskAnswer(ask_id=ask.ask_id, state=AskState.ANSWERED, answer=how, entries=(entry,))
