"""How the taxonomy would do without the words that one fold of the labels alone could have taught.

Nothing is fitted, so nothing can be fitted again without a fold. Instead each pattern is parted into its alternatives,
and those that fire in one fold alone are left out where that fold is classed. That is a lower bound: a plain word of
its class that only one fold happens to hold is left out too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from tasks.judging.taxonomy import Taxonomy, taxonomy
from tasks.matter.reasons import ErrorClass

Said = tuple[str, str]  # a title, and what was said of the failure
_FIELDS = ("acts", "patterns", "weak", "exact", "unless")
_GROUP = re.compile(r"(\^?(?:\\b)?)\(\?:(.*)\)((?:\\b)?)")


def classes_unseen(folds: Sequence[Sequence[Said]]) -> list[list[ErrorClass]]:
    """Return the classes of each fold by the alternatives that another fold could have taught, or no fold did."""
    parted = _with(taxonomy(), alternatives)
    known = (_without(parted, folds, number) for number in range(len(folds)))
    return [[words.by_words(*said) for said in fold] for words, fold in zip(known, folds, strict=True)]


def alternatives(pattern: str) -> list[str]:
    """Part a pattern at the bars of its top level, and of a group that is all of it but for its word boundaries."""
    found = []
    for part in _parted(pattern):
        whole = _GROUP.fullmatch(part)
        inner = _parted(whole[2]) if whole and _is_balanced(whole[2]) else []
        found += [f"{whole[1]}(?:{one}){whole[3]}" for one in inner] if whole and inner else [part]
    return found


def _without(parted: Taxonomy, folds: Sequence[Sequence[Said]], number: int) -> Taxonomy:
    texts = [["\n".join(said) for said in fold] for fold in folds]
    others = [text for fold in (*texts[:number], *texts[number + 1 :]) for text in fold]

    def known(pattern: str) -> list[str]:
        return [pattern] if _fires(pattern, others) or not _fires(pattern, texts[number]) else []

    return _with(parted, known)


def _with(of: Taxonomy, change: Callable[[str], list[str]]) -> Taxonomy:
    """Return a taxonomy with each pattern replaced by what becomes of it."""
    classes = tuple(
        words.model_copy(update={f: tuple(one for p in getattr(words, f) for one in change(p)) for f in _FIELDS})
        for words in of.classes
    )
    return of.model_copy(update={"classes": classes})


def _fires(pattern: str, texts: Sequence[str]) -> bool:
    return any(re.search(pattern, text, re.IGNORECASE) for text in texts)


def _parted(pattern: str) -> list[str]:
    parts, depth = [""], 0
    for sign in re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", pattern):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "|" and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _is_balanced(pattern: str) -> bool:
    depth = 0
    for sign in re.findall(r"\\.|\[(?:\\.|[^\]\\])*\]|.", pattern):
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if depth < 0:
            return False
    return depth == 0
