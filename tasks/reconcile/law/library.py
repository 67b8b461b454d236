"""The provisions of law that can be looked up: those of the data room, and those the knowledge holds word for word."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from knowledge_db.law_texts import LawText, parts_of
from tasks.legaltext.citations.scan import scan_citations
from tasks.legaltext.fold import FoldedText
from tasks.sources.records import CanonicalText, Span

LAW = frozenset({"case", "statute", "regulation", "rule", "administrative", "neutral", "restatement"})
_LEAD = re.compile(
    r"^[\s#>*\-•|\"'“(\[{,]*(?:\"?(?:citation|cite|provision|authority)\"?\s*[:=|,]\s*)?[\"'“]?$", re.IGNORECASE
)
_RULE = re.compile(r"(?P<body>\D+ )(?P<rule>\d+(?:\.\d+)?)(?P<first>\(\w+\))?")
_OCCURRENCES = 50  # places of one part that are tried: bounds a hostile repetition


@dataclass(frozen=True)
class LawProvision:
    """A stretch of a document that is the text of one provision.

    Attributes:
        as_of: Day of the text, where the knowledge holds it; empty for the data room's.
        amended: Day from which another text is in force; empty where none is known.
    """

    citation: str
    document: str
    start: int
    end: int
    as_of: str = ""
    amended: str = ""


class LawShelf:
    """Provisions by citation, and the texts they lie in.

    Args:
        texts: Texts of the data room by document name.
        held: Law that the knowledge holds; its documents are named by their citations.
    """

    def __init__(self, texts: Mapping[str, CanonicalText], held: Iterable[LawText] = ()) -> None:
        self.texts = {name: FoldedText(name, t.text) for name, t in texts.items()}
        self._headings: dict[str, tuple[str, ...]] = {}
        self.provisions = [p for name, t in texts.items() for p in provisions_of(name, t.text)]
        rules = _by_rule(held)
        self.held = frozenset(rules) - frozenset(texts)
        for citation, rows in rules.items():
            text, provisions = _joined(citation, rows)
            self._headings[_folded(citation)] = tuple(row.heading for row in rows if row.heading)
            self.texts.setdefault(citation, FoldedText(citation, text))
            self.provisions.extend(provisions)

    @cached_property
    def _names(self) -> dict[str, list[LawProvision]]:
        names: dict[str, list[LawProvision]] = {}
        for provision in self.provisions:
            names.setdefault(_folded(provision.citation), []).append(provision)
        return names

    def named(self, citation: str) -> list[LawProvision]:
        """Return the provisions that a citation names: itself, else its subdivisions, else what contains it."""
        name = _folded(citation)
        if name in self._names:
            return self._names[name]
        inside = [p for key, found in self._names.items() if key.startswith(f"{name}(") for p in found]
        while not inside and name.endswith(")"):
            name = name[: name.rindex("(")] if "(" in name else ""
            inside = self._names.get(name, [])
        return inside

    def headings(self, citation: str) -> tuple[str, ...]:
        """Return the headings of the rule that a citation is of, where the knowledge holds it."""
        return self._headings.get(_folded(re.sub(r"\(.*", "", citation)), ())

    def missing(self, citation: str) -> str:
        """Say what of a citation is missing in rules that are stored whole; empty where nothing can be said."""
        cited = _RULE.match(citation)
        if cited is None or not any(p.as_of and p.citation.startswith(cited["body"]) for p in self.provisions):
            return ""
        rule = f"{cited['body']}{cited['rule']}"
        day = next(p.as_of for p in self.provisions if p.as_of and p.citation.startswith(cited["body"]))
        if _folded(rule) not in self._names:
            return f"There is no {rule} in the text of {day}; later rules are not held."
        letters = [key for key in self._names if key.startswith(f"{_folded(rule)}(")]
        first = f"{_folded(rule)}{(cited['first'] or '').lower()}"
        if cited["first"] and letters and not any(key == first or key.startswith(f"{first}(") for key in letters):
            return f"{rule} has no subdivision {cited['first']} in the text of {day}."
        return ""

    def within(self, provision: LawProvision, parts: Sequence[str], overlapping: bool = False) -> tuple[Span, ...]:
        """Return where the parts follow one another inside a provision (or, if so asked, reach into it)."""
        for spans in self.places(provision.document, parts, 0 if overlapping else provision.start):
            low, high = spans[0].start, spans[-1].end
            inside = provision.start <= low and high <= provision.end
            if inside or (overlapping and low < provision.end and provision.start < high):
                return spans
        return ()

    def places(self, document: str, parts: Sequence[str], after: int = 0) -> Iterator[tuple[Span, ...]]:
        """Yield where the parts follow one another in a document, for each place of the first."""
        source = self.texts[document]
        for _ in range(_OCCURRENCES):
            spans: list[Span] = []
            at = after
            for part in parts:
                found = source.find(part, at)
                if found is None:
                    return
                spans.append(Span(document=document, start=found[0], end=found[1]))
                at = found[1]
            yield tuple(spans)
            after = spans[0].start + 1

    def elsewhere(self, parts: Sequence[str], first: str) -> tuple[str, tuple[Span, ...]] | None:
        """Return the innermost provision, else the document, that has the words; the document ``first`` goes first."""
        for document in sorted(self.texts, key=lambda name: name != first):
            spans = next(self.places(document, parts), None)
            if spans:
                return self.innermost(document, spans[0].start, spans[-1].end).citation, spans
        return None

    def innermost(self, document: str, start: int, end: int) -> LawProvision:
        """Return the smallest provision around a stretch of a document; else the document itself."""
        around = (p for p in self.provisions if p.document == document and p.start <= start and end <= p.end)
        whole = LawProvision(document, document, 0, len(self.texts[document].text))
        return min(around, key=lambda p: p.end - p.start, default=whole)


def provisions_of(name: str, text: str) -> Iterator[LawProvision]:
    """Yield the provisions of a document, from heading to heading."""
    heads: list[tuple[int, str]] = []
    title = normal_form(re.sub(r"\.[a-z]{2,5}$", "", name).replace("_", " "))
    if title:
        heads.append((0, title))
    for mention in scan_citations(text):
        if mention.kind not in LAW:
            continue
        line = text.rfind("\n", 0, mention.start) + 1
        if _LEAD.match(text[line : mention.start]):
            heads.append((mention.start, mention.canonical))
    for n, (start, citation) in enumerate(heads):
        end = heads[n + 1][0] if n + 1 < len(heads) else len(text)
        yield LawProvision(citation, name, start, end)


def normal_form(citation: str) -> str:
    """Return a citation of law in normal form; empty where it is none."""
    found = [m for m in scan_citations(citation) if m.kind in LAW]
    return found[0].canonical if len(found) == 1 else ""


def same_provision(held: str, cited: str) -> bool:
    """Say whether a held provision is, or contains, or is contained in the cited one (Rule 12 and Rule 12(a)(1))."""
    one, other = _folded(held), _folded(cited)
    return one == other or other.startswith(f"{one}(") or one.startswith(f"{other}(")


def _by_rule(held: Iterable[LawText]) -> dict[str, list[LawText]]:
    rules: dict[str, list[LawText]] = {}
    for row in held:
        rules.setdefault(row.citation, []).append(row)
    return rules


def _joined(citation: str, rows: Sequence[LawText]) -> tuple[str, list[LawProvision]]:
    pieces: list[str] = []
    provisions: list[LawProvision] = []
    at = 0
    for row in rows:
        for part in parts_of(row) if row.subdivision else ():
            provisions.append(
                LawProvision(citation + part.path, citation, at + part.start, at + part.end, row.as_of, row.amended)
            )
        pieces.append(row.text)
        at += len(row.text) + 1
    # An amendment is of a subdivision; of the rule itself only where it has none.
    whole = "" if provisions else next((row.amended for row in rows if row.amended), "")
    provisions.insert(0, LawProvision(citation, citation, 0, at, rows[0].as_of, whole))
    return "\n".join(pieces), provisions


def _folded(citation: str) -> str:
    return re.sub(r"\s+", " ", citation).strip().lower().rstrip(".")
