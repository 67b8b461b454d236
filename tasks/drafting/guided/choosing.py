"""The likeliest sentences by the rules, put before a model that chooses the one that answers; both make the order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tasks.asks.records import Ask, AskKind, AskState, Entry
from tasks.drafting.extractive.points import made_of
from tasks.drafting.extractive.quoting import quote
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.units import Unit
from tasks.drafting.extractive.ways.certainty import is_turned_about
from tasks.drafting.extractive.ways.finding import PartFound, asked_documents, find
from tasks.drafting.extractive.ways.passage import entry_of, is_timed
from tasks.drafting.extractive.ways.question import question_of
from tasks.drafting.extractive.ways.stated import span_of
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.drafting.guided.records import Choice, Shown
from tasks.models.fencing import inert_text
from tasks.sources.records import Span

CHOSEN = "Chosen by the model among the nearest sentences."
_MOST = 3  # sentences that are shown, as by the rules
_LEAST = 1e-6  # a chance is never none


@dataclass(frozen=True)
class Candidates:
    """Sentences that may answer an ask, as a model is shown them.

    Attributes:
        told: Each with what it was found for, in the order in which they are shown.
    """

    given: Shown
    told: Sequence[tuple[PartFound, Weighed]]

    def ordered(self, said: Choice, weight: float) -> list[tuple[PartFound, Weighed]]:
        """Return the sentences by what the rules and the model make of them together, the likeliest first."""
        scored = (
            (max(w.chance, _LEAST) ** (1.0 - weight) * m**weight, at)
            for at, ((_, w), m) in enumerate(zip(self.told, said.weights, strict=True))
        )
        return [self.told[at] for _, at in sorted(scored, key=lambda t: (-t[0], t[1]))]


def candidates(ask: Ask, document: str, room: Room) -> Candidates | None:
    """Return the likeliest sentences of a document, or of all that an ask is answered from; None where there are none.

    Args:
        ask: What is asked.
        document: The one document that is read; all that the ask may be answered from when empty.
        room: The work on the matter.
    """
    parts = question_of(ask, room.cues, room.notions, room.lines.is_party)
    if all(room.lines.is_party(n) for p in parts for n in p.notions):
        return None
    documents = [document] if document else asked_documents(ask, room)
    best: dict[tuple[str, int], tuple[PartFound, Weighed]] = {}
    for found in find(parts, ask, documents, room):
        for weighed in found.ranked:
            held = best.get(weighed.line.place)
            if held is None or held[1].chance < weighed.chance:
                best[weighed.line.place] = (found, weighed)
    likeliest = sorted(best.values(), key=lambda t: (-t[1].chance, t[1].line.place))[: room.settings.guided_choices]
    told = sorted(likeliest, key=lambda t: t[1].line.place)
    units = [w.line.unit for _, w in told]
    readings = [r for r in room.readings if r.document in documents]
    texts = list(_texts(ask, told, room))
    name = documents[0] if len(documents) == 1 else ""
    return Candidates(Shown(name, units, texts, readings), told) if told else None


def _texts(ask: Ask, told: Sequence[tuple[PartFound, Weighed]], room: Room) -> Iterator[str]:
    """Yield how each sentence is shown: its paper where there are several, its heading, its words around the cues."""
    limit = room.settings.guided_choice_words // max(1, len(told))
    sought = made_of(ask.words, room.knowledge.vocabulary)
    several = len(room.readings) > 1
    for _, weighed in told:
        unit, reading = weighed.line.unit, weighed.line.reading
        above = [reading.identity.short] if several else []
        above += [unit.heading.split(" / ")[-1]] if unit.heading else []
        said = quote(unit, sought, reading.text, limit).text.strip("“”")
        yield inert_text(f"[{'; '.join(above)}] {said}" if above else said)


def chosen(
    ask: Ask, before: Sequence[Entry], ordered: Sequence[tuple[PartFound, Weighed]], room: Room
) -> tuple[Entry, ...]:
    """Return the answers in the order that the model's choice made, to be verified.

    As many sentences are shown as the rules showed; where these left the ask open, the likeliest one.

    Args:
        ask: What is asked.
        before: What the rules made of it.
        ordered: The sentences, the likeliest first.
        room: The work on the matter.
    """
    shown = [s for e in before if e.state is AskState.ANSWERED for s in e.support]
    count = sum(any(touch(s, w.line.unit) for s in shown) for _, w in ordered)
    first = shown[0] if shown else None
    if first is not None and touch(first, ordered[0][1].line.unit):
        return tuple(e.model_copy(update={"vouched": "both"}) for e in before)
    kept = ordered[: min(_MOST, max(1, count))]
    led = not any(is_turned_about(replace(f, ranked=[w]), ask, room) for f, w in kept)
    led = led and (ask.kind is not AskKind.YES_NO or len(kept) == 1)
    timed = is_timed(ask, [f.part for f, _ in kept])
    reasons = dict.fromkeys(e.reason.rstrip(".") for e in before if e.reason)
    note = " ".join([CHOSEN, *(f"The rules left it open: {reason}." for reason in reasons)])
    documents = dict.fromkeys(w.line.reading.document for _, w in kept)
    made = []
    for name in documents:
        told = [(f.part, w) for f, w in kept if w.line.reading.document == name]
        entry = entry_of(name, ask, told, room, certain=False, timed=timed, led=led)
        made.append(entry.model_copy(update={"note": note, "vouched": "model"}))
    return tuple(made)


def nearest_first(entry: Entry, unit: Unit) -> Entry:
    """Return an ask that stays open with a sentence before the others that are near it."""
    if entry.state is not AskState.NOT_ATTEMPTED:
        return entry.model_copy(update={"vouched": "rules"})
    kept = tuple(span for span in entry.nearest if not touch(span, unit))
    return entry.model_copy(update={"nearest": (span_of(unit), *kept), "vouched": "model"})


def touch(span: Span, unit: Unit) -> bool:
    """Tell whether a span touches a sentence."""
    return span.document == unit.document and span.start < unit.pieces[-1][1] and unit.pieces[0][0] < span.end
