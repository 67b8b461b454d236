"""Removes keys from text that is stored: a provider's error may repeat the key it was sent.

Every ``Failure`` passes through ``redact_keys`` as it is made, so no path from an error to a record, a part, a report
or a log can forget it.
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from io import TextIOBase
from pathlib import Path
from typing import Any, TextIO, cast
from urllib.parse import quote, quote_plus

HIDDEN = "[key]"
_SHORTEST = 8  # a shorter value would strike ordinary words
_PIECE = 12  # characters of a key in one stretch strike it: some providers mask the rest with stars
_NOWHERE = re.compile(r"(?!)")
_TAIL = 5  # of a key that a cut-off message ends in, so many characters are enough to strike it
_NAME = re.compile(
    r"(?:^|_)(?:(?:API|ACCESS|SECRET|PRIVATE|AUTH|LICENSE)_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$",
    re.IGNORECASE,
)
# What looks like a key whoever it belongs to: authorisation headers, key parameters, prefixes of known providers.
_SHAPES = re.compile(
    r"""(?P<lead>\b(?:Bearer|Basic)\s+|(?:x-)?api[-_ ]?key["']?\s*[:=]\s*["']?|[?&](?:key|token|api_key|access_token)=)
        (?=[\w.~+/%*-]*[\d=])[\w.~+/%=*-]{12,}
      | \b(?:sk|rk|xai|gsk|hf|ghp|github_pat|glpat|tgp|nvapi|pplx)[-_](?=[\w*-]*\d)[\w*-]{14,}
      | \bAIza[\w-]{20,}""",
    re.VERBOSE | re.IGNORECASE,
)


def redact_keys(text: str, keys: Sequence[str] = ()) -> str:
    """Return the text without keys: those given, those of the environment, and anything shaped like a key.

    Args:
        text: Words of a provider, a library or a tool, not yet cut to length.
        keys: Values of further keys.
    """
    values = tuple(sorted({*_known(os.environ), *(k for k in keys if len(k) >= _SHORTEST)}))
    if values:
        text = _without_tail(strike_keys(text, values), _pattern(values)[1])
    return _SHAPES.sub(lambda hit: (hit["lead"] or "") + HIDDEN, text)


def looks_like_key(text: str) -> bool:
    """Tell whether a text holds what is shaped like a key, whoever it belongs to."""
    return _SHAPES.search(text) is not None


def strike_keys(text: str, keys: Sequence[str]) -> str:
    """Return a text, such as a model's reply, without these keys and longer pieces of them, otherwise unchanged.

    Args:
        text: Words that may repeat a key.
        keys: Values of keys; shorter ones than eight characters are left, for they may be ordinary words.
    """
    values = tuple(sorted({key for key in keys if len(key) >= _SHORTEST}))
    if not values:
        return text
    text = _pattern(values)[0].sub(HIDDEN, text)
    return _without_pieces(text, values)


def _known(environment: Mapping[str, str]) -> Iterator[str]:
    named = _named_in(environment.get("SOLON_MODELS", ""))
    for name, value in environment.items():
        if len(value.strip()) >= _SHORTEST and (name in named or _NAME.search(name)):
            yield value.strip()


def _named_in(file: str) -> frozenset[str]:
    """Return the variables that the model profiles of a file take their keys from."""
    try:
        return _key_variables(file, Path(file).stat().st_mtime_ns) if file else frozenset()
    except OSError:
        return frozenset()


@lru_cache(maxsize=8)
def _key_variables(file: str, _changed: int) -> frozenset[str]:
    try:
        return frozenset(_values_of("api_key_env", tomllib.loads(Path(file).read_text(encoding="utf-8"))))
    except (OSError, ValueError):
        return frozenset()


def _values_of(key: str, table: Any) -> Iterator[str]:
    if isinstance(table, dict):
        for name, value in table.items():
            if name == key and isinstance(value, str):
                yield value
            else:
                yield from _values_of(key, value)


@lru_cache(maxsize=32)
def _pattern(values: tuple[str, ...]) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """Return the pattern of the keys in every spelling, and the spellings."""
    spellings = {s for value in values for s in _spellings(value)}
    ordered = tuple(sorted(spellings, key=lambda s: (-len(s), s)))
    return re.compile("|".join(re.escape(s) for s in ordered), re.IGNORECASE), ordered


@lru_cache(maxsize=32)
def _pieces(values: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of a place with enough consecutive characters of a key."""
    found = {value[i : i + _PIECE] for value in values for i in range(len(value) - _PIECE + 1)}
    return re.compile(f"(?={'|'.join(map(re.escape, sorted(found)))})", re.IGNORECASE) if found else _NOWHERE


def _without_pieces(text: str, values: tuple[str, ...]) -> str:
    """Remove the rest of a key that is partly masked."""
    kept: list[str] = []
    at = 0
    for hit in _pieces(values).finditer(text):
        if hit.start() > at or not kept:
            kept += [text[at : hit.start()], HIDDEN]
        at = hit.start() + _PIECE
    return "".join(kept) + text[at:]


def _spellings(value: str) -> Iterator[str]:
    yield value.encode().hex()
    yield "".join(f"%{byte:02x}" for byte in value.encode())
    yield "".join(f"\\u{ord(sign):04x}" for sign in value)
    yield "".join(f"&#{ord(sign)};" for sign in value)
    yield from (value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1], repr(value)[1:-1])
    yield value.replace("/", "\\/")
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for before in range(3):  # inside other bytes, as in user:key, the same key gives one of three spellings
            coded = encode(b"\0" * before + value.encode()).decode().rstrip("=")
            core = coded[(0, 2, 3)[before] : -1]
            if len(core) >= _SHORTEST:
                yield core


def _without_tail(text: str, spellings: Sequence[str]) -> str:
    """Remove the beginning of a key at the end of a truncated message."""
    longest = max(
        (n for s in spellings for n in range(_TAIL, min(len(s), len(text)) + 1) if text.endswith(s[:n])), default=0
    )
    return text[: len(text) - longest] + HIDDEN if longest else text


class _Redacting(TextIOBase):
    """A stream that removes keys from what it writes."""

    def __init__(self, below: TextIO) -> None:
        self.below = below

    def write(self, text: str) -> int:
        """Write the words without keys."""
        self.below.write(redact_keys(text))
        return len(text)

    def flush(self) -> None:
        """Flush the stream below."""
        self.below.flush()

    def fileno(self) -> int:
        """Return the descriptor of the stream below."""
        return self.below.fileno()

    def isatty(self) -> bool:
        """Whether the stream below is a terminal."""
        return self.below.isatty()


@contextmanager
def redacted_stderr() -> Iterator[None]:
    """Remove keys from everything that this process writes to standard error, e.g. a traceback in a worker's log."""
    before = sys.stderr
    if not isinstance(before, _Redacting):
        sys.stderr = cast(TextIO, _Redacting(before))
    try:
        yield
    finally:
        sys.stderr = before
