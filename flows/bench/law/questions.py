"""Questions of law and their right answers, as a practitioner wrote them."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from tasks.matter.failures import Failure, FailureCause, SolonError

ALTERNATIVES = " | "
CLOSED: Final[Mapping[str, str]] = MappingProxyType(
    {name: f"{name}_counted.zip" for name in ("telephone", "fourth", "sixth", "seventh", "eighth")}
)
"""Questions that are counted and not read, by name: of their answers totals alone are told."""
_FOLDER = Path(__file__).parent / "questions"


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
        rows = _questions_of(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise _misuse(path, f"has a row that is no question: {place}: {first['msg']}") from error
    except (OSError, UnicodeDecodeError) as error:
        raise _misuse(path, str(error).partition("\n")[0]) from error
    if not rows:
        raise _misuse(path, "holds no question")
    return rows


def read_closed(name: str) -> tuple[LawQuestion, ...]:
    """Return the questions of a closed set, for counting alone.

    Raises:
        SolonError: There is no such set, or a row of it is no question; the message does not say which.
    """
    path = _FOLDER / CLOSED.get(name, "")
    try:
        with zipfile.ZipFile(path) as packed:
            texts = [packed.read(inner).decode("utf-8") for inner in packed.namelist() if inner.endswith(".csv")]
        return tuple(question for text in texts for question in _questions_of(text))
    except (OSError, zipfile.BadZipFile, UnicodeDecodeError, ValidationError) as error:
        raise _misuse(path, f"is no closed set of questions; there are {', '.join(CLOSED)}") from error


def _questions_of(text: str) -> tuple[LawQuestion, ...]:
    return tuple(LawQuestion.model_validate(row) for row in csv.DictReader(io.StringIO(text, newline="")))


def _misuse(path: Path, message: str) -> SolonError:
    remedy = f"name a CSV file with the columns {', '.join(LawQuestion.model_fields)} by --questions FILE"
    return SolonError(
        Failure(cause=FailureCause.INPUT, stage="bench", subject=str(path), message=message, remedy=remedy)
    )
