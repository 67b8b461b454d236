"""Carry out one instructed change: find the place, find the old value there, put the new one."""

from __future__ import annotations

from dataclasses import replace

from tasks.asks.changing.record import Change
from tasks.asks.cues import cues_of
from tasks.drafting.extractive.answers import answer
from tasks.drafting.extractive.brief import topics_named
from tasks.drafting.extractive.editing.adding import added_clause, inserted, made_mutual
from tasks.drafting.extractive.editing.marking import Marking
from tasks.drafting.extractive.editing.paper import EditedPaper
from tasks.drafting.extractive.editing.replacing import replaced
from tasks.drafting.extractive.editing.striking import struck
from tasks.drafting.extractive.editing.words import NOUN, stems, things_of
from tasks.drafting.extractive.points import headed_sentences


def carry_out(paper: EditedPaper, change: Change) -> Marking:
    """Return the edits for one instruction, or say why there are none."""
    if change.kind == "other":
        return Marking(change, reason="needs drafting or judgment; the instruction gives no wording")
    if change.kind == "keep":
        return _kept(paper, change)
    if change.added:
        return added_clause(paper, change)
    clause = paper.section(change.place)
    if change.place and clause is None:
        return Marking(change, reason=f"no one clause is {change.place!r}")
    if change.beside and not change.place:
        made = replaced(paper, change, paper.section(change.beside))
        if made.edits and _speaks_of(paper, made, change):
            return made
    makers = {
        "replace": replaced,
        "delete": struck,
        "insert": inserted,
        "mutual": made_mutual,
    }
    made = makers[change.kind](paper, change, clause)
    if not made.edits and change.kind != "insert" and not clause and not change.quoted and _absent(paper, change):
        made.absent = " ".join(NOUN.sub("", change.what).split()).strip(" .,")
    return made


def _kept(paper: EditedPaper, change: Change) -> Marking:
    """Show the words that stay, because the brief refuses to change them."""
    made = carry_out(paper, replace(change, kind="replace" if change.new else "delete"))
    reason = made.reason and f"what it would change was not found: {made.reason}"
    return Marking(change, place=made.place, support=made.support, changed=made.changed, reason=reason, kept=not reason)


def _speaks_of(paper: EditedPaper, made: Marking, change: Change) -> bool:
    """Tell whether the changed sentence shares a word with the instruction, or the old value was given."""
    return bool(change.old) or any(paper.shared(change, paper.around(s.start)) for s in made.support)


def _absent(paper: EditedPaper, change: Change) -> bool:
    """Tell whether the document lacks what is to be changed: it has no such provision and none of the words."""
    plain = NOUN.sub("", change.what).strip(" .")
    topics = topics_named(plain, paper.known, cues_of(paper.reading.knowledge))
    if topics:
        found = [answer(t, paper.reading, paper.settings).found for t in topics]
        return not any(found) and not any(headed_sentences(t.provision, paper.reading) for t in topics)
    there = stems(paper.text)
    return any(not any(t.startswith(w) or w.startswith(t) for w in there) for t in things_of(change))
