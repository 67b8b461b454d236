"""The words of an instruction: those that tell what changes, and those that tell where."""

from __future__ import annotations

import re

from tasks.asks.changing.record import Change
from tasks.asks.changing.words import targets
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import tagged
from tasks.legaltext.tokens import STOPWORDS

NOUN = re.compile(r"\b(?:clause|provision|section|covenant|article|paragraph)s?\b", re.I)
# What somebody has, not what it is about; a heading or a clause need not say these words.
OF_KIND = re.compile(
    r"\b(?:rights?|ability|options?|obligations?|dut(?:y|ies)|powers?|requirements?|lets?|allows?|entitles?|makes?"
    r"|sentences?|caps?|limits?|periods?|amounts?|numbers?|dates?|levels?|figures?|cover|coverage|passages?|parts?|bits?|language|wording|whole|entire|about|which|clauses?|provisions?|sections?)\b",
    re.I,
)
# They tell nothing of the subject of an instruction.
_SMALL = STOPWORDS.union(
    ["any", "all", "not", "but", "out", "off", "per", "one", "two", "new", "old", "end", "get", "let", "put", "set"],
    ["day", "days", "week", "weeks", "month", "months", "year", "years"],
    ["section", "clause", "instead", "rather", "place"],
)
ORDINALS = ("first", "second", "third", "fourth", "fifth", "last")


def stems(text: str) -> set[str]:
    """Return the first five letters of the words of a text ("fee", "termi"), without those that tell no subject.

    Shorter than a stem of the floor: an instruction is worded freely, and is matched with one paper alone.
    """
    words = re.findall(r"[a-z]{3,}", straight(text).lower())
    return {w.removesuffix("s")[:5] for w in words if w not in _SMALL}


def words_of(what: str, change: Change) -> set[str]:
    """Return the words of an instruction that tell its place, without those of the values."""
    return stems(what) - (stems(change.old) if change.quoted or change.every else set())


def things_of(change: Change) -> set[str]:
    """Return the nouns of an instruction that tell what is to be changed: "late fee" of "the late fee to $55"."""
    nouns = " ".join(w.text for w in tagged(" ".join(targets(change.what))) if w.tag.startswith("N"))
    return stems(OF_KIND.sub(" ", nouns)) - stems(f"{change.old} {change.new}")


def plain_number(number: str) -> str:
    """Return the number of a clause as it is compared: without "Section", spaces and a last full stop."""
    bare = re.sub(r"^(?:article|section|clause|§)\s*", "", number.lower())
    number = re.sub(r"[^\w.()]+", "", bare).rstrip(".")
    return number if "(" in number else number.rstrip(")")


def counts_to(ordinal: str, among: int) -> int:
    """Return the index that an ordinal names: "2nd", "second", "last"."""
    if ordinal in {"last", "final"}:
        return among - 1
    return int(ordinal[0]) - 1 if ordinal[0].isdigit() else ORDINALS.index(ordinal)
