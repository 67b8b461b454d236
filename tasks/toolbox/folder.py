"""A plain folder as the data room of a reconciling tool."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tasks.matter.records import Matter
from tasks.retrieval.records import KnowledgePack, Searcher
from tasks.sources.records import CanonicalText, MatterState
from tasks.toolbox.desk import Desk


@dataclass(frozen=True)
class Room:
    """A data room with its inventory, and search over it where it is indexed."""

    matter: Matter
    texts: Mapping[str, CanonicalText]
    state: MatterState
    pack: KnowledgePack
    index: Searcher | None = None


def open_room(desk: Desk, sources: str | None) -> Room:
    """Return the matter at hand, or the folder named.

    Raises:
        SolonError: There is neither, or the folder holds no documents.
    """
    from tasks.toolbox.desk import refused

    if sources is not None:
        if desk.cache:
            return open_folder(desk, sources, desk.cache)
        with tempfile.TemporaryDirectory() as scratch:
            return open_folder(desk, sources, Path(scratch))
    if desk.matter and desk.state and desk.pack:
        return Room(desk.matter, desk.texts, desk.state, desk.pack, desk.index)
    raise refused("sources", "are missing: no matter is open", "name a folder with --sources DIR")


def open_folder(desk: Desk, sources: str, cache: Path) -> Room:
    """Read and type the documents of a folder."""
    from tasks.matter.loading import load_folder
    from tasks.retrieval.knowledge import gather
    from tasks.sources.stage import inventory
    from tasks.sources.texts import load_texts

    matter = load_folder(desk.folder(sources), "Reconcile the draft with these documents.", (), desk.why_private)
    state = inventory(matter, cache, desk.knows.knowledge)
    pack = gather(matter, state, desk.knows)
    return Room(matter, load_texts(matter, cache), state, pack)


def open_texts(desk: Desk, sources: str | None) -> Mapping[str, CanonicalText]:
    """Return the texts of the documents of a folder, without typing them.

    Raises:
        SolonError: No folder is named, or it holds no documents.
    """
    from tasks.matter.loading import load_folder
    from tasks.sources.texts import load_texts
    from tasks.toolbox.desk import refused

    if sources is None:
        raise refused("sources", "are missing: no matter is open", "name a folder with --sources DIR")
    matter = load_folder(desk.folder(sources), "Check a quotation against these documents.", (), desk.why_private)
    if desk.cache:
        return load_texts(matter, desk.cache)
    with tempfile.TemporaryDirectory() as scratch:
        return load_texts(matter, Path(scratch))
