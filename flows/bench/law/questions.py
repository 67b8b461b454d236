"""Questions of law and their right answers, as a practitioner wrote them."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.matter.failures import Failure, FailureCause, SolonError

ALTERNATIVES = " | "


class LawQuestion(BaseModel):
    """A question with its answer.

    Attributes:
        kind: What is asked; of ``not_held`` no law is right.
        authority: The right citations, parted by `` | ``.
        period: The right period in words; empty where none is asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    area: str
    jurisdiction: str
    kind: Literal["authority", "deadline", "not_held"]
    question: str
    authority: str = ""
    period: str = ""
    calendar_detail: str = ""
    certainty: str = ""
    note: str = ""

    @property
    def citations(self) -> tuple[str, ...]:
        """The right citations: one of them is enough."""
        return tuple(part.strip() for part in self.authority.split(ALTERNATIVES) if part.strip())


def read_questions(path: Path) -> tuple[LawQuestion, ...]:
    """Return the questions of a CSV file.

    Raises:
        SolonError: There is no such file, it is empty, or a row of it is no question; the message names it.
    """
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            rows = tuple(LawQuestion.model_validate(row) for row in csv.DictReader(stream))
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise _misuse(path, str(error).partition("\n")[0]) from error
    if not rows:
        raise _misuse(path, "holds no question")
    return rows


def _misuse(path: Path, message: str) -> SolonError:
    remedy = f"name a CSV file with the columns {', '.join(LawQuestion.model_fields)} by --questions FILE"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="bench", subject=str(path), message=message, remedy=remedy)
    )
