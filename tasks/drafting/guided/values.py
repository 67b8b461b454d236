"""Whether a value that a model names stands in the sentence that it cites, and its normal form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tasks.drafting.extractive.answers import TYPISTS
from tasks.drafting.extractive.find_provision import Candidate, Found
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.units import Unit
from tasks.drafting.guided.records import StatedValue
from tasks.legaltext.dates.scan import scan_dates
from tasks.legaltext.fold import straight
from tasks.legaltext.windows.scan import scan_windows
from tasks.retrieval.named_laws import jurisdictions_named
from tasks.retrieval.provisions import Provision

_SURE = 10.0  # weight of a sentence that a model chose: the typists read the values of sentences that weigh enough


# What tells a value from another, and how it is told, by the text it is read in.
Read = Callable[[str, SentencedDocument], Mapping[str, str]]


def _days(text: str, reading: SentencedDocument) -> Mapping[str, str]:  # noqa: ARG001  (the readers have one form)
    return {d.iso: d.iso for d in scan_dates(text) if d.precision == "day"}


def _periods(text: str, reading: SentencedDocument) -> Mapping[str, str]:  # noqa: ARG001
    return {told: told for w in scan_windows(text) for told in [f"{w.n} {w.unit}{'' if w.n == 1 else 's'}"]}


def _laws(text: str, reading: SentencedDocument) -> Mapping[str, str]:
    return {name: name for name in jurisdictions_named(straight(text), reading.knowledge.jurisdictions)}


_READERS: Mapping[str, Read] = MappingProxyType(
    {
        "agreement_date": _days,
        "effective_date": _days,
        "expiration_date": _days,
        "renewal": _periods,
        "renewal_notice": _periods,
        "law": _laws,
    }
)


def verified(words: str, kind: str, unit: Unit, reading: SentencedDocument) -> StatedValue | None:
    """Return a value as the document has it, a date or a period in its normal form; None unless it stands there.

    Args:
        words: The value in the model's words.
        kind: What the answers of a provision look like: says how values are compared.
        unit: The sentence that the model cites.
        reading: The document of the sentence.
    """
    stands, named = _READERS[kind](unit.text, reading), _READERS[kind](words, reading)
    same = [key for key in named if key in stands]
    if len(same) != 1:
        return None
    return StatedValue(stands[same[0]], unit, same[0] if _READERS[kind] is _days else "")


def typed(topic: Provision, unit: Unit, reading: SentencedDocument) -> StatedValue | None:
    """Return the value that the rules read in a sentence that a model chose; None where they read none there."""
    typist = TYPISTS.get(topic.answer)
    if typist is None:
        return None
    got = typist(reading, Found(chosen=(Candidate(unit, _SURE),), best=_SURE))
    if not got.value or unit.start not in {u.start for u in got.support}:
        return None
    return StatedValue(got.value, unit, got.day.isoformat() if got.day else "", got.note)
