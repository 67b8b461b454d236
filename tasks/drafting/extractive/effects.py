"""What a clause provides, in the words of the catalogue, with the values from its own text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.asks.catalogue import Provision
from tasks.drafting.extractive.units import Unit
from tasks.legaltext.fold import straight

MOST_EFFECTS = 3  # effects named after "Yes"; chosen by eye on the development contracts
_ENDS = re.compile(r"[.,:](?!\d)")  # where the words of a value end
_VALUE = 18  # words of a value that an effect tells
_MOST = 3  # values of one effect; a headline that names more is no headline
_SHORT = 6  # words; longer values are formulas, of which a headline holds one
_CUT = " …"  # behind a value whose end is left out
_SLOT = re.compile(r"\[([^\]]*)\{value\}([^\]]*)\]")


@dataclass(frozen=True)
class Effects:
    """What the operative sentences of a clause provide.

    Attributes:
        says: The effects as a headline says them, such as "either party; on notice of 30 days"; empty for none.
        values: The values in it, in the words of the sentences.
    """

    says: str
    values: tuple[str, ...] = ()

    def of(self, unit: Unit) -> bool:
        """Tell whether a sentence gives one of the values: it is the one to cite."""
        text = straight(unit.text)
        return any(value.removesuffix(_CUT) in text for value in self.values)


def effects_of(sought: Provision, units: Sequence[Unit]) -> Effects:
    """Return what some sentences provide, by the effects of the catalogue; three at most."""
    text = straight(" ".join(u.text for u in units))
    met = [(says, _values(pattern, text)) for says, pattern in sought.effects if pattern.search(text)][:MOST_EFFECTS]
    return Effects("; ".join(_with(says, values) for says, values in met), tuple(v for _, own in met for v in own))


def _values(effect: re.Pattern[str], text: str) -> list[str]:
    """Return the different values that the pattern of an effect marks; of formulas the first alone."""
    groups = [name for name in effect.groupindex if name.startswith("value")]
    marked = (m[name] or "" for m in effect.finditer(text) for name in groups)
    told = list(dict.fromkeys(words for value in marked if (words := _words(value))))
    short = [value for value in told if len(value.split()) <= _SHORT]
    return short if told[:1] == short[:1] else told[:1]


def _words(value: str) -> str:
    words = _ENDS.split(value)[0].split()
    return " ".join(words[:_VALUE]) + (_CUT if len(words) > _VALUE else "")


def _with(says: str, values: Sequence[str]) -> str:
    """Fill the slot for a value in the words of an effect, or leave it out."""
    told = " / ".join(values[:_MOST]) + (_CUT if len(values) > _MOST else "")
    return _SLOT.sub(lambda slot: f"{slot[1]}{told}{slot[2]}" if values else "", says)
