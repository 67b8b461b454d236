"""Whether a value that a model names stands in the sentence that it cites, and its normal form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from tasks.drafting.extractive.answers import TYPISTS
from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.law import jurisdictions_named
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.drafting.guided.records import Value
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.provisions import Provision

_SURE = 10.0  # weight of a sentence that a model chose: the typists read the values of sentences that weigh enough


def _days(text: str, reading: SentencedDocument) -> list[str]:  # noqa: ARG001  (the readers of values have one form)
    return [d.iso for d in scan_dates(text) if d.precision == "day"]


def _periods(text: str, reading: SentencedDocument) -> list[str]:  # noqa: ARG001
    return [f"{w.n} {w.unit}{'' if w.n == 1 else 's'}" for w in scan_windows(text)]


def _laws(text: str, reading: SentencedDocument) -> list[str]:
    return jurisdictions_named(straight(text), reading.knowledge.jurisdictions)


_READERS: Mapping[str, Callable[[str, SentencedDocument], Sequence[str]]] = MappingProxyType(
    {
        "agreement_date": _days,
        "effective_date": _days,
        "expiration_date": _days,
        "renewal": _periods,
        "renewal_notice": _periods,
        "law": _laws,
    }
)


def verified(words: str, topic: Provision, unit: Unit, reading: SentencedDocument) -> Value | None:
    """Return the value of a provision in its normal form; None unless it stands in the sentence.

    Args:
        words: The value in the model's words.
        topic: The provision; what its answers look like says how they are compared.
        unit: The sentence that the model cites.
        reading: The document of the sentence.
    """
    reader = _READERS.get(topic.answer)
    if reader is None:
        return None
    stands = reader(unit.text, reading)
    named = [v for v in reader(words, reading) if v in stands]
    if len(named) != 1:
        return None
    return Value(named[0], unit, named[0] if reader is _days else "")


def typed(topic: Provision, unit: Unit, reading: SentencedDocument) -> Value | None:
    """Return the value that the rules read in a sentence that a model chose; None where they read none there."""
    typist = TYPISTS.get(topic.answer)
    if typist is None:
        return None
    got = typist(reading, Found(chosen=(Candidate(unit, _SURE),), best=_SURE))
    if not got.value or unit.start not in {u.start for u in got.support}:
        return None
    return Value(got.value, unit, got.day.isoformat() if got.day else "")
