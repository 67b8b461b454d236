"""Whether a text shares words with rubrics: asked by the learner's gates, answered with yes or no and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from tasks.judging.stage import open_rubric
from tasks.matter.records import DocumentRef, Matter
from tasks.matter.rubric import Criterion
from tasks.sources.texts import read_document

RUN: Final = 6
"""So many words in a row are no coincidence, even of general words."""
OTHERS: Final = 2
"""So many papers of other matters make a run of words one of the trade: "consent not to be unreasonably withheld"."""
_WORD = re.compile(r"[^\W\d_]+")
_Run = tuple[str, ...]


def shares_words(text: str, matters: Sequence[Matter], sealed: Path, general: Collection[str], cache: Path) -> bool:
    """Tell whether a text holds a word that of all general texts only a rubric has, or a run of a rubric's words.

    A rubric quotes contracts, and contracts quote each other: a run that two papers of other matters hold, too, tells
    nothing of this one. How a rubric itself is worded stands in no paper.

    Args:
        text: What an edit would add to the harness.
        matters: The matters whose rubrics are asked.
        sealed: Root of the sealed store.
        general: Words in general use, folded; they are shared with every rubric and say nothing.
        cache: Root of the cache of the texts of documents.
    """
    said = _words(text)
    rare = {word for word in said if len(word) > 2} - set(general)
    runs = set(_runs(said))
    for matter in matters:
        for criterion in open_rubric(matter, sealed).criteria:
            for part in _parts(criterion):
                theirs = _words(part)
                if rare.intersection(theirs):
                    return True
                if any(not _of_the_trade(run, matter, matters, cache) for run in runs.intersection(_runs(theirs))):
                    return True
    return False


def _of_the_trade(run: _Run, matter: Matter, matters: Sequence[Matter], cache: Path) -> bool:
    """Tell whether enough papers that are none of a matter's hold these words in a row."""
    own = {ref.sha256 for ref in matter.documents}
    others = {ref.sha256: ref for other in matters for ref in other.documents if ref.sha256 not in own}
    sought = f" {' '.join(run)} "
    found = (ref for ref in others.values() if sought in _words_of(ref, cache))
    return next((True for n, _ in enumerate(found, 1) if n == OTHERS), False)


@lru_cache(maxsize=500)  # papers, of some 100,000 characters each
def _words_of(ref: DocumentRef, cache: Path) -> str:
    return f" {' '.join(_words(read_document(ref, cache).text))} "


def _parts(criterion: Criterion) -> Iterator[str]:
    yield from (criterion.id, criterion.title, criterion.match_criteria)
    for anchor in criterion.anchors:
        yield from (anchor.document, *anchor.scope, *anchor.facet, *anchor.match.any)


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _runs(said: Sequence[str]) -> Iterator[_Run]:
    return (tuple(said[at : at + RUN]) for at in range(len(said) - RUN + 1))
