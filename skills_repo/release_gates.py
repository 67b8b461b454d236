"""What ``gates.toml`` says: for each release gate the severity of each kind of finding, and thresholds in range."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, Literal, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from skills_repo.schema import SkillError

Severity = Literal["block", "flag", "note"]
Always = Literal["block"]
FILE: Final = "gates.toml"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Gate(_Strict):
    """Settings of one gate: a severity under the name of each kind of finding, and thresholds."""

    def severity(self, kind: str) -> Severity:
        """Return the severity of a kind of finding of this gate.

        Raises:
            KeyError: The gate knows no such kind.
        """
        if kind not in self.kinds():
            raise KeyError(f"{type(self).__name__} knows no finding {kind!r}")
        found: Severity = getattr(self, kind)
        return found

    @classmethod
    def kinds(cls) -> tuple[str, ...]:
        """Return the kinds of finding that the gate knows."""
        return tuple(n for n, f in cls.model_fields.items() if get_origin(f.annotation) is Literal)


class UnsetGate(_Gate):
    """A gate that has no section yet. It is not switched off: a lawyer sees each finding, and none blocks."""

    def severity(self, kind: str) -> Severity:  # noqa: ARG002 - whatever the kind
        """Return that of every finding."""
        return "flag"


class AsksGate(_Gate):
    """What became of the asks of the brief."""

    dropped_ask: Severity
    unaccepted_answer: Severity
    unverified_answer: Severity
    uncovered_brief: Severity


class NumberGate(_Gate):
    """Figures of the draft."""

    unsourced: Severity
    unit_mismatch: Severity
    near_miss: Severity
    wrong_entity: Severity
    wrong_context: Severity
    pair_disagrees: Severity
    source_disagrees: Severity
    silent_choice: Severity
    unknown_identifier: Severity
    rounding_least: float = Field(ge=0, le=0.05, description="Least share by which an approximate figure may differ.")
    rounding_most: float = Field(ge=0, le=0.1, description="Greatest share by which an approximate figure may differ.")
    block_share: float = Field(gt=0, le=1, description="Share of flagged figures at which the gate blocks.")


class DateGate(_Gate):
    """Dates and periods of the draft."""

    unsourced: Severity
    near_miss: Severity
    unit_mismatch: Severity
    wrong_entity: Severity
    rule_reach_days: int = Field(ge=0, le=62, description="Days from a rule's result within which a date is a miss.")
    block_share: float = Field(gt=0, le=1, description="Share of flagged dates at which the gate blocks.")


class SkeletonGate(_Gate):
    """Sections that a deliverable needs."""

    missing_section: Severity
    heading_likeness: float = Field(
        ge=70, le=100, description="Likeness at which a heading counts as the required one."
    )


class CitationGate(_Gate):
    """Quotations and citations."""

    misquoted: Severity
    fabricated: Always
    misattributed: Severity
    unresolved_citation: Severity
    missing_place: Severity
    unsupported_statement: Severity
    opposite_polarity: Severity
    opposite_direction: Severity
    wrong_party: Severity
    wrong_law: Severity
    false_denial: Severity
    unchecked_law: Severity
    quote_minimum_words: int = Field(ge=1, le=12, description="Shortest quotation, in words, that is checked.")
    fabricated_words: int = Field(
        ge=2, le=40, description="Shortest quotation, in words, that counts as fabricated when no source resembles it."
    )
    support_words: int = Field(ge=2, le=20, description="Fewest telling words of a statement that are compared.")
    support_alike: float = Field(
        ge=0.3, le=1, description="Share of its words from which a statement retells a sentence."
    )
    support_least: float = Field(ge=0, le=0.9, description="Share of its key terms that the cited place must have.")
    support_elsewhere: float = Field(
        ge=0.3, le=1, description="Share of them that another clause must have, for the cited one to be the wrong one."
    )
    denial_margin: float = Field(ge=0, le=6, description="Points above its threshold at which a provision is there.")
    denial_words: float = Field(ge=0.3, le=1, description="Share of a topic's words that one sentence must have.")
    denials: tuple[str, ...] = Field(strict=False, description="Patterns of a denial, with its topic as a group.")
    negations: tuple[str, ...] = Field(strict=False, description="Words that turn a statement into its opposite.")
    idle_negations: tuple[str, ...] = Field(strict=False, description="Phrases in which they turn nothing round.")
    before: tuple[str, ...] = Field(strict=False, description="Words for the time ahead of an event.")
    after: tuple[str, ...] = Field(strict=False, description="Words for the time behind it.")
    block_share: float = Field(gt=0, le=1, description="Share of flagged citations at which the gate blocks.")


class CompletenessGate(_Gate):
    """Missing deliverables, and documents that were not read or not used."""

    missing_deliverable: Always
    unreadable_deliverable: Always
    prompt_text: Always
    stale_deliverable: Severity
    unread_document: Severity
    partly_read_document: Severity
    uncited_document: Severity
    prompt_words: int = Field(ge=3, le=8, description="Fewest words of a prompt's sentence that no draft may repeat.")


class GateSettings(_Strict):
    """The whole file. It must name every gate and kind of finding: one that is left out would be switched off."""

    order: tuple[str, ...] = Field(strict=False)
    findings_per_gate: int = Field(
        ge=20, le=2000, description="Maximum number of findings that a report lists for a gate."
    )
    block_from: int = Field(ge=1, le=50, description="Fewest flags that can block by share.")
    asks: AsksGate
    number: NumberGate
    date: DateGate
    skeleton: SkeletonGate
    citation: CitationGate
    completeness: CompletenessGate

    @field_validator("order")
    @classmethod
    def _all_gates(cls, order: tuple[str, ...]) -> tuple[str, ...]:
        gates = [
            n for n, f in cls.model_fields.items() if isinstance(f.annotation, type) and issubclass(f.annotation, _Gate)
        ]
        if sorted(order) != sorted(gates):
            raise ValueError(f"must name each gate once: {', '.join(gates)}")
        return order

    def gate(self, name: str) -> _Gate:
        """Return the settings of a gate; one without a section flags whatever it finds."""
        found = getattr(self, name, None)
        return found if isinstance(found, _Gate) else UnsetGate()

    def in_order(self, gates: Iterable[str]) -> tuple[str, ...]:
        """Return the gates of the file in its order, and behind them those that have no section."""
        return tuple(dict.fromkeys((*self.order, *gates)))

    def share(self, name: str) -> float | None:
        """Return the share of flags at which a gate blocks; None for a gate that blocks by kind alone."""
        found: float | None = getattr(self.gate(name), "block_share", None)
        return found


def parse_gates(text: str) -> GateSettings:
    """Validate the text of ``gates.toml``.

    Raises:
        SkillError: No TOML, an unknown gate, kind of finding or setting, a value out of range, or one left out.
    """
    try:
        return GateSettings.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise SkillError(f"{FILE}: is no TOML: {error}") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SkillError(f"{FILE}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def load_gates(folder: Path) -> GateSettings:
    """Return the settings of the release gates of ``folder/gates.toml``.

    Raises:
        SkillError: The file is missing or breaks its schema.
    """
    path = folder / FILE
    if not path.is_file():
        raise SkillError(f"{FILE}: is missing")
    return parse_gates(path.read_text(encoding="utf-8"))


_RANK: Final = {"note": 0, "flag": 1, "block": 2}
# Above these names a higher value excuses less; below all others a lower one does.
_HIGHER_IS_STRICTER: Final = {"findings_per_gate", "rule_reach_days", "heading_likeness"}


def loosened(before: GateSettings, after: GateSettings) -> str:
    """Say what makes the gates less strict than before; empty where nothing does.

    A severity may rise, and a threshold may catch more.
    """
    for where, old, new in _changes(before.model_dump(), after.model_dump()):
        if _is_looser(where.rpartition(".")[2], old, new):
            return f"{where} goes from {old!r} to {new!r}: an edit may not loosen a gate"
    return ""


def _changes(before: dict[str, Any], after: dict[str, Any], above: str = "") -> list[tuple[str, Any, Any]]:
    found = []
    for name, old in before.items():
        new, where = after[name], above + name
        if isinstance(old, dict):
            found += _changes(old, new, where + ".")
        elif old != new and name != "order":
            found.append((where, old, new))
    return found


def _is_looser(name: str, old: Any, new: Any) -> bool:
    if isinstance(old, tuple):
        excuses = name == "idle_negations"
        return not (set(new) <= set(old) if excuses else set(old) <= set(new))
    if isinstance(old, str):
        return _RANK[new] < _RANK[old]
    lower: bool = new < old
    return lower if name in _HIGHER_IS_STRICTER else not lower
