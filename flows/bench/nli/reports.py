"""What the researcher reports on a statement about one agreement: PAKTON's pipeline before a model names the label.

Archive, choice of method and answer are those of ``tasks/retrieval/research``; exemplars are the training agreements.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from tasks.harness import Harness
from tasks.matter.base import content_hash
from tasks.retrieval.entail.records import Hypothesis, Passages
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.research.configured import ResearchProfile
from tasks.retrieval.research.records import Answer, Question
from tasks.retrieval.research.researcher import open_researcher
from tasks.sources.records import CanonicalText

ASKED: Final = "Does the agreement say that {}"
_NEAREST: Final = 3  # passages shown where nothing was found


class Report(NamedTuple):
    """A report, and the sentences of the agreement that it cites, by position."""

    words: str
    positions: list[int]


class Reports:
    """What one researcher says of agreements, which lie in one archive."""

    def __init__(self, harness: Harness, place: Path, documents: Sequence[Passages], exemplars: str = "") -> None:
        """Take the harness, a folder for the index, the agreements, and the folder of labelled ones (empty: none)."""
        texts = {one.document: _paper(one) for one in documents}
        lent = ResearchProfile(exemplars=exemplars)
        self._researcher = open_researcher(MatterIndex(texts, place), texts, harness, lent=lent)

    def on(self, document: Passages, statement: Hypothesis) -> Report:
        """Return what is found, with what labelled agreements say beside it; what is not found is said."""
        asked = Question(text=ASKED.format(statement.text), documents=(document.document,), kind="fact")
        answer = self._researcher.answer(asked)
        places = _cited(answer) or _nearest(answer)
        words = [f"{one.source}: {one.text}" if one.source else one.text for one in answer.statements]
        words = words or [answer.note, *(document.text[start:end] for start, end in places)]
        touched = [n for n, (a, b) in enumerate(document.spans) if any(a < end and start < b for start, end in places)]
        return Report("\n\n".join(word for word in words if word), touched)


def _paper(one: Passages) -> CanonicalText:
    digest = content_hash(one.text)
    return CanonicalText(document=one.document, sha256=digest, extractor="bench", media="txt", text=one.text)


def _cited(answer: Answer) -> list[tuple[int, int]]:
    return [(span.start, span.end) for one in answer.statements for span in one.spans]


def _nearest(answer: Answer) -> list[tuple[int, int]]:
    passages = [passage for search in answer.searches for passage in search.passages]
    return [(passage.span.start, passage.span.end) for passage in passages[:_NEAREST]]
