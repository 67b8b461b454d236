"""The words of English text with their parts of speech, by the Hanover Tagger's model.

On the briefs of the bench its model tells imperatives, finite verbs and question words apart where lists of words do
not: "state the term" and "federal and state law". It takes about 0.15 ms a word and 0.4 s to load.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

_TOKEN: Final = re.compile(r"(?:[^\W\d_]\.){2,}|\d+(?:[.,]\d+)*%?|[^\W_]+(?:['’-][^\W_]+)*|[^\w\s]")
_CLITIC: Final = re.compile(r"(?<=[^\W_])(?:n['’]t|['’](?:s|re|ve|m|ll|d))\Z", re.I)
_LONGEST: Final = 40  # characters of a word that are looked at: the tagger's time grows with their square
_MOST: Final = 60  # words that are tagged together: the tagger reads a sentence, and a list of 500 items is none

_NOUN: Final = re.compile(r"non-\w+(?<!ing)(?<!ed)(?<!ly)|\w{3,}it(?:y|ies)", re.I)
_PAIRS: Final = frozenset([("right", "of")])
_MISTAKEN: Final = ("VV", "AV0")


class Word(NamedTuple):
    """A word or mark at ``[start, end)``.

    Attributes:
        tag: Its C5 tag: ``VVB`` (base form), ``VVI`` (infinitive), ``VVZ``, ``VVD``, ``VVN``, ``VM0`` (modal), ``VBZ``,
            ``NN1``, ``NP0`` (name), ``PNQ`` (who), ``AVQ`` (when, how), ``DTQ`` (which, what), ``CJC``, ``CJS`` …
    """

    text: str
    start: int
    end: int
    tag: str


def tagged(text: str) -> list[Word]:
    """Return the words and marks of a text with their parts of speech, in order."""
    spans = list(_tokens(text))
    found: list[Word] = []
    for at in range(0, len(spans), _MOST):
        part = spans[at : at + _MOST]
        words = tuple(text[a : min(b, a + _LONGEST)].replace("’", "'") for a, b in part)
        tags = _nouns_of_law(words, _tags(words))
        found += [Word(text[a:b], a, b, tag) for (a, b), tag in zip(part, tags, strict=True)]
    return found


def _nouns_of_law(words: Sequence[str], tags: Sequence[str]) -> list[str]:
    """Return the tags with nouns that the model, which has not seen them, takes for verbs or adverbs.

    By their form no verb or adverb can be meant: "non-compete", "exclusivity", "right of first refusal".
    """
    return [
        "NN1"
        if tag.startswith(_MISTAKEN) and (_NOUN.fullmatch(word) or (word.lower(), then.lower()) in _PAIRS)
        else tag
        for word, tag, then in zip(words, tags, [*words[1:], ""], strict=True)
    ]


def _tokens(text: str) -> list[tuple[int, int]]:
    """Return the words and marks; what is written together with a verb or a negation is a word of its own."""
    spans: list[tuple[int, int]] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        clitic = _CLITIC.search(match[0])
        cut = start + clitic.start() if clitic else end
        spans += [(start, cut), (cut, end)] if cut < end else [(start, end)]
    return spans


@lru_cache(maxsize=4096)
def _tags(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(tag for _, _, tag in _tagger().tag_sent(list(words)))


@lru_cache(maxsize=1)
def _tagger() -> Any:
    from HanTa import HanoverTagger

    return HanoverTagger.HanoverTagger("morphmodel_en.pgz")
