"""What ``mechanisms.toml`` says: for each mechanism whether it acts, its thresholds in range, and its words."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from skills_repo.schema import SkillError
from skills_repo.template import SLOT, PromptTemplate

FILE: Final = "mechanisms.toml"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class MechanismSetting(_Strict):
    """Settings of one mechanism.

    Attributes:
        slots: For each field that holds words for the model, the slots that the words must have.
    """

    slots: ClassVar[dict[str, frozenset[str]]] = {}
    on: bool

    @model_validator(mode="after")
    def _words_have_their_slots(self) -> MechanismSetting:
        for field, wanted in self.slots.items():
            template = PromptTemplate(getattr(self, field))
            if template.slots() != wanted or len(SLOT.findall(template.text)) < len(wanted):
                raise ValueError(f"{field} must have the slots {', '.join(sorted(wanted)) or '(none)'}")
        return self


class CallRepairSetting(MechanismSetting):
    """Tool calls that cannot be understood as they come."""

    prefix_least: int = Field(ge=2, le=20, description="Fewest letters of a name by which a tool is known.")


class MechanismSettings(_Strict):
    """The whole file, in the order in which mechanisms of one moment act. It must name every mechanism."""

    call_repair: CallRepairSetting

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the mechanisms, in order."""
        return tuple(cls.model_fields)

    def switched_on(self, name: str) -> bool:
        """Return whether a mechanism acts where a cell says nothing of it."""
        setting: MechanismSetting = getattr(self, name)
        return setting.on


def parse_mechanisms(text: str) -> MechanismSettings:
    """Validate the text of ``mechanisms.toml``.

    Raises:
        SkillError: No TOML, an unknown mechanism or setting, a value out of range, one left out, or words without
            their slots.
    """
    try:
        return MechanismSettings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{FILE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{FILE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def load_mechanisms(folder: Path) -> MechanismSettings:
    """Return the settings of the mechanisms of ``folder/mechanisms.toml``.

    Raises:
        SkillError: The file is missing or breaks its schema.
    """
    path = folder / FILE
    if not path.is_file():
        raise SkillError(f"{FILE}: is missing")
    return parse_mechanisms(path.read_text(encoding="utf-8"))
