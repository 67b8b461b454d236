"""A quotation of law checked against the cited provision, where the data room holds it.

The law of a data room is found by its headings: a citation at the start of a line (or in the citation field of a
data file), or in the name or first line of a document, opens a provision that runs to the next heading.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from tasks.matter.base import Record
from tasks.reconcile.fold import FoldedText, fold
from tasks.sources.records import CanonicalText, Span
from tasks.sources.scan.citations import scan_citations

Outcome = Literal["verified", "not_found", "misattributed", "unresolved"]

_LAW = frozenset({"case", "statute", "regulation", "rule", "administrative", "neutral"})
_LEAD = re.compile(
    r"^[\s#>*\-•|\"'“(\[{,]*(?:\"?(?:citation|cite|provision|authority)\"?\s*[:=|,]\s*)?[\"'“]?$", re.IGNORECASE
)
_CUT = re.compile(r"\[?(?:…|\.\s?\.\s?\.(?:\s?\.)?|\*\s\*\s\*)\]?|\[[^\[\]]{2,80}\]")
_CASE = re.compile(r"\[(\w)\]")
_SHORTEST = 12  # folded characters below which words prove nothing


class QuoteOutcome(Record):
    """What the check of one quotation came to.

    Attributes:
        citation: The citation in normal form; as given where it is none.
        outcome: ``verified``: the cited provision has the words. ``not_found``: it is held and has not, nor has any
            other. ``misattributed``: the words stand elsewhere. ``unresolved``: the provision is not held, or the
            citation names none, so that nothing can be said.
        found_in: Citation or document that has the words.
        grounding: Where they stand.
    """

    citation: str
    outcome: Outcome
    checked: str
    found_in: str = ""
    grounding: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Provision:
    """A stretch of a document that is the text of one provision."""

    citation: str
    document: str
    start: int
    end: int


class LawLibrary:
    """The provisions that documents hold."""

    def __init__(self, texts: Mapping[str, CanonicalText]) -> None:
        self.texts = {name: FoldedText(name, t.text) for name, t in texts.items()}
        self.provisions = [p for name, t in texts.items() for p in provisions_of(name, t.text)]

    def holds(self, citation: str) -> bool:
        """Say whether a provision, given in normal form, is among those held."""
        return any(same_provision(p.citation, citation) for p in self.provisions)

    def check(self, citation: str, quote: str) -> QuoteOutcome:
        """Check one quotation; ellipses and bracketed insertions divide it into parts that must follow in order."""
        name = normal_form(citation)
        parts = [p for p in (fold(part) for part in _CUT.split(_CASE.sub(r"\1", quote))) if p]
        if not parts or sum(map(len, parts)) < _SHORTEST:
            return QuoteOutcome(
                citation=name or citation, outcome="unresolved", checked="The quotation is too short to prove anything."
            )
        held = [p for p in self.provisions if name and same_provision(p.citation, name)]
        for provision in held:
            spans = self._within(provision, parts)
            if spans:
                return QuoteOutcome(
                    citation=name, outcome="verified", checked=f"Verbatim in {provision.citation}.",
                    found_in=provision.citation, grounding=spans,
                )  # fmt: skip
        elsewhere = next(self._elsewhere(parts), None)
        if elsewhere is not None and (name or held):
            where, spans = elsewhere
            return QuoteOutcome(
                citation=name or citation, outcome="misattributed", checked=f"The words stand in {where}.",
                found_in=where, grounding=spans,
            )  # fmt: skip
        if held:
            checked = f"{held[0].document} holds {name}; neither it nor any other document has these words."
            return QuoteOutcome(citation=name, outcome="not_found", checked=checked)
        checked = f"No document holds {name}." if name else f"{citation!r} is no citation that is known here."
        return QuoteOutcome(citation=name or citation, outcome="unresolved", checked=checked)

    def _within(self, provision: Provision, parts: Iterable[str]) -> tuple[Span, ...]:
        source, at = self.texts[provision.document], provision.start
        spans = []
        for part in parts:
            found = source.find(part, at)
            if found is None or found[1] > provision.end or found[0] < provision.start:
                return ()
            spans.append(Span(document=provision.document, start=found[0], end=found[1]))
            at = found[1]
        return tuple(spans)

    def _elsewhere(self, parts: list[str]) -> Iterator[tuple[str, tuple[Span, ...]]]:
        for provision in self.provisions:
            spans = self._within(provision, parts)
            if spans:
                yield provision.citation, spans
        for name, source in self.texts.items():
            spans = self._within(Provision("", name, 0, len(source.text)), parts)
            if spans:
                yield name, spans


def provisions_of(name: str, text: str) -> Iterator[Provision]:
    """Yield the provisions of a document, from heading to heading."""
    heads: list[tuple[int, str]] = []
    title = normal_form(re.sub(r"\.[a-z]{2,5}$", "", name).replace("_", " "))
    if title:
        heads.append((0, title))
    for mention in scan_citations(text):
        if mention.kind not in _LAW:
            continue
        line = text.rfind("\n", 0, mention.start) + 1
        if _LEAD.match(text[line : mention.start]):
            heads.append((mention.start, mention.canonical))
    for n, (start, citation) in enumerate(heads):
        end = heads[n + 1][0] if n + 1 < len(heads) else len(text)
        yield Provision(citation, name, start, end)


def normal_form(citation: str) -> str:
    """Return a citation of law in normal form; empty where it is none."""
    found = [m for m in scan_citations(citation) if m.kind in _LAW]
    return found[0].canonical if len(found) == 1 else ""


def same_provision(held: str, cited: str) -> bool:
    """Say whether a held provision is, or contains, or is contained in the cited one (Rule 12 and Rule 12(a)(1))."""
    one, other = _folded(held), _folded(cited)
    return one == other or other.startswith(f"{one}(") or one.startswith(f"{other}(")


def _folded(citation: str) -> str:
    return re.sub(r"\s+", " ", citation).strip().lower().rstrip(".")
