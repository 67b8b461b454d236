"""The researcher: chooses how to look for the answer to a question, looks, and answers with the words that it found.

    researcher = open_researcher(index, texts, harness)
    answer = researcher.answer(Question(text="May the lease be assigned without consent?"))

Without a model the statements are sentences of the papers and rows of the law that is held, each with its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from knowledge_db import KnowledgeBase
from tasks.harness import Harness
from tasks.matter.failures import Failure, SolonError
from tasks.models.client import ModelClient
from tasks.retrieval.archive.summary import summary_of
from tasks.retrieval.graph.graph import Graph, build_graph
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.named_laws import names_a_place
from tasks.retrieval.operative import OperativeReader
from tasks.retrieval.records import Searcher
from tasks.retrieval.research.asking_model import ModelChoice, Phrased, Phraser
from tasks.retrieval.research.choice import Chosen, cues_of
from tasks.retrieval.research.configured import ResearchProfile, research_in_force
from tasks.retrieval.research.exemplars import ExemplarIndex, ExemplarLook
from tasks.retrieval.research.external import ExternalLook
from tasks.retrieval.research.looks import GraphLook, HybridLook, KnowledgeLook, Looked, Looker
from tasks.retrieval.research.reading import ReadStatements, answering, denied, method_of, once, stated, told_by
from tasks.retrieval.research.records import Answer, Method, Question, Search
from tasks.sources.records import CanonicalText, MatterState

_HEAD = 1_500  # characters of a document that show what kind of document it is
_HEADS = 4  # of so few documents the heads are read


class MethodChooser(Protocol):
    """Chooses the methods for a question."""

    def choose(self, question: Question, at_hand: Sequence[Method]) -> Sequence[Chosen]:
        """Return the methods in the order in which they are tried."""
        ...


class ResearchPapers:
    """The papers of a matter as the looks need them; the graph is built when it is followed for the first time."""

    def __init__(
        self,
        index: Searcher,
        texts: Mapping[str, CanonicalText],
        knowledge: KnowledgeBase,
        state: MatterState | None = None,
    ) -> None:
        """Take the search over the papers, their texts, the knowledge that their words are read by, the inventory."""
        self.index, self.texts, self.knowledge = index, texts, knowledge
        self._states = {document.document: document for document in state.documents} if state else {}

    def about(self, names: Iterable[str]) -> dict[str, str]:
        """Return what papers are, in a line each; nothing of those that the inventory does not know."""
        known = [name for name in dict.fromkeys(names) if name in self._states and name in self.texts]
        return {name: summary_of(self._states[name], self.texts[name], self.knowledge).line for name in known}

    @cached_property
    def graph(self) -> Graph:
        """Return the graph of the matter."""
        return build_graph(self.texts, {name: self.index.clauses(name) for name in self.texts})

    def readable(self, question: Question) -> bool:
        """Tell whether any paper that a question is about could be read."""
        return any(self.texts[name].text.strip() for name in question.documents or self.texts if name in self.texts)

    def setting(self, question: Question) -> str:
        """Return a question with the heads of its papers, where they are few."""
        names = question.documents or tuple(self.texts)
        heads = [self.texts[n].text[:_HEAD] for n in names if n in self.texts] if len(names) <= _HEADS else []
        return "\n".join([question.text, *heads])

    def rarity(self, stem: str) -> float:
        """Return how rare a stem is among the passages; all are alike where the search does not tell."""
        return self.index.rarity(stem) if isinstance(self.index, MatterIndex) else 1.0


class HouseResearcher:
    """A :class:`~tasks.retrieval.research.records.Researcher` over the index of a matter."""

    def __init__(
        self,
        papers: ResearchPapers,
        looks: Mapping[Method, Looker],
        chooser: MethodChooser,
        phraser: Phraser | None = None,
    ) -> None:
        """Take the papers, the ways to look that are at hand, who chooses among them, and who phrases if anybody."""
        self._papers, self._looks, self._chooser, self._phraser = papers, looks, chooser, phraser

    def answer(self, question: Question) -> Answer:
        """Return what is found, with every look that was taken."""
        looked = self._look(question)
        searches = tuple(one.search for one in looked)
        bare = Answer(
            question=question, state="not_attempted", searches=searches, missing=self._missing(question, searches)
        )
        if judged := cues_of(self._papers.knowledge).judgment(question):
            note = f"needs a lawyer's judgment (“{judged}”): what bears on it is among the passages found"
            return bare.model_copy(update={"note": note})
        found = self._found(question, looked)
        phrased = self._phrased(question, found)
        statements, note = told_by(found.statements, phrased, self._phraser.name if self._phraser else "")
        if phrased is not None:
            bare = bare.model_copy(update={"missing": phrased.missing or bare.missing, "failure": phrased.failure})
        if statements:
            return bare.model_copy(update={"state": "answered", "statements": statements, "note": note})
        lost = [s.failure for s in searches if s.failure is not None and s.method is Method.HYBRID]
        unread = "" if self._papers.readable(question) else "no paper that the question is about could be read"
        if lost or unread:  # papers that were not searched say nothing of what they lack
            return bare.model_copy(update={"note": "; ".join([*(f.line() for f in lost), unread]).strip("; ")})
        said = "; ".join(part for part in (denied(searches), note) if part)
        return bare.model_copy(update={"state": "not_found", "note": said})

    def _look(self, question: Question) -> list[Looked]:
        looked: list[Looked] = []
        for chosen in self._chooser.choose(question, list(self._looks)):
            found = [p for one in looked for p in one.search.passages]
            try:
                looked.append(self._looks[chosen.method].look(question, chosen, found))
            except SolonError as error:  # the others may answer without it
                looked.append(Looked(_failed(question, chosen, error.failure)))
        return looked

    def _found(self, question: Question, looked: Sequence[Looked]) -> ReadStatements:
        """Return what answers a question in the words of its sources, and what of it a model is shown."""
        papers, settings = self._papers, self._papers.knowledge.research
        searches = [one.search for one in looked]
        silent = {name for one in looked for name in one.silent}
        reader = OperativeReader(question.text, papers.setting(question), papers.knowledge, papers.rarity)
        passages = [p for s in searches for p in s.passages if p.span.document not in silent]
        read = reader.read(passages)
        told = [s for one in looked for s in one.statements]
        answers = [stated(o, method_of(o.sentence, searches)) for o in answering(read, settings)]
        nearest = sorted(read, key=lambda o: -o.weight)[: settings.shown]
        near = [stated(o, method_of(o.sentence, searches)) for o in nearest]
        ours = [s for s in told if s.spans]
        return ReadStatements(once([*ours, *answers, *told]), once([*ours, *near, *told]))

    def _phrased(self, question: Question, found: ReadStatements) -> Phrased | None:
        """Return what the model makes of what was found; None without a model, or where nothing was."""
        if self._phraser is None or not found.shown:
            return None
        about = self._papers.about(span.document for s in found.shown for span in s.spans)
        return self._phraser.phrase(question, found.shown, about)

    def _missing(self, question: Question, searches: Sequence[Search]) -> str:
        """Ask which law governs where law was looked up and nobody says of which place."""
        knowledge = self._papers.knowledge
        lawless = not question.law and not names_a_place(question.text, knowledge)
        asked = lawless and any(s.method is Method.KNOWLEDGE for s in searches)
        return knowledge.research.dialogue.law if asked else ""


def open_researcher(
    index: Searcher,
    texts: Mapping[str, CanonicalText],
    harness: Harness,
    *,
    state: MatterState | None = None,
    lent: ResearchProfile | None = None,
    model: ModelClient | None = None,
) -> HouseResearcher:
    """Return the researcher of a matter.

    Args:
        index: Search over its papers.
        texts: The canonical texts of the papers that could be read.
        harness: Words by which methods are chosen, thresholds, and the law that is held.
        state: The inventory of the matter: a model is told what each paper is.
        lent: Exemplars, and a server to ask; what is configured when None.
        model: Chooses the methods and phrases the answer; without one the cues of the harness choose, and the sources
            speak for themselves.

    Raises:
        SolonError: What is configured cannot be understood.
    """
    papers = ResearchPapers(index, texts, harness.knowledge, state)
    looks = looks_at_hand(papers, research_in_force() if lent is None else lent)
    cues = cues_of(harness.knowledge)
    if model is None:
        return HouseResearcher(papers, looks, cues)
    phraser = Phraser(model, harness.prompts, harness.knowledge.research)
    return HouseResearcher(papers, looks, ModelChoice(model, harness.prompts, cues), phraser)


def looks_at_hand(papers: ResearchPapers, lent: ResearchProfile) -> dict[Method, Looker]:
    """Return the ways to look that can be used."""
    settings = papers.knowledge.research
    looks: dict[Method, Looker] = {
        Method.HYBRID: HybridLook(papers.index, settings.passages),
        Method.GRAPH: GraphLook(lambda: papers.graph),
        Method.KNOWLEDGE: KnowledgeLook(papers.knowledge, settings.rows),
    }
    if lent.folder is not None:
        looks[Method.EXEMPLARS] = ExemplarLook(ExemplarIndex(lent.folder), papers.texts, settings)
    if lent.server is not None:
        looks[Method.EXTERNAL] = ExternalLook(lent.server)
    return looks


def _failed(question: Question, chosen: Chosen, failure: Failure) -> Search:
    return Search(method=chosen.method, query=question.text, reason=chosen.reason, failure=failure)
