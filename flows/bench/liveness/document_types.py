"""The cues that tell what a document is: whether each rule acts, and each of its settings.

A setting acts where some document would be taken for something else, or would bring other law, were it set otherwise.
The documents are made of words that the rule asks for, alone and beside words of other shipped rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from flows.bench.liveness.records import ALL, Leaf, fewer, moved, with_rows
from flows.bench.liveness.witness import witness
from knowledge_db import KnowledgeBase
from knowledge_db.document_types import DocumentCues
from knowledge_db.records import InferenceRule
from tasks.harness import Harness

_RIVALS = 60  # rules or pairs of rules beside which a rule is looked at, those of about its weight first
_BEYOND_THE_TITLE = "\n" * 500  # what stands behind it counts half
_WEIGHTS = (0.01, 10.0)  # about the least and the most that a rule may count


_Group = tuple[InferenceRule, ...]


class _Paper(NamedTuple):
    """A document as far as its type depends on it."""

    filename: str
    text: str
    area: str
    title: str = ""


def inference(harness: Harness, rows: slice = ALL) -> Iterator[Leaf]:
    """Drop each rule, and set each of its settings otherwise, and read documents that it is a cue of.

    Of a trigger it is also asked whether it brings law.
    """
    base = harness.knowledge
    everywhere = frozenset(row.jurisdiction for row in base.authorities)
    everywhere |= frozenset(row.jurisdiction for row in base.windows)
    words = {rule.pattern: witness(rule.pattern) or "" for rule in base.inference}
    groups = _groups(base.inference)
    for rule in base.inference[rows]:
        paper = _alone(rule, words[rule.pattern])
        found = _told((rule,), paper)
        yield Leaf("inference", f"{rule.document_type}: {rule.pattern[:60]}", bool(found))
        for taken, other in fewer(rule, "retrieve"):
            trigger = taken.partition(": ")[2]
            brings = base.law_on(trigger, trigger, 1, everywhere) or base.windows_on(trigger, trigger, 1, everywhere)
            yield Leaf("inference", f"{rule.document_type}: {taken}", bool(brings) and found != _told((other,), paper))
        yield from _settings(base, rule, _rivals(rule, groups), words)


def _settings(
    base: KnowledgeBase, rule: InferenceRule, rivals: Sequence[_Group], words: dict[str, str]
) -> Iterator[Leaf]:
    settings: dict[str, Iterable[Any]] = {
        "weight": _WEIGHTS,
        "area": ("any",) if rule.area != "any" else sorted({other.area for other in base.inference} - {"any"})[:1],
        "fallback": moved(rule.fallback),
    }
    for name, values in settings.items():
        changed = [rule.model_copy(update={name: value}) for value in values]
        alive = any(_differs(base, rule, other, rivals, words) for other in changed)
        yield Leaf("inference", f"{rule.document_type}: {rule.pattern[:60]}: {name}", alive)


def _rivals(rule: InferenceRule, groups: Sequence[_Group]) -> list[_Group]:
    """Return groups of rules that speak for another type, those that count most like a rule first."""

    def unlike(group: _Group) -> tuple[bool, float]:
        return group[0].fallback != rule.fallback, abs(sum(other.weight for other in group) - rule.weight)

    return sorted((g for g in groups if g[0].document_type != rule.document_type), key=unlike)[:_RIVALS]


def _groups(rules: Sequence[InferenceRule]) -> list[_Group]:
    """Return each rule, and each two that speak for one type together."""
    pairs = combinations(sorted(rules, key=lambda rule: rule.document_type), 2)
    return [*((rule,) for rule in rules), *(two for two in pairs if two[0].document_type == two[1].document_type)]


def _differs(
    base: KnowledgeBase,
    rule: InferenceRule,
    other: InferenceRule,
    rivals: Sequence[_Group],
    words: dict[str, str],
) -> bool:
    """Say whether a document, or a matter without any, is looked at differently under a changed rule."""
    areas = {rule.area, other.area} - {"any"}
    if any(_of_area(base, rule, area) != _of_area(base, other, area) for area in areas):
        return True
    return any(
        _told((rule, *rival), paper) != _told((other, *rival), paper)
        for rival in rivals
        for paper in _papers(
            words[rule.pattern],
            [words[one.pattern] for one in rival],
            areas | {"", *(one.area for one in rival)} - {"any"},
        )
    )


def _papers(own: str, others: Sequence[str], areas: set[str]) -> Iterator[_Paper]:
    """Yield documents that one rule and a rival speak of, in the name, in the title and behind it."""
    rival = " ".join(others)
    for area in sorted(areas):
        yield _Paper(own, rival, area)
        yield _Paper(rival, own, area)
        yield _Paper(f"{own} {rival}", "", area)
        yield _Paper(f"{rival} {own}", "", area)
        yield _Paper(f"{own} {others[0]}", "", area, title=others[-1])
        yield _Paper("", f"{own}\n{rival}", area)
        yield _Paper("", f"{rival}\n{_BEYOND_THE_TITLE}{own}", area)
        yield _Paper("", f"{own}\n{_BEYOND_THE_TITLE}{rival}", area)
        yield _Paper("", own, area)


def _alone(rule: InferenceRule, words: str) -> _Paper:
    area = "" if rule.area == "any" else rule.area
    return _Paper(words, "", area) if rule.where == "name" else _Paper("", words, area)


def _told(rules: Sequence[InferenceRule], paper: _Paper) -> object:
    """Return what the inventory keeps of what a document may be: the best type, with what it brings."""
    return next(iter(DocumentCues(rules).types_of(paper.filename, paper.title, paper.text, paper.area)), None)


def _of_area(base: KnowledgeBase, rule: InferenceRule, area: str) -> tuple[str, ...]:
    """Return what a practice area brings by a rule alone."""
    return with_rows(base, inference=(rule,)).triggers_of_area(area)
