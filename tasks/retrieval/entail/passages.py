"""What of a passage is compared: its words, what it lays down, and what it stands under."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from tasks.legaltext.duties import duties
from tasks.legaltext.tokens import terms, tokens
from tasks.retrieval.entail.records import Passages

Traits = frozenset[str]
# How much each kind of trait counts beside the words: pairs of words, of terms, forces, and what stands above.
_WEIGHTS: Final = {"u": 1.0, "b": 0.7, "t": 0.7, "w": 0.7, "s": 0.8, "l": 0.5, "h": 0.5}
_RARE: Final = 3  # a trait that fewer documents have is not learned from
_HEADING: Final = 6  # words of a heading at most
_ITEMS: Final = 14  # passages behind a lead-in that still stand under it
_LEADS: Final = (":", "—", "that", "not", "which", "if")  # how a passage ends that the items behind it complete


@lru_cache(maxsize=512)
def traits(document: Passages) -> tuple[Traits, ...]:
    """Return the traits of each passage of a document."""
    return tuple(frozenset(_traits(*part)) for part in placed(document))


class Placed(NamedTuple):
    """A passage with the lead-in and the heading that it stands under; each is empty where it has none."""

    text: str
    lead: str
    heading: str


@lru_cache(maxsize=512)
def placed(document: Passages) -> tuple[Placed, ...]:
    """Return each passage of a document with what it stands under."""
    return tuple(_placed(document))


def _placed(document: Passages) -> Iterator[Placed]:
    lead, lead_at, heading = "", -_ITEMS, ""
    for i, passage in enumerate(document.said()):
        text = passage.strip()
        if len(text.split()) <= _HEADING and not text.endswith((";", ",", ":")):
            heading = text
        yield Placed(text, lead if i - lead_at <= _ITEMS else "", heading)
        if text.endswith(_LEADS):
            lead, lead_at = text, i


def _traits(text: str, lead: str, heading: str) -> Iterator[str]:
    words, meant = tokens(text), terms(text)
    yield from (f"u:{word}" for word in words)
    yield from (f"b:{one} {two}" for one, two in pairwise(words))
    yield from (f"t:{one} {two}" for one, two in pairwise(meant))
    yield from (f"t:{one} {two}" for one, two in zip(meant, meant[2:], strict=False))
    for duty in duties(text):
        yield f"w:{duty.party} {duty.force}"
        yield from (f"s:{duty.force} {word}" for word in duty.governed)
    yield from (f"l:{word}" for word in terms(lead))
    yield from (f"h:{word}" for word in terms(heading))


class TraitVocabulary:
    """The traits of the documents that are learned from, weighted by how few of these have them."""

    def __init__(self, documents: Sequence[Passages]) -> None:
        """Count the documents that have each trait."""
        counts: Counter[str] = Counter()
        for document in documents:
            counts.update(frozenset().union(*traits(document)))
        known = sorted(trait for trait, n in counts.items() if n >= min(_RARE, len(documents)))
        self._weights = {
            trait: (i, _WEIGHTS[trait[0]] * (np.log((1 + len(documents)) / (1 + counts[trait])) + 1))
            for i, trait in enumerate(known)
        }

    def rows(self, documents: Sequence[Passages]) -> csr_matrix:
        """Return one row of length one for each passage of the documents, one document after the other."""
        starts, columns, values = [0], [], []
        for passage in (passage for document in documents for passage in traits(document)):
            found = sorted(self._weights[trait] for trait in passage if trait in self._weights)
            row = np.array([weight for _, weight in found])
            columns += [column for column, _ in found]
            values.append(row / np.linalg.norm(row) if found else row)
            starts.append(len(columns))
        data = np.concatenate(values) if values else np.zeros(0)
        shape = (len(starts) - 1, len(self._weights))
        return csr_matrix((data.astype(np.float32), columns, starts), shape=shape)


def by_document(documents: Sequence[Passages], rows: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """Return rows that stand one document after the other for each document by itself."""
    ends = np.cumsum([len(document.spans) for document in documents])
    return np.split(rows, ends[:-1]) if len(documents) else []
