"""Marks a report on each criterion: the mean of the marks that the model finds likely, not only the likeliest."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any, Final

from pydantic import Field

from skills_repo.template import PromptTemplate, load_templates
from tasks.matter.base import Record, content_hash
from tasks.matter.failures import FailureCause, SolonError
from tasks.matter.usage import Usage
from tasks.models.client import ModelClient
from tasks.models.fencing import inert_text
from tasks.models.parsing import find_object
from tasks.models.records import Reply

_SLOTS: Final[Mapping[str, tuple[str, ...]]] = {
    "examiner": (),
    "mark": ("asks", "code", "question", "report", "title", "top"),
}
_TRIES: Final = 2


class Quality(Record):
    """One criterion: what it is called, and the question that it puts."""

    id: str
    title: str
    asks: str


class Qualities(Record):
    """What is marked, on which scale, and what counts as a tie."""

    schema_version: int = 1
    tie: float = Field(ge=0, lt=1)
    top: int = Field(ge=1, le=100)
    criteria: tuple[Quality, ...] = Field(min_length=1)


class Mark(Record):
    """A mark from 0 to 1; None where the model gave none, and ``cause`` says why."""

    value: float | None
    cause: FailureCause | None = None
    message: str = ""


@lru_cache(maxsize=1)
def qualities() -> Qualities:
    """Return the nine criteria."""
    text = files("tasks.judging.geval").joinpath("data", "criteria.toml").read_text(encoding="utf-8")
    return Qualities.model_validate(tomllib.loads(text))


@lru_cache(maxsize=1)
def prompts() -> Mapping[str, PromptTemplate]:
    """Return the prompts by file name."""
    return load_templates(files("tasks.judging.geval").joinpath("prompts"), _SLOTS)


@dataclass
class ReportMarker:
    """Marks reports by one model.

    Attributes:
        usage: What all its calls cost.
    """

    client: ModelClient
    usage: Usage = field(default_factory=Usage)

    def marks(self, question: str, report: str) -> dict[str, Mark]:
        """Return the mark of a report on each criterion; a call that fails leaves that mark open."""
        return {
            quality.id: self._mark(quality, inert_text(question), inert_text(report))
            for quality in qualities().criteria
        }

    def _mark(self, quality: Quality, question: str, report: str) -> Mark:
        top = qualities().top
        text = prompts()["mark"].filled(
            asks=quality.asks,
            code=content_hash([question, report])[:16],
            question=question,
            report=report,
            title=quality.title,
            top=str(top),
        )
        messages = [{"role": "system", "content": prompts()["examiner"].filled()}, {"role": "user", "content": text}]
        schema = {
            "type": "object",
            "properties": {"mark": {"type": "integer", "minimum": 0, "maximum": top}},
            "required": ["mark"],
        }
        for _ in range(_TRIES):
            try:
                reply = self.client.complete(messages, schema=schema, weighed=self.client.profile.logprobs > 0)
            except SolonError as error:
                return Mark(value=None, cause=error.failure.cause, message=error.failure.message)
            self.usage = self.usage + reply.usage
            value = expected(reply, top)
            if value is not None:
                return Mark(value=value / top)
        message = f"No whole number from 0 to {top} in two tries."
        return Mark(value=None, cause=FailureCause.JUDGE, message=message)


def expected(reply: Reply, top: int) -> float | None:
    """Return the mark of a reply: the mean of the marks that stood in its place, by how likely each was.

    Without log-probabilities it is the mark that was given. A mark of two digits is weighed by its first token, so that
    models that write digit by digit are taken at their word.

    Args:
        reply: With or without the log-probabilities of its tokens.
        top: The highest mark.
    """
    given = _whole((find_object(reply.text) or {}).get("mark"), top)
    if given is None:
        return None
    place = next((t for t in reply.tokens if _digits(t.text) == str(given)), None)
    if place is None:
        return float(given)
    weighed: dict[int, float] = {}
    for text, weight in place.likely.items():
        mark = _whole(_digits(text), top)
        if mark is not None:
            weighed[mark] = weighed.get(mark, 0.0) + math.exp(min(0.0, weight))
    total = sum(weighed.values())
    return sum(mark * weight for mark, weight in weighed.items()) / total if total else float(given)


def _digits(text: str) -> str:
    return text.strip(" \"'\n\t:,{}")


def _whole(value: Any, top: int) -> int | None:
    text = str(value).strip() if isinstance(value, int | str) and not isinstance(value, bool) else ""
    return int(text) if text.isascii() and text.isdecimal() and int(text) <= top else None
