"""The kind of clause that a question is after, and what each agreement has of it: a clause, or plainly none.

Where a question goes to one agreement the rules answer it by its words. What these leave open is read once more by
kind: "is there a cap on liability" is answered by "no such clause was found" as well as by the clause.
"""

from __future__ import annotations

from collections.abc import Collection

from tasks.asks.records import AskState, Entry
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.room import Room
from tasks.drafting.extractive.ways import posed, provision
from tasks.legaltext.fold import straight
from tasks.retrieval.provisions import Provision, weigh
from tasks.sources.records import Span

KIND = "A clause of the kind that is asked for, found by a second search."
_NEAREST = 3  # passages shown beside a denial


def kind_asked(question: str, room: Room) -> Topic | None:
    """Return the kind of clause that a question is surely after; None where its readers are not sure or disagree.

    It is sure where the question is very like one that the catalogue knows, or where it is somewhat like one and also
    names or cues that very kind.
    """
    meant = posed.meaning(question, room)
    if meant is None:
        return None
    cued = {p.name for p in room.topics.asked(question)}
    sure = meant.likeness >= room.settings.posed_sure or meant.provision.name in cued
    return Topic(meant.provision.name, meant.provision) if sure else None


def read_by_kind(topic: Topic, documents: Collection[str], room: Room, near: tuple[Span, ...] = ()) -> list[Entry]:
    """Return what the agreements among some documents have of a kind of clause; empty where none is an agreement.

    Args:
        topic: The kind of clause.
        documents: Names of the documents that are asked.
        room: The work on the matter.
        near: What an earlier look came nearest with, shown beside a denial that has nothing of its own.
    """
    papers = [r for r in room.readings if r.document in documents and r.identity.agreement]
    entries = [provision.entry_of(topic, provision.of_paper(topic, r, room)) for r in papers]
    found = [_quoted(e, room) for e in entries if e.state is AskState.ANSWERED]
    return found or [_denied(e, topic, near) for e in entries]


def carries(kind: Provision, words: str) -> bool:
    """Tell whether a sentence is a clause of a kind, and does not only share words with the question."""
    return weigh(kind, " ".join(straight(words).split())) > 0


def _quoted(entry: Entry, room: Room) -> Entry:
    """Return a clause that was found in its own words: what the catalogue calls it is no answer to what is asked."""
    text = next(r.text.text for r in room.readings if r.document == entry.document)
    said = (" ".join(text[span.start : span.end].split()) for span in entry.support)
    return entry.model_copy(
        update={"answer": " ".join(f"“{words}”" for words in said) or entry.answer, "note": KIND, "certain": False}
    )


def _denied(entry: Entry, topic: Topic, near: tuple[Span, ...]) -> Entry:
    own = entry.nearest or tuple(s for s in near if s.document == entry.document)
    said = f"no clause of the kind “{topic.words}” was found"
    return entry.model_copy(update={"answer": said, "nearest": own[:_NEAREST], "certain": False})
