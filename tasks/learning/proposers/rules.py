"""The proposer that works offline: a table of general remedies for general reasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from skills_repo.schema import SkillError, parse_skill
from tasks.learning.knowledge.rules import KNOWLEDGE_RULES, KnowledgeRule, edits_for
from tasks.learning.records import Edit, LearnerInput, Surface
from tasks.matter.reasons import Reason


@dataclass(frozen=True)
class Remedy:
    """A general remedy for one general reason.

    Attributes:
        reason: The reason it answers.
        setting: The procedure setting it moves.
        move: From the current value to the new one; None where the bound is reached.
        why: The rationale for the ledger.
    """

    reason: Reason
    setting: str
    move: Callable[[Any], Any | None]
    why: str


R = TypeVar("R", Remedy, KnowledgeRule)


def _up(step: float, most: float) -> Callable[[Any], Any | None]:
    return lambda value: round(value + step, 3) if value + step <= most else None


def _down(step: float, least: float) -> Callable[[Any], Any | None]:
    return lambda value: round(value - step, 3) if value - step >= least else None


def _turn(target: bool) -> Callable[[Any], Any | None]:
    return lambda value: None if value is target else target


RULES: tuple[Remedy, ...] = (
    Remedy(Reason.WORDS_NOT_CONVEYED, "passages_per_topic", _up(1, 4), "more than one passage may carry a provision"),
    Remedy(Reason.WORDS_NOT_CONVEYED, "quote_words", _up(40, 250), "the operative words were cut off"),
    Remedy(Reason.WORDS_NOT_CONVEYED, "min_score", _down(0.05, 0.0), "passages below the threshold were withheld"),
    Remedy(Reason.WORDS_NOT_CONVEYED, "include_exceptions", _turn(True), "provisos carry part of the provision"),
    Remedy(Reason.ABSENCE_NOT_STATED, "not_found_statements", _turn(True), "what was not found must be said"),
    Remedy(
        Reason.ABSENCE_NOT_STATED,
        "min_score",
        _up(0.05, 0.6),
        "weak passages were taken for a provision that is not there",
    ),
    Remedy(
        Reason.PROVISION_INVENTED,
        "min_score",
        _up(0.05, 0.6),
        "weak passages were taken for a provision that is not there",
    ),
    Remedy(
        Reason.DOCUMENT_LEFT_OUT,
        "not_found_statements",
        _turn(True),
        "a document in which nothing was found must be named with what was searched",
    ),
    Remedy(Reason.ANSWER_MISPLACED, "compare_documents", _turn(True), "answers side by side show whose each is"),
    Remedy(Reason.DATE_WRONG, "include_definitions", _turn(True), "dates are often set by a defined term"),
    Remedy(Reason.DATE_WRONG, "passages_per_topic", _up(1, 4), "the date stood in a passage that was not served"),
    Remedy(
        Reason.ANSWER_WRONG, "answer_first", _turn(True), "the typed answer must be stated, not left in the quotation"
    ),
    Remedy(Reason.ANSWER_WRONG, "include_definitions", _turn(True), "typed answers are often set by a defined term"),
    Remedy(Reason.POINT_UNTREATED, "passages_per_topic", _up(1, 4), "enumerated points need their own passages"),
    Remedy(Reason.FACT_OMITTED, "ledger", _turn(True), "facts of the record belong in the ledger"),
    Remedy(Reason.ACTION_LACKING, "recommend_actions", _turn(True), "each finding needs an action and an owner"),
    Remedy(Reason.IMPACT_MISJUDGED, "severity_ratings", _turn(True), "findings must be rated and ordered"),
    Remedy(Reason.NOT_RECONCILED, "compare_documents", _turn(True), "answers to one topic must be set side by side"),
)


class RulesProposer:
    """Answers the commonest failure of the most used skill with a bounded change of its procedure, or of the knowledge.

    A change that the history shows as tried from the same value is not tried again. Skills come first: a setting acts
    on every matter of its skill, a row of the knowledge on those that ask for it.
    """

    name = "rules"

    def __init__(
        self,
        surfaces: Sequence[Surface] = ("skills", "knowledge"),
        rules: tuple[Remedy, ...] = RULES,
        knowledge_rules: tuple[KnowledgeRule, ...] = KNOWLEDGE_RULES,
    ) -> None:
        self._rules = rules
        self._knowledge_rules = knowledge_rules
        self._propose = {"skills": self._of_skills, "knowledge": self._of_knowledge}
        self._surfaces = [surface for surface in surfaces if surface in self._propose]

    def propose(self, given: LearnerInput, limit: int) -> list[Edit]:
        """Return at most ``limit`` edits, for the weakest skill and its commonest reason first."""
        edits: list[Edit] = []
        tried = set(given.history)
        for edit in chain.from_iterable(self._propose[surface](given) for surface in self._surfaces):
            if len(edits) >= limit:
                break
            if edit.rationale not in tried:
                edits.append(edit)
                tried.add(edit.rationale)
        return edits

    def _of_skills(self, given: LearnerInput) -> Iterator[Edit]:
        for skill_id, reasons in _by_weight(given):
            text = given.skills.get(skill_id)
            for rule in _ranked(self._rules, reasons):
                edit = _apply(rule, skill_id, text) if text else None
                if edit:
                    yield edit

    def _of_knowledge(self, given: LearnerInput) -> Iterator[Edit]:
        reasons = sum((Counter(one.reasons) for one in given.signals), Counter[Reason]())
        for rule in _ranked(self._knowledge_rules, reasons):
            yield from edits_for(rule, given.knowledge)


def _by_weight(given: LearnerInput) -> list[tuple[str, Counter[Reason]]]:
    by_skill: dict[str, Counter[Reason]] = {}
    for one in given.signals:
        by_skill.setdefault(one.skill_id, Counter()).update(one.reasons)
    return sorted(by_skill.items(), key=lambda item: (-item[1].total(), item[0]))


def _ranked(rules: tuple[R, ...], reasons: Mapping[Reason, int]) -> Iterator[R]:
    present = [rule for rule in rules if reasons.get(rule.reason)]
    yield from sorted(present, key=lambda rule: -reasons[rule.reason])  # stable: the table's order breaks ties


def _apply(rule: Remedy, skill_id: str, text: str) -> Edit | None:
    try:
        current = getattr(parse_skill(text, skill_id).procedure, rule.setting)
    except SkillError:
        return None  # a broken skill is the form gate's business, not a base for edits
    value = rule.move(current)
    if value is None:
        return None
    return Edit(
        surface="skills",
        path=f"skills/{skill_id}/SKILL.md",
        before=text,
        after=set_procedure(text, rule.setting, value),
        rationale=f"{skill_id}: {rule.setting} {_toml(current)} -> {_toml(value)}: {rule.why}",
        reason=rule.reason,
    )


def set_procedure(text: str, setting: str, value: Any) -> str:
    """Return the skill's text with one procedure setting changed or added; nothing else moves."""
    line = f"{setting} = {_toml(value)}"
    changed, count = re.subn(rf"^{re.escape(setting)}\s*=.*$", line, text, count=1, flags=re.MULTILINE)
    if count:
        return changed
    if re.search(r"^\[procedure\]$", text, re.MULTILINE):
        return re.sub(r"^\[procedure\]$", f"[procedure]\n{line}", text, count=1, flags=re.MULTILINE)
    head, mark, rest = text.partition("\n+++\n")
    return f"{head}\n\n[procedure]\n{line}{mark}{rest}"


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
