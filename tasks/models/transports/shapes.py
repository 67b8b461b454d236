"""The arguments of litellm for each kind of model, and the reading of its answers."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np

from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.secrets import strike_keys
from tasks.models.profile import Kind, ModelProfile
from tasks.models.prompt_files import schema_in_words
from tasks.models.records import Message, Reply, Request, RetryableError, Token, ToolCall, failed
from tasks.models.serving import address_of

CALLS: Mapping[Kind, str] = MappingProxyType({"chat": "completion", "embeddings": "embedding", "reranker": "rerank"})


def key_of(profile: ModelProfile) -> str:
    """Return the key of a profile; it is read from the environment here and never stored."""
    return os.environ.get(profile.api_key_env, "").strip() if profile.api_key_env else ""


def arguments_of(profile: ModelProfile, request: Request) -> dict[str, Any]:
    """Return the arguments of the call."""
    shape = {"chat": _chat, "embeddings": _embedding, "reranker": _rerank}[profile.kind]
    # A local server wants some key, any key.
    key = key_of(profile) or ("none" if profile.ours and not profile.api_key_env else "")
    where = {"api_base": address_of(profile), "api_key": key}
    return {
        "model": profile.model,
        "timeout": profile.timeout_seconds,
        "max_retries": 0,
        **{name: value for name, value in where.items() if value},
        **shape(profile, request),
    }


def reply_of(profile: ModelProfile, request: Request, answer: Any) -> Reply:
    """Read the answer of the call.

    Raises:
        SolonError: It is not what a model of this kind answers.
    """
    if profile.kind == "chat":
        return _chat_reply(profile, answer)
    try:
        if profile.kind == "embeddings":
            return Reply(vectors=_rows(profile, request, answer))
        return Reply(scores=_scores(profile, request, answer))
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        what = "vectors" if profile.kind == "embeddings" else "scores"
        raise _strange(profile, f"no list of {what}") from error


def _chat(profile: ModelProfile, request: Request) -> dict[str, Any]:
    schema = request.schema
    optional: dict[str, Any] = {
        "temperature": profile.temperature,
        "reasoning_effort": profile.effort or None,
        "seed": profile.seed,
        "tools": [dict(t) for t in request.tools] if request.tools else None,
        "tool_choice": request.choice if request.tools else None,
    }
    if request.weighed and profile.logprobs:
        optional |= {"logprobs": True, "top_logprobs": profile.logprobs}
    if schema and profile.structured == "schema":
        inner = {"name": "answer", "schema": dict(schema), "strict": True}
        optional["response_format"] = {"type": "json_schema", "json_schema": inner}
    return {
        "messages": _said(profile, request.messages, schema if profile.structured == "prompt" else None),
        "max_tokens": profile.max_output_tokens,
        "num_retries": 0,
        **{k: v for k, v in optional.items() if v is not None},
    }


def _said(profile: ModelProfile, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """Return the messages as the endpoint takes them, with the schema as text for one that accepts none."""
    told = [dict(m) for m in messages]
    if schema:
        told[-1]["content"] = f"{told[-1]['content']}\n\n{schema_in_words(schema)}"
    return [_marked(m, _wants_marks(profile)) for m in told]


def _wants_marks(profile: ModelProfile) -> bool:
    if profile.cache_control is not None:
        return profile.cache_control
    return "anthropic" in profile.model or "claude" in profile.model


def _marked(message: dict[str, Any], wanted: bool) -> dict[str, Any]:
    """Put the mark of a shared prefix into the form of those who want it, and leave it out for the others."""
    mark, content = message.pop("cache", 0), message.get("content")
    if mark and wanted and isinstance(content, str) and content:  # an empty part is refused
        ends = len(content) if mark is True else int(mark)
        parts: list[dict[str, Any]] = [{"type": "text", "text": content[:ends], "cache_control": {"type": "ephemeral"}}]
        message["content"] = [*parts, *([{"type": "text", "text": content[ends:]}] if content[ends:] else [])]
    return message


def _embedding(profile: ModelProfile, request: Request) -> dict[str, Any]:
    asked: dict[str, Any] = {"input": list(request.texts)}
    if profile.dimensions:  # litellm knows of some models only that they take it
        asked |= {"dimensions": profile.dimensions, "allowed_openai_params": ["dimensions"]}
    return asked


def _rerank(profile: ModelProfile, request: Request) -> dict[str, Any]:  # noqa: ARG001  (the shapes have one form)
    texts = list(request.texts)
    return {"query": request.query, "documents": texts, "top_n": len(texts), "return_documents": False}


def _chat_reply(profile: ModelProfile, answer: Any) -> Reply:
    def said(words: Any) -> str:
        """Remove the key from what is stored: a proxy or a tool behind the endpoint may repeat it."""
        return strike_keys(str(words or ""), (key_of(profile),))

    try:
        choice = answer.choices[0]
        calls = tuple(
            ToolCall(id=said(c.id), name=said(c.function.name), arguments=said(c.function.arguments or "{}"))
            for c in choice.message.tool_calls or ()
        )
        text = said(choice.message.content)
        # A key that was struck from the text would stand in its tokens in pieces.
        tokens = _tokens(choice) if text == str(choice.message.content or "") else ()
    except (AttributeError, IndexError, TypeError) as error:
        message = "The endpoint sent a reply without a message."
        raise RetryableError(failed(profile, FailureCause.PROVIDER, message)) from error
    return Reply(text=text, tool_calls=calls, finish_reason=said(choice.finish_reason), tokens=tokens)


def _tokens(choice: Any) -> tuple[Token, ...]:
    """Return the weighed tokens of a choice; none where they cannot be read: they only sharpen what the text says."""
    try:
        rows = _value(getattr(choice, "logprobs", None), "content") or ()
        return tuple(
            Token(
                text=str(_value(row, "token")),
                likely={
                    str(_value(near, "token")): float(_value(near, "logprob"))
                    for near in _value(row, "top_logprobs")
                    if math.isfinite(float(_value(near, "logprob")))
                },
            )
            for row in rows
        )
    except (TypeError, ValueError, KeyError, AttributeError):
        return ()


def _rows(profile: ModelProfile, request: Request, answer: Any) -> Any:
    rows = sorted(_value(answer, "data"), key=lambda row: int(_value(row, "index")))
    matrix = np.asarray([_value(row, "embedding") for row in rows], dtype=np.float32)
    if matrix.ndim != 2 or len(matrix) != len(request.texts) or not np.isfinite(matrix).all():
        raise _strange(profile, f"vectors of shape {matrix.shape} for {len(request.texts)} texts")
    if profile.dimensions and matrix.shape[1] != profile.dimensions:
        raise _strange(profile, f"{matrix.shape[1]} dimensions where {profile.dimensions} were asked")
    return matrix


def _scores(profile: ModelProfile, request: Request, answer: Any) -> tuple[float, ...]:
    """Return the scores cut to [0, 1], in the order of the texts; a text that the endpoint leaves out has none."""
    scores = [0.0] * len(request.texts)
    for row in _value(answer, "results"):
        place, score = int(_value(row, "index")), float(_value(row, "relevance_score"))
        if not 0 <= place < len(scores) or not math.isfinite(score):
            raise _strange(profile, "a score for no text")
        scores[place] = min(1.0, max(0.0, score))
    return tuple(scores)


def _strange(profile: ModelProfile, what: str) -> SolonError:
    remedy = "Check that the model of the profile is of this kind."
    return SolonError(failed(profile, FailureCause.PROVIDER, f"The endpoint sent {what}.", remedy))


def _value(row: Any, name: str) -> Any:
    return row[name] if isinstance(row, Mapping) else getattr(row, name)
