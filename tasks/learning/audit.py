"""The audit of an edit that sees no rubric, and the one question that it asks those who do.

Given the titles and names of the matters and the text alone, it refuses what is specific to one matter: a word of
theirs that the harness does not use for anything else. The judge's side is then asked whether the text shares words
with what the work is judged by. It answers yes or no, and nothing of it is told on.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from pathlib import Path

from tasks.harness import HarnessRef, find_harness

Vocabulary = Callable[[str, Collection[str]], bool]
"""The judge's side: whether a text shares words with rubrics, the words that are in general use left out."""

_WORD = re.compile(r"[^\W\d_]{3,}")


def words(text: str) -> set[str]:
    """Return the words of a text, folded; those of fewer than three letters are left out."""
    return {word.casefold() for word in _WORD.findall(text)}


def general_words(harness: HarnessRef) -> frozenset[str]:
    """Return the words in general use: those of the harness as it stands, and of the one that Solon ships."""
    shipped = find_harness()
    return frozenset().union(*(_general(h.version, h.knowledge, h.skills) for h in (harness, shipped)))


@lru_cache(maxsize=4)
def _general(_version: str, *folders: Path) -> frozenset[str]:
    found: set[str] = set()
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix in {".md", ".toml", ".csv", ".json", ".jsonl", ".txt"}:
                found |= words(path.read_text(encoding="utf-8"))
    return frozenset(found)


def audit_problem(
    added: str, rationale: str, names: Iterable[str], general: Collection[str], shares: Vocabulary | None
) -> str:
    """Say why an edit is specific to the matters it learned from; the reason holds none of their words.

    Args:
        added: The text that the edit adds.
        rationale: Its rationale, which later proposers are told.
        names: Titles of the matters, and names of their parties and documents.
        general: Words in general use.
        shares: The judge's side; not asked where it is None.
    """
    if says_whose(f"{added}\n{rationale}", names, general):
        return "holds a word that only the matters it learned from use"
    if shares is not None and shares(added, general):
        return "shares words with what the work is judged by"
    return ""


def says_whose(text: str, names: Iterable[str], general: Collection[str]) -> bool:
    """Whether a text holds a word of these names that is in no general use."""
    theirs = {word for name in names for word in words(name)}
    return bool((words(text) & theirs) - set(general))
