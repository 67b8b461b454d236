"""Search the data room."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.narrowing import CueChooser
from tasks.retrieval.narrowing import narrow as narrowed
from tasks.retrieval.records import Passage, Searcher
from tasks.sources.records import CanonicalText
from tasks.toolbox.desk import Desk
from tasks.toolbox.folder import open_room
from tasks.toolbox.registry import Tool
from tasks.toolbox.tools.related import graph_of

_MOST = 200  # passages of all documents together; bounds what one call gives
_MOST_EACH = 50  # passages of one document, as the docstring of the tool says


def search(
    desk: Desk,
    query: str,
    *,
    k: int = 8,
    documents: list[str] | None = None,
    each: bool = False,
    related: bool = False,
    narrow: bool = False,
    sources: str | None = None,
) -> dict[str, Any]:
    """Find the passages of the data room that bear on a question, best first, with exact spans and clause labels.

    Args:
        desk: What the caller may look at.
        query: What is wanted, in words.
        k: How many passages (at most 50).
        documents: Names of documents to search in; all when absent.
        each: Take the best k of every document, document by document: for a question that is asked of every
            contract ("which of these may be assigned?"). Their number is bounded by 200.
        related: Add the definitions and provisions that the passages depend on, each with its reason.
        narrow: Give the sentences that answer instead of whole passages.
        sources: Folder to search; the data room of the matter, or the folders served, when absent.
    """
    if sources is None and desk.index is not None:
        index, texts = desk.index, desk.texts
    else:
        room = open_room(desk, sources)
        index, texts = room.index, room.texts
    _refuse(query, documents, texts)
    k = max(1, min(k, _MOST_EACH))
    names = [name for name in sorted(texts) if documents is None or name in documents]
    if each:
        found = [passage for name in names for passage in index.search(query, k=k, documents=[name])][:_MOST]
    else:
        found = index.search(query, k=k, documents=documents)
    if narrow:
        found = _narrowed(index, query, documents, found)
    if related:
        found = graph_of(texts, index, desk.cache).with_related(found)
    return {"query": query, "passages": [p.model_dump(mode="json") for p in found]}


def _refuse(query: str, documents: Sequence[str] | None, texts: Mapping[str, CanonicalText]) -> None:
    """Refuse a search that could find nothing: an empty answer would read as "the data room says nothing"."""
    if not query.strip():
        raise _input("query", "the query is empty", "describe in words what to search for")
    unknown = sorted(set(documents or ()) - set(texts))
    if unknown:
        near = [n for name in unknown for n in get_close_matches(name, sorted(texts), n=3, cutoff=0.4)]
        known = ", ".join(near or sorted(texts)[:5]) or "none"
        raise _input(
            ", ".join(unknown),
            "no such document can be searched here",
            f"use the exact names of the documents: {known}",
        )


def _input(subject: str, message: str, remedy: str) -> SolonError:
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="toolbox", subject=subject, message=message, remedy=remedy)
    )


def _narrowed(index: Searcher, query: str, documents: Sequence[str] | None, found: Sequence[Passage]) -> list[Passage]:
    question, sought = index.sought(query, documents) if isinstance(index, MatterIndex) else (query, [])
    return narrowed(found, question, CueChooser(sought), most=len(found))


TOOL = Tool(
    search, stage="retrieval", seconds=600.0, example='"may it be assigned?" --sources documents --each --narrow --json'
)
