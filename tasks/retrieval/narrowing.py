"""Narrows passages to the sentences that answer, for a reader who wants the words and not the whole clause.

Who chooses is an argument: the embedded chooser weighs cues and words, a model may be asked instead. A chooser names
sentences by number, so whatever it replies, the result is always text of the document.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Protocol

from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import sentences
from tasks.legaltext.tokens import terms
from tasks.retrieval.provisions import Provision, weigh
from tasks.retrieval.records import Passage
from tasks.sources.records import Span

_NEAR = 0.6  # share of the best sentence's weight that a further one must reach
_WORDS = 4.0  # what sharing all words of the question weighs beside cues (one strong cue: 3)


class SentenceChooser(Protocol):
    """Chooses the sentences that answer a question."""

    def choose(self, question: str, heading: str, found: Sequence[str]) -> Sequence[int]:
        """Return the numbers (from 0) of the sentences that answer; empty where none does."""
        ...


class CueChooser:
    """Chooses by the cues of the provisions asked for, and by the words of the question."""

    def __init__(self, sought: Sequence[Provision] = ()) -> None:
        """Take the provisions that the question asks for, if any."""
        self._sought = tuple(sought)

    def choose(self, question: str, heading: str, found: Sequence[str]) -> Sequence[int]:
        """Return the sentences whose weight comes near that of the best; the whole passage where all weigh nothing."""
        texts = [re.sub(r"\s+", " ", straight(text)).strip() for text in found]
        bags = [frozenset(terms(text)) for text in texts]
        spread = Counter(token for bag in bags for token in bag)
        rare = {t: math.log(1 + len(texts) / spread[t]) for t in frozenset(terms(question)) if t in spread}
        most = sum(rare.values()) or 1.0
        weights = [
            max((weigh(p, text, heading) for p in self._sought), default=0.0)
            + _WORDS * sum(w for t, w in rare.items() if t in bag) / most
            for text, bag in zip(texts, bags, strict=True)
        ]
        best = max(weights, default=0.0)
        return [i for i, weight in enumerate(weights) if weight >= _NEAR * best]


def narrow(passages: Sequence[Passage], question: str, chooser: SentenceChooser, most: int = 10) -> list[Passage]:
    """Return the chosen sentences of the first ``most`` passages as passages of their own, in the same order.

    Neighbouring sentences stay together. A passage of which nothing is chosen is left out, unless nothing would be
    left at all; the passages after the first ``most`` are returned as they are.
    """
    kept: list[Passage] = []
    for passage in passages[:most]:
        spans = sentences(passage.text)
        chosen = set(chooser.choose(question, passage.heading, [passage.text[a:b] for a, b in spans]))
        kept.extend(_parts(passage, [span for i, span in enumerate(spans) if i in chosen], spans))
    return [*(kept or passages[:most]), *passages[most:]]


def _parts(passage: Passage, chosen: Sequence[tuple[int, int]], spans: Sequence[tuple[int, int]]) -> Iterator[Passage]:
    order = {span: i for i, span in enumerate(spans)}
    group: list[tuple[int, int]] = []
    for span in chosen:
        if group and order[span] != order[group[-1]] + 1:
            yield _part(passage, group)
            group = []
        group.append(span)
    if group:
        yield _part(passage, group)


def _part(passage: Passage, group: Sequence[tuple[int, int]]) -> Passage:
    low, high, start = group[0][0], group[-1][1], passage.span.start
    span = Span(document=passage.span.document, start=start + low, end=start + high)
    return passage.model_copy(update={"span": span, "text": passage.text[low:high]})
