"""Rubrics that may be unsound: criteria that rest on a date or a figure which stands in no document of the matter.

Such a criterion may ask for what is to be computed, and then it is sound; or it was written from another version of
the documents, and then no work product can meet it. People decide: here they are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from tasks.judging.anchors.matching import states_value
from tasks.judging.lost_documents import document_of
from tasks.judging.stage import open_rubric
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.numbers.scan import scan_numbers
from tasks.matter.base import Record
from tasks.matter.reasons import MatchKind
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion, Rubric
from tasks.sources.records import CanonicalText
from tasks.sources.texts import load_texts

What = Literal["gold", "date", "figure"]


class Unsupported(Record):
    """One fact of a criterion that stands in no document and not in the brief.

    Attributes:
        what: ``gold`` that code checks; else a date or figure in the words of the criterion.
        fact: As the rubric writes it.
    """

    matter_id: str
    criterion_id: str
    what: What
    fact: str


@dataclass(frozen=True)
class _Room:
    """What the documents and the brief say.

    Attributes:
        days: Dates that name a day, as ISO strings.
        figures: Quantities by unit and value.
    """

    text: str
    days: frozenset[str]
    figures: frozenset[tuple[str, Decimal]]

    @classmethod
    def of(cls, rubric: Rubric, texts: Mapping[str, CanonicalText]) -> _Room:
        text = "\n\n".join([rubric.title, rubric.instructions, *(one.text for one in texts.values())])
        figures = frozenset((figure.unit, figure.value) for figure in scan_numbers(text))
        return cls(text, frozenset(_days(text)), figures)


def unsound(matter: Matter, sealed: Path, cache: Path) -> list[Unsupported]:
    """Return what the sealed rubric of a matter rests on and its documents do not hold.

    Raises:
        SolonError: The matter has no sealed rubric.
    """
    texts = load_texts(matter, cache)
    unread = frozenset(document.name for document in matter.documents) - texts.keys()
    return unsupported(open_rubric(matter, sealed), texts, unread)


def unsupported(
    rubric: Rubric, texts: Mapping[str, CanonicalText], unread: frozenset[str] = frozenset()
) -> list[Unsupported]:
    """Return the facts of a rubric that its documents do not hold, in the order of its criteria.

    Args:
        rubric: An opened rubric.
        texts: The canonical texts of all documents that were read.
        unread: Names of the others. What a criterion of theirs rests on is not known to be lacking, and is left out.
    """
    room = _Room.of(rubric, texts)
    return [
        Unsupported(matter_id=rubric.matter_id, criterion_id=criterion.id, what=what, fact=fact)
        for criterion in rubric.criteria
        if unread.isdisjoint(map(document_of, criterion.anchors))
        for what, fact in dict.fromkeys([*_golds(criterion, room), *_words(criterion, room)])
    ]


def _golds(criterion: Criterion, room: _Room) -> Iterator[tuple[What, str]]:
    """Yield the gold of anchors of which no variant stands in the room; passages are looked for by their words."""
    for anchor in criterion.anchors:
        golds = anchor.match.any
        if anchor.match.kind is MatchKind.DATE and not room.days.intersection(golds):
            yield "gold", " | ".join(golds)
        if anchor.match.kind is MatchKind.VALUE and not any(states_value(gold, room.text) for gold in golds):
            yield "gold", " | ".join(golds)


def _words(criterion: Criterion, room: _Room) -> Iterator[tuple[What, str]]:
    text = f"{criterion.title}\n{criterion.match_criteria}"
    for mention in scan_dates(text):
        if mention.precision == "day" and mention.iso not in room.days:
            yield "date", mention.text
    for figure in scan_numbers(text):
        if figure.unit and (figure.unit, figure.value) not in room.figures:
            yield "figure", figure.text


def _days(text: str) -> Iterator[str]:
    for mention in scan_dates(text):
        if mention.precision == "day":
            yield mention.iso
            if mention.also:
                yield mention.also
