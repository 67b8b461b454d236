"""A room of our own papers for the tests of the ways, and asks made by hand."""

from pathlib import Path

from skills_repo.schema import default_procedure
from tasks.asks.records import Ask, AskKind, Asks
from tasks.drafting.extractive.reading import read
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.transcript import Transcript
from tasks.drafting.records import Cell, DraftJob
from tasks.harness import packaged
from tasks.matter.records import Matter
from tasks.retrieval.clauses import clause_tree
from tasks.retrieval.records import KnowledgePack, SkillCard
from tasks.sources.records import CanonicalText, MatterState, Segment, SegmentKind
from tasks.toolbox.desk import Desk
from tasks.toolbox.registry import ToolRegistry


class Shelf:
    """A searcher that knows the clauses and finds nothing."""

    def __init__(self, texts):
        self.trees = {name: clause_tree(text) for name, text in texts.items()}

    def search(self, query, k=8, documents=None):
        return []

    def clauses(self, document):
        return self.trees[document]


def text_of(name, text):
    media = name.rpartition(".")[2]
    segments = (Segment(kind=SegmentKind.BODY, label="body", start=0, end=len(text)),) if media == "eml" else ()
    return CanonicalText(
        document=name, sha256="0" * 64, extractor=f"{media}/1", media=media, text=text, segments=segments
    )


def room(papers, brief, *asked, procedure=None):
    """Return a room over papers (name: text) and the asks of a brief: ``(words, kind)`` pairs."""
    harness = packaged()
    texts = {name: text_of(name, text) for name, text in papers.items()}
    asks = []
    for n, (words, kind) in enumerate(asked, 1):
        at = brief.index(words)
        asks.append(Ask(ask_id=str(n), words=words, start=at, end=at + len(words), kind=AskKind(kind), subject=words))
    matter = Matter(matter_id="m/one", title="Matter", area="m", instructions=brief, deliverables=(), documents=())
    state = MatterState(matter_id="m/one", documents=(), coverage=())
    index = Shelf(texts)
    pack = KnowledgePack(
        harness_version="0" * 64,
        skill=SkillCard(skill_id="f/s", name="S", description="", body="", procedure=default_procedure()),
        skeletons={},
    )
    desk = Desk(matter=matter, state=state, texts=texts, index=index, pack=pack, harness=harness)
    job = DraftJob(
        matter=matter,
        state=state,
        texts=texts,
        index=index,
        pack=pack,
        cell=Cell(name="extractive", runtime="extractive"),
        toolbox=ToolRegistry(desk),
        workspace=Path(),
        harness=harness,
        asks=Asks(brief=brief, asks=tuple(asks)),
    )
    readings = [read(t, None, index, harness.knowledge) for t in texts.values()]
    return Room(job, readings, procedure or default_procedure(), Transcript())
