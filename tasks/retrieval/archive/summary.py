"""What a document is, in a line: its kind, title, parties, date and governing law, from its typed facts."""

from __future__ import annotations

from collections.abc import Iterator

from knowledge_db import KnowledgeBase
from tasks.legaltext.fold import straight
from tasks.legaltext.sentences import CONTRACT, sentences
from tasks.matter.base import Record
from tasks.retrieval.named_laws import named_laws
from tasks.retrieval.provisions import catalogue_of, weigh
from tasks.sources.records import CanonicalText, DocumentState, Span

_MOST = 4  # parties that are named; a longer list is no summary
_HEAD = 2_500  # characters in which the date of a document stands


class NamedLaw(Record):
    """A law that a document says governs it, and where it says so."""

    law: str
    span: Span


class DocumentSummary(Record):
    """What a document is.

    Attributes:
        kind: In a lawyer's words; empty where no cue tells.
        day: The first date of its head that is exact to the day, ISO form; empty where there is none.
        laws: The laws that it says govern it, each once, in reading order.
    """

    document: str
    kind: str = ""
    title: str = ""
    parties: tuple[str, ...] = ()
    day: str = ""
    laws: tuple[NamedLaw, ...] = ()

    @property
    def line(self) -> str:
        """Return the summary in one line."""
        said = [
            self.title or self.document,
            self.kind if self.kind.casefold() != self.title.casefold() else "",
            f"between {'; '.join(self.parties)}" if self.parties else "",
            f"dated {self.day}" if self.day else "",
            f"governed by the law of {', '.join(law.law for law in self.laws)}" if self.laws else "",
        ]
        return ", ".join(part for part in said if part)


def summary_of(state: DocumentState, text: CanonicalText, knowledge: KnowledgeBase) -> DocumentSummary:
    """Return the summary of a document."""
    dates = (d for d in state.dates if d.start < _HEAD and d.precision == "day")
    laws = {law.law: law for law in reversed(list(_laws(text, knowledge)))}
    return DocumentSummary(
        document=state.document,
        kind=state.document_type,
        title=state.title,
        parties=tuple(party.name for party in state.parties)[:_MOST],
        day=next((d.iso for d in dates), ""),
        laws=tuple(sorted(laws.values(), key=lambda law: law.span.start)),
    )


def _laws(text: CanonicalText, knowledge: KnowledgeBase) -> Iterator[NamedLaw]:
    """Yield the laws of the clauses that choose one."""
    provisions = [p for p in catalogue_of(knowledge) if p.answer == "law"]
    for start, end in sentences(text.text, CONTRACT):
        plain = " ".join(straight(text.text[start:end]).split())
        if " law" in plain.lower() and any(weigh(p, plain) >= p.threshold for p in provisions):
            for law in named_laws(plain, knowledge.jurisdictions):
                yield NamedLaw(law=law, span=Span(document=text.document, start=start, end=end))
