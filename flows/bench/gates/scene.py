"""A matter of the bench as its errors are planted in it: texts, clauses, parties, figures and laws by document."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from tasks.harness import Harness
from tasks.legaltext.records import DateMention, Figure
from tasks.matter.records import Matter
from tasks.reconcile.check import CheckJob
from tasks.reconcile.support.mentions import forms_of
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import Clause, KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, DocumentState, MatterState, SegmentKind

HALVES = ("tuned", "reported")
_STRANGER = "Vantage Meridian Holdings Corp."  # where the data room has one document alone
_NAME = (5, 70)  # characters of a title by which a lawyer would call a document


@dataclass(frozen=True)
class Scene:
    """A matter with all that a check is given but the drafts."""

    matter: Matter
    state: MatterState
    texts: Mapping[str, CanonicalText]
    pack: KnowledgePack
    harness: Harness
    index: Searcher

    @property
    def half(self) -> str:
        """The half it belongs to: one is looked at while the gates are made, the other is only counted."""
        return HALVES[sha256(self.matter.matter_id.encode()).digest()[0] % 2]

    def job(self, drafts: Mapping[str, CanonicalText]) -> CheckJob:
        """Return the job of checking drafts of the matter."""
        return CheckJob(drafts, self.texts, self.matter, self.state, self.pack, self.harness, index=self.index)

    @cached_property
    def documents(self) -> Mapping[str, DocumentState]:
        """The readable documents by name."""
        return {d.document: d for d in self.state.documents if d.document in self.texts}

    @cached_property
    def clauses(self) -> Mapping[str, Sequence[Clause]]:
        """The clause tree of each document."""
        return {name: clause_tree(text) for name, text in self.texts.items()}

    def label(self, document: str) -> str:
        """Return the name that a memorandum would give a document: its title, or its file where two share one."""
        title = " ".join(self.documents[document].title.split())
        shared = sum(d.title == self.documents[document].title for d in self.documents.values()) > 1
        stem = re.sub(r"^[\d_.\s-]+", "", document.rsplit(".", 1)[0]).replace("-", " ")
        plain = _NAME[0] < len(title) < _NAME[1] and not re.search(r"[\[\]()]", title)
        return title.title() if plain and not shared else stem

    def page(self, document: str, offset: int) -> str:
        """Return the page of a place as a citation gives it; empty where the document has none."""
        found = self.texts[document].locate(offset, SegmentKind.PAGE)
        number = re.search(r"\d+", found.label) if found else None
        return f", p. {number[0]}" if number else ""

    def parties(self, document: str) -> list[tuple[str, ...]]:
        """Return the parties of a document, each with the forms in which it is named."""
        return [forms_of(e) for e in self.documents[document].parties]

    def strangers(self, document: str) -> list[str]:
        """Return names of parties of other documents."""
        own = " ".join(self.texts[document].text.split()).lower()
        found = [e.name for name, d in self.documents.items() if name != document for e in d.parties]
        return [n for n in found if n.lower() not in own and "," not in n.rstrip(".")[:3]] or [_STRANGER]

    def figures(self, document: str) -> Sequence[Figure]:
        """Return the figures of a document."""
        return self.documents[document].figures

    def dates(self, document: str) -> Sequence[DateMention]:
        """Return the dates of a document."""
        return self.documents[document].dates
