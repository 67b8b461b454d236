"""How the brief of a request was read into asks, beside what a lawyer lists: found, merged, their kinds and papers."""

from __future__ import annotations

from collections.abc import Sequence

from flows.bench.requests.gold import GoldAsk, Request
from tasks.asks.records import Ask, AskKind
from tasks.matter.base import Record

OVERLAP = 0.4  # share of the shorter of two stretches from which they pose the same ask
_LEFT = (AskKind.JUDGMENT, AskKind.DRAFTING)


class AsksRead(Record):
    """How many asks of a lawyer were read how.

    Attributes:
        asks: All that the lawyer lists, what is asked of the form included.
        dropped: No ask of ours has their words.
        merged: One ask of ours has the words of several.
        split: Several asks of ours have the words of one.
        kind_right: One of ours is of the kind that the lawyer gives.
        refused: A fact that was taken for a judgment.
        tried: A judgment that was not.
        of_papers: Whose answers stand in named papers of several.
        papers_wrong: Of these, read as of other papers.
        not_each: Of these, asked of each of several papers and not read so.
        extra: Asks of ours that are none of the lawyer's.
    """

    asks: int = 0
    dropped: int = 0
    merged: int = 0
    split: int = 0
    kind_right: int = 0
    refused: int = 0
    tried: int = 0
    of_papers: int = 0
    papers_wrong: int = 0
    not_each: int = 0
    extra: int = 0


def total(readings: Sequence[AsksRead]) -> AsksRead:
    """Return the sum of readings."""
    return AsksRead(**{name: sum(getattr(r, name) for r in readings) for name in AsksRead.model_fields})


def reading_of(request: Request, ours: Sequence[Ask], several: bool) -> AsksRead:
    """Compare our asks with those that a lawyer lists.

    Args:
        request: The request.
        ours: The asks that were read.
        several: Whether the data room has more than one document.
    """
    found = [posed(gold, request.brief, ours) for gold in request.asks]
    used = {ask.ask_id for asks in found for ask in asks}
    each = [
        _of(gold, asks, sum(asks[0] in other for other in found) if len(asks) == 1 else 0, several)
        for gold, asks in zip(request.asks, found, strict=True)
    ]
    return total([*each, AsksRead(extra=sum(a.ask_id not in used for a in ours))])


def posed(gold: GoldAsk, brief: str, ours: Sequence[Ask]) -> list[Ask]:
    """Return those of our asks that pose what the lawyer asks."""
    start = brief.index(gold.words)
    end = start + len(gold.words)
    return [
        ask
        for ask in ours
        if min(end, ask.end) - max(start, ask.start) > OVERLAP * min(end - start, ask.end - ask.start)
    ]


def _of(gold: GoldAsk, asks: Sequence[Ask], sharing: int, several: bool) -> AsksRead:
    kinds = {a.kind for a in asks}
    papers = {a.document for a in gold.answers if a.document} if several and asks else set()
    left = gold.expect == "not_attempted"
    answerable = bool(asks) and gold.kind not in ("constraint", "drafting")
    return AsksRead(
        asks=1,
        dropped=not asks,
        merged=sharing > 1,
        split=len(asks) > 1,
        kind_right=gold.kind in {k.value for k in kinds},
        refused=answerable and not left and AskKind.JUDGMENT in kinds and gold.kind != "judgment",
        tried=answerable and left and not kinds & set(_LEFT),
        of_papers=bool(papers),
        papers_wrong=bool(papers) and all(a.documents and not papers <= set(a.documents) for a in asks),
        not_each=len(papers) > 1 and not any(a.each for a in asks),
    )
