"""What is made of the documents of a matter whatever provisions a harness knows: made once in a process.

A learner runs the same matters under hundreds of harness versions, most of which part in their provisions alone. Their
readings are the same objects (``reading.py``), and by these what was made of them is found again. None of it changes
once it is made, but for what it remembers of questions that were put to it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from knowledge_db.vocabulary import Vocabulary
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.sums.papers import Sums
from tasks.drafting.extractive.ways.likeness import Likeness
from tasks.drafting.extractive.ways.notions import Notions
from tasks.drafting.extractive.ways.weighing import Lines

ROOMS: Final = 48
"""Data rooms of a process: more than a learner compares on. Readings are bounded by their sentences besides."""
Readings = tuple[SentencedDocument, ...]


@lru_cache(maxsize=ROOMS)
def lines_of(readings: Readings, notions: Notions) -> Lines:
    """Return the sentences of documents as notions."""
    return Lines(readings, notions)


@lru_cache(maxsize=ROOMS)
def likeness_of(vocabulary: Vocabulary, readings: Readings) -> Likeness:
    """Return how far words and the sentences of documents speak of the same."""
    return Likeness(vocabulary, (f"{u.heading} {u.text}" for r in readings for u in r.units))


@lru_cache(maxsize=ROOMS)
def sums_of(readings: Readings, likeness: Likeness) -> Sums:
    """Return the quantities and rules of documents."""
    return Sums(readings, likeness)
