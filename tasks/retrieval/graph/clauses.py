"""The clauses of one document, found by the numbers that lawyers cite."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from tasks.legaltext.numbers.spelling import ONES
from tasks.retrieval.graph.references import Reference
from tasks.retrieval.numbering import roman_value
from tasks.retrieval.records import Clause

_DIVISION = re.compile(r"(?P<word>[A-Za-z]+)\s+(?P<ord>[\w.-]+)\Z")
_ATTACHED = re.compile(r"(?:exhibit|schedule|annex|appendix|attachment|addendum)", re.IGNORECASE)
_BEGINS = re.compile(
    r"(?:\A|\n[^\S\n]*+|(?<=[.;:)])\s{1,6})(?:(?:section|article|clause|paragraph|§)\s*)?"
    r"(?P<num>\d{1,3}(?:\.\d{1,3}){0,4}|(?-i:[IVX]{1,5}))[.)]?:?\s{1,12}(?-i:(?=[\"“(]?[A-Z]))",
    re.IGNORECASE,
)
_ATTACHES = re.compile(
    r"(?:\A|\n[ \t]*|\n\s{0,20}\d{1,3}\s{1,6}|[^\S\n]{3,20})"
    r"(?P<word>EXHIBIT|Exhibit|SCHEDULE|Schedule|ANNEX|Annex|APPENDIX|Appendix|ATTACHMENT|Attachment|ADDENDUM|Addendum)"
    r"[ \t]{1,4}(?P<id>[A-Z](?:-\d{1,2})?|\d{1,3}(?:\.\d{1,3})*[A-Z]?|[IVX]{1,5})(?P<subs>(?:\([A-Za-z0-9]{1,4}\))*)"
    r"(?=\s{0,4}(?:[-–—:.]\s{0,6})?(?:\n|\Z|[A-Z\"“(\[]))"
)
_LONGEST_ITEM = 3_000  # characters; where no end is found, a reference brings no more than this
_BEFORE = 14  # characters: "subparagraphs " is the longest word that makes "(b)" a reference


class ClauseBook:
    """Finds the stretch of a document that a reference means."""

    def __init__(self, text: str, clauses: Sequence[Clause]) -> None:
        """Take the clauses of the document in reading order, as :func:`clause_tree` gives them."""
        self._text, self._clauses = text, clauses
        self._starts = [clause.start for clause in clauses]
        self._keys: dict[str, list[int]] = {}
        self._names: list[str] = []
        for i, clause in enumerate(clauses):
            name = self._key(clause)
            self._names.append(name)
            if name:
                self._keys.setdefault(name, []).append(i)

    @cached_property
    def divided(self) -> bool:
        """Tell whether the document has ARTICLEs of its own."""
        return any(name.startswith("article:") for name in self._keys)

    def at(self, offset: int) -> int:
        """Return the innermost clause that holds an offset, -1 for none."""
        i = bisect.bisect_right(self._starts, offset) - 1
        while i >= 0 and self._clauses[i].end <= offset:
            i = self._clauses[i].parent
        return i

    def heading_at(self, offset: int) -> bool:
        """Tell whether a clause or an attachment begins at an offset: what stands there is its own number."""
        i = bisect.bisect_left(self._starts, offset)
        return (i < len(self._starts) and self._starts[i] == offset) or offset in self._heads

    def find(self, ref: Reference, near: int) -> tuple[int, int, int, bool] | None:
        """Return ``(clause, start, end, exact)`` of what a reference means; ``exact`` is False for its nearest parent.

        Args:
            ref: A reference to this document.
            near: Offset of the mention: a number that comes twice means the one in the same attachment, and an item
                without a number one of the clause at hand.
        """
        here = self.at(near)
        if ref.kind == "item":
            return self._item(ref, here, near)
        elsewhere = ref.kind != "attachment" and not any(
            self._root(i) == self._root(here) for key in self._wanted(ref) for i in self._keys.get(key, ())
        )
        if elsewhere and (unlisted := self._unlisted(ref, self._root(here))) is not None:
            return unlisted
        for key in self._wanted(ref):
            found = [self._down(clause, ref.subs, ref.start) for clause in self._ranked(key, here)[:4]]
            if found:
                return next((one for one in found if one[3]), found[0])
        return self._unlisted(ref, None) if ref.kind != "attachment" else self._attached(ref)

    def _attached(self, ref: Reference) -> tuple[int, int, int, bool] | None:
        """Find an attachment that the clause tree does not know: the last place where its name stands as a heading."""
        for name in (f"{ref.number}{''.join(ref.subs)}", ref.number):
            found = self._headings.get(f"{ref.word}:{_lowered(name)}")
            if found and found[0] != ref.start:
                exact = not ref.subs or name != ref.number
                return self.at(found[0]), *found, exact
        return None

    @cached_property
    def _attaching(self) -> list[tuple[str, str, int]]:
        """Word, number and offset of each heading of an attachment in running text."""
        return [(_word(m["word"]), m["id"] + m["subs"], m.start("word")) for m in _ATTACHES.finditer(self._text)]

    @cached_property
    def _heads(self) -> frozenset[int]:
        return frozenset(start for _, _, start in self._attaching)

    @cached_property
    def _headings(self) -> dict[str, tuple[int, int]]:
        """Names of attachments that stand as headings, each with its last place, to the next one."""
        found = self._attaching
        places = {}
        for i, (word, number, start) in enumerate(found):
            end = found[i + 1][2] if i + 1 < len(found) else len(self._text)
            places[f"{word}:{_lowered(number)}"] = (start, min(end, start + 2 * _LONGEST_ITEM))
        return places

    def _unlisted(self, ref: Reference, root: int | None) -> tuple[int, int, int, bool] | None:
        """Find a section that the clause tree does not know by its number in running text; ``root``: in that part."""
        spans = self._numbers.get(re.sub(r"\.0+\Z", "", ref.number), ())
        spans = [span for span in spans if root is None or self._root(self.at(span[0])) == root]
        if not spans:
            return None
        start, end = max(spans, key=lambda span: (span[1] - span[0], -span[0]))
        for i, sub in enumerate(ref.subs):
            found = self._printed(sub, start, end, ref.start)
            if found is None:
                return self.at(start), start, end, i < 0
            start, end = found
        return self.at(start), start, end, True

    @cached_property
    def _numbers(self) -> dict[str, list[tuple[int, int]]]:
        """Numbers that begin a sentence or a line and are followed by a title: where each stands, to the next one."""
        found = [(m["num"], m.start("num")) for m in _BEGINS.finditer(self._text)]
        numbers: dict[str, list[tuple[int, int]]] = {}
        for i, (number, start) in enumerate(found):
            depth = number.count(".")
            stops = (at for other, at in found[i + 1 : i + 40] if other.count(".") <= depth)
            end = next(stops, len(self._text))
            key = str(roman_value(number) or number) if not number[0].isdigit() else re.sub(r"\.0+\Z", "", number)
            numbers.setdefault(key, []).append((start, min(end, start + 2 * _LONGEST_ITEM)))
        return numbers

    def _wanted(self, ref: Reference) -> Iterator[str]:
        if ref.kind == "attachment":
            yield f"{ref.word}:{ref.number.lower()}"
            return
        if ref.kind == "article":
            yield f"article:{ref.number}"
            yield f"part:{ref.number}"
            if not self.divided:
                yield ref.number
            return
        yield ref.number.lower()
        if roman_value(ref.number):
            yield str(roman_value(ref.number))
        if "." not in ref.number and ref.number.isdigit():
            yield f"article:{ref.number}"
        if re.search(r"\.0+\Z", ref.number):
            yield re.sub(r"\.0+\Z", "", ref.number)

    def _ranked(self, key: str, here: int) -> list[int]:
        """Return the clauses of a number: those of the same attachment first, then the longest.

        A line of a table of contents is short.
        """
        root = self._root(here)
        found = self._keys.get(key, ())
        return sorted(found, key=lambda i: (self._root(i) != root, self._clauses[i].start - self._clauses[i].end, i))

    def _root(self, clause: int) -> int:
        """Return the attachment that a clause lies in, -1 for the body."""
        while clause >= 0:
            if _ATTACHED.match(self._clauses[clause].number):
                return clause
            clause = self._clauses[clause].parent
        return -1

    def _down(self, clause: int, subs: Sequence[str], mention: int) -> tuple[int, int, int, bool]:
        """Follow sub-items below a clause: nodes of the tree first, then items printed within its words."""
        start, end = self._clauses[clause].start, self._clauses[clause].end
        low = _lowered(self._names[clause])
        for depth in range(len(subs)):
            name = low + "".join(_lowered(sub) for sub in subs[: depth + 1])
            inside = [i for i in self._keys.get(name, ()) if start <= self._clauses[i].start < end]
            if inside:
                clause = inside[0]
                start, end = self._clauses[clause].start, self._clauses[clause].end
                continue
            span = self._printed(subs[depth], start, end, mention)
            if span is None:
                return clause, start, end, False
            start, end = span
        return clause, start, end, True

    def _printed(self, sub: str, start: int, end: int, mention: int) -> tuple[int, int] | None:
        """Find "(b)" as an item within ``[start, end)``; it ends where the next item of its list begins."""
        for match in re.finditer(re.escape(sub), self._text[start:end], re.IGNORECASE):
            low = start + match.start()
            before = self._text[max(0, low - _BEFORE) : low]
            if low == mention or re.search(
                r"(?:[\w)]|(?:clause|section|paragraph)s?\s*|\)\s*(?:and|or|to)\s*)\Z", before
            ):
                continue  # itself a reference
            follows = _following(sub)
            after = re.search(re.escape(follows), self._text[low + len(sub) : end]) if follows else None
            high = low + len(sub) + after.start() if after else end
            return low, min(high, low + _LONGEST_ITEM)
        return None

    def _item(self, ref: Reference, here: int, near: int) -> tuple[int, int, int, bool] | None:
        """Find "clause (b)": below the clause at hand, or below one of those that hold it, the innermost first."""
        if ref.outer is not None:
            found = self.find(ref.outer, near)
            if found is None:
                return None
            clause, start, end, exact = found
            if exact and start == self._clauses[clause].start:
                return self._down(clause, ref.subs, ref.start)
            span = self._printed(ref.subs[0], start, end, ref.start)
            return (clause, *(span or (start, end)), span is not None)
        clause = here
        while clause >= 0:
            found = self._down(clause, ref.subs, ref.start)
            if found[3] and not found[1] <= near < found[1] + len(ref.subs[0]):
                return found
            if not self._clauses[clause].number.startswith("(") and self._names[clause]:
                return None  # never beyond the numbered section
            clause = self._clauses[clause].parent
        return None

    def _key(self, clause: Clause) -> str:
        """Return the number of a clause as it is cited: ``4.2(b)``, ``article:4``, ``exhibit:a``; empty for none."""
        number = clause.number.strip()
        if not number:
            return ""
        if division := _DIVISION.match(number):
            return f"{_word(division['word'])}:{_ordinal(division['ord'], division['word'])}"
        if number.startswith("(") or re.fullmatch(r"[a-z]{1,4}", number):
            parent = clause.parent
            while parent >= 0 and not self._names[parent]:
                parent = self._clauses[parent].parent
            sub = number if number.startswith("(") else f"({number})"
            above = self._names[parent] if parent >= 0 else ""
            return ("" if above.startswith("article:") else _lowered(above)) + _lowered(sub)
        head, _, tail = number.partition(".")
        if not head[:1].isdigit() and roman_value(head) and len(head) > 1:
            return f"{roman_value(head)}.{tail}" if tail else str(roman_value(head))
        return _lowered(re.sub(r"\.0+\Z", "", number.rstrip(".")))


def _lowered(name: str) -> str:
    return re.sub(r"\s", "", name).lower()


def _word(word: str) -> str:
    low = word.lower()
    return {"annexure": "annex"}.get(low, low)


def _ordinal(ordinal: str, word: str) -> str:
    low = ordinal.lower().rstrip(".")
    if low in ONES:
        return str(ONES[low])
    if word.lower() in ("article", "part", "chapter", "title") and roman_value(low):
        return str(roman_value(low))
    return low


def _following(sub: str) -> str:
    """Return the sub-item after one: "(b)" gives "(c)", "(2)" gives "(3)", "(ii)" gives "(iii)"; empty if unknown."""
    inner = sub[1:-1]
    if inner.isdigit():
        return f"({int(inner) + 1})"
    if roman_value(inner) and (len(inner) > 1 or inner.lower() in "ivx"):
        return f"({_roman(roman_value(inner) + 1, inner.isupper())})"
    return f"({chr(ord(inner) + 1)})" if len(inner) == 1 and inner.lower() != "z" else ""


def _roman(value: int, upper: bool) -> str:
    out = ""
    for number, letters in ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")):
        while value >= number:
            out += letters
            value -= number
    return out.upper() if upper else out
