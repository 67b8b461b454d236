"""How a question is looked for in the papers, and when what is found is an answer: ``data/ranking/research.toml``."""

from __future__ import annotations

import tomllib
from pathlib import Path
from string import Formatter
from types import MappingProxyType
from typing import Final, Literal

from pydantic import Field, ValidationError, model_validator

from knowledge_db.load import KnowledgeError
from knowledge_db.records import KnowledgeRow, ResearchMethod

ChunkKind = Literal["contiguous", "node", "ancestors", "descendants", "all"]
"""What the chunks of a document are made of (``tasks/retrieval/chunks.py``)."""


_SLOTS: Final = MappingProxyType(
    {
        "client": {"parties"},
        "law": set(),
        "laws": {"laws"},
        "unread": {"document", "reason"},
        "partial": {"document", "reason"},
        "attachment": {"document", "attachments"},
    }
)


class DialogueWords(KnowledgeRow):
    """What a person is asked for, each a question with its slots.

    Attributes:
        client: For whom the work is done.
        law: Which law governs, where nothing tells; ``laws`` where the papers choose several.
        unread, partial: A document that could not be read, or only in part.
        attachment: An attachment that the papers refer to and that is not there.
    """

    client: str
    law: str
    laws: str
    unread: str
    partial: str
    attachment: str

    @model_validator(mode="after")
    def _with_their_slots(self) -> DialogueWords:
        for name, wanted in _SLOTS.items():
            slots = {slot for _, slot, _, _ in Formatter().parse(getattr(self, name)) if slot is not None}
            if slots != wanted:
                raise ValueError(f"{name} must have the slots {', '.join(sorted(wanted)) or '(none)'}")
        return self


class ResearchSettings(KnowledgeRow):
    """Bounds of a search and thresholds of an answer.

    Attributes:
        chunks: What the passages are made of that a search finds.
        kinds: Ways to look that a kind of answer asks for, beside a search of the papers.
        passages: Passages that one search gives.
        statements: Sentences that one answer quotes at most.
        least: Share of the words of a question that a sentence must speak of to answer it.
        near: Share of the best sentence's weight that a further one must reach.
        alike: How alike a question must be to a labelled statement of the exemplars to be answered by them.
        silent: Chance that a paper says nothing of a labelled statement, from which it is held to be silent.
        papers: Papers of a matter that are read beside exemplars at most.
        rows: Authorities and deadlines that one answer tells at most, of each.
        shown: Sentences of the papers that a model is shown to phrase an answer.
        carried: Share of the words of its statement that the sentences must hold which it cites.
        known: Share of the nouns of a question that some paper must have, or a synonym, for an answer to be shown that
            is to be verified.
        dialogue: What a person is asked for where it is missing.
    """

    chunks: ChunkKind
    kinds: dict[str, tuple[ResearchMethod, ...]]
    passages: int = Field(ge=1, le=50)
    statements: int = Field(ge=1, le=20)
    least: float = Field(ge=0, le=1)
    near: float = Field(ge=0, le=1)
    alike: float = Field(ge=0, le=1)
    silent: float = Field(ge=0, le=1)
    papers: int = Field(ge=1, le=100)
    rows: int = Field(ge=1, le=20)
    shown: int = Field(ge=1, le=100)
    carried: float = Field(ge=0, le=1)
    known: float = Field(ge=0, le=1)
    dialogue: DialogueWords


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
