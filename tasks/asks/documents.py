"""Which documents of a data room words of a brief speak of: by their parties, titles, kinds, ordinals and file names."""

from __future__ import annotations

import re

from tasks.asks.grammar import Grammar
from tasks.legaltext.tokens import terms
from tasks.retrieval.routing import Router
from tasks.sources.records import MatterState

_KIND = re.compile(r"\b(?:the|this|that|our|his|her|its|their|both|all|each|every|these|those|two|three|four|'s)\s+((?:[\w&'-]+\s+){0,3}?[\w'-]+)", re.I)
_MOST = 600  # characters; which papers a clause speaks of, its first words tell


class DocumentsNamed:
    """Knows what the documents of a matter are called."""

    def __init__(self, state: MatterState, grammar: Grammar) -> None:
        """Take the titles, parties, kinds and file names of the documents."""
        heads = {
            d.document: " ".join([d.title, *(n for p in d.parties for n in (p.name, *p.aliases))])
            for d in state.documents
        }
        self._router = Router(heads)
        self._grammar = grammar
        self._calls = {
            d.document: frozenset(terms(f"{d.title} {d.document_type} {_spaced(d.document)}")) for d in state.documents
        }

    def spoken_of(self, words: str, around: str) -> tuple[tuple[str, ...], bool]:
        """Return the documents that an ask speaks of, and whether each gets an answer of its own.

        Args:
            words: The words of the ask; where they single out no paper, those around count.
            around: The words of its lead and its sentence.
        """
        if len(self._calls) < 2:
            return (), False
        words, around = words[:_MOST], around[:_MOST]
        named = self._named(words) or self._named(around)
        several = bool(self._several(words) or self._several(around))
        return named, several or len(named) > 1

    def _several(self, words: str) -> bool:
        """Tell whether words want an answer for each of several papers."""
        return False

    def _named(self, words: str) -> tuple[str, ...]:
        routed = self._router.route(words).documents
        if routed and len(routed) < len(self._calls):
            return routed
        return self._called(words)

    def _called(self, words: str) -> tuple[str, ...]:
        """Return the one document that words call by its kind or title: "the side letter"."""
        for match in _KIND.finditer(words):
            tokens = match[1].split()
            for size in range(len(tokens), 0, -1):
                called = frozenset(terms(" ".join(tokens[:size])))
                found = [name for name, known in self._calls.items() if called and called <= known]
                if len(found) == 1 and len(self._calls) > 1 and len(called) > 1:
                    return tuple(found)
        return ()


def _spaced(name: str) -> str:
    return re.sub(r"[^A-Za-z]+", " ", name)
