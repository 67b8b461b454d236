"""A scripted model: used by tests and offline demonstrations instead of a mocking library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile
from tasks.models.records import Message, Reply, Request, failed

Script = Sequence[str | Reply | Exception] | Callable[[Sequence[Message]], str | Reply]


class ScriptedModel:
    """Replays replies in order, or asks a function for them; keeps the requests it was sent.

    A scripted exception is raised in its turn. The tokens of a reply are its words, so that
    budgets and accounts can be tested.
    """

    def __init__(self, script: Script) -> None:
        self._script = script
        self.requests: list[list[dict[str, Any]]] = []

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the next reply of the script."""
        turn = len(self.requests)
        self.requests.append([dict(m) for m in request.messages])
        if callable(self._script):
            answer: str | Reply | Exception = self._script(request.messages)
        elif turn < len(self._script):
            answer = self._script[turn]
        else:
            message = f"The script has no reply for call {turn + 1}."
            raise SolonError(failed(profile, FailureCause.PROVIDER, message, "Give the profile a longer script."))
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Reply):
            return answer
        words = sum(len(str(m.get("content", "")).split()) for m in request.messages)
        usage = Usage(input_uncached=words, output=len(answer.split()), calls=1)
        if profile.prices is not None:
            usage = usage.model_copy(update={"cost_usd": profile.prices.cost(usage), "cost_source": "priced"})
        return Reply(text=answer, usage=usage, finish_reason="stop")
