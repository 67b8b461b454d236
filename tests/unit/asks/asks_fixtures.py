"""Briefs read without papers, and with papers that have names."""

from __future__ import annotations

from collections.abc import Sequence

from tasks.asks.parse import parse_asks
from tasks.asks.records import Asks
from tasks.harness import packaged
from tasks.matter.records import Deliverable, Matter
from tasks.sources.records import DocumentState, Entity, MatterState


def paper(name: str, title: str, *parties: str, kind: str = "") -> DocumentState:
    entities = tuple(Entity(name=p, kind="party") for p in parties)
    return DocumentState(document=name, sha256="0", media="txt", title=title, document_type=kind, parties=entities)


def read(brief: str, papers: Sequence[DocumentState] = (), title: str = "A matter", files: Sequence[str] = ()) -> Asks:
    wanted = tuple(Deliverable(name=f, filename=f) for f in files)
    matter = Matter(matter_id="x/y", title=title, area="x", instructions=brief, deliverables=wanted)
    return parse_asks(matter, MatterState(matter_id="x/y", documents=tuple(papers), coverage=()), packaged())


def said(brief: str, **given: object) -> list[tuple[str, str]]:
    """Return the kind and the words of each ask."""
    return [(a.kind.value, " ".join(a.words.split())) for a in read(brief, **given).asks]  # type: ignore[arg-type]
