"""The retrieval stage: index a matter."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

from pydantic import ValidationError

from knowledge_db import KnowledgeBase
from tasks.matter.records import Matter
from tasks.models.search.profiles import MODELS_VARIABLE
from tasks.models.search.vectors import failed
from tasks.retrieval.index import MatterIndex
from tasks.retrieval.pieces import IndexProfile
from tasks.retrieval.records import Searcher
from tasks.sources.records import CanonicalText


def build_index(
    matter: Matter,
    texts: Mapping[str, CanonicalText],
    cache: Path,
    profile: IndexProfile | None = None,
    knowledge: KnowledgeBase | None = None,
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
    """
    names = {document.name for document in matter.documents}
    own = {name: text for name, text in texts.items() if name in names} if names else dict(texts)
    index = MatterIndex(own, cache, profile or profile_in_force(), knowledge)
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
    named = str(source or os.environ.get(MODELS_VARIABLE, ""))
    if not named:
        return IndexProfile()
    try:
        table = dict(tomllib.loads(Path(named).read_text(encoding="utf-8")).get("retrieval", {}))
        table.pop("actors", None)  # of the compute plane
        if table.get("embedder", "wordllama") not in ("wordllama", "none"):
            table.setdefault("dense_weight", 1.0)
        return IndexProfile.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        said = f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
        raise failed("retrieval", f"The table cannot be understood: {said}.", "Correct [retrieval].") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise failed(named, f"The file cannot be read: {error}.", "Correct the file.") from error
