"""The statements of a draft that cite a place, each with the places that are said to carry it."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.legaltext.sentences import PROSE, sentences
from tasks.reconcile.draft_view import CitedPlace, DraftView

# What may stand between two citations of one statement, or before a citation that opens its sentence.
_JOINING = re.compile(r"(?i)\W*(?:(?:and|see|also|under|per|in|by|as|cf|pursuant|according|to)\b\W*){0,3}")
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"\n]*\"")
_LABEL = re.compile(r"[\s•*_-]*([A-Z][^:.;\[\]“|\n]{2,60}):[*_]*\s")
_LABEL_WORDS = 4  # of one of several labels side by side
_NEAREST = re.compile(r"(?i)\bnearest:\s*$")  # passages that are shown, and carry nothing
_CELL_AT = re.compile(r"^\s*[A-Z]{1,3}\d{1,7}:")  # a cell of a workbook, as its reader shows it
_PLACE = re.compile(
    r"(?:§+|sections?|clauses?|articles?|pp?\.|pages?)\s*\d[\w.(),§\s–-]{0,40}", re.I
)  # and nothing else
_ARTICLE = re.compile(r"^(?:the|an?|any) ")


@dataclass(frozen=True)
class Statement:
    """Words of a draft, ``[start, end)``, and the citations that they rest on.

    Attributes:
        whole: Whether the citation stands for all of it: true for the sentence right before or around a citation, not
            for those further ahead in its paragraph.
    """

    start: int
    end: int
    citations: tuple[CitedPlace, ...]
    whole: bool
    shown: bool = False

    @property
    def of_row(self) -> bool:
        """Whether other cells of its row name its document and place."""
        return self.citations[0].end <= self.start

    def words(self, view: DraftView) -> str:
        """Return its words, citations blanked."""
        return view.without_citations(self.start, self.end)

    def unquoted(self, view: DraftView) -> str:
        """Return its words with quotations blanked as well, so that offsets stay."""
        begin, stop = view.line_at(self.start)[0], max(view.line_at(self.start)[1], self.end)
        plain = _QUOTED.sub(lambda m: " " * len(m[0]), view.without_citations(begin, stop))
        return plain[self.start - begin : self.end - begin]


def statements_of(view: DraftView) -> Iterator[Statement]:
    """Yield the statements that cite a place in a document, in the order of the draft."""
    for n, (begin, stop, _, _) in enumerate(view.cells):
        inside = [c for c in view.citations_within(begin, stop) if c.document]
        if not inside and (row := _of_file(view, begin, stop)) is not None:
            yield row
        groups: list[list[CitedPlace]] = []
        for citation in inside:
            near = groups and _JOINING.fullmatch(view.text, groups[-1][-1].end, citation.start)
            groups[-1].append(citation) if near else groups.append([citation])
        if len(groups) == 1 and (beside := _beside(view, n, groups[0])) is not None:
            yield Statement(*beside, tuple(groups[0]), whole=True)
            continue
        at = begin
        for place, group in enumerate(groups):
            following = groups[place + 1][0].start if place + 1 < len(groups) else stop
            if _NEAREST.search(_QUOTED.sub("", view.text[at : group[0].start])):
                yield Statement(at, group[-1].end, tuple(group), whole=False, shown=True)
            else:
                yield from _of(view, at, group, following)
            at = group[-1].end


def _row(view: DraftView, offset: int) -> list[tuple[int, int]]:
    """Return the cells of the line of an offset."""
    begin, stop = view.line_at(offset)
    first = bisect.bisect_left(view.cells, begin, key=lambda c: c.start)
    last = bisect.bisect_right(view.cells, stop, key=lambda c: c.start)
    return [(c.start, c.end) for c in view.cells[first:last]]


def _of_file(view: DraftView, begin: int, stop: int) -> Statement | None:
    """Return a cell as a statement about the file that alone fills the first cell of its row.

    A cell of the row that holds nothing but a place ("§ 2.5") says where.
    """
    row = _row(view, begin)
    if len(row) < 2 or begin == row[0][0] or view.citations_within(row[0][0], row[-1][1]):
        return None
    a, b = row[0]
    name = _CELL_AT.sub("", view.text[a:b]).strip()
    if name not in view.names.documents or not re.search(r"\w", view.text[begin:stop]):
        return None
    cells = [_CELL_AT.sub("", view.text[slice(*cell)]).strip() for cell in row[1:]]
    places = [c for c in cells if _PLACE.fullmatch(c)]
    place = next((c for c in places if c.startswith("§")), next(iter(places), ""))
    if place and _PLACE.fullmatch(_CELL_AT.sub("", view.text[begin:stop]).strip()):
        return None
    return Statement(begin, stop, (CitedPlace(a, b, name, name, place),), whole=True)


def _beside(view: DraftView, number: int, group: list[CitedPlace]) -> tuple[int, int] | None:
    """Return the cell beside a cell that holds only citations: "January 18, 2020 | [Agreement § 2]"."""
    cell, before = view.cells[number], view.cells[number - 1] if number else None
    alone = not re.search(r"\w", view.text[cell.start : group[0].start] + view.text[group[-1].end : cell.end])
    in_row = before is not None and view.line_at(before.start) == view.line_at(cell.start)
    if not alone or before is None or not in_row or view.citations_within(before.start, before.end):
        return None
    words = view.text[before.start : before.end]
    start = before.start + len(words) - len(words.lstrip())
    return (start, before.start + len(words.rstrip())) if words.strip() else None


def _of(view: DraftView, begin: int, group: list[CitedPlace], following: int) -> Iterator[Statement]:
    """Yield the sentences before citations; the one behind them where nothing stands before."""
    ahead = view.text[begin : group[0].start]
    tail = view.text[group[-1].end : following]
    if _JOINING.fullmatch(ahead):
        ends = sentences(tail, PROSE)
        end = group[-1].end + (ends[0][1] if ends else 0)
        yield Statement(begin, end, tuple(group), whole=True)
        return
    parts = sentences(ahead, PROSE)
    rest = re.match(r"[^.;\n]*", tail)
    for n, (start, end) in enumerate(parts):
        last = n == len(parts) - 1
        goes_on = last and rest is not None and not tail[:2].strip().startswith((".", ";")) and tail[:1] != "\n"
        stop = group[-1].end + len(rest[0]) if goes_on and rest and rest[0].strip()[:1].islower() else begin + end
        yield Statement(begin + start, stop, tuple(group), whole=last)


def headed(view: DraftView, offset: int) -> list[str]:
    """Return the heading above an offset, in small letters; empty where there is none."""
    at = bisect.bisect_right(view.headings, (offset, 0)) - 1
    words = " ".join(view.text[slice(*view.headings[at])].strip("# ").split()) if at >= 0 else ""
    return [_ARTICLE.sub("", words.lower())] if words else []


def is_labels(words: str) -> bool:
    """Return whether words are short labels side by side ("Yes: exclusive; royalty-free"), not a sentence."""
    plain = re.sub(r"\([^()]*\)", "", words)
    parts = [re.findall(r"[^\W\d]+(?:[-'’][^\W\d]+)*", p) for p in re.split(r"[;:]", plain)]
    return all(len(p) <= _LABEL_WORDS for p in parts)


def labels_of(view: DraftView, offset: int) -> list[str]:
    """Return what the line of an offset is labelled with, in small letters: the cells of its row, "Label: …"."""
    begin, stop = view.line_at(offset)
    found = [_CELL_AT.sub("", view.text[a:b]) for a, b in _row(view, offset) if not a <= offset < b]
    led = _LABEL.match(view.text, begin, stop)
    return [_ARTICLE.sub("", " ".join(f.split()).strip("*_ ").lower()) for f in (*found, led[1] if led else "") if f]
