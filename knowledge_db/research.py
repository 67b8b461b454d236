"""How a question is looked for in the papers, and when what is found is an answer: ``data/ranking/research.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow

ChunkKind = Literal["contiguous", "node", "ancestors", "descendants", "all"]
"""What the chunks of a document are made of (``tasks/retrieval/chunks.py``)."""


class ResearchSettings(KnowledgeRow):
    """Bounds of a search and thresholds of an answer.

    Attributes:
        chunks: What the passages are made of that a search finds.
        passages: Passages that one search gives.
        statements: Sentences that one answer quotes at most.
        least: Share of the words of a question that a sentence must speak of to answer it.
        near: Share of the best sentence's weight that a further one must reach.
    """

    chunks: ChunkKind
    passages: int = Field(ge=1, le=50)
    statements: int = Field(ge=1, le=20)
    least: float = Field(ge=0, le=1)
    near: float = Field(ge=0, le=1)


def load_research(folder: Path) -> ResearchSettings:
    """Return the settings below ``folder``.

    Raises:
        KnowledgeError: They are not there, or one is missing, unknown or out of its bounds.
    """
    try:
        path = folder / "ranking" / "research.toml"
        return ResearchSettings.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise KnowledgeError(f"ranking/research.toml: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise KnowledgeError(f"ranking/research.toml: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error
