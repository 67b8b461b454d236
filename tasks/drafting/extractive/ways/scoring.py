"""Which sentence answers a part of a question, and how sure that is: a scorer fitted on answered questions.

Every signal of a sentence has a weight; their sum speaks for the sentence as against all others and against none
(a conditional logit: D. McFadden, 1974). A second logit tells how likely the likeliest sentence answers rightly. The
weights are data of the harness (``knowledge_db/data/ranking/answers.toml``); ``solon study answers`` fits them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tasks.asks.records import AskKind
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways.kinds import values
from tasks.drafting.extractive.ways.signals import SoughtPart, close_signals, plain_signals, stands_to
from tasks.drafting.extractive.ways.weighing import Weighed
from tasks.retrieval.together import read_together

# Kinds of answers that are made of what sentences say, and that no one sentence gives or denies.
WORKED_OUT = frozenset({AskKind.CALCULATION, AskKind.COMPARISON, AskKind.TIMELINE})
_CLOSELY = 60  # sentences that are read closely: of 571 places that answer, 560 are among the first sixty
_TOGETHER = 12  # of them, sentences that are read together with the question; with sixty, no more answers come first
_KEPT = ("alike", "found", "kind", "rule", "agreement", "no_stance")
_LEAST = 1e-6  # a chance is never none, nor certain


def ranked(of: SoughtPart, documents: Sequence[str], room: Room) -> list[Weighed]:
    """Return the sentences that may answer a part of a question, the likeliest first, each with its chance."""
    read = closely_read(of, likeliest(of, documents, room), room)
    weights = room.knowledge.answers.sentence
    told = [replace(w, logit=_sum(weights.model_dump(), signals)) for w, signals in read]
    whole = math.exp(weights.nothing) + sum(math.exp(w.logit) for w in told)
    likely = (replace(w, chance=math.exp(w.logit) / whole) for w in told)
    return sorted(likely, key=lambda w: (-w.chance, w.line.place))


Read = tuple[Weighed, Mapping[str, float]]


def likeliest(of: SoughtPart, documents: Sequence[str], room: Room) -> Sequence[Read]:
    """Return the likeliest sentences by what costs little, with those signals; the lines remember them."""
    weights = room.knowledge.answers.sentence
    spans = tuple((p.span.document, p.span.start, p.span.end) for p in of.passages)
    key = (of.part, tuple(documents), of.ask.documents, spans, weights)

    def made() -> Sequence[Read]:
        found = room.lines.weighed(of.part, documents)
        return _first(((w, plain_signals(of, w)) for w in found), weights.model_dump())[:_CLOSELY]

    return room.lines.remembered(key, made)


def closely_read(of: SoughtPart, plain: Sequence[Read], room: Room) -> list[Read]:
    """Return the likeliest sentences, each with all of its signals."""
    weights = room.knowledge.answers.sentence.model_dump()
    close = _first(((w, {**signals, **close_signals(of, w, room)}) for w, signals in plain), weights)
    pairs = read_together(of.ask.subject, [(w.line.unit.text, w.line.unit.title) for w, _ in close[:_TOGETHER]])
    pairs += [min(pairs, default=0.0)] * (len(close) - len(pairs))
    return [(w, {**s, "paired": p}) for (w, s), p in zip(close, pairs, strict=True)]


def _first(read: Iterable[Read], weights: Mapping[str, float]) -> list[Read]:
    """Return sentences in the order of what speaks for them."""
    return sorted(read, key=lambda t: (-_sum(weights, t[1]), t[0].line.place))


def surety(of: SoughtPart, ranking: Sequence[Weighed], documents: Sequence[str], room: Room) -> float:
    """Return how likely the likeliest sentence answers a part of a question rightly."""
    if not ranking:
        return 0.0
    weights = room.knowledge.answers.sure
    said = [says(of, w, room) for w in ranking]
    chance = agreeing([w.chance for w in ranking], said, 0)
    signals = {**standing(of, ranking[0], documents, room), "chance": chance}
    return 1.0 / (1.0 + math.exp(-weights.base - _sum(weights.model_dump(), signals)))


def standing(of: SoughtPart, found: Weighed, documents: Sequence[str], room: Room) -> Mapping[str, float]:
    """Return the signals that a sentence answers correctly, regardless of the other sentences."""
    here = {**plain_signals(of, found), **close_signals(of, found, room)}
    lines, part = room.lines, of.part
    total = sum(map(lines.rarity, part.notions)) or 1.0
    return {
        **{name: here[name] for name in _KEPT},
        "unseen": sum(lines.rarity(n) for n in part.notions if not lines.seen(n)) / total,
        "leaning": float(not part.alone),
        "papers": float(len(documents) > 1),
        "long": found.line.unit.words / 100,
    }


def agreeing(chances: Sequence[float], said: Sequence[object], at: int) -> float:
    """Return the logit of the chance of all sentences that say what one says."""
    same = sum(c for c, s in zip(chances, said, strict=True) if s == said[at])
    chance = min(max(same, _LEAST), 1.0 - _LEAST)
    return math.log(chance / (1.0 - chance))


def says(of: SoughtPart, found: Weighed, room: Room) -> tuple[str, ...]:
    """Return the answer of a sentence in so far as another may give the same: yes or no, its values, else its words."""
    if of.ask.kind is AskKind.YES_NO:
        return (stands_to(of.part, found, room),)
    figures = tuple(v for want in of.part.wants for v in values(found.line, want))
    return figures or (found.line.plain,)


def _sum(weights: Mapping[str, float], signals: Mapping[str, float]) -> float:
    return sum(weights[name] * value for name, value in signals.items())
