"""The rows of a dialogue: what was asked of a folder of documents with ``solon ask``, and what became of it."""

from __future__ import annotations

from warehouse.columns import Count, Label, Moment, Name, Prose
from warehouse.release_records import AskState
from warehouse.row import Row


class SessionAskRow(Row):
    """One thing that a question of a session asked, and what became of it.

    Attributes:
        room: The folder that was asked about, as its sessions are kept by it.
        number: Of the question in its session, from 1; ``question`` is its words.
        asked_utc: Null in sessions that an earlier version kept.
        profile: Model that reviewed or advised; empty for none.
        words: What was asked; a question may ask several things.
        documents: Documents of the folder.
        passages: Passages that the answer rests on.
        to_verify: Entries of the answer that are shown as to be verified.
        turns: Questions that were put to the papers for this one.
        missing: What would have to be known or brought for a better answer.
    """

    table = "session_ask"
    key = ("room", "session", "number", "ask_id")
    owner = ("room", "session", "number")

    room: Name
    session: Name
    number: Count
    ask_id: Name
    asked_utc: Moment | None = None
    profile: Label = ""
    question: Prose
    kind: Name
    state: AskState
    words: Prose
    answer: Prose = ""
    documents: Count = 0
    passages: Count = 0
    to_verify: Count = 0
    turns: Count = 0
    missing: Count = 0
