"""The errors of providers in the one failure vocabulary: what may pass, what ends the call, what ends the run.

litellm names an error by its own classes, and those differ by provider; the status of HTTP is the surer sign.
"""

from __future__ import annotations

import math
import re
import socket
from http import HTTPStatus

from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.secrets import redact_keys
from tasks.models.profile import ModelProfile
from tasks.models.records import RetryableError, failed

LOGIN = frozenset({401, 402, 403})  # no key, an empty account, no right to the model: no later call does better
_PASSING = frozenset({408, 409, 425, 429})  # and every error of a server
_NO_REPLY, _PAGE = "invalid response from LLM endpoint", re.compile(r"<!doctype html|<html", re.IGNORECASE)
_DEEPEST = 10  # errors within an error
_SHOWN = 300  # characters of the provider's words
_LONGEST_WAIT = 3600.0  # seconds that a provider's Retry-After is believed


def mapped(profile: ModelProfile, error: Exception, key: str) -> SolonError:
    """Return the typed failure of an error of litellm.

    Args:
        profile: The profile that was asked.
        error: What litellm raised.
        key: The key that was sent; the provider's words may repeat it.
    """
    name, status = type(error).__name__, _status(error)
    said = redact_keys(" ".join(str(error).split()), (key,))[:_SHOWN]  # before the cut, which may leave half a key
    if name == "ContextWindowExceededError":
        return _too_long(profile)
    if name == "Timeout":
        message = f"No reply within {profile.patience:g} s."
        limit = "idle_seconds" if profile.patience < profile.timeout_seconds else "timeout_seconds"
        return RetryableError(failed(profile, FailureCause.TIMEOUT, message, f"Raise {limit} of the profile."))
    if status in LOGIN or "insufficient_quota" in said:
        message = f"The endpoint refused the key ({status}): {said}"
        return SolonError(failed(profile, FailureCause.LOGIN, message, _key_remedy(profile)))
    if (why := _unreachable(error)) is not None:
        message = f"Nothing answers at {profile.api_base or 'the address of the provider'} ({why})."
        remedy = "Check api_base of the profile, and that its server runs."
        return RetryableError(failed(profile, FailureCause.PROVIDER, message, remedy))
    if _NO_REPLY in said and _PAGE.search(said):
        message = f"A web page came, and no reply of a model: {said.partition('Received: ')[2] or said}"
        remedy = "Check api_base of the profile: it leads to a page, such as that of a login or of a proxy."
        return SolonError(failed(profile, FailureCause.PROVIDER, message, remedy))
    if status in _PASSING or status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        message = f"The endpoint failed ({name}): {said}"
        passing = RetryableError(failed(profile, FailureCause.PROVIDER, message, "Try again later."))
        passing.after = _asked_wait(error)
        return passing
    message = f"The endpoint refused the request ({name}): {said}"
    return SolonError(failed(profile, FailureCause.PROVIDER, message, "Check model and api_base of the profile."))


def _unreachable(error: Exception) -> str | None:
    """Return why no connection was made, in the words of the system; None where one was."""
    cause: BaseException | None = error
    for _ in range(_DEEPEST):
        if cause is None:
            break
        if isinstance(cause, ConnectionRefusedError | socket.gaierror) or type(cause).__name__ == "ConnectError":
            return redact_keys(str(cause), ())[:100]
        cause = cause.__cause__ or cause.__context__
    return None


def _key_remedy(profile: ModelProfile) -> str:
    if profile.ours and not profile.api_key_env:  # a server of one's own has no usual variable, and was sent no key
        return "Name the variable that holds its key in api_key_env of the profile, and set it."
    where = profile.api_key_env or "the provider's usual variable"
    return f"Set a valid key in {where}, or log in again."


def _status(error: Exception) -> int:
    """Return the status of HTTP; a connection that broke has none, and counts as the endpoint's failure."""
    status = getattr(error, "status_code", None)
    broken = type(error).__name__ in ("APIConnectionError", "APIError")
    return status if isinstance(status, int) else 500 if broken else 400


def _too_long(profile: ModelProfile) -> SolonError:
    message = "The prompt does not fit the model's context window."
    remedy = "Set context_window of the profile right."
    if profile.kind != "chat":
        message = "A text does not fit the model's context window."
        remedy = "Use a model that takes longer texts, or index smaller chunks."
    return SolonError(failed(profile, FailureCause.CAPACITY, message, remedy))


def _asked_wait(error: Exception) -> float:
    """Return the seconds of a Retry-After header; a date, or nonsense, counts as none."""
    headers = getattr(error, "litellm_response_headers", None) or {}
    try:
        seconds = float(headers.get("retry-after", 0))
    except (TypeError, ValueError):
        return 0.0
    return min(seconds, _LONGEST_WAIT) if math.isfinite(seconds) and seconds > 0 else 0.0
