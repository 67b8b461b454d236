"""Compares the parts of a deliverable that are about one contract and topic with the gold of an anchor."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import groupby

from tasks.judging.anchors.absence import asserts, asserts_one, denies, says_none
from tasks.judging.anchors.locate import AttributedPart
from tasks.judging.anchors.matching import (
    SPAN_THRESHOLD,
    answers_date,
    answers_value,
    is_name,
    span_overlap,
    states_date,
    states_value,
)
from tasks.judging.anchors.names import content_words
from tasks.judging.anchors.roles import PartPiece, answer_of
from tasks.matter.reasons import MatchKind, Outcome
from tasks.matter.rubric import Anchor

_QUOTE = 240  # characters of evidence that a verdict keeps


@dataclass(frozen=True)
class AnchorHit:
    """What was found where an anchor asks, with the words of the deliverable that show it."""

    outcome: Outcome
    reason: str
    quote: str = ""


@dataclass(frozen=True)
class PartGroup:
    """Parts that share one context."""

    pieces: tuple[PartPiece, ...]
    heading: str
    strong: bool

    @cached_property
    def text(self) -> str:
        """The parts as one text."""
        return "\n".join(piece.text for piece in self.pieces)

    @property
    def unquoted(self) -> PartGroup:
        """The group without pieces that are quotations, unless it has no others."""
        return replace(self, pieces=tuple(p for p in self.pieces if p.role != "quoted") or self.pieces)


def grouped(parts: Iterable[AttributedPart]) -> list[PartGroup]:
    """Join neighbouring parts of one context."""
    return [
        PartGroup(tuple(PartPiece(part.text, part.role) for part in run), run[0].heading, strong)
        for (_, strong), run in ((key, list(run)) for key, run in groupby(parts, key=lambda p: (p.group, p.strong)))
    ]


def match(anchor: Anchor, groups: Sequence[PartGroup], topic: str) -> AnchorHit:
    """Return what the groups say of what the anchor asks."""
    return _MATCHERS[anchor.match.kind](anchor, groups, topic)


def _typed(anchor: Anchor, groups: Sequence[PartGroup], topic: str) -> AnchorHit:
    """Compare a date or value with the drafter's answer; with what is quoted only where there is no such answer.

    An answer goes before every quotation about the same topic and document, a denial before those of its own part.
    Where a part of its own answers the topic, no sentence about something else answers it in passing.
    """
    kind = anchor.match.kind
    golds, besides = anchor.match.any, (*anchor.facet, *anchor.scope)
    states, answers = (
        (states_date, answers_date)
        if kind is MatchKind.DATE
        else (states_value, partial(answers_value, besides=besides))
    )

    def typed(text: str) -> bool:
        return any(states(gold, text) or answers(gold, text) for gold in golds)

    brief = kind is MatchKind.VALUE and all(map(is_name, golds))
    said = [answer_of(group.pieces, typed, brief=brief) for group in groups]
    denied = [not text and group.strong and _none(group, anchor) for text, group in zip(said, groups, strict=True)]
    answered = any(text for text, group in zip(said, groups, strict=True) if group.strong)
    for gold in golds:
        for group, text, none in zip(groups, said, denied, strict=True):
            if (group.strong or not answered) and states(gold, text if answered or none else group.text):
                return AnchorHit(Outcome.MATCHED, f"States {gold} as {topic}.", _quote(group, partial(states, gold)))
    if not (wrong := [g for g, text in zip(groups, said, strict=True) if g.strong and text]):
        if any(_none(group, anchor) for group in groups):
            return AnchorHit(Outcome.DENIED, f"Denies that there is a {topic}.")
        wrong = [g for g in groups if g.strong and typed(g.text)]
    if wrong:
        return AnchorHit(
            Outcome.WRONG_VALUE, f"The {topic} is stated with another {kind}.", _quote(wrong[0].unquoted, typed)
        )
    outcome = _untold(groups, anchor)
    how = f"treated without its {kind}" if outcome is Outcome.PARTIAL else "omitted"
    return AnchorHit(outcome, f"The {topic} is {how}.")


def _span(anchor: Anchor, groups: Sequence[PartGroup], topic: str) -> AnchorHit:
    threshold = SPAN_THRESHOLD if anchor.match.threshold is None else anchor.match.threshold
    best, quote, denied = 0.0, "", False
    for group in groups:
        overlap = _overlap(anchor, group.text)
        if group.strong and _none(group, anchor):
            denied = True
        elif overlap >= threshold:
            quote = quote or _quote(group, lambda piece: _overlap(anchor, piece) >= threshold)
        best = max(best, overlap)
    if not denied and quote:
        return AnchorHit(Outcome.MATCHED, f"Conveys the {topic} provision ({best:.0%} of its words).", quote)
    if denied or any(_none(group, anchor) for group in groups):
        return AnchorHit(Outcome.DENIED, f"Denies that there is a {topic} provision.")
    outcome = Outcome.PARTIAL if best >= threshold / 2 else _untold(groups, anchor)
    # No figures here: the error classes are read off these words.
    how = "only touched upon" if outcome is Outcome.PARTIAL else "omitted"
    return AnchorHit(outcome, f"The {topic} provision is {how}; its operative terms are not conveyed.")


def _absence(anchor: Anchor, groups: Sequence[PartGroup], topic: str) -> AnchorHit:
    quote = ""
    for group in groups:
        if _none(group, anchor):
            quote = quote or _quote(group, lambda piece: denies(piece, anchor.facet))
        elif group.strong and asserts_one(group.text):
            reason = f"Asserts a {topic} provision where there is none."
            return AnchorHit(Outcome.ASSERTED, reason, _quote(group, asserts))
    if quote:
        return AnchorHit(Outcome.MATCHED, f"Says plainly that there is no {topic} provision.", quote)
    return AnchorHit(Outcome.NOT_DENIED, f"Does not say plainly that there is no {topic} provision.")


def _untold(groups: Sequence[PartGroup], anchor: Anchor) -> Outcome:
    """Tell a topic that is treated thinly from one that is merely named."""
    named = {word for name in anchor.facet for word in content_words(name)}
    told = any(group.strong and set(content_words(group.text)) - named for group in groups)
    return Outcome.PARTIAL if told else Outcome.OMITTED


def _overlap(anchor: Anchor, text: str) -> float:
    return max(span_overlap(gold, text) for gold in anchor.match.any)


def _quote(group: PartGroup, supports: Callable[[str], bool]) -> str:
    """Return the cell or paragraph that supports a verdict: words that stand in the deliverable as they are."""
    pieces = [p.strip() for p in re.split(r"\n|\s\|\s", group.text) if p.strip()]
    return next((p for p in pieces if supports(p)), pieces[0] if pieces else "")[:_QUOTE]


def _none(group: PartGroup, anchor: Anchor) -> bool:
    return says_none(group.text, anchor.facet, group.heading, group.strong)


_MATCHERS = {
    MatchKind.DATE: _typed,
    MatchKind.VALUE: _typed,
    MatchKind.SPAN: _span,
    MatchKind.ABSENCE: _absence,
}
