"""A reply as a stream, so that one that stalls or breaks off is noticed while it happens.

litellm closes a stream that broke off as if the model had ended it, and guesses its tokens; the end that the provider
itself sent tells the two apart. Once that end is in, the reply is whole, and the count of tokens that follows is waited
for: a reply that ends in time is neither thrown away nor missing on the account.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from tasks.matter.failures import FailureCause
from tasks.models.profile import ModelProfile
from tasks.models.records import RetryableError, failed


def streamed(litellm: Any, profile: ModelProfile, arguments: Mapping[str, Any]) -> Any:
    """Return the whole answer of a streamed call, in the form of a plain one.

    Raises:
        RetryableError: It broke off, or took longer than the profile allows.
        Exception: What litellm raises, a silence longer than ``idle_seconds`` among it.
    """
    import httpx

    ends = time.monotonic() + profile.timeout_seconds
    timeout = httpx.Timeout(profile.patience)
    options = {"timeout": timeout, "stream": True, "stream_options": {"include_usage": True}}
    stream = litellm.completion(**{**arguments, **options})
    chunks = []
    for chunk in stream:
        chunks.append(chunk)
        if time.monotonic() > (ends + profile.patience if stream.received_finish_reason else ends):
            if close := getattr(stream.completion_stream, "close", None):
                close()
            message = f"The reply was not whole after {profile.timeout_seconds:g} s."
            raise RetryableError(failed(profile, FailureCause.TIMEOUT, message, "Raise timeout_seconds."))
    if not stream.received_finish_reason:
        raise RetryableError(failed(profile, FailureCause.PROVIDER, "The stream of the reply broke off."))
    return litellm.stream_chunk_builder(chunks, messages=arguments["messages"])
