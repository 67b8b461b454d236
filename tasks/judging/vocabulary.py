"""Whether a text shares words with rubrics: asked by the learner's gates, answered with yes or no and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

from tasks.judging.stage import open_rubric
from tasks.matter.records import Matter
from tasks.matter.rubric import Criterion

RUN: Final = 6
"""So many words in a row are no coincidence, even of general words."""
_WORD = re.compile(r"[^\W\d_]+")


def shares_words(text: str, matters: Sequence[Matter], sealed: Path, general: Collection[str]) -> bool:
    """Tell whether a text holds a word that of all general texts only a rubric has, or a run of a rubric's words.

    Args:
        text: What an edit would add to the harness.
        matters: The matters whose rubrics are asked.
        sealed: Root of the sealed store.
        general: Words in general use, folded; they are shared with every rubric and say nothing.
    """
    said = _words(text)
    rare = {word for word in said if len(word) > 2} - set(general)
    runs = set(_runs(said))
    for matter in matters:
        for criterion in open_rubric(matter, sealed).criteria:
            for part in _parts(criterion):
                theirs = _words(part)
                if rare.intersection(theirs) or not runs.isdisjoint(_runs(theirs)):
                    return True
    return False


def _parts(criterion: Criterion) -> Iterator[str]:
    yield from (criterion.id, criterion.title, criterion.match_criteria)
    for anchor in criterion.anchors:
        yield from (anchor.document, *anchor.scope, *anchor.facet, *anchor.match.any)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return (tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1))
