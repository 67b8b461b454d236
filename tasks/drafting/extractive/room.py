"""What the ways of answering share: the documents as sentences, the search, the knowledge, the record of the work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

from knowledge_db import KnowledgeBase
from skills_repo.schema import Procedure
from tasks.asks.cues import BriefCues, cues_of
from tasks.asks.grammar import Grammar, grammar_of
from tasks.asks.records import Ask, AskAnswer
from tasks.drafting.extractive.differing.amending import Amended, amended_in
from tasks.drafting.extractive.differing.kin import DealPaper, deals_of
from tasks.drafting.extractive.due.worked import Worked, WorkedDay
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.ownership import is_stranger, speaks_of_any_paper
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.shared import likeness_of, lines_of, sums_of
from tasks.drafting.extractive.signature import Signature
from tasks.drafting.extractive.sums.papers import Sums
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.extractive.ways.events import Event, events_of
from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.drafting.extractive.ways.notions import Notions, notions_of
from tasks.drafting.extractive.ways.weighing import Lines
from tasks.drafting.records import DraftJob
from tasks.retrieval.posed import PosedQuestions, posed_questions_of
from tasks.retrieval.provisions import Provision, catalogue_of
from tasks.retrieval.records import Passage
from tasks.retrieval.topics import TopicCatalogue


class SecondReader(Protocol):
    """Looks at what the ways answered to an ask, and may answer it otherwise."""

    def review(self, ask: Ask, got: AskAnswer, room: Room) -> AskAnswer:
        """Return what is claimed of an ask, given what the ways found."""
        ...

    def signature(self) -> Signature:
        """Return who made the draft, once every ask was reviewed."""
        ...


class NoSecondReader:
    """Leaves every answer as the ways gave it."""

    def review(self, ask: Ask, got: AskAnswer, room: Room) -> AskAnswer:  # noqa: ARG002  (the form of the protocol)
        """Return what the ways found."""
        return got

    def signature(self) -> Signature:
        """Return that no model was asked."""
        return Signature()


@dataclass(frozen=True)
class Room:
    """The work on one matter.

    Attributes:
        readings: The readable documents, by name.
        settings: The procedure of the routed skill.
        worked: Results of calculations, by ask.
        days: Days that were worked out, by ask.
        markings: What became of the changes that the brief instructs.
        second: Reviews every answer of the ways.
    """

    job: DraftJob
    readings: Sequence[SentencedDocument]
    settings: Procedure
    log: Transcript
    worked: dict[str, Worked] = field(default_factory=dict)
    days: dict[str, WorkedDay] = field(default_factory=dict)
    markings: Sequence[Marking] = ()
    second: SecondReader = field(default_factory=NoSecondReader)

    @property
    def knowledge(self) -> KnowledgeBase:
        """Return the knowledge of the harness."""
        return self.job.harness.knowledge

    @cached_property
    def cues(self) -> BriefCues:
        """Return how briefs ask."""
        return cues_of(self.knowledge)

    @property
    def grammar(self) -> Grammar:
        """Return how a brief is read into its asks."""
        return grammar_of(self.knowledge)

    @cached_property
    def catalogue(self) -> Sequence[Provision]:
        """Return the kinds of clauses that the harness knows."""
        return catalogue_of(self.knowledge)

    @cached_property
    def likeness(self) -> Likeness:
        """Return how far the words of an ask and those of the papers speak of the same."""
        return likeness_of(self.knowledge.vocabulary, tuple(self.readings))

    @cached_property
    def events(self) -> Sequence[Event]:
        """Return every dated statement of the papers, the oldest first."""
        found = (e for r in self.readings for e in events_of(r))
        return sorted(found, key=lambda e: (e.day, e.document, e.span.start))

    @cached_property
    def sums(self) -> Sums:
        """Return the quantities and rules of the papers of this matter."""
        return sums_of(tuple(self.ours), self.likeness)

    @cached_property
    def strangers(self) -> Sequence[SentencedDocument]:
        """Return the documents that belong to another matter; those that are ours outnumber them."""
        request = f"{self.job.matter.title}. {self.job.matter.instructions}"
        found = [r for r in self.readings if is_stranger(r, self.readings, request)]
        return found if 2 * len(found) < len(self.readings) else []

    @cached_property
    def ours(self) -> Sequence[SentencedDocument]:
        """Return the documents that the request is about."""
        return [r for r in self.readings if r not in self.strangers] or list(self.readings)

    @cached_property
    def deals(self) -> Sequence[Sequence[DealPaper]]:
        """Return the papers of each deal."""
        return tuple(deals_of(self.readings))

    @cached_property
    def amended(self) -> Mapping[tuple[str, int], Amended]:
        """Return what amendments do to the sentences of contracts, by document and start."""
        return amended_in(self.deals, self.knowledge)

    @cached_property
    def any_paper(self) -> bool:
        """Tell whether the request is about documents of any kind, not of agreements alone."""
        return speaks_of_any_paper(self.job.matter.instructions) or not any(r.identity.agreement for r in self.ours)

    @cached_property
    def notions(self) -> Notions:
        """Return how words are read as notions."""
        return notions_of(self.knowledge.vocabulary)

    @cached_property
    def lines(self) -> Lines:
        """Return the sentences of the documents as notions."""
        return lines_of(tuple(self.readings), self.notions)

    @cached_property
    def posed(self) -> PosedQuestions:
        """Return the kinds of clauses of such documents as people ask for them in words of their own."""
        return posed_questions_of(self.knowledge, "\n".join(r.identity.title for r in self.ours))

    @cached_property
    def topics(self) -> TopicCatalogue:
        """Return the catalogue of provisions, asked by question."""
        return TopicCatalogue(self.catalogue)

    def of(self, ask: Ask) -> Sequence[SentencedDocument]:
        """Return the documents that an ask speaks of; one for each document leaves none of them out."""
        if ask.each and speaks_of_any_paper(ask.subject):
            return self.readings
        return [r for r in self.ours if not ask.documents or r.document in ask.documents] or list(self.ours)

    def search(self, query: str, k: int, documents: Sequence[str] | None = None) -> list[Passage]:
        """Search the data room, as the tools do, and note it in the trace."""
        found = self.job.index.search(query, k, documents)
        self.log.searches += 1
        self.log.look_up(f"Search for: {query}", "search", {"query": query}, f"{len(found)} passages")
        return found


Way = Callable[[Ask, Room], AskAnswer | None]
