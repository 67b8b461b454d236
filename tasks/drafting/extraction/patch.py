"""What a model may write into a checklist: values of items, each with the words that it rests on."""

from __future__ import annotations

from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator
from pydantic.json_schema import SkipJsonSchema

MOST_VALUES: Final = 200  # of one reply: a bound against a model that repeats itself
_LONGEST: Final = 8_000  # characters of one value: a clause


class _Said(BaseModel):
    model_config = ConfigDict(extra="ignore")  # models add places and reasons of their own: these are not believed


class Quotation(_Said):
    """Words of a document, copied or by the number of their line."""

    text: str = Field(max_length=_LONGEST, description="exact words, copied from the document")
    source_document: str = Field(max_length=1_000, description="name of the document")
    token: int = Field(default=0, ge=0, description="token near which they stand; where they stand more than once")
    line: SkipJsonSchema[int] = 0


class SaidValue(_Said):
    """One value of an item."""

    value: str = Field(max_length=_LONGEST, description="complete in itself; Not Applicable only by an update")
    evidence: list[Quotation] = Field(max_length=50)

    @field_validator("evidence", mode="before")
    @classmethod
    def _numbers_are_lines(cls, given: object) -> object:
        if not isinstance(given, list):
            return given
        return [{"text": "", "source_document": "", "line": n} if type(n) is int else n for n in given]


class Change(_Said):
    """Values of one item."""

    key: str = Field(max_length=200, description="id of the item")
    extracted: list[SaidValue] = Field(max_length=MOST_VALUES)


class NumberedValue(_Said):
    """One value of an item, with the numbers of the lines that it rests on."""

    value: str = Field(max_length=_LONGEST, description="complete in itself; Not Applicable only by an update")
    evidence: list[int] = Field(max_length=50, description="numbers of the lines that say it")


class NumberedChange(_Said):
    """Values of one item."""

    key: str = Field(max_length=200, description="id of the item")
    extracted: list[NumberedValue] = Field(max_length=MOST_VALUES)


class Answer(_Said):
    """What a model answers that reads without tools."""

    reasoning: str = ""
    append: list[Change] = Field(default_factory=list, max_length=MOST_VALUES)
    update: list[Change] = Field(default_factory=list, max_length=MOST_VALUES)


def read_answer(given: dict[str, Any] | None) -> Answer | str:
    """Return an answer, or a sentence that says why it is none."""
    if given is None:
        return "there is no JSON object in the reply"
    if not {"append", "update"} & set(given):
        return "the object has neither `append` nor `update`"
    try:
        return Answer.model_validate(given)
    except ValidationError as error:
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
