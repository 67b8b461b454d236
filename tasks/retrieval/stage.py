"""The retrieval stage: index a matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from tasks.matter.records import Matter
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.pieces import IndexProfile
from tasks.retrieval.records import Searcher
from tasks.sources.records import CanonicalText


def build_index(
    matter: Matter,
    texts: Mapping[str, CanonicalText],
    cache: Path,
    profile: IndexProfile | None = None,
    knowledge: Path | None = None,
) -> Searcher:
    """Index the readable documents of a matter and return its searcher.

    The work is done here and kept in ``cache/index`` by content hash, so that another process, or another matter
    with the same documents, only loads it. The searcher pickles by its texts and the cache folder.

    Args:
        matter: The matter; documents that are not its own are left out.
        texts: Canonical texts by document name.
        cache: Root of the content-addressed cache.
        profile: Chunk sizes and models; the embedded default when None.
        knowledge: Folder of the knowledge data of the harness; the packaged one when None.
    """
    names = {document.name for document in matter.documents}
    own = {name: text for name, text in texts.items() if name in names} if names else dict(texts)
    index = MatterIndex(own, cache, profile, knowledge)
    index.prepare()
    return index
