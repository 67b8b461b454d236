"""Which class a matter is of, by its area and work type where they are known, and by the words of its title.

The words are weighed in ``classes.toml``: how much more often a title of an area, or of a work type, holds a word or
two in a row than others do.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from skills_repo.schema import SkillError

FILE = "classes.toml"
_WORD = re.compile(r"[^\W\d_]+")
Weight = Annotated[float, Field(ge=-20.0, le=20.0)]
_LONG, _SHORT = 4, 3  # letters above which "ies" or "es", and an "s", at the end make a plural ("ties", "gas" are none)


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class WorkCues(_Strict):
    """Log-weights of a work type: what it has before a word is read, and for each word of a title."""

    base: Weight
    cues: dict[str, Weight]


class AreaCues(WorkCues):
    """The same of an area.

    Attributes:
        aliases: Other names under which matters of the area are filed.
        work_types: The work types that matters of the area have, with what each has before a word is read; empty where
            they have none.
    """

    aliases: tuple[str, ...] = ()
    work_types: dict[str, Weight] = Field(default_factory=dict)


@dataclass(frozen=True)
class ClassGuess:
    """A class, and its share of what speaks for all classes (0 to 1)."""

    name: str
    share: float


class ClassCues(_Strict):
    """The table of cues.

    Attributes:
        least: Share of the first class below which a matter is given no class skill.
    """

    least: float = Field(1.0, ge=0.0, le=1.0)
    areas: dict[str, AreaCues] = Field(default_factory=dict)
    work_types: dict[str, WorkCues] = Field(default_factory=dict)

    def rank(self, title: str, area: str = "", work_type: str = "") -> tuple[ClassGuess, ...]:
        """Return all classes that a matter may be of, the likeliest first; ties by name.

        Args:
            title: The title of the matter.
            area: Its practice area; classes of other areas are left out where it is known.
            work_type: Its work type; likewise.
        """
        words = features(title)
        scores = {
            name: score
            for known, cues in self.areas.items()
            if not self._known(area) or known == self._known(area)
            for name, score in self._of_area(known, cues, words, work_type)
        }
        return _shares(scores)

    def _of_area(self, area: str, cues: AreaCues, words: frozenset[str], work_type: str) -> Iterable[tuple[str, float]]:
        own = _score(cues, words)
        if not cues.work_types:
            yield area, own
            return
        work = _logs({name: _score(of, words) for name, of in self.work_types.items()})
        wanted = [work_type] if work_type in cues.work_types else list(cues.work_types)
        for name in wanted:
            yield f"{area}/{name}", own + cues.work_types[name] + work.get(name, 0.0)

    def _known(self, area: str) -> str:
        return next((name for name, cues in self.areas.items() if area and area in (name, *cues.aliases)), "")


def features(title: str) -> frozenset[str]:
    """Return what of a title is weighed: its words in the singular, two in a row, and with ``^`` the first."""
    words = [_singular(word) for word in _WORD.findall(title.lower())]
    pairs = (f"{first} {second}" for first, second in pairwise(words))
    return frozenset([*words, *pairs, *(f"^{word}" for word in words[:1])])


def load_classes(folder: Path) -> ClassCues:
    """Read ``folder/classes.toml``; without it no class is known by its title.

    Raises:
        SkillError: It is no TOML, or breaks the schema.
    """
    path = folder / FILE
    if not path.is_file():
        return ClassCues()
    try:
        return ClassCues.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{FILE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{FILE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def _singular(word: str) -> str:
    if len(word) > _LONG and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > _LONG and word.endswith(("xes", "ches", "shes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > _SHORT and word.endswith("s") and not word.endswith("ss") else word


def _score(of: WorkCues, words: frozenset[str]) -> float:
    return of.base + sum(weight for cue, weight in of.cues.items() if cue in words)


def _logs(scores: Mapping[str, float]) -> dict[str, float]:
    """Return scores less the logarithm of the sum of their exponentials."""
    if not scores:
        return {}
    most = max(scores.values())
    total = most + math.log(sum(math.exp(score - most) for score in scores.values()))
    return {name: score - total for name, score in scores.items()}


def _shares(scores: Mapping[str, float]) -> tuple[ClassGuess, ...]:
    found = [ClassGuess(name, math.exp(log)) for name, log in _logs(scores).items()]
    return tuple(sorted(found, key=lambda guess: (-guess.share, guess.name)))
