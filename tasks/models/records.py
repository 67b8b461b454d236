"""What goes to a model and what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile

Message = Mapping[str, Any]


class ToolCall(Record):
    """A tool call of the model; ``arguments`` is the JSON text as it came."""

    id: str
    name: str
    arguments: str


class Reply(Record):
    """One reply of a model.

    Attributes:
        usage: Tokens of the reply, and what was spent on it for this attempt (nothing where it was replayed for
            another).
        model: Profile that answered: the asked one or a fallback.
        replayed: True where the reply came from the cache and nothing was spent now.
        made_for: Attempt that paid for the reply.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    finish_reason: str = ""
    model: str = ""
    replayed: bool = False
    made_for: str = ""


class Transport(Protocol):
    """Carries one request to one model. Raises SolonError with a typed failure, nothing else."""

    def send(
        self,
        profile: ModelProfile,
        messages: Sequence[Message],
        schema: Mapping[str, Any] | None,
        tools: Sequence[Mapping[str, Any]] | None,
    ) -> Reply:
        """Return the reply; retries and fallbacks are the client's business."""
        ...


class RetryableError(SolonError):
    """A failure that may pass: a rate limit, a timeout, a broken connection."""


def failed(profile: ModelProfile, cause: FailureCause, message: str, remedy: str = "") -> Failure:
    """Make a failure of a model call."""
    return Failure(cause=cause, stage="models", subject=profile.name, message=message, remedy=remedy)
