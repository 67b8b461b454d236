"""Which sentences a model is shown for an ask: what the rules found, what nearly was, and what the search gives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skills_repo.schema import Procedure
from tasks.asks.records import Ask, Entry
from tasks.drafting.extractive.find_provision import LEAST_WORDS
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import quote, units_at
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.guided.records import Shown
from tasks.legaltext.tokens import terms
from tasks.models.fencing import inert_text
from tasks.retrieval.provisions import Provision, weigh
from tasks.sources.records import Span


def shown(ask: Ask, entry: Entry, topic: Provision | None, room: Room) -> Shown | None:
    """Return the sentences of an answer's document, or of those that its ask speaks of; None where there are none.

    The sentences that the rules rest on come first, then those with cues of the provision, then those that the search
    of the index gives; each until the bound of the procedure.
    """
    readings = [r for r in room.of(ask) if entry.document in ("", r.document)]
    best = _first(_candidates(ask, entry, topic, readings, room), room.settings.guided_sentences)
    sought = topic or made_of(ask.words, room.knowledge.vocabulary)
    texts = _texts(best, sought, readings, room.settings)
    order = sorted(texts, key=lambda u: (u.document, u.start))
    name = entry.document or (readings[0].document if len(readings) == 1 else "")
    return Shown(name, order, [texts[u] for u in order], readings) if order else None


def _candidates(
    ask: Ask, entry: Entry, topic: Provision | None, readings: Sequence[SentencedDocument], room: Room
) -> Iterator[Unit]:
    by_name = {r.document: r for r in readings}
    for span in (*entry.support, *entry.nearest):
        if span.document in by_name:
            yield from units_at(by_name[span.document], span)
    cued = [(weigh(topic, t, u.heading), u) for r in readings for u, t in _sentences(r)] if topic is not None else []
    near = sorted(((s, u) for s, u in cued if s > 0), key=lambda t: (-t[0], t[1].document, t[1].start))
    half = room.settings.guided_sentences // 2
    yield from (u for _, u in near[:half])
    query = f"{', '.join(topic.names[:3])}: {topic.means}" if topic is not None else ask.subject
    for passage in room.search(query, room.settings.guided_sentences, list(by_name)):
        if passage.span.document in by_name:
            yield from _nearest(by_name[passage.span.document], passage.span, query)
    yield from (u for _, u in near[half:])


def nearness(topic: Provision, reading: SentencedDocument) -> float:
    """Return the weight of the sentence of a document that comes nearest to a provision."""
    return max((weigh(topic, text, unit.heading) for unit, text in _sentences(reading)), default=0.0)


def _sentences(reading: SentencedDocument) -> Iterator[tuple[Unit, str]]:
    return zip(reading.units, reading.plain, strict=True)


def _nearest(reading: SentencedDocument, span: Span, query: str) -> Iterator[Unit]:
    """Yield the sentence of a passage that shares most words with a query; a heading is none."""
    asked = set(terms(query))
    whole = [u for u in units_at(reading, span) if u.words >= LEAST_WORDS]
    yield from sorted(whole, key=lambda u: (-len(asked & set(terms(u.text))), u.start))[:1]


def _first(found: Iterator[Unit], most: int) -> list[Unit]:
    """Return the first of the sentences, each once, without scraps."""
    kept: dict[tuple[str, int], Unit] = {}
    for unit in found:
        if len(kept) >= most:
            break
        if unit.words >= LEAST_WORDS:
            kept.setdefault((unit.document, unit.start), unit)
    return list(kept.values())


def _texts(
    best: Sequence[Unit], sought: Provision, readings: Sequence[SentencedDocument], settings: Procedure
) -> dict[Unit, str]:
    """Return how each sentence is shown, as many as there is room for."""
    papers = {r.document: r.text for r in readings}
    made: dict[Unit, str] = {}
    left = settings.guided_words
    for unit in best:
        said = quote(unit, sought, papers[unit.document], max(LEAST_WORDS, left)).text.strip("“”")
        if made and len(said.split()) > left:
            continue
        heading = unit.heading.split(" / ")[-1]
        made[unit] = inert_text(f"[{heading}] {said}" if heading else said)
        left -= len(said.split())
        if left < LEAST_WORDS:
            break
    return made
