"""JSON as models write it: read if it has exactly one reading, else refused."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final

_DEEP: Final = 60  # levels in one another; no arguments have so many, and the parser calls itself
_SPACE: Final = re.compile(r"\s*")
_NUMBER: Final = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORD: Final = re.compile(r"[A-Za-z_][\w-]*")
_NAMED: Final = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_LANGUAGE: Final = re.compile(r"[\w-]*[ \t]*")
_ODD_ESCAPE: Final = re.compile(r'\\(?!["\\/bfnrtu\'])')
_TELLING_ESCAPE: Final = re.compile(r"(?<!\\)(?:\\\\)*\\[bfnrtu]")


class _UnclearError(ValueError):
    """The text has no reading, or more than one."""


def loose_value(text: str) -> Any:
    """Return the value of JSON with single quotes, bare keys, trailing commas, Python's names, a fence, or no end.

    Only closing brackets may be missing at the end, behind a value that is closed itself: of a text or number that was
    cut off nobody knows the rest.

    Raises:
        ValueError: There is no reading, or more than one.
    """
    reader = _Reader(_unfenced(text))
    value = reader.value(0)
    if reader.text[reader.at :].strip(" \t\r\n}]`;"):
        raise _UnclearError("something follows")
    return value


def _unfenced(text: str) -> str:
    """Return what stands in a block of code, where the text is one; no pattern, which spaces could hold up."""
    body = text.strip()
    if len(body) < 2 * len("```") or not (body.startswith("```") and body.endswith("```")):
        return text
    language, line, inside = body[3:-3].partition("\n")
    return inside if line and _LANGUAGE.fullmatch(language) else text


@dataclass
class _Reader:
    text: str
    at: int = 0
    cut: bool = False

    def value(self, deep: int) -> Any:
        """Read the value that begins here."""
        sign = self._sign()
        if deep > _DEEP:
            raise _UnclearError("nests too deep")
        if sign == "{":
            return self._mapping(deep)
        if sign == "[":
            return self._list(deep)
        if sign in {'"', "'"}:
            return self._string(sign)
        return self._scalar()

    def _sign(self) -> str:
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # matches nothing as well
        return self.text[self.at : self.at + 1]

    def _mapping(self, deep: int) -> dict[str, Any]:
        self.at += 1
        made: dict[str, Any] = {}
        while not self._closed("}"):
            sign = self._sign()
            word = None if sign in {'"', "'"} else _WORD.match(self.text, self.at)
            key = word[0] if word else self._string(sign)
            self.at = word.end() if word else self.at
            if self._sign() != ":" or key in made:
                raise _UnclearError("a key without a value, or twice")
            self.at += 1
            made[key] = self.value(deep + 1)
            self._behind("}")
        return made

    def _list(self, deep: int) -> list[Any]:
        self.at += 1
        made = []
        while not self._closed("]"):
            made.append(self.value(deep + 1))
            self._behind("]")
        return made

    def _closed(self, closing: str) -> bool:
        """Pass the closing bracket, if it stands here or was cut off."""
        if self._sign() == closing:
            self.at += 1
            return True
        return self.cut

    def _behind(self, closing: str) -> None:
        """Pass the comma behind an item; or note that the text ends there."""
        sign = self._sign()
        if sign == ",":
            self.at += 1
        elif not sign and self.text.rstrip()[-1:] in {'"', "}", "]"}:
            self.cut = True
        elif sign != closing:
            raise _UnclearError("a value that is not closed")

    def _string(self, quote: str) -> str:
        if quote not in {'"', "'"}:
            raise _UnclearError("no string")
        end = self.at + 1
        while end < len(self.text) and self.text[end] != quote:
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise _UnclearError("a string that was cut off")
        body = self.text[self.at + 1 : end]
        self.at = end + 1
        return _unescaped(body, quote)

    def _scalar(self) -> Any:
        if number := _NUMBER.match(self.text, self.at):
            self.at = number.end()
            return json.loads(number[0])
        word = _WORD.match(self.text, self.at)
        if word is None or word[0] not in _NAMED:
            raise _UnclearError("a value without quotes")
        self.at = word.end()
        return _NAMED[word[0]]


def _unescaped(body: str, quote: str) -> str:
    """Return what a string says. A backslash that escapes nothing stands for itself, unless others escape something."""
    if _ODD_ESCAPE.search(re.sub(r"\\\\", "", body)):
        if _TELLING_ESCAPE.search(body):
            raise _UnclearError("backslashes of two kinds")
        body = re.sub(r"\\\\|\\(?![\"\\/'])", lambda m: m[0] if len(m[0]) == 2 else "\\\\", body)
    if quote == "'":
        body = re.sub(r'\\\\|\\\'|"', lambda m: {"\\'": "'", '"': '\\"'}.get(m[0], m[0]), body)
    said: str = json.loads(f'"{body}"', strict=False)
    return said
