"""The state of an interrogation: what is to be asked, what was asked and said, and why it ended."""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from tasks.asks.records import AskAnswer, Asks
from tasks.matter.base import Record
from tasks.retrieval.archive.dialogue import Missing
from tasks.retrieval.research.records import Answer, Question
from tasks.sources.records import Span


class Origin(StrEnum):
    """Why a question is asked; in the order in which such questions improve a report."""

    ASK = "ask"  # the client asks it
    DOUBT = "doubt"  # what was found is weak, or nothing was: looked for once more, by other means
    USE = "use"  # the answer stands in a definition: what the clause says that uses the term
    CONDITION = "condition"  # the clause holds only as far as another lets it
    ATTACHMENT = "attachment"  # a schedule or exhibit is named
    START = "start"  # a period is given without its beginning
    REFERENCE = "reference"  # the clause refers to another
    TERM = "term"  # the clause uses a term that another defines
    MODEL = "model"  # a model asks it


class Need(Record):
    """Something that the report lacks, as the question that would bring it.

    Attributes:
        ask_id: The ask that it serves.
        about: What it is about in few words: the term, the reference, the period.
        cause: The words that raise it; None for an ask.
        target: Where the papers answer it, where their own references tell; None where it must be looked for.
        absent: What is named and does not exist in the papers, as a question to whoever can bring it.
    """

    ask_id: str
    origin: Origin
    question: Question
    about: str = ""
    cause: Span | None = None
    target: Span | None = None
    absent: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """Return what tells it from every other: nothing is asked twice."""
        where = self.target or self.cause
        place = f"{where.document}:{where.start}" if where else ""
        own = f"{self.ask_id} {self.origin.value}" if self.origin in (Origin.ASK, Origin.DOUBT) else ""
        return own, self.question.text.lower(), place


class Turn(Record):
    """A question that was asked, why it was the next, and what was said to it.

    Attributes:
        kept: Whether the report uses what was said.
    """

    number: int
    need: Need
    reason: str
    answer: Answer
    kept: bool = True


Stop = Literal["", "sufficient", "turns", "sufficient in the model's judgment"]


class Dialogue(Record):
    """An interrogation so far.

    Attributes:
        claims: What is claimed of each ask so far, in the order in which they were answered.
        open: What is still to be asked.
        stopped: Why it ended; empty while it goes on.
    """

    schema_version: int = 1
    turns: tuple[Turn, ...] = ()
    claims: tuple[AskAnswer, ...] = ()
    open: tuple[Need, ...] = ()
    stopped: Stop = ""

    def claim_of(self, ask_id: str) -> AskAnswer | None:
        """Return what is claimed of an ask; None where it was not asked yet."""
        return next((c for c in self.claims if c.ask_id == ask_id), None)

    def raised(self, ask_id: str) -> tuple[Turn, ...]:
        """Return the turns on what the answer to an ask raised."""
        return tuple(t for t in self.turns if t.need.ask_id == ask_id and t.need.origin is not Origin.ASK)


class Exchange(Record):
    """A question of a session, and all that was found on it.

    Attributes:
        number: In its session, from 1.
        question: The user's words.
        client, law: For whom, and under which law, as far as the user said.
        answers: What is claimed of each ask, with the line that was shown.
        missing: What would have to be known or brought, as questions to the user.
        unknown: Names in the question that no paper has.
        asked_utc: When; None where nobody noted it.
        profile: Model that reviewed or advised; empty for none.
    """

    number: int
    question: str
    client: str = ""
    law: str = ""
    asks: Asks
    answers: tuple[AskAnswer, ...] = ()
    dialogue: Dialogue = Dialogue()
    missing: tuple[Missing, ...] = ()
    unknown: tuple[str, ...] = ()
    asked_utc: AwareDatetime | None = None
    profile: str = ""


class InterrogationSession(Record):
    """Questions about one room, kept so that they can go on.

    Attributes:
        folder: The room.
        documents: SHA-256 of each document as it was read, by name.
        client, law: What the user said of them; empty where nothing was said.
        rows: Of the trace that belong to the exchanges.
    """

    schema_version: int = 1
    name: str
    folder: str
    documents: dict[str, str] = Field(default_factory=dict)
    client: str = ""
    law: str = ""
    exchanges: tuple[Exchange, ...] = ()
    rows: int = 0
