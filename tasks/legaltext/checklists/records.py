"""A filled checklist: values with the words that they rest on."""

from __future__ import annotations

from pydantic import Field

from tasks.matter.base import Record
from tasks.matter.failures import FailureCause
from tasks.matter.usage import Usage


class Evidence(Record):
    """Words of a document that a value rests on; ``document[start:end]`` is ``text``."""

    document: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    text: str


class Value(Record):
    """One value of an item."""

    text: str
    evidence: tuple[Evidence, ...] = ()


class Entry(Record):
    """What one text says to one item.

    Attributes:
        values: Empty where the item does not apply, or where ``cause`` says why nothing is known.
        excluded: The words that show that it does not apply, where somebody found such.
    """

    values: tuple[Value, ...] = ()
    excluded: tuple[Evidence, ...] = ()
    cause: FailureCause | None = None
    message: str = ""


class Filled(Record):
    """A filled checklist: an item without an entry has no values.

    Attributes:
        dropped_values: Values that were not taken, as none of their quotations is in the text.
        dropped_evidence: Quotations that are not in the text.
    """

    entries: dict[str, Entry] = Field(default_factory=dict)
    dropped_values: int = 0
    dropped_evidence: int = 0
    usage: Usage = Usage()

    def of(self, item: str) -> Entry:
        """Return what is said to an item."""
        return self.entries.get(item, Entry())
