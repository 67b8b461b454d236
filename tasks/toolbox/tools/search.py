"""Search the data room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.records import Searcher
from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import open_folder
from tasks.toolbox.registry import Tool


def search(
    desk: Desk, query: str, *, k: int = 8, documents: list[str] | None = None, sources: str | None = None
) -> dict[str, Any]:
    """Find the passages of the data room that bear on a question, best first, with exact spans and clause labels.

    Args:
        desk: What the caller may look at.
        query: What is wanted, in words.
        k: How many passages (at most 50).
        documents: Names of documents to search in; all when absent.
        sources: Folder to search where there is no matter at hand.
    """
    index = desk.index if sources is None else _index(desk, sources)
    if index is None:
        raise SolonError(
            Failure(
                cause=FailureCause.INPUT,
                stage="toolbox",
                subject="search",
                message="there is no matter at hand",
                remedy="name a folder with --sources",
            )
        )
    found = index.search(query, k=max(1, min(k, 50)), documents=documents)
    return {"query": query, "passages": [p.model_dump(mode="json") for p in found]}


def _index(desk: Desk, sources: str) -> Searcher:
    import tempfile

    from tasks.retrieval.stage import build_index

    with tempfile.TemporaryDirectory() as scratch:
        room = open_folder(desk, sources, cache=desk.cache or Path(scratch))
        index = build_index(room.matter, room.texts, desk.cache or Path(scratch))
        index.search("warm", k=1)
        return index


TOOL = Tool(search, stage="retrieval", seconds=600.0)
