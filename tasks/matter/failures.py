"""One failure vocabulary, from the first stage to the last."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final, Literal

from pydantic import field_validator

from tasks.matter.base import Record
from tasks.matter.secrets import redact_keys

# Controls, line and paragraph separators, zero-width and bidirectional marks: file names may hold any of them.
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")


class FailureCause(StrEnum):
    """Why something could not be done. Never a judgement of the work."""

    POLICY = "policy"  # refused by a rule of ours (rubric among documents, path outside the data room)
    INPUT = "input"  # the file or the task is malformed
    CHANGED = "changed"  # a file is no longer what was loaded or written: it vanished or was altered meanwhile
    READER = "reader"  # our reader of documents failed on a file that may be good
    CAPACITY = "capacity"  # memory, disk, archive or size budget
    TIMEOUT = "timeout"
    BUDGET = "budget"  # tokens, USD or wall time of an attempt or a run
    PROVIDER = "provider"  # a model endpoint
    LOGIN = "login"  # the key of an endpoint is refused or has expired, or its account is empty: it ends the run
    JUDGE = "judge"  # the judge answered, but not with a usable verdict
    SANDBOX = "sandbox"
    CIRCLE = "circle"  # a model that did the same again and again, and went on when it was told
    UNKNOWN = "unknown"


Outcome = Literal["finished", "circled", "failed", "timeout", "budget"]
"""How an attempt ended: by itself, in a circle, by a failure, or at a limit."""
OWN_ENDS: Final[frozenset[Outcome]] = frozenset({"finished", "circled"})
"""Endings that are the doing of the solver: what is there is its work, and what is not there it left out."""


class Failure(Record):
    """One thing that went wrong, in words a user can act on.

    Attributes:
        cause: The class of the failure.
        stage: Stage that met it, e.g. ``sources``.
        subject: What it concerns: a file name, a matter, a criterion.
        message: One sentence, without a stack trace.
        remedy: One sentence telling the user what to do; empty when nothing can be done.
    """

    cause: FailureCause
    stage: str
    subject: str
    message: str
    remedy: str = ""

    @field_validator("message", "remedy")
    @classmethod
    def _without_keys(cls, said: str) -> str:
        """Remove keys here, where every failure is made: a provider's message may repeat the key it was sent."""
        return redact_keys(said)

    def line(self) -> str:
        """Render as one line for a terminal or a log; control and bidirectional characters are escaped."""
        tail = f" Remedy: {self.remedy}" if self.remedy else ""
        return visible(f"{self.subject}: {self.message} [{self.cause}]{tail}")


def visible(text: str) -> str:
    """Escape the characters of foreign text that a terminal would interpret instead of show."""
    return _UNSEEN.sub(lambda hit: hit[0].encode("unicode_escape").decode("ascii"), text)


class SolonError(Exception):
    """An expected failure carrying its record."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.line())
        self.failure = failure

    def __reduce__(self) -> tuple[type[SolonError], tuple[Failure]]:
        """Pickle by the record, so that the error survives a process boundary."""
        return (type(self), (self.failure,))
