"""Requests to models of every kind, and their replies."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Protocol

import numpy as np
from pydantic import Field, PlainSerializer, PlainValidator

from tasks.matter.base import Record
from tasks.matter.failures import Failure, FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.profile import ModelProfile
from tasks.models.vectors import Matrix

Message = Mapping[str, Any]


def _packed(rows: Matrix | None) -> dict[str, Any] | None:
    if rows is None:
        return None
    return {"shape": list(rows.shape), "float32": base64.b64encode(rows.astype("<f4").tobytes()).decode()}


def _unpacked(value: Any) -> Matrix | None:
    if value is None or isinstance(value, np.ndarray):
        return value
    data = np.frombuffer(base64.b64decode(value["float32"]), dtype="<f4")
    return data.reshape([int(n) for n in value["shape"]]).astype(np.float32)


Vectors = Annotated[Matrix | None, PlainValidator(_unpacked), PlainSerializer(_packed, when_used="json")]


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        messages: Chat: messages with ``role`` and ``content``. ``cache: True`` marks the end of a prefix that other
            requests share, ``cache: 900`` one that ends after so many characters of the content; providers that want
            to be told are told, and it is no part of what is asked.
        schema: Chat: JSON schema that the text of the reply should follow.
        tools: Chat: tool definitions in the OpenAI form.
        choice: Chat: which of them must be called, in the same form; None leaves it to the model.
        texts: Embeddings: what to embed. Rerankers: the texts to score.
        query: Rerankers: what the texts are scored against.
        weighed: Chat: whether the log-probabilities of the reply are wanted, where the profile says they are given.
    """

    messages: Sequence[Message] = ()
    schema: Mapping[str, Any] | None = None
    tools: Sequence[Mapping[str, Any]] | None = None
    choice: str | Mapping[str, Any] | None = None
    texts: Sequence[str] = ()
    query: str = ""
    weighed: bool = False


class Token(Record):
    """A token of a reply, with the log-probabilities of the most likely ones in its place."""

    text: str
    likely: dict[str, float] = Field(default_factory=dict)


class ToolCall(Record):
    """A tool call of the model; ``arguments`` is the JSON text as it came."""

    id: str
    name: str
    arguments: str


class Reply(Record):
    """One reply of a model.

    Attributes:
        vectors: One row per text, of an embedder.
        scores: One score per text, of a reranker.
        usage: Tokens of the reply, and what was spent on it for this attempt (nothing where it was replayed for
            another).
        model: Profile that answered: the asked one or a fallback.
        replayed: True where the reply came from the cache and nothing was spent now.
        made_for: Attempt that paid for the reply.
        tokens: Tokens of the text as they were weighed, where that was asked for.
    """

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    vectors: Vectors = None
    scores: tuple[float, ...] = ()
    usage: Usage = Usage()
    finish_reason: str = ""
    model: str = ""
    replayed: bool = False
    made_for: str = ""
    tokens: tuple[Token, ...] = ()


class Transport(Protocol):
    """Carries one request to one model. Raises SolonError with a typed failure, nothing else."""

    def send(self, profile: ModelProfile, request: Request) -> Reply:
        """Return the reply; retries and fallbacks are the client's business."""
        ...


class RetryableError(SolonError):
    """A failure that may pass: a rate limit, a timeout, a broken connection.

    Attributes:
        after: Seconds that the endpoint asks to be left alone; 0 where it says nothing.
        spent: What a reply that could not be used has cost all the same.
    """

    after: float = 0.0
    spent: Usage = Usage()


def failed(profile: ModelProfile, cause: FailureCause, message: str, remedy: str = "") -> Failure:
    """Make a failure of a model call."""
    return Failure(cause=cause, stage="models", subject=profile.name, message=message, remedy=remedy)
