"""What the ways of answering share: the documents as sentences, the search, the knowledge, the record of the work."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from knowledge_db import KnowledgeBase
from skills_repo.schema import Procedure
from tasks.asks.cues import BriefCues, cues_of
from tasks.asks.grammar import grammar_of
from tasks.asks.records import Ask, AskAnswer
from tasks.drafting.extractive.answers import Answer
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.ownership import is_stranger, speaks_of_any_paper
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import DraftJob
from tasks.retrieval.provisions import Provision, catalogue_of
from tasks.retrieval.records import Passage


@dataclass(frozen=True)
class Room:
    """The work on one matter.

    Attributes:
        readings: The readable documents, by name.
        settings: The procedure of the routed skill.
        found: What the catalogue found, by ask: its topic, and the answer of each document.
    """

    job: DraftJob
    readings: Sequence[SentencedDocument]
    settings: Procedure
    log: Transcript
    found: dict[str, tuple[Topic, dict[str, Answer]]] = field(default_factory=dict)

    @property
    def knowledge(self) -> KnowledgeBase:
        """Return the knowledge of the harness."""
        return self.job.harness.knowledge

    @cached_property
    def cues(self) -> BriefCues:
        """Return how briefs ask."""
        return cues_of(self.knowledge)

    def questions(self, words: str) -> bool:
        """Tell whether words ask by a question or a request, and do not only name a thing."""
        return grammar_of(self.knowledge).asks(words)

    @cached_property
    def catalogue(self) -> Sequence[Provision]:
        """Return the kinds of clauses that the harness knows."""
        return catalogue_of(self.knowledge)

    @cached_property
    def strangers(self) -> Sequence[SentencedDocument]:
        """Return the documents that belong to another matter."""
        request = f"{self.job.matter.title}. {self.job.matter.instructions}"
        return [r for r in self.readings if is_stranger(r, self.readings, request)]

    @cached_property
    def ours(self) -> Sequence[SentencedDocument]:
        """Return the documents that the request is about."""
        return [r for r in self.readings if r not in self.strangers] or list(self.readings)

    @cached_property
    def any_paper(self) -> bool:
        """Tell whether the request is about documents of any kind, not of agreements alone."""
        return speaks_of_any_paper(self.job.matter.instructions) or not any(r.identity.agreement for r in self.ours)

    def of(self, ask: Ask) -> Sequence[SentencedDocument]:
        """Return the documents that an ask speaks of."""
        return [r for r in self.ours if not ask.documents or r.document in ask.documents] or list(self.ours)

    def search(self, query: str, k: int, documents: Sequence[str] | None = None) -> list[Passage]:
        """Search the data room, as the tools do, and note it in the trace."""
        found = self.job.index.search(query, k, documents)
        self.log.searches += 1
        self.log.act(f"Search for: {query}", "search", {"query": query}, f"{len(found)} passages")
        return found


Way = Callable[[Ask, Room], AskAnswer | None]
