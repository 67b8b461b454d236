"""The words by which a brief is read into its asks: which of them act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flows.bench.liveness.records import Leaf, fewer, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.records import BriefCue
from tasks.asks.grammar import Grammar, grammar_of
from tasks.legaltext.fold import straight

_SEEDS = 20  # witnesses of each pattern: optional parts of it are then met and left out

# The word that the grammar needs beside the one that is looked at.
_AROUND = (BriefCue(use="paper", patterns=("qqlease",)),)


def brief_words(base: KnowledgeBase, row: BriefCue) -> Iterator[Leaf]:
    """Take each word of a row away, and let the grammar of briefs meet it in its place."""
    meets = _named(row) if row.name else _MEETS[row.use]
    alone = grammar_of(with_rows(base, questions=(row, *_AROUND)))
    for name, other in fewer(row, "patterns"):
        left = (other,) if other.patterns else ()
        less = grammar_of(with_rows(base, questions=(*left, *_AROUND)))
        words = [straight(witness(name.partition(": ")[2], seed=seed) or "") for seed in range(_SEEDS)]
        alive = any(bool(meets(alone, word)) != bool(meets(less, word)) for word in words)
        yield Leaf("questions", f"{row.use}: {row.name}: {name}", alive)


def _named(row: BriefCue) -> Callable[[Grammar, str], Any]:
    if row.name == "constraint":
        return lambda grammar, word: grammar.kinds["constraint"].match(word)
    return lambda grammar, word: row.name in grammar.kinds and grammar.kinds[row.name].search(word)


def _used(use: str) -> Callable[[Grammar, str], Any]:
    return lambda grammar, word: grammar.words[use].search(word)


_PLAIN = (
    "paper",
    "wish",
    "learn",
    "agenda",
    "product",
    "pair",
    "role",
    "redline",
    "change",
    "draft",
    "drafted",
    "manner",
)

_MEETS: Mapping[str, Callable[[Grammar, str], Any]] = {
    "told": lambda grammar, word: grammar.tells(word),
    "perusal": lambda grammar, word: grammar.words["perusal"].match(word),
    "several": lambda grammar, word: grammar.each.search(f"{word} qqlease"),
} | {use: _used(use) for use in _PLAIN}

ASK_USES = frozenset({*_MEETS, "kind"})
