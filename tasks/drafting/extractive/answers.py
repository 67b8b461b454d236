"""Answers in typed form: the answer to a topic in one document, and the sentences that support it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

from skills_repo.schema import Procedure
from tasks.drafting.extractive import dates, law, periods, term
from tasks.drafting.extractive.brief import Topic
from tasks.drafting.extractive.effects import effects_of
from tasks.drafting.extractive.find_provision import Found, continued, find_provision
from tasks.drafting.extractive.reading import SentencedDocument
from tasks.drafting.extractive.typed_value import Typed
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight


@dataclass(frozen=True)
class TopicAnswer:
    """The answer to a topic in one document.

    Attributes:
        value: The answer in typed form ("New York", "2018-01-10", "Yes"); empty when nothing was found.
        day: The answer as a date, where it is one.
        note: How a derived answer was computed, or what qualifies it.
        support: The sentences that say so, in reading order.
        denials: Sentences that expressly exclude the provision.
        near: A sentence that may be the provision all the same, where none was found.
        certain: False where the answer rests on weak cues or on derivation.
    """

    topic: Topic
    document: str
    value: str
    day: date | None = None
    note: str = ""
    support: tuple[Unit, ...] = ()
    denials: tuple[Unit, ...] = ()
    near: tuple[Unit, ...] = ()
    certain: bool = True
    weights: tuple[float, ...] = ()

    def weight(self, unit: Unit) -> float:
        """Return the weight of a supporting sentence; 0 where it was not weighed."""
        return dict(zip((u.start for u in self.support), self.weights, strict=False)).get(unit.start, 0.0)

    @property
    def found(self) -> bool:
        """Tell whether there is an answer."""
        return bool(self.value)


RULED_OUT = "None: expressly ruled out"  # what is said of a provision that a sentence excludes
_HEDGED = re.compile(r"\b(?:except|unless|other than|save|provided|until|before|prior to|during|but)\b", re.I)
_TELLS = 100.0  # what the sentence that gives the value weighs beside the others
CANDIDATES = 12  # sentences that a typed answer may be read from
_MARGIN = 1.5  # points above the threshold from which a finding is certain: a heading, or half a strong cue; by eye
_POINTS = 10.0  # points of a finding at which the setting ``min_score`` stands at 1
Typist = Callable[[SentencedDocument, Found], Typed]
TYPISTS: Mapping[str, Typist] = MappingProxyType(
    {
        "agreement_date": dates.agreement_date,
        "effective_date": dates.effective_date,
        "expiration_date": term.expiration_date,
        "renewal": periods.renewal,
        "renewal_notice": periods.renewal_notice,
        "law": law.governing_law,
        "title": lambda reading, _: Typed(reading.identity.title, support=reading.units[:1]),
        "parties": lambda reading, _: Typed("; ".join(reading.identity.parties), support=reading.units[:1]),
    }
)


def answer(topic: Topic, reading: SentencedDocument, settings: Procedure) -> TopicAnswer:
    """Answer one topic for one document."""
    sought = topic.provision
    typist = TYPISTS.get(sought.answer)
    most = CANDIDATES if typist else min(settings.passages_per_topic, sought.max_quotes)
    found = find_provision(sought, reading.units, reading.plain, _POINTS * settings.min_score, most)
    denials = tuple(c.unit for c in found.denials)
    if typist is None and not found.present and (against := [c.unit for c in found.denials if c.score]):
        hedged = any(_HEDGED.search(straight(u.text)) for u in against)
        return TopicAnswer(topic, reading.document, RULED_OUT, support=tuple(against), certain=not hedged)
    if typist is None:
        certain = found.best >= sought.threshold + _MARGIN
        more = continued(found.chosen, reading.units, settings.include_exceptions, settings.quote_words)
        support = sorted([*found.chosen, *more], key=lambda c: c.unit.start)
        effects = effects_of(sought, [c.unit for c in support])
        yes = f"Yes: {effects.says}" if effects.says else "Yes"
        return TopicAnswer(
            topic=topic,
            document=reading.document,
            value=yes if found.present else "",
            support=tuple(c.unit for c in support),
            weights=tuple(c.score + _TELLS * effects.of(c.unit) for c in support),
            denials=() if found.present else denials,
            near=() if denials else tuple(c.unit for c in found.near),
            certain=certain or not found.present,
        )
    typed = typist(reading, found)
    return TopicAnswer(
        topic=topic,
        document=reading.document,
        value=typed.value,
        day=typed.day,
        note=typed.note,
        support=typed.support[: settings.passages_per_topic],
        certain=typed.certain,
    )
