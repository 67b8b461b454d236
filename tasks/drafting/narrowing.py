"""A model that chooses, by number, the sentences of a passage that answer a question."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from skills_repo.prompt_files import Prompts
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_objects

SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["sentences"],
        "properties": {"sentences": {"type": "array", "items": {"type": "integer"}, "maxItems": 40}},
    }
)


class ModelChooser:
    """Asks a model for sentence numbers (a :class:`tasks.retrieval.narrowing.SentenceChooser`)."""

    def __init__(self, client: ModelClient, prompts: Prompts) -> None:
        """Take the client of the model profile that filters, and the prompts of the harness."""
        self._client, self._prompts = client, prompts

    def choose(self, question: str, heading: str, found: Sequence[str]) -> Sequence[int]:
        """Return the sentences that the model names; all of them where its reply cannot be read.

        Raises:
            SolonError: The model cannot be asked (provider, timeout, budget).
        """
        numbered = "\n".join(f"{i}. {inert_text(text)}" for i, text in enumerate(found, start=1))
        code = hashlib.sha256(numbered.encode()).hexdigest()[:12]
        asked = self._prompts.chooser_passage.filled(
            question=inert_text(question), heading=inert_text(heading), code=code, sentences=numbered
        )
        system = self._prompts.chooser.filled()
        messages = [{"role": "system", "content": system}, {"role": "user", "content": asked}]
        replies = [r for r in find_objects(self._client.complete(messages, SCHEMA).text) if "sentences" in r]
        named = replies[-1]["sentences"] if replies else None
        if not isinstance(named, list) or not all(isinstance(n, int) for n in named):
            return range(len(found))
        return sorted({n - 1 for n in named if 1 <= n <= len(found)})
