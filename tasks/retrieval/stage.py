"""The retrieval stage: index a matter."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from knowledge_db import KnowledgeBase
from tasks.matter.base import content_hash
from tasks.matter.records import Matter
from tasks.models.access import ModelAccess
from tasks.models.profile import ModelProfile
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.indexed_documents import NO_EMBEDDER, IndexProfile
from tasks.retrieval.records import Searcher
from tasks.retrieval.research.configured import ResearchProfile, research_in_force
from tasks.retrieval.table import read_table
from tasks.sources.records import CanonicalText


def open_index(
    matter: Matter,
    texts: Mapping[str, CanonicalText],
    cache: Path,
    profile: IndexProfile | None = None,
    knowledge: KnowledgeBase | None = None,
    models: ModelAccess | None = None,
) -> MatterIndex:
    """Return the searcher of a matter without loading it: the first question does. Arguments as ``build_index``."""
    names = {document.name for document in matter.documents}
    own = {name: text for name, text in texts.items() if name in names} if names else dict(texts)
    return MatterIndex(own, cache, profile or profile_in_force(), knowledge, models)


def build_index(
    matter: Matter,
    texts: Mapping[str, CanonicalText],
    cache: Path,
    profile: IndexProfile | None = None,
    knowledge: KnowledgeBase | None = None,
    models: ModelAccess | None = None,
) -> Searcher:
    """Index the readable documents of a matter and return its searcher.

    The work is done here and kept in ``cache/index`` by content hash, so that another process, or another matter
    with the same documents, only loads it. The searcher pickles by its texts and the cache folder.

    Args:
        matter: The matter; documents that are not its own are left out.
        texts: Canonical texts by document name.
        cache: Root of the content-addressed cache.
        profile: Chunk sizes and models; the one in force when None.
        knowledge: Of the harness; the packaged one when None.
        models: What embedders and rerankers are called with, and charged to; the profiles in force when None.
    """
    index = open_index(matter, texts, cache, profile, knowledge, models)
    index.prepare()
    return index


def profile_in_force(source: Path | None = None) -> IndexProfile:
    """Return the index profile that ``[retrieval]`` of a TOML file sets, the embedded default where it sets nothing.

    An embedder that reads words in their context is trusted as much as BM25 unless the table says otherwise.

    Args:
        source: The file; the one that ``SOLON_MODELS`` names when None.

    Raises:
        SolonError: The file or the table cannot be understood.
    """
    return read_table("retrieval", _index_profile, source)


def _index_profile(table: dict[str, Any]) -> IndexProfile:
    table.pop("actors", None)  # of the compute plane
    table.pop("research", None)  # of the researcher
    if table.get("embedder", "wordllama") not in ("wordllama", "none"):
        table.setdefault("dense_weight", 1.0)
    return IndexProfile.model_validate(table)


def search_digest(source: Path | None, models: ModelAccess) -> str:
    """Return the content hash of how matters are indexed and searched: the index profile, its models, what is lent.

    Raises:
        SolonError: As of ``profile_in_force``; or a model that is named is no profile of its kind.
    """
    digests = [profile.digest for profile in models_in_force(source, models)]
    lent = research_in_force(source)
    told = [lent.model_dump(mode="json")] if lent != ResearchProfile() else []
    return content_hash([profile_in_force(source).model_dump(mode="json"), digests, *told])


def models_in_force(source: Path | None, models: ModelAccess) -> list[ModelProfile]:
    """Return the profiles that a search asks: its embedder and its reranker, as far as it has them.

    Raises:
        SolonError: As of ``search_digest``.
    """
    profile = profile_in_force(source)
    asked = [models.profile(profile.embedder, "embeddings")] if profile.embedder != NO_EMBEDDER else []
    return asked + ([models.profile(profile.reranker, "reranker")] if profile.reranker else [])
