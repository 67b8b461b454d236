"""The statements of a draft that cite a place, each with the places that are said to carry it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tasks.legaltext.sentences import PROSE, sentences
from tasks.reconcile.draft_view import CitedPlace, DraftView

# What may stand between two citations of one statement, or before a citation that opens its sentence.
_JOINING = re.compile(r"(?i)\W*(?:(?:and|see|also|under|per|in|by|as|cf|pursuant|according|to)\b\W*){0,3}")
_QUOTED = re.compile(r"“[^“”]*”|\"[^\"\n]*\"")


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
    for begin, stop, _, _ in view.cells:
        inside = [c for c in view.citations_within(begin, stop) if c.document]
        groups: list[list[CitedPlace]] = []
        for citation in inside:
            near = groups and _JOINING.fullmatch(view.text, groups[-1][-1].end, citation.start)
            groups[-1].append(citation) if near else groups.append([citation])
        at = begin
        for n, group in enumerate(groups):
            following = groups[n + 1][0].start if n + 1 < len(groups) else stop
            yield from _of(view, at, group, following)
            at = group[-1].end


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
