"""Words of a short query that nothing has, read as the words that were meant."""

from __future__ import annotations

from collections.abc import Collection
from difflib import get_close_matches

_SHORT = 10  # words of a query in which misspellings are looked for
_SPELLED = 5  # letters from which a word unknown to the index is taken for a misspelling
_MISSPELT = 0.6


def spelled(asked: Collection[str], known: Collection[str]) -> dict[str, float]:
    """Return what the words of a query may mean that are not known, each with its trust.

    A long text is that of a matter, not a lawyer's query, and is taken as it stands.
    """
    if len(asked) > _SHORT:
        return {}
    strange = [word for word in asked if len(word) >= _SPELLED and word.isalpha() and word not in known]
    meant = (near for word in strange for near in get_close_matches(word, known, n=2, cutoff=0.85))
    return {word: _MISSPELT for word in meant if word not in asked}
