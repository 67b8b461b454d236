"""The data room of a tool call: that of the matter at hand, a folder that is named, or the folders of the caller."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from tasks.matter.records import DocumentRef, Matter
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox.desk import Desk, refused

if TYPE_CHECKING:
    from tempfile import TemporaryDirectory

_NAMED = "name a folder with --sources DIR, or serve one with --root DIR"


@dataclass
class DataRoom:
    """A data room. What a tool asks of it is read at the first question, and kept for those that follow.

    Attributes:
        matter: Its documents.
        desk: Whose room it is; its texts, inventory, index and knowledge go before what is read here.
    """

    matter: Matter
    desk: Desk
    _scratch: TemporaryDirectory[str] | None = field(default=None, repr=False)

    @property
    def cache(self) -> Path:
        """Folder of what was read; one of the room's own, as long as the room is kept, where the caller has none."""
        if self.desk.cache:
            return self.desk.cache
        self._scratch = self._scratch or tempfile.TemporaryDirectory(prefix="solon-room-")
        return Path(self._scratch.name)

    @cached_property
    def texts(self) -> Mapping[str, CanonicalText]:
        """Canonical texts by document name."""
        from tasks.sources.texts import load_texts

        return self.desk.texts or load_texts(self.matter, self.cache)

    @cached_property
    def state(self) -> MatterState:
        """The inventory."""
        from tasks.sources.stage import inventory

        return self.desk.state or inventory(self.matter, self.cache, self.desk.knows.knowledge)

    @cached_property
    def pack(self) -> KnowledgePack:
        """The knowledge gathered for the room."""
        from tasks.retrieval.knowledge import gather

        return self.desk.pack or gather(self.matter, self.state, self.desk.knows)

    @cached_property
    def index(self) -> Searcher:
        """The searcher."""
        from tasks.retrieval.stage import build_index

        given = self.desk.index
        return given or build_index(self.matter, self.texts, self.cache, knowledge=self.desk.knows.knowledge)


def open_room(desk: Desk, sources: str | None, without: Collection[str] = ()) -> DataRoom:
    """Return the folder named; else the matter at hand; else the folders that the caller was given.

    Args:
        desk: What the caller may look at.
        sources: The folder named, if any.
        without: Files that are no part of a folder though they lie in it: a draft is no source of itself.

    Raises:
        SolonError: There is none of these, or it holds no documents.
    """
    if sources is None and desk.matter:
        return DataRoom(desk.matter, desk)
    if sources is None and not desk.roots:
        raise refused("sources", "are missing: no matter is open", _NAMED)
    matter = _folder(desk, sources, {desk.file(name) for name in without})
    key = (matter.digest, tuple(str(d.path) for d in matter.documents), str(desk.knows.knowledge.folder), desk.cache)
    return _kept(
        _Opened(key, DataRoom(matter, replace(desk, matter=None, state=None, texts={}, index=None, pack=None)))
    )


def holds_documents(desk: Desk) -> bool:
    """Whether the folders that the caller was given hold any."""
    return any(_listed(desk, root).documents for root in desk.roots)


def _folder(desk: Desk, sources: str | None, without: Collection[Path]) -> Matter:
    """Return the documents of a folder, or of all folders of the caller, less the files left out.

    What was written for the caller is none: what this process wrote, and what lies in the ``output/`` for deliverables.
    """
    if sources is not None:
        found, apart, outputs = [_listed(desk, desk.folder(sources), must=True)], set(without), []
    else:
        found, apart = [_listed(desk, root) for root in desk.roots], {*without, *desk.written}
        outputs = [place.resolve() / "output" for place in ((desk.workspace,) if desk.workspace else desk.roots)]
    documents: dict[str, DocumentRef] = {}
    for document in (document for matter in found for document in matter.documents):
        path = document.path.resolve()
        if path not in apart and not any(path.is_relative_to(output) for output in outputs):
            # of two roots the first has the bare names, as it has them for every path
            name = document.name if document.name not in documents else str(document.path)
            documents[name] = document.model_copy(update={"name": name})
    if not documents:
        remedy = "put the documents of the matter there, or name another folder with --sources DIR"
        raise refused(sources or str(desk.roots[0]), "holds no documents beside drafts", remedy)
    problems = tuple(problem for matter in found for problem in matter.problems)
    return found[0].model_copy(update={"documents": tuple(documents.values()), "problems": problems})


def _listed(desk: Desk, folder: Path, must: bool = False) -> Matter:
    from tasks.matter.dataroom import list_documents
    from tasks.matter.loading import load_folder

    ask = "Reconcile the draft with these documents."
    if must or list_documents(folder.resolve(), folder.resolve(), desk.why_private)[0]:
        return load_folder(folder, ask, (), desk.why_private)
    return Matter(matter_id="room", title=folder.name, area="", instructions=ask)


@dataclass(frozen=True)
class _Opened:
    """A room as it was asked for; two are equal where their documents and the knowledge are."""

    key: tuple[object, ...]
    room: DataRoom = field(compare=False)


@lru_cache(maxsize=2)
def _kept(opened: _Opened) -> DataRoom:
    """Return the room that was opened first, with all that was read of it since."""
    return opened.room
