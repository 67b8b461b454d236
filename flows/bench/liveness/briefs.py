"""The words by which a brief is read into its asks: which of them act."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flows.bench.liveness.records import Leaf, fewer, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.records import BriefCue
from tasks.asks.grammar import Grammar
from tasks.asks.patterns import grammar_of
from tasks.legaltext.fold import straight

_SEEDS = 20

# The words around the one that is looked at, where the grammar needs some.
_AROUND = tuple(BriefCue(use=use, patterns=(word,)) for use, word in (("asking_word", "qqwhich"), ("paper", "qqlease")))


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
        return lambda grammar, word: grammar.constraint.fullmatch(word)
    if row.name == "drafting":
        return lambda grammar, word: grammar.commanded.match(word)
    return lambda grammar, word: row.name in grammar.kinds and grammar.kinds[row.name].search(word)


def _used(use: str) -> Callable[[Grammar, str], Any]:
    return lambda grammar, word: grammar.words[use].search(word)


_MEETS: Mapping[str, Callable[[Grammar, str], Any]] = {
    "onset": lambda grammar, word: grammar.begins.match(f"{word} qqwhich law"),
    "listing": lambda grammar, word: grammar.listing.match(f"{word} qqrent"),
    "request": lambda grammar, word: grammar.begins.match(f"{word} qqrent"),
    "auxiliary": lambda grammar, word: grammar.begins.match(f"{word} qqrent"),
    "asking_word": lambda grammar, word: grammar.begins.match(f"{word} qqrent"),
    "wish": lambda grammar, word: grammar.wishes.search(f"{word} who qq"),
    "told": lambda grammar, word: grammar.tells(word),
    "perusal": lambda grammar, word: grammar.perusal.match(word),
    "preamble": lambda grammar, word: grammar.preamble.match(f"{word} the papers, qq"),
    "narrative": lambda grammar, word: grammar.verb.search(f"qq {word} qq"),
    "tag": lambda grammar, word: grammar.tag.fullmatch(word),
    "several": lambda grammar, word: grammar.each.search(f"{word} qqlease"),
} | {use: _used(use) for use in ("agenda", "product", "bland", "pair", "paper", "role", "redline", "change")}

ASK_USES = frozenset({*_MEETS, "kind"})
