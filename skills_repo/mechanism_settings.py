"""What ``mechanisms.toml`` says: for each mechanism whether it acts, its thresholds in range, and its words."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import ClassVar, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

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


class DeliverableSetting(_Strict):
    """When a file counts as work, for every mechanism that looks at files."""

    stub_words: int = Field(ge=1, le=200, description="Fewest words beside headings and placeholders.")
    placeholders: tuple[str, ...] = Field(strict=False, description="Patterns of what stands where words should.")

    @field_validator("placeholders")
    @classmethod
    def _patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        return _compiled(patterns)

    def pattern(self) -> re.Pattern[str]:
        """Return one pattern of all placeholders."""
        return re.compile("|".join(self.placeholders) or r"(?!)", re.IGNORECASE)


class CallRepairSetting(MechanismSetting):
    """Tool calls that cannot be understood as they come."""

    prefix_least: int = Field(ge=2, le=20, description="Fewest letters of a name by which a tool is known.")


class CompactionSetting(MechanismSetting):
    """Histories that outgrow the window of the model. Shares are of the room that the messages may have."""

    slots: ClassVar[dict[str, frozenset[str]]] = {
        "elided": frozenset({"characters", "call"}),
        "written": frozenset({"characters"}),
        "told": frozenset({"characters"}),
        "dropped": frozenset({"turns"}),
    }
    begins_at: float = Field(gt=0.2, le=1, description="Share of the room from which a history is shortened.")
    ends_at: float = Field(gt=0.1, le=0.95, description="Share of the room to which it is shortened.")
    turns_whole: int = Field(ge=1, le=50, description="Last turns that stay whole.")
    result_least: int = Field(ge=500, le=20_000, description="Characters from which a result or a text may go.")
    elided: str
    written: str
    told: str
    dropped: str


class FinishSetting(MechanismSetting):
    """A model that stops in the middle of its work."""

    slots: ClassVar[dict[str, frozenset[str]]] = {"say": frozenset({"problems"})}
    times: int = Field(ge=1, le=5, description="How often it is asked to go on.")
    announcements: tuple[str, ...] = Field(strict=False, description="Patterns of a last sentence that promises work.")
    say: str

    @field_validator("announcements")
    @classmethod
    def _patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        return _compiled(patterns)


class CompletionSetting(MechanismSetting):
    """Deliverables that are missing, empty, stubs, in another format; asks without a state."""

    slots: ClassVar[dict[str, frozenset[str]]] = {"say": frozenset({"problems"})}
    asks: bool = Field(description="Whether every ask must have a state in a table of asks.")
    say: str


class MandatorySetting(MechanismSetting):
    """Tools that the skill demands and that were not used."""

    slots: ClassVar[dict[str, frozenset[str]]] = {"say": frozenset({"tools"})}
    say: str


class FidelitySetting(MechanismSetting):
    """A draft about another matter. Each sign votes; a share below its least is a vote."""

    slots: ClassVar[dict[str, frozenset[str]]] = {"say": frozenset({"signs"})}
    votes: int = Field(ge=1, le=5, description="Signs that must agree.")
    times: int = Field(ge=1, le=5, description="How often another draft is asked for.")
    draft_least: int = Field(ge=10, le=2000, description="Fewest words of a draft that is judged.")
    fewest: int = Field(ge=1, le=20, description="Fewest telling words of names from which a sign can tell.")
    phrases_fewest: int = Field(ge=2, le=50, description="Fewest terms or words from which a sign can tell.")
    names_least: float = Field(ge=0, le=1, description="Share of the draft's names that the matter has.")
    phrases_least: float = Field(ge=0, le=1, description="Share of its capitalised terms that the papers have.")
    subject_least: float = Field(ge=0, le=1, description="Share of the brief's words that the draft has.")
    papers_least: float = Field(ge=0, le=1, description="Share of the draft's words that the papers have.")
    say: str


class EntityLockSetting(MechanismSetting):
    """Companies and governing laws that stand in the draft and in no paper."""

    slots: ClassVar[dict[str, frozenset[str]]] = {"say": frozenset({"names"})}
    times: int = Field(ge=1, le=5, description="How often it is said.")
    most: int = Field(ge=1, le=50, description="Names that are listed.")
    laws: tuple[str, ...] = Field(strict=False, description="Patterns of what a law governs; {place} is its district.")
    say: str

    @field_validator("laws")
    @classmethod
    def _patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        if lost := next((p for p in patterns if "{place}" not in p), ""):
            raise ValueError(f"{lost!r} has no {{place}}")
        _compiled(tuple(p.replace("{place}", "x") for p in patterns))
        return patterns


class LandingSetting(MechanismSetting):
    """The deliverable under its name, at the top of the output, in its format."""

    strays: bool = Field(description="Whether the one other file of the right format is the one missing deliverable.")


class ReassemblySetting(MechanismSetting):
    """A deliverable that was written in chunks, each over the one before."""

    longer: float = Field(ge=1.5, le=20, description="How many times longer the whole must be than the file.")


class VoteSetting(MechanismSetting):
    """Several drafts of one matter, and the one of them that is delivered."""

    drafts: int = Field(ge=2, le=9, description="Drafts that are made; they share the limits of the attempt.")
    temperature: float = Field(
        ge=0, le=2, description="Of the second draft and those after it, where the model has one."
    )


def _compiled(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"{pattern!r} is no pattern: {error}") from error
    return patterns


class MechanismSettings(_Strict):
    """The whole file, in the order in which mechanisms of one moment act. It must name every mechanism."""

    deliverable: DeliverableSetting
    call_repair: CallRepairSetting
    compaction: CompactionSetting
    finish_guard: FinishSetting
    completion: CompletionSetting
    mandatory_tools: MandatorySetting
    matter_fidelity: FidelitySetting
    entity_lock: EntityLockSetting
    landing: LandingSetting
    reassembly: ReassemblySetting
    vote: VoteSetting

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return the names of the mechanisms, in order."""
        return tuple(
            name
            for name, field in cls.model_fields.items()
            if isinstance(field.annotation, type) and issubclass(field.annotation, MechanismSetting)
        )

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
