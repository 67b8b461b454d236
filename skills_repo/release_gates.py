"""What ``gates.toml`` may say: for each release gate the severity of each kind of finding, and thresholds in range."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from skills_repo.schema import SkillError

Severity = Literal["block", "flag", "note"]
ORDER: Final = ("number", "date", "skeleton", "citation", "completeness")
FILE: Final = "gates.toml"


class _Gate(BaseModel):
    """Settings of one gate; a kind of finding that is not set keeps the severity of the check that found it."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    block_share: float | None = Field(None, gt=0, le=1, description="Share of flagged items from which it blocks.")


class NumberGate(_Gate):
    """Figures of the draft."""

    unsourced: Severity | None = None
    unit_mismatch: Severity | None = None
    near_miss: Severity | None = None
    wrong_entity: Severity | None = None
    wrong_context: Severity | None = None
    pair_disagrees: Severity | None = None
    source_disagrees: Severity | None = None
    near_miss_tolerance: float | None = Field(None, ge=0, le=0.1, description="Relative difference of a near miss.")
    ignore_below: int | None = Field(None, ge=0, le=100, description="Bare integers below this are no figures.")


class DateGate(_Gate):
    """Dates of the draft."""

    unsourced: Severity | None = None
    near_miss: Severity | None = None
    wrong_entity: Severity | None = None
    wrong_context: Severity | None = None
    pair_disagrees: Severity | None = None
    source_disagrees: Severity | None = None
    near_miss_days: int | None = Field(None, ge=0, le=31, description="Days between a date and its near miss.")


class SkeletonGate(_Gate):
    """Sections and files that the matter asks for."""

    missing_section: Severity | None = None
    unreadable_deliverable: Severity | None = None
    missing_deliverable: Severity | None = None


class CitationGate(_Gate):
    """Quotations and citations."""

    misquoted: Severity | None = None
    misattributed: Severity | None = None
    unresolved_citation: Severity | None = None
    quote_minimum_words: int | None = Field(None, ge=1, le=12, description="Shorter quotations are terms.")


class CompletenessGate(_Gate):
    """Documents that were not read or not used."""

    unread_document: Severity | None = None
    uncited_document: Severity | None = None


class GateSettings(BaseModel):
    """The whole file. Every gate must be there: a gate that is left out would be one switched off."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    version: int = Field(ge=1)
    order: tuple[str, ...] = Field(strict=False)
    number: NumberGate
    date: DateGate
    skeleton: SkeletonGate
    citation: CitationGate
    completeness: CompletenessGate

    @field_validator("order")
    @classmethod
    def _all_gates(cls, order: tuple[str, ...]) -> tuple[str, ...]:
        if order != ORDER:
            raise ValueError(f"the gates run in this order: {', '.join(ORDER)}")
        return order


def parse_gates(text: str) -> GateSettings:
    """Validate the text of ``gates.toml``.

    Raises:
        SkillError: No TOML, an unknown gate, kind of finding or setting, a value out of range, or a gate left out.
    """
    try:
        return GateSettings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{FILE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{FILE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def load_gates(folder: Path) -> dict[str, Any]:
    """Return the settings of the release gates (``folder/gates.toml``) as a table; empty where there is no file.

    Raises:
        SkillError: The file breaks its schema.
    """
    path = folder / FILE
    return parse_gates(path.read_text(encoding="utf-8")).model_dump(exclude_none=True) if path.exists() else {}


_RANK: Final = {"note": 0, "flag": 1, "block": 2}
_NO_SEVERITY: Final = {"version", "order"}


def loosened(before: GateSettings, after: GateSettings) -> str:
    """Say what makes the gates less strict than before; empty where nothing does.

    A severity may rise, and a threshold may catch more. What is not set leaves the severity to the check, so setting
    it counts as lowering unless it is at least a flag, and taking it away counts as lowering unless it was a note.
    """
    for gate in ORDER:
        old, new = getattr(before, gate).model_dump(), getattr(after, gate).model_dump()
        for name in old:
            if _looser(old[name], new[name]):
                return (
                    f"{gate}.{name} goes from {_said(old[name])} to {_said(new[name])}: an edit may not loosen a gate"
                )
    if after.version < before.version:
        return "the version goes back"
    return ""


def _looser(old: Any, new: Any) -> bool:
    if old == new:
        return False
    if isinstance(old, str) or isinstance(new, str):  # severities
        unset_counts_as = _RANK["flag"]
        return _RANK.get(new, _RANK["note"]) < _RANK.get(old, unset_counts_as)
    # A threshold says below what something is excused, or from what share a gate blocks: lower is stricter.
    return new is None or (old is not None and new > old)


def _said(value: Any) -> str:
    return "unset" if value is None else repr(value)
