"""Values as they enter: quotations looked up in the text, repetitions merged, "not applicable" taken for no value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tasks.legaltext.checklists.definition import none_words
from tasks.legaltext.checklists.records import Entry, Evidence, Value
from tasks.legaltext.fold import FoldedText, fold

LONGEST_VALUE = 8_000  # characters of a value that are kept; models are given the same bound
_TRIES = 1_000  # places looked at: a syllable may stand within words ten thousand times
_LEAST = 2  # letters and digits of a quotation: fewer are everywhere


@dataclass
class Texts:
    """The texts that quotations are looked up in, by the names of their documents."""

    texts: Mapping[str, str]
    _folded: dict[str, FoldedText] = field(default_factory=dict)

    def find(self, quotation: str, document: str = "", after: int = 0) -> Evidence | None:
        """Return where words stand; white space, case and typography do not matter. None where they do not."""
        wanted = fold(quotation)
        if len(wanted) < _LEAST:
            return None
        numbers = _numbers(quotation)
        for name in [document] if document in self.texts else self.texts:
            text = self.texts[name]
            if name not in self._folded:
                self._folded[name] = FoldedText(name, text)
            place = after if name == document else 0
            for _ in range(_TRIES):
                found = self._folded[name].find(wanted, place)
                if found is None:
                    break
                if _whole(text, *found) and _numbers(text[slice(*found)]) == numbers:
                    return Evidence(document=name, start=found[0], end=found[1], text=text[found[0] : found[1]])
                place = found[0] + 1
        return None


def _numbers(text: str) -> list[str]:
    """Return the runs of digits: folding takes 1.5 for 15, a quotation must not."""
    return re.findall(r"\d+", text)


def _whole(text: str, start: int, end: int) -> bool:
    """Tell whether a stretch begins and ends at the borders of words: "No" is not in "North"."""
    before, behind = text[start - 1 : start], text[end : end + 1]
    return not (before.isalnum() and text[start].isalnum()) and not (behind.isalnum() and text[end - 1].isalnum())


@dataclass
class Intake:
    """Takes the values of one text, and counts what it does not take.

    Attributes:
        evidenced: A value without a verified quotation is dropped (what a model gives), or kept (what a person gave).
    """

    texts: Texts
    evidenced: bool = True
    dropped_values: int = 0
    dropped_evidence: int = 0

    def entry(self, said: Iterable[tuple[str, Sequence[Evidence | str]]]) -> Entry:
        """Return the values of an item.

        Args:
            said: Values, each with its quotations, or with where these stand.
        """
        kept: dict[str, Value] = {}
        for text, quotations in said:
            words = " ".join(text.split())[:LONGEST_VALUE]
            if not words or _is_none(words):
                continue
            evidence = self.verified(quotations)
            if self.evidenced and not evidence:
                self.dropped_values += 1
                continue
            key = words.casefold()  # not folded further: 1.5 is not 15
            first = kept.get(key, Value(text=words))
            kept[key] = first.model_copy(update={"evidence": tuple(dict.fromkeys((*first.evidence, *evidence)))})
        return Entry(values=tuple(kept.values()))

    def verified(self, quotations: Sequence[Evidence | str]) -> tuple[Evidence, ...]:
        """Return the quotations that are in the text, with their places; the others are counted."""
        evidence = tuple(found for one in quotations if (found := self._verified(one)) is not None)
        self.dropped_evidence += len(quotations) - len(evidence)
        return evidence

    def _verified(self, one: Evidence | str) -> Evidence | None:
        if isinstance(one, str):
            return self.texts.find(one)
        text = self.texts.texts.get(one.document)
        if text is not None and text[one.start : one.end] == one.text and one.text.strip():
            return one
        return self.texts.find(one.text, one.document)


def _is_none(words: str) -> bool:
    return words.casefold().rstrip(". ") in none_words()
