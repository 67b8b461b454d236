"""Add words to a clause, a clause to a paper, or the same duty for the other party."""

from __future__ import annotations

import re

from tasks.asks.changing.record import Change
from tasks.drafting.extractive.editing.marking import Marking, edit_of, marked
from tasks.drafting.extractive.editing.mirror import mirrored, parties_called
from tasks.drafting.extractive.editing.occurrences import Occurrence, loose
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.editing.words import NOUN, stems
from tasks.legaltext.fold import straight
from tasks.legaltext.parts_of_speech import tagged

_RULES = re.compile(r"\b(?:shall|must|may|will|can|cannot|requires?|is|are)\b", re.I)  # where its subject ends
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
    if clause is None and change.told:
        clause = _ruled_on(paper, change)
    elif clause is None and (got := paper.found(re.sub(r"^.*?\b(?:after|of|to|in)\b", "", where).strip(" ."))):
        node = paper.clause_of(got)
        clause = (node.start, node.end) if node else None
    if clause is None:
        reason = f"no one clause speaks of it: {change.new!r}" if change.told else f"no one place is {where.strip()!r}"
        return Marking(change, reason=reason)
    body = paper.unsigned(paper.text[clause[0] : clause[1]]).rstrip()
    tail = " ".join(body.split("\n")[-1].split(" ")[-_LAST:])
    end = clause[0] + len(body)
    apart_from = re.search(r"\b(?:after|following|new (?:paragraph|section|clause))\b", where, re.I)
    spot = Occurrence(((end - len(tail), end, tail + ("\n" if apart_from else " ") + change.new),))
    check = "the sentence is worded as the instruction tells it: read it." if change.told else " "
    return marked(paper, change, [spot], [edit_of(paper, spot)], paper.place(end - 1), check)


def _ruled_on(paper: EditedPaper, change: Change) -> tuple[int, int] | None:
    """Return the one clause of which a sentence has all nouns of the subject of a rule that the instruction tells."""
    verb = _RULES.search(change.new)
    subject = tagged(change.new[: verb.start()]) if verb else []
    sought = stems(" ".join(w.text for w in subject if w.tag.startswith("N")))
    having = [u for u in paper.reading.units if sought and sought <= stems(u.text)]
    nodes = {(c.start, c.end) for u in having if (c := paper.smallest(u.start)) is not None}
    return nodes.pop() if len(nodes) == 1 else None


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
