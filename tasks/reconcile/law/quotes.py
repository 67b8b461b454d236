"""A quotation of law checked against the cited provision, where the data room or the knowledge holds it.

The law of a data room is found by its headings: a citation at the start of a line (or in the citation field of a
data file), or in the name or first line of a document, opens a provision that runs to the next heading. The knowledge
holds texts of public-domain law as they stood on a day; a later amendment is reported, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from rapidfuzz import fuzz

from knowledge_db.law_texts import LawText
from tasks.legaltext.fold import fold
from tasks.matter.base import Record
from tasks.reconcile.law.library import LAW, LawProvision, LawShelf, normal_form, provisions_of, same_provision
from tasks.sources.records import CanonicalText, Span

__all__ = ["LAW", "LawLibrary", "Outcome", "QuoteOutcome", "normal_form", "provisions_of", "same_provision"]

Outcome = Literal["verified", "not_found", "misattributed", "unresolved"]

_CUT = re.compile(r"\[?(?:…|\.\s?\.\s?\.(?:\s?\.)?|\*\s\*\s\*)\]?|\[[^\[\]]{2,80}\]")
_CASE = re.compile(r"\[(\w)\]")
# What names a rule before its heading or words: "Rule 12(b).", "Fed. R. Civ. P. 6(d):".
_LABEL = re.compile(
    r"(?=[^\w§]*(?:fed|fr|rule|section|§))[^\w§]*(?:fed(?:\.|eral)\s?r(?:\.|ules?)\s?(?:of\s)?\w+\.?\s?(?:p\.|procedure)?\s?|fr[a-z]{1,3}p\s)?"
    r"(?:rule\s?|§+\s?|section\s)?(?P<number>\d+(?:\.\d+)?(?:\s?\(\w{1,4}\))*)(?:[.:;,\s—–-]+|$)",
    re.IGNORECASE,
)
_SHORTEST = 12  # folded characters below which words prove nothing
_LIKE = 80.0  # likeness from which words are an altered reading of the passage
_LONGEST = 600  # characters of a quotation that are looked for: what stands behind them adds time and tells no more


class QuoteOutcome(Record):
    """The outcome of checking one quotation.

    Attributes:
        citation: The citation in normal form; as given where it is none.
        outcome: ``verified``: the cited provision has the words. ``not_found``: it is stored, and neither it nor
            any other has them. ``misattributed``: the words stand elsewhere. ``unresolved``: the provision is not
            stored, or the citation names none, so that nothing can be said.
        found_in: Citation or document that has the words.
        grounding: Where they stand.
    """

    citation: str
    outcome: Outcome
    checked: str
    found_in: str = ""
    grounding: tuple[Span, ...] = ()


class LawLibrary:
    """The provisions that can be looked up, and the check of a quotation against them.

    Args:
        texts: Texts of the data room by document name.
        held: Law that the knowledge holds.
    """

    def __init__(self, texts: Mapping[str, CanonicalText], held: Iterable[LawText] = ()) -> None:
        self.shelf = LawShelf(texts, held)
        self.texts = self.shelf.texts
        self.provisions = self.shelf.provisions

    def holds(self, citation: str) -> bool:
        """Say whether a provision, given in normal form, is among those held."""
        return bool(self.shelf.named(citation)) and not self.shelf.missing(citation)

    def check(self, citation: str, quote: str) -> QuoteOutcome:
        """Check one quotation; ellipses and bracketed insertions divide it into parts that must follow in order."""
        name = normal_form(citation)
        parts = [p for p in (fold(part) for part in _CUT.split(_CASE.sub(r"\1", quote))) if p]
        if not parts or sum(map(len, parts)) < _SHORTEST:
            return QuoteOutcome(
                citation=name or citation, outcome="unresolved", checked="The quotation is too short to prove anything."
            )
        held = self.shelf.named(name) if name else []
        missing = self.shelf.missing(name) if name else ""
        if verified := self._verified(name, held if not missing else (), parts):
            return verified
        body = _without_head(quote, name, self.shelf.headings(name))
        if body is not None and not missing:
            rest = self.check(citation, body) if len(fold(body)) >= _SHORTEST else None
            if rest is None and held:
                said = f"The heading of {held[0].citation}{_of(held[0])}."
                return QuoteOutcome(citation=name, outcome="verified", checked=said, found_in=held[0].citation)
            if rest is not None:
                return rest
        elsewhere = self.shelf.elsewhere(parts, held[0].document if held else "")
        if elsewhere is not None and name:
            where, spans = elsewhere
            # Rules of one court copy those of another: that a held text has words proves nothing about one not held.
            unheld = not held and spans[0].document in self.shelf.held
            notes = (missing, f"The words stand in {where}.", f"{name} is not held." if unheld and not missing else "")
            return QuoteOutcome(
                citation=name, outcome="unresolved" if missing or unheld else "misattributed",
                checked=" ".join(filter(None, notes)), found_in=where, grounding=spans,
            )  # fmt: skip
        if missing or not held:
            checked = missing or (f"No document holds {name}." if name else f"{citation!r} is no citation known here.")
            return QuoteOutcome(citation=name or citation, outcome="unresolved", checked=checked)
        return self._not_found(name, held, parts)

    def _verified(self, name: str, held: Sequence[LawProvision], parts: Sequence[str]) -> QuoteOutcome | None:
        for provision in held:
            spans = self.shelf.within(provision, parts, overlapping=bool(provision.as_of))
            if spans:
                return QuoteOutcome(
                    citation=name, outcome="verified", checked=f"Verbatim in {provision.citation}{_of(provision)}.",
                    found_in=provision.citation, grounding=spans,
                )  # fmt: skip
        return None

    def _not_found(self, name: str, held: Sequence[LawProvision], parts: Sequence[str]) -> QuoteOutcome:
        """Tell an altered quotation from words that resemble nothing; for amended law an altered one proves nothing."""
        needle = max(parts, key=len)[:_LONGEST]
        document = self.texts[held[0].document]
        found = fuzz.partial_ratio_alignment(needle, document.folded, score_cutoff=_LIKE)
        nearest = ""
        if found:
            low, high = (
                document.original(found.dest_start),
                document.original(max(found.dest_start, found.dest_end - 1)),
            )
            nearest = f" The nearest words there: {document.text[low : high + 1][:300]!r}."
            amended = self.shelf.innermost(document.document, low, high + 1).amended
            if amended:
                checked = f"{name} was amended on {amended}; only its text of {held[0].as_of} is held.{nearest}"
                return QuoteOutcome(citation=name, outcome="unresolved", checked=checked)
        holder = f"the text of {held[0].as_of}" if held[0].as_of else held[0].document
        checked = f"{holder} holds {name}; neither it nor any other text has these words.{nearest}"
        return QuoteOutcome(citation=name, outcome="not_found", checked=checked)


def _without_head(quote: str, name: str, headings: Sequence[str]) -> str | None:
    """Return a quotation without the name and the heading of the cited rule before its words; None without either.

    The text of a rule is held without its heading. A head of another rule stays: its words are not those cited.
    """
    label = _LABEL.match(quote)
    number = "".join(name.rpartition(" ")[2].split())
    said = "".join(label["number"].split()) if label else ""
    rest = quote[label.end() :] if label and same_provision(said, number) else quote
    for heading in headings:
        letters = iter(re.finditer(r"[^\W_]", rest))
        end = 0
        for wanted in fold(heading):
            found = next(letters, None)
            if found is None or found[0].lower() != wanted:
                break
            end = found.end()
        else:
            return rest[end:].lstrip(" .:;,—–-\n\t")
    return rest if rest != quote else None


def _of(provision: LawProvision) -> str:
    return f" (text of {provision.as_of})" if provision.as_of else ""
