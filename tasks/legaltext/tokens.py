"""The one tokenizer of legal text.

A token is a word, a number, or a provision reference kept whole: ``240.10b-5``, ``12(b)(6)``, ``9.2(b)``.
``§ 9.2(b)`` and ``Section 9.2(b)`` both give the token ``9.2(b)``, so that either finds the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_TOKEN = re.compile(
    r"""
    \d+(?:[.,]\d+)*[A-Za-z]?(?:-\d+[A-Za-z]?)*(?:\([0-9A-Za-z]{1,5}\))*   # 240.10b-5, 12(b)(6), 1,200,000
    | (?:[A-Za-z]\.){2,}                                                  # U.S.C.
    | [^\W\d_]+(?:['’][^\W\d_]+)*                                         # words, with their apostrophes
    """,
    re.VERBOSE,
)
_SUFFIXES = re.findall(
    r"[a-z]+",
    """ifications ification ifiable ifying ified ifies ations ation ating ated ates ators ator ate iality ialities
    ability ibility ivities ivity ities ity ments ment ances ance ences ence ables able ibles ible ives ive ials ial
    als al ings ing ions ion ees ers er ors or ies ied ed ee es ify ly s e y""",
)
_ORDERED = tuple(sorted(_SUFFIXES, key=len, reverse=True))
# Endings that change the form of a word and not what it means: "restrictive" is not "restricted".
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ions", "ion", "ies", "ity", "es", "ed", "s", "y")
_KEPT = frozenset({"shall", "all", "any", "this", "thus", "less", "business", "process", "access", "express", "unless"})
# Letters; chosen by eye.
_STEMMED = 5  # from which a word may have an ending
_LEAST_STEM = 4  # of what is left when an ending is cut off; less is shared by words that have nothing in common
_NO_PLURAL = 3  # up to which an "s" at the end belongs to the word ("gas")
STOPWORDS = frozenset(
    re.findall(
        r"[a-z]+",
        """a an and are as at be been but by for from had has have he her his if in into is it its itself me my no nor
        of on or our shall she so such than that the their them then there these they this those to was we were what
        when where which who whom will with would you your do does did how may can could should about consider""",
    )
)


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """Reduce a lower-case word to a light stem of at least four letters.

    ``assign``, ``assignment``, ``assignable`` and ``assigned`` share a stem; short words stay as they are.
    """
    if len(word) < _STEMMED or not word.isalpha() or word in _KEPT:
        return word
    for suffix in _ORDERED:
        if len(word) - len(suffix) >= _LEAST_STEM and word.endswith(suffix):
            return word[: -len(suffix)]
    return word


def root(word: str) -> str:
    """Return what a pattern of a lower-case word in its forms begins with, of at least four letters.

    ``obligations`` gives ``oblig``; narrower than :func:`stem`, which serves a search that ranks what it finds.
    """
    ending = next((e for e in _ENDINGS if len(word) - len(e) >= _LEAST_STEM and word.endswith(e)), "")
    return word.removesuffix(ending)


def singular(word: str) -> str:
    """Return a lower-case noun in the singular, "licence" as "license": what two readers call by the same word."""
    if word in {"licence", "licences"}:
        return "license"
    if len(word) > _NO_PLURAL and word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if len(word) > _NO_PLURAL and word.endswith("s") and not word.endswith("ss") else word


def tokens_with_spans(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield ``(token, start, end)`` in reading order; words are lower-cased and stemmed."""
    for match in _TOKEN.finditer(text):
        yield _token(match.group().lower()), match.start(), match.end()


def _token(raw: str) -> str:
    raw = raw.replace("’", "'")
    if raw[0].isdigit():
        return raw.replace(",", "")
    return raw.replace(".", "") if "." in raw else stem(raw.removesuffix("'s"))


def tokens(text: str) -> list[str]:
    """Return the tokens of a text, all of them."""
    return [token for token, _, _ in tokens_with_spans(text)]


def terms(text: str) -> list[str]:
    """Return the tokens that carry meaning for search: without function words."""
    words = (match.group().lower() for match in _TOKEN.finditer(text))
    return [_token(word) for word in words if word not in STOPWORDS]
