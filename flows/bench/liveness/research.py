"""How a question is looked for: whether each cue and each setting of the researcher changes what it does."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from flows.bench.liveness.records import ALL, Leaf, fewer, moved, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.records import OF_RESEARCH
from knowledge_db.research import ChunkKind, ResearchSettings
from tasks.asks.records import Ask, AskAnswer, AskKind, AskState, Entry
from tasks.drafting.interrogator.relevance import related
from tasks.harness import Harness
from tasks.legaltext.fold import straight
from tasks.legaltext.tokens import terms
from tasks.matter.base import content_hash
from tasks.matter.failures import Failure, FailureCause
from tasks.models.client import ModelClient
from tasks.models.profile import ModelProfile
from tasks.models.transports.scripted import ScriptedModel
from tasks.retrieval.archive.dialogue import missing, takes_side
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.entail.records import Entailment as Labelled
from tasks.retrieval.entail.records import Hypothesis, Passages
from tasks.retrieval.graph.graph import build_graph
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import IndexProfile
from tasks.retrieval.research.asking_model import Phraser
from tasks.retrieval.research.choice import MethodCues
from tasks.retrieval.research.configured import ResearchProfile
from tasks.retrieval.research.exemplars import ExemplarIndex, ExemplarLook, Like
from tasks.retrieval.research.records import Method, Question
from tasks.retrieval.research.researcher import HouseResearcher, ResearchPapers, looks_at_hand, open_researcher
from tasks.sources.inventory import describe
from tasks.sources.records import CanonicalText, CoverageEntry, MatterState

_RENT = "The tenant pays a rent of {n} dollars for the shop on floor {n}, and the rent is due on the first day."
_NOTE = "The rent of the shop is told to the mayor, who keeps what he is told in a book of the town, and no more."
_HEAD = 'LEASE\n\nThis Lease is made as of May 1, 2024 between Alder Inc. ("Landlord") and Birch LLC ("Tenant").\n\n'
_PAPER = "1. Rents\n\nEach rent is as in Schedule 9:\n\n{rents}\n\n2. {note}\n{law}"
_LAW = "\n3. Law\n\nThis lease is governed by the laws of the State of {state}.\n"
_ASKED = "What rent does the tenant pay for the shop?"
_METHODS = list(Method)


def methods(harness: Harness) -> Iterator[Leaf]:
    """Take each word away from the cues of a method, or of whose side is taken, and read a question that has it."""
    base = harness.knowledge
    for row in (row for row in base.questions if row.use in OF_RESEARCH):
        whole = with_rows(base, questions=(row,), research=base.research)
        for name, other in fewer(row, "patterns"):
            rest = (other,) if other.patterns else ()
            less = with_rows(base, questions=rest, research=base.research)
            said = [straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(20)]
            alive = any(_chosen(whole, words) != _chosen(less, words) for words in said)
            yield Leaf("questions", f"{row.use}: {row.name}: {name}", alive)


def research(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Change each setting, and research a small room."""
    settings = harness.knowledge.research
    with TemporaryDirectory() as place:
        before = _outcome(harness, settings, Path(place))
        for name, others in [*_changes(settings)][rows]:
            alive = any(_outcome(harness, other, Path(place)) != before for other in others)
            yield Leaf("research", name, alive)


def sent_in_research(harness: Harness) -> str:
    """Return what a model is sent that chooses the methods and phrases the answer."""
    model = ScriptedModel(lambda _: "{}")
    with TemporaryDirectory() as place:
        texts = {"a.txt": _paper("a.txt", "Ohio")}
        index = MatterIndex(texts, Path(place), IndexProfile(embedder="none"), harness.knowledge)
        asked = Question(text=_ASKED, client="Alder Inc.", law="Ohio", kind="fact")
        state = MatterState(matter_id="m", documents=tuple(map(describe, texts.values())), coverage=())
        lent = ResearchProfile()
        open_researcher(index, texts, harness, state=state, lent=lent, model=_client(model)).answer(asked)
    return "\n".join(message["content"] for request in model.requests for message in request)


def _chosen(base: KnowledgeBase, words: str) -> object:
    return [c.method for c in MethodCues(base).choose(Question(text=words), _METHODS)], takes_side(words, base)


def _changes(settings: ResearchSettings) -> Iterator[tuple[str, list[ResearchSettings]]]:
    """Yield the name of each setting with settings that differ in it alone."""
    for name, value in settings.model_dump(exclude={"chunks", "kinds", "dialogue"}).items():
        yield name, [settings.model_copy(update={name: other}) for other in moved(value)]
    others: list[ChunkKind] = ["contiguous", "node"]
    yield "chunks", [settings.model_copy(update={"chunks": other}) for other in others]
    for kind, chosen in settings.kinds.items():
        for method in chosen:
            less = {**settings.kinds, kind: tuple(m for m in chosen if m != method)}
            yield f"kinds: {kind}: {method}", [settings.model_copy(update={"kinds": less})]
    for name, words in settings.dialogue.model_dump(exclude={"provenance", "as_of"}).items():
        if isinstance(words, str) and words:
            told = settings.dialogue.model_copy(update={name: f"{words} (changed)"})
            yield f"dialogue: {name}", [settings.model_copy(update={"dialogue": told})]


def _outcome(harness: Harness, settings: ResearchSettings, place: Path) -> str:
    """Return what the researcher answers in a small room, what it sends, and what the archivist asks for."""
    base = harness.knowledge
    laws = [p for p in base.provisions if p.answer == "law"][:1]
    few = {"authorities": base.authorities[:30], "windows": base.windows[:30], "synonyms": (), "names": (), "asked": ()}
    rows = {
        "questions": base.questions,
        "ranking": base.ranking,
        "provisions": tuple(laws),
        "standings": base.standings,
    }
    knowledge = with_rows(base, **few, **rows, research=settings)
    texts = {name: _paper(name, state) for name, state in (("a.txt", "Ohio"), ("b.txt", "Texas"))}
    index = MatterIndex(texts, place, IndexProfile(embedder="none"), knowledge)
    papers = ResearchPapers(index, texts, knowledge)
    looks = looks_at_hand(papers, ResearchProfile())
    looks[Method.EXEMPLARS] = ExemplarLook(_Stub(Path()), texts, settings)
    model = ScriptedModel(_phrased)
    phraser = Phraser(_client(model), harness.prompts, settings)
    law = f"{' '.join(base.authorities[0].keywords)} under the statutes"
    asked = [Question(text=_ASKED, kind="yes_no"), Question(text=law, kind="fact")]
    made = [HouseResearcher(papers, looks, MethodCues(knowledge), p).answer(q) for p in (None, phraser) for q in asked]
    return "\n".join(
        [
            *(answer.model_dump_json() for answer in made),
            *(message["content"] for request in model.requests for message in request),
            *(m.question for name in ("a.txt", "b.txt") for m in _asked_for(texts, name, knowledge)),
            *(m.question for m in _asked_for(texts, "", knowledge)),
            *(_doubted(words, settings) for words in ("the rent of the shop", "the rent of the school", "a song")),
        ]
    )


def _doubted(words: str, settings: ResearchSettings) -> str:
    """Return what is left of an answer to be verified, where the papers speak of more or less of what is asked."""
    ask = Ask(ask_id="1", kind=AskKind.FACT, words=words, subject=words, start=0, end=len(words))
    got = AskAnswer(
        ask_id="1",
        state=AskState.ANSWERED,
        entries=(Entry(state=AskState.ANSWERED, answer="100 dollars", certain=False),),
    )
    return related(ask, got, frozenset(terms(_RENT)), {}, settings.known).state.value


def _asked_for(texts: dict[str, CanonicalText], only: str, knowledge: KnowledgeBase) -> Sequence[Any]:
    """Return what is missing of the room, or of one paper without its law, where two others are not read."""
    kept = {only: texts[only].model_copy(update={"text": texts[only].text.partition("3. Law")[0]})} if only else texts
    lost = Failure(cause=FailureCause.READER, stage="sources", subject="c.pdf", message="It is encrypted.")
    entries = tuple(
        CoverageEntry(document="c.pdf", status=status, characters=0, failures=(lost,))
        for status in ("unread", "partial")
    )
    states = tuple(describe(text) for text in kept.values())
    state = MatterState(matter_id="m", documents=states, coverage=entries)
    graph = build_graph(kept, {name: clause_tree(text) for name, text in kept.items()})
    return missing(
        "Is it lawful under the statutes?", ["Is it lawful under the statutes?"], state, kept, graph, knowledge
    )


def _paper(name: str, state: str) -> CanonicalText:
    rents = "\n\n".join(f"({'abcdefghijkl'[n]}) {_RENT.format(n=100 + n)}" for n in range(12))
    text = _HEAD + _PAPER.format(rents=rents, note=_NOTE, law=_LAW.format(state=state))
    return CanonicalText(document=name, sha256=content_hash(text), extractor="bench", media="txt", text=text)


def _phrased(messages: Sequence[Any]) -> str:  # noqa: ARG001 (the form)
    """Say two thirds of what the first sentence says, and something else."""
    return json.dumps(
        {"statements": [{"text": "The tenant of a mall pays rent gladly.", "sentences": [1]}], "missing": ""}
    )


def _client(model: ScriptedModel) -> ModelClient:
    return ModelClient(ModelProfile(name="m", model="scripted", retries=0), transport=model)


class _Stub(ExemplarIndex):
    """Exemplars of which nothing need be learned: a question is half alike; ``a.txt`` is half silent, the other not."""

    def nearest(self, question: str) -> Like:
        return Like(Hypothesis(key="k", text=question), 0.6)

    def labels(self, statement: str) -> Counter[str]:  # noqa: ARG002 (the form)
        return Counter(neutral=1, entailment=1)

    def read(self, statement: str, documents: Sequence[Passages]) -> list[Labelled]:
        bare = Labelled(document="a.txt", statement=statement, label="neutral", chances=(0.2, 0.2, 0.6))
        told = {"label": "entailment", "chances": (0.6, 0.2, 0.2), "evidence": (1,)}
        names = [d.document for d in documents]
        return [bare if name == "a.txt" else bare.model_copy(update={"document": name, **told}) for name in names]
