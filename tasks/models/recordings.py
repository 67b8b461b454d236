"""Recorded replies: one JSON file per request, named by the content of the request."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pydantic import ValidationError

from tasks.matter.base import content_hash
from tasks.models.profile import ModelProfile
from tasks.models.prompt_files import schema_in_words
from tasks.models.records import Reply, Request


def request_key(profile: ModelProfile, request: Request, salt: str) -> str:
    """Return the content key of a request.

    The key of chat is the one that earlier versions wrote, so that their recordings are still found, but for requests
    that state their schema in words: the words are part of what is asked.
    """
    if profile.kind != "chat":
        return content_hash([profile.kind, profile.digest, request.query, list(request.texts)])
    p = profile
    shape: list[object] = [p.model, p.api_base, p.temperature, p.max_output_tokens, p.effort, p.seed, p.structured]
    if request.weighed and p.logprobs:
        shape.append(p.logprobs)
    if p.version != "1":
        shape.append(p.version)
    if p.serve is not None:
        shape.append(p.serve.command)
    if p.script:
        shape.append(list(p.script))
    said = (
        [{k: v for k, v in m.items() if k != "cache"} for m in request.messages],
        dict(request.schema or {}),
        [dict(t) for t in request.tools or ()],
    )
    words = [schema_in_words({})] if request.schema and p.structured == "prompt" else []
    return content_hash([1, shape, salt, *said, *words])


def recorded_reply(folder: Path | None, key: str) -> Reply | None:
    """Return the recorded reply of a key; None where it is absent or torn."""
    if folder is None:
        return None
    try:
        return Reply.model_validate_json(_place(folder, key).read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError, ValidationError):
        return None


def record(folder: Path | None, key: str, reply: Reply) -> None:
    """Keep a reply; a reader sees all of it or nothing."""
    if folder is None:
        return
    path = _place(folder, key)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as stream:
        stream.write(reply.model_dump_json())
    Path(temporary).replace(path)


def _place(folder: Path, key: str) -> Path:
    return folder / key[:2] / f"{key}.json"
