"""The proposer that asks a model. Its reply is read as data; one that cannot be read is asked for once more."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from tasks.learning.proposers import showing
from tasks.learning.proposers.replies import UnreadableReplyError, edits_in, schema
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.models.client import ModelClient
from tasks.models.records import Message

TRANSCRIPTS: Final = "proposer"
"""Folder of the learning run that keeps what the model was told and what it said, for audit."""


class ModelProposer:
    """Shows a model the redacted input and the editable text, and reads bounded replacements out of its reply."""

    name = "model"

    def __init__(self, surfaces: Sequence[Surface], home: Path, client: Callable[[], ModelClient]) -> None:
        """Set it up.

        Args:
            surfaces: Surfaces that edits may change, the first shown first.
            home: Folder of the learning run.
            client: Opens the client of the model, once it is needed.
        """
        self._surfaces, self._home, self._client = tuple(surfaces), home, client
        self._files: dict[str, tuple[Surface, str]] = {}

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return the edits of the reply, at most ``limit``.

        Raises:
            SolonError: The model failed (its own cause), or two replies held no edits that can be read (``unknown``).
        """
        client, asked = self._client(), showing.system(self._surfaces, limit)

        def size(text: str) -> int:
            return client.tokens_of(_messages("", text))

        self._files = showing.editable(given, self._surfaces)
        shown = showing.step(given, self._surfaces, size, client.prompt_budget - size(asked))
        tried = set(given.history)
        return [edit for edit in self._asked(client, asked, shown, limit)[:limit] if edit.rationale not in tried]

    def rewritten(self, edit: Edit) -> Edit | None:
        """Ask for an edit in general words; None where the model has none of the same surface.

        Raises:
            SolonError: As :meth:`propose`.
        """
        said = self._asked(self._client(), showing.system(self._surfaces, 1), showing.rewrite(edit), 1)
        return next((one for one in said if one.surface == edit.surface and one.digest != edit.digest), None)

    def _asked(self, client: ModelClient, system: str, request: str, limit: int) -> list[Edit]:
        messages, client = _messages(system, request), replace(client, salt=str(self._fruitless()))
        said: list[str] = []
        found: list[Edit] = []
        problem = ""
        try:
            for _ in range(2):
                text = client.complete(messages, schema(limit)).text
                said.append(text)
                try:
                    found, problem = edits_in(text, self._files, self._surfaces), ""
                    return found
                except UnreadableReplyError as error:
                    problem = str(error)
                    repair = showing.prompts()["proposer_repair"].filled(problem=problem)
                    again = [{"role": "assistant", "content": text or "(nothing)"}, {"role": "user", "content": repair}]
                    messages = [*messages, *again]
        finally:
            self._keep(messages, said, problem, len(found))
        raise SolonError(
            Failure(
                cause=FailureCause.UNKNOWN,
                stage="learning",
                subject=client.profile.name,
                message=f"Two replies held no edits that can be read: {problem}.",
                remedy="Propose with a stronger model, or fewer surfaces.",
            )
        )

    def _fruitless(self) -> int:
        """Count the questions that brought no edit: the next is no repetition of a recorded one."""
        kept = [json.loads(p.read_bytes()) for p in (self._home / TRANSCRIPTS).glob("call-*.json")]
        return sum(bool(one["problem"]) or not one.get("edits", 1) for one in kept)

    def _keep(self, messages: Sequence[Message], said: Sequence[str], problem: str, edits: int) -> None:
        folder = self._home / TRANSCRIPTS
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.glob("call-*.json")))
        whole = {"messages": list(messages), "said": list(said), "problem": problem, "edits": edits}
        told = json.dumps(whole, ensure_ascii=False, indent=1)
        (folder / f"call-{number:04d}.json").write_text(told, encoding="utf-8", errors="replace")


def _messages(system: str, request: str) -> list[Message]:
    return [{"role": "system", "content": system}, {"role": "user", "content": request}]
