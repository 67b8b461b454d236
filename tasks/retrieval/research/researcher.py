"""The researcher: chooses how to look for the answer to a question, looks, and answers with the words that it found.

    researcher = open_researcher(index, texts, harness)
    answer = researcher.answer(Question(text="May the lease be assigned without consent?"))

Without a model the statements are sentences of the papers and rows of the law that is held, each with its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knowledge_db import KnowledgeBase
from tasks.harness import Harness
from tasks.retrieval.graph.graph import build_graph
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.operative import OperativeReader
from tasks.retrieval.records import Passage, Searcher
from tasks.retrieval.research.choice import cues_of
from tasks.retrieval.research.looks import GraphLook, HybridLook, KnowledgeLook, Look, Looked
from tasks.retrieval.research.reading import answering, stated
from tasks.retrieval.research.records import Answer, Method, Question, Researcher, Search, Statement
from tasks.sources.records import CanonicalText

_HEAD = 1_500  # characters of a document that show what kind of document it is
_HEADS = 4  # of so few documents the heads are read


class HouseResearcher:
    """A :class:`~tasks.retrieval.research.records.Researcher` over the index of a matter."""

    def __init__(
        self,
        index: Searcher,
        texts: Mapping[str, CanonicalText],
        knowledge: KnowledgeBase,
        looks: Mapping[Method, Look],
    ) -> None:
        """Take the papers, the knowledge, and the ways to look that are at hand."""
        self._index, self._texts, self._knowledge, self._looks = index, texts, knowledge, looks
        self._cues = cues_of(knowledge)

    def answer(self, question: Question) -> Answer:
        """Return what is found, with every look that was taken."""
        looked = self._look(question)
        searches = tuple(one.search for one in looked)
        if judged := self._cues.judgment(question):
            note = f"needs a lawyer's judgment (“{judged}”): what bears on it is among the passages found"
            return Answer(question=question, state="not_attempted", searches=searches, note=note)
        statements = (*self._read(question, searches), *(s for one in looked for s in one.statements))
        if statements:
            return Answer(question=question, state="answered", statements=statements, searches=searches)
        return Answer(question=question, state="not_found", searches=searches, note=_said(searches))

    def _look(self, question: Question) -> list[Looked]:
        looked: list[Looked] = []
        for chosen in self._cues.choose(question, list(self._looks)):
            found = [p for one in looked for p in one.search.passages]
            looked.append(self._looks[chosen.method].look(question, chosen, found))
        return looked

    def _read(self, question: Question, searches: Sequence[Search]) -> list[Statement]:
        """Return the sentences of the passages found that answer a question."""
        reader = OperativeReader(question.text, self._setting(question), self._knowledge, self._rarity)
        read = reader.read([p for s in searches for p in s.passages])
        chosen = answering(read, bool(reader.sought), self._knowledge.research)
        return [stated(o, _method_of(o.sentence, searches)) for o in chosen]

    def _setting(self, question: Question) -> str:
        names = question.documents or tuple(self._texts)
        heads = [self._texts[n].text[:_HEAD] for n in names if n in self._texts] if len(names) <= _HEADS else []
        return "\n".join([question.text, *heads])

    def _rarity(self, stem: str) -> float:
        return self._index.rarity(stem) if isinstance(self._index, MatterIndex) else 1.0


def open_researcher(index: Searcher, texts: Mapping[str, CanonicalText], harness: Harness) -> Researcher:
    """Return the researcher of a matter.

    Args:
        index: Search over its papers.
        texts: The canonical texts of the papers that could be read.
        harness: Words by which methods are chosen, thresholds, and the law that is held.
    """
    knowledge = harness.knowledge
    settings = knowledge.research
    clauses = {name: index.clauses(name) for name in texts}
    looks: dict[Method, Look] = {
        Method.HYBRID: HybridLook(index, settings.passages),
        Method.GRAPH: GraphLook(build_graph(texts, clauses)),
        Method.KNOWLEDGE: KnowledgeLook(knowledge, settings.statements),
    }
    return HouseResearcher(index, texts, knowledge, looks)


def _method_of(sentence: Passage, searches: Sequence[Search]) -> Method:
    """Return the first method whose passages hold a sentence."""
    return next(s.method for s in searches for p in s.passages if _holds(p, sentence))


def _holds(passage: Passage, sentence: Passage) -> bool:
    outer, inner = passage.span, sentence.span
    return outer.document == inner.document and outer.start <= inner.start and inner.end <= outer.end


def _said(searches: Sequence[Search]) -> str:
    """Name the searches behind a denial."""
    told = [f"{s.method.value} search for “{s.query}” ({len(s.passages) + len(s.citations)} read)" for s in searches]
    return f"nothing found answers it: {'; '.join(told)}"
