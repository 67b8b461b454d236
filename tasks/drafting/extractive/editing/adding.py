"""Add words to a clause, a clause to a paper, or the same duty for the other party."""

from __future__ import annotations

import re

from tasks.asks.changing.record import Change
from tasks.drafting.extractive.editing.marking import Marking, edit_of, marked
from tasks.drafting.extractive.editing.mirror import mirrored, parties_called
from tasks.drafting.extractive.editing.occurrences import Occurrence, loose
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.editing.words import NOUN
from tasks.legaltext.fold import straight

_LAST = 30  # words of the last sentence of a clause by which its end is found


def inserted(paper: EditedPaper, change: Change, clause: tuple[int, int] | None) -> Marking:
    """Insert words beside others that the brief quotes, or at the end of a clause."""
    where = straight(change.what)
    if quoted := re.search(r'"([^"]+)"', where):
        hits = list(loose(quoted[1]).finditer(paper.text, *(clause or (0, len(paper.text)))))
        if len(hits) != 1:
            return Marking(change, reason=f"the words “{quoted[1]}” do not stand just once")
        before = bool(re.search(r"\bbefore\b", where, re.I))
        gap = "" if re.match(r"[,;.:)]", change.new) else " "
        new = f"{change.new} {hits[0][0]}" if before else f"{hits[0][0]}{gap}{change.new}"
        spot = Occurrence(((hits[0].start(), hits[0].end(), new),))
        return marked(paper, change, [spot], [edit_of(paper, spot)], paper.place(hits[0].start()), " ")
    if clause is None and (got := paper.found(re.sub(r"^.*?\b(?:after|of|to|in)\b", "", where).strip(" ."))):
        node = paper.clause_of(got)
        clause = (node.start, node.end) if node else None
    if clause is None:
        return Marking(change, reason=f"no one place is {where.strip()!r}")
    body = paper.unsigned(paper.text[clause[0] : clause[1]]).rstrip()
    tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
    end = clause[0] + len(body)
    apart_from = re.search(r"\b(?:after|following|new (?:paragraph|section|clause))\b", where, re.I)
    spot = Occurrence(((end - len(tail), end, tail + ("\n" if apart_from else " ") + change.new),))
    return marked(paper, change, [spot], [edit_of(paper, spot)], paper.place(end - 1), " ")


def added_clause(paper: EditedPaper, change: Change) -> Marking:
    """Add a numbered clause after the clause with the preceding number."""
    head, _, last = change.added.rpartition(".")
    before = paper.node(f"{head}.{int(last) - 1}" if head else str(int(last) - 1))
    if before is None:
        return Marking(change, reason=f"no clause stands before a new clause {change.added}")
    number, check = change.added, " "
    if paper.node(change.added):
        number = f"{before.number.strip(' .()')}A"
        check = f"clause {change.added} stands already: the new one is {number}, and the numbers are as they were."
    body = paper.unsigned(paper.text[before.start : before.end]).rstrip()
    tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
    end = before.start + len(body)
    numbered = change.new if re.match(r"\W*\d", change.new) else f"{number}. {change.new}"
    spot = Occurrence(((end - len(tail), end, f"{tail}\n{numbered}"),))
    return marked(paper, change, [spot], [edit_of(paper, spot)], f"{number} (new)", check)


def made_mutual(paper: EditedPaper, change: Change, clause: tuple[int, int] | None) -> Marking:
    """Repeat a clause that binds one party with the two parties exchanged."""
    node = paper.node(change.place)
    if clause is None and (got := paper.found(NOUN.sub("", change.what).strip(" ."))):
        node = paper.clause_of(got)
        clause = (node.start, node.end) if node else None
    if clause is None:
        return Marking(change, reason=f"no one clause is {change.what.strip()!r}")
    body = paper.unsigned(paper.text[clause[0] : clause[1]]).rstrip()
    mirror = mirrored(body, node.heading if node else "", parties_called(paper.text, paper.reading.identity.parties))
    if not mirror:
        return Marking(change, reason="the clause does not bind one party alone to the other, by name")
    tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
    end = clause[0] + len(body)
    spot = Occurrence(((end - len(tail), end, f"{tail} {mirror}"),))
    check = "the clause is repeated with the parties exchanged: check that each duty fits the other party."
    return marked(paper, change, [spot], [edit_of(paper, spot)], paper.place(end - 1), check)
