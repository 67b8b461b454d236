"""Concepts and their other names: what a query may be looked for by besides its own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from knowledge_db.records import Synonym

Tokenize = Callable[[str], list[str]]


def plain_words(text: str) -> list[str]:
    """Split into lower-case words and numbers; callers above this layer pass the tokenizer of legal text."""
    return re.findall(r"[a-z]+|\d+(?:\.\d+)*", text.lower())


class Concepts:
    """The synonyms of the knowledge, by each name that a concept has."""

    def __init__(self, synonyms: Sequence[Synonym]) -> None:
        """Arrange the rows by name."""
        names: dict[str, list[str]] = {}
        for row in synonyms:
            group = (row.concept, *row.aliases)
            for name in group:
                names.setdefault(_plain(name), []).extend(other for other in group if other != name)
        self.others: Mapping[str, tuple[str, ...]] = {name: tuple(dict.fromkeys(o)) for name, o in names.items()}

    def expand(self, terms: Iterable[str]) -> list[str]:
        """Return the terms followed by the other names of their concepts, without repeats."""
        given = list(dict.fromkeys(terms))
        found = list(given)
        for term in given:
            found.extend(self.others.get(_plain(term), ()))
        return list(dict.fromkeys(found))

    def related(self, query: str) -> list[str]:
        """Return the other names of the concepts that a query names, without repeats."""
        plain = f" {_plain(query)} "
        return list(
            dict.fromkeys(
                other
                for name, others in self.others.items()
                if name in plain and f" {name} " in plain
                for other in others
            )
        )

    def renamed(self, query: str) -> list[str]:
        """Return a query once with each other name of a concept in the place of the name that it uses."""
        plain = f" {_plain(query)} "
        return [
            plain.replace(f" {name} ", f" {_plain(other)} ").strip()
            for name, others in self.others.items()
            if f" {name} " in plain
            for other in others
        ]


def _plain(text: str) -> str:
    return " ".join(plain_words(text))
